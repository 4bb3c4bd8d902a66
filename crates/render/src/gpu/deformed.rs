//! Surfaces that change their form from frame to frame: skins, flexes and deformable bodies.

use super::layout::{Affine, Vertex};
use super::shape::Shape;
use super::tessellate::Surface;
use crate::scene::{MjvGeom, MjvScene};
use kinetree_model::Model;
use kinetree_model::enums::{GeomType, ObjType};
use nalgebra::{Matrix3, Rotation3, Vector3};
use std::ops::Range;

/// What of a skin does not change.
#[derive(Clone, Debug)]
struct Skin {
    faces: Vec<[i32; 3]>,
    texcoord: Vec<[f32; 2]>,
}

/// Deformed surfaces of the current scene.
#[derive(Clone, Debug)]
pub(super) struct Deformed {
    skins: Vec<Skin>,
    /// All triangles of this frame.
    pub(super) surface: Surface,
    /// Indices of each skin, then of each flex, then of each deformable body.
    ranges: Vec<Range<u32>>,
}

/// The scene has these surfaces in the world's frame already.
const IN_PLACE: Affine = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];

impl Deformed {
    /// The skins of a model.
    pub(super) fn new(model: &Model) -> Self {
        let skin = |id: usize| {
            let faces =
                model.skin_faceadr[id] as usize..(model.skin_faceadr[id] + model.skin_facenum[id]) as usize;
            let texcoord = usize::try_from(model.skin_texcoordadr[id]).map_or_else(
                |_| Vec::new(),
                |first| model.skin_texcoord[first..first + model.skin_vertnum[id] as usize].to_vec(),
            );
            Skin { faces: model.skin_face[faces].to_vec(), texcoord }
        };
        Self { skins: (0..model.nskin).map(skin).collect(), surface: Surface::default(), ranges: Vec::new() }
    }

    /// Takes the vertices and normals of this frame. What a scene does not have, or has for another model, is
    /// left out.
    pub(super) fn update(&mut self, scene: &MjvScene) {
        self.surface.vertices.clear();
        self.surface.indices.clear();
        self.ranges.clear();
        for id in 0..self.skins.len() {
            let first = self.surface.indices.len() as u32;
            self.add_skin(scene, id);
            self.ranges.push(first..self.surface.indices.len() as u32);
        }
        for flex in 0..scene.flexfaceused.len() {
            let first = self.surface.indices.len() as u32;
            self.add_flex_faces(scene, flex);
            self.ranges.push(first..self.surface.indices.len() as u32);
        }
        for body in scene.deformables.drawn() {
            let first = self.surface.indices.len() as u32;
            self.add_triangles(&body.face, &body.normal, std::iter::repeat(&[0.0; 6]));
            self.ranges.push(first..self.surface.indices.len() as u32);
        }
    }

    /// Triangles of a skin with the vertices of this frame.
    fn add_skin(&mut self, scene: &MjvScene, id: usize) {
        let skin = &self.skins[id];
        let span = span(&scene.skinvertadr, &scene.skinvertnum, id);
        let (Some(vertices), Some(normals)) = (scene.skinvert.get(span.clone()), scene.skinnormal.get(span))
        else {
            return;
        };
        let (base, count) = (self.surface.vertices.len() as u32, vertices.len());
        let corners = vertices.iter().zip(normals).enumerate();
        self.surface.vertices.extend(corners.map(|(i, (&pos, &normal))| {
            let uv = skin.texcoord.get(i).copied().unwrap_or_default();
            Vertex { pos, normal, uv }
        }));
        let inside = |face: &&[i32; 3]| face.iter().all(|&v| (v as usize) < count);
        self.surface.indices.extend(skin.faces.iter().filter(inside).flatten().map(|&v| v as u32 + base));
    }

    /// Triangles of a flex, with normals and texture coordinates at their corners.
    fn add_flex_faces(&mut self, scene: &MjvScene, flex: usize) {
        let span = span(&scene.flexfaceadr, &scene.flexfaceused, flex);
        let lists = (
            scene.flexface.get(span.clone()),
            scene.flexnormal.get(span.clone()),
            scene.flextexcoord.get(span),
        );
        let (Some(faces), Some(normals), Some(texcoords)) = lists else { return };
        self.add_triangles(faces, normals, texcoords);
    }

    fn add_triangles<'a>(
        &mut self,
        faces: &[[f32; 9]],
        normals: &[[f32; 9]],
        texcoords: impl IntoIterator<Item = &'a [f32; 6]>,
    ) {
        for ((pos, normal), uv) in faces.iter().zip(normals).zip(texcoords) {
            self.surface.triangle([0, 1, 2].map(|k| Vertex {
                pos: [pos[3 * k], pos[3 * k + 1], pos[3 * k + 2]],
                normal: [normal[3 * k], normal[3 * k + 1], normal[3 * k + 2]],
                uv: [uv[2 * k], uv[2 * k + 1]],
            }));
        }
    }

    /// Indices of a deformed surface.
    pub(super) fn range(&self, shape: Shape) -> Range<u32> {
        match shape {
            Shape::Deformed(i) => self.ranges.get(i).cloned().unwrap_or(0..0),
            _ => 0..0,
        }
    }

    /// Calls `add` for each shape of a deformed geom.
    pub(super) fn for_each_shape(
        &self,
        geom: &MjvGeom,
        scene: &MjvScene,
        mut add: impl FnMut(Shape, Affine),
    ) {
        let Ok(id) = usize::try_from(geom.objid) else { return };
        let surface = match GeomType::try_from(geom.type_) {
            Ok(GeomType::Skin) if id < self.skins.len() => Shape::Deformed(id),
            Ok(GeomType::Flex) if geom.objtype == ObjType::Unknown as i32 => {
                let Some(body) = scene.deformables.drawn().get(id) else { return };
                if geom.size[0] > 0.0 {
                    let edges = body.edges.iter().filter(|_| body.shows_edges).copied();
                    skeleton(&body.vertices, body.shows_vertices, edges, geom.size[0], &mut add);
                }
                Shape::Deformed(self.skins.len() + scene.flexfaceused.len() + id)
            }
            Ok(GeomType::Flex) if id < scene.flexfaceused.len() => {
                // a smooth surface covers vertices and edges
                if geom.size[0] > 0.0 && !(scene.flexskinopt && scene.flexfaceused[id] > 0) {
                    flex_skeleton(scene, id, geom.size[0], &mut add);
                }
                Shape::Deformed(self.skins.len() + id)
            }
            _ => return,
        };
        if !self.range(surface).is_empty() {
            add(surface, IN_PLACE);
        }
    }
}

/// The part of a list that belongs to element `id`, empty when there is none.
fn span(first: &[i32], count: &[i32], id: usize) -> Range<usize> {
    match (first.get(id), count.get(id)) {
        (Some(&first), Some(&count)) if first >= 0 && count >= 0 => {
            first as usize..first as usize + count as usize
        }
        _ => 0..0,
    }
}

/// Vertices of a flex as spheres and its edges as cylinders, where they are shown.
fn flex_skeleton(scene: &MjvScene, id: usize, radius: f32, add: &mut impl FnMut(Shape, Affine)) {
    let Some(vertices) = scene.flexvert.get(span(&scene.flexvertadr, &scene.flexvertnum, id)) else { return };
    let edges =
        scene.flexedge.get(span(&scene.flexedgeadr, &scene.flexedgenum, id)).filter(|_| scene.flexedgeopt);
    let edges = edges.into_iter().flatten().map(|edge| edge.map(|v| v as u32));
    skeleton(vertices, scene.flexvertopt, edges, radius, add);
}

/// Vertices as spheres, where they are shown, and edges as cylinders.
fn skeleton(
    vertices: &[[f32; 3]],
    shows_vertices: bool,
    edges: impl Iterator<Item = [u32; 2]>,
    radius: f32,
    add: &mut impl FnMut(Shape, Affine),
) {
    let pose =
        |m: Matrix3<f32>, at: Vector3<f32>| [0, 1, 2].map(|r| [m[(r, 0)], m[(r, 1)], m[(r, 2)], at[r]]);
    if shows_vertices {
        for &v in vertices {
            add(Shape::Sphere, pose(Matrix3::from_diagonal_element(radius), v.into()));
        }
    }
    for edge in edges {
        let [Some(&a), Some(&b)] = edge.map(|v| vertices.get(v as usize)) else { continue };
        let (a, b) = (Vector3::from(a), Vector3::from(b));
        let along = b - a;
        // an edge that points straight down has no shortest rotation: rotate it about x
        let rotation = Rotation3::rotation_between(&Vector3::z(), &along)
            .unwrap_or_else(|| Rotation3::from_axis_angle(&Vector3::x_axis(), std::f32::consts::PI));
        let scale = Matrix3::from_diagonal(&Vector3::new(radius, radius, 0.5 * along.norm()));
        add(Shape::OpenCylinder, pose(rotation.matrix() * scale, 0.5 * (a + b)));
    }
}
