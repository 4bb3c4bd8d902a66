//! Triangles of flexes: faces of elements with flat shading, or the smooth surface around them.

use super::enums::VisFlag;
use super::error::SceneError;
use super::geom::single;
use super::types::{MjvOption, MjvScene};
use kinetree_math::Vec3;
use kinetree_math::rot::normalize3;
use kinetree_model::{Data, Model};

/// Sets vertices and triangles of all flexes as the options ask.
///
/// # Errors
/// When the scene was made for another model.
pub fn mjv_update_active_flex(
    model: &Model,
    data: &Data,
    scn: &mut MjvScene,
    opt: &MjvOption,
) -> Result<(), SceneError> {
    data.check(model)?;
    if scn.flexvert.len() != model.nflexvert || scn.flexfaceused.len() != model.nflex {
        return Err(SceneError::OtherModel);
    }
    scn.flexvertopt = opt.shows(VisFlag::Flexvert);
    scn.flexedgeopt = opt.shows(VisFlag::Flexedge);
    scn.flexfaceopt = opt.shows(VisFlag::Flexface);
    scn.flexskinopt = opt.shows(VisFlag::Flexskin);
    for (vertex, pos) in scn.flexvert.iter_mut().zip(data.flexvert_xpos.iter()) {
        *vertex = single(pos);
    }
    let mut normals = std::mem::take(&mut scn.scratch.vertex_normals);
    for flex in 0..model.nflex {
        let mut surface = Surface::new(model, data, flex, scn);
        if surface.dim > 1 {
            if opt.shows(VisFlag::Flexskin) {
                surface.smooth(&mut normals);
            } else if opt.shows(VisFlag::Flexface) {
                surface.faces(opt.flex_layer);
            }
        }
        let used = surface.used as i32;
        scn.flexfaceused[flex] = used;
    }
    scn.scratch.vertex_normals = normals;
    Ok(())
}

/// The triangles of one flex in the making.
struct Surface<'a> {
    model: &'a Model,
    flex: usize,
    dim: usize,
    radius: f64,
    vertices: &'a [[f64; 3]],
    face: &'a mut [[f32; 9]],
    normal: &'a mut [[f32; 9]],
    texcoord: &'a mut [[f32; 6]],
    used: usize,
}

impl<'a> Surface<'a> {
    fn new(model: &'a Model, data: &'a Data, flex: usize, scn: &'a mut MjvScene) -> Self {
        let first = scn.flexfaceadr[flex] as usize;
        let faces = first..first + scn.flexfacenum[flex] as usize;
        let vertex = model.flex_vertadr[flex] as usize;
        Self {
            model,
            flex,
            dim: model.flex_dim[flex] as usize,
            radius: model.flex_radius[flex],
            vertices: &data.flexvert_xpos[vertex..vertex + model.flex_vertnum[flex] as usize],
            face: &mut scn.flexface[faces.clone()],
            normal: &mut scn.flexnormal[faces.clone()],
            texcoord: &mut scn.flextexcoord[faces],
            used: 0,
        }
    }

    fn vertex(&self, id: i32) -> Vec3 {
        Vec3::from(self.vertices[id as usize])
    }

    /// Unit normal of a triangle.
    fn face_normal(&self, [a, b, c]: [i32; 3]) -> Vec3 {
        let corner = self.vertex(a);
        let mut normal = (self.vertex(b) - corner).cross(&(self.vertex(c) - corner));
        normalize3(&mut normal);
        normal
    }

    /// Vertices of the elements, or the ids of their texture coordinates.
    fn element(&self, element: usize, list: &[i32]) -> [i32; 4] {
        let first = self.model.flex_elemdataadr[self.flex] as usize + element * (self.dim + 1);
        std::array::from_fn(|k| if k <= self.dim { list[first + k] } else { 0 })
    }

    fn shell(&self, fragment: usize) -> [i32; 3] {
        let first = self.model.flex_shelldataadr[self.flex] as usize + fragment * self.dim;
        std::array::from_fn(|k| if k < self.dim { self.model.flex_shell[first + k] } else { 0 })
    }

    /// Appends a triangle with corners, normals and texture coordinates.
    fn push(&mut self, points: [Vec3; 3], normals: [Vec3; 3], coordinates: [i32; 3]) {
        let Some(face) = self.face.get_mut(self.used) else { return };
        let flat = |v: [Vec3; 3]| -> [f32; 9] { std::array::from_fn(|k| v[k / 3][k % 3] as f32) };
        *face = flat(points);
        self.normal[self.used] = flat(normals);
        if let Ok(first) = usize::try_from(self.model.flex_texcoordadr[self.flex]) {
            let corner = |k: usize| self.model.flex_texcoord[first + coordinates[k] as usize];
            self.texcoord[self.used] = std::array::from_fn(|k| corner(k / 2)[k % 2]);
        }
        self.used += 1;
    }

    /// Faces of elements, moved outwards by the radius; of a solid those of one layer.
    fn faces(&mut self, layer: i32) {
        const SIDES: [[usize; 3]; 2] = [[0, 1, 2], [0, 2, 1]];
        const TETRAHEDRON: [[usize; 3]; 4] = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
        let model = self.model;
        let first = model.flex_elemadr[self.flex] as usize;
        for element in 0..model.flex_elemnum[self.flex] as usize {
            if self.dim == 3 && model.flex_elemlayer[first + element] != layer {
                continue;
            }
            let vertices = self.element(element, &model.flex_elem);
            let coordinates = self.element(element, &model.flex_elemtexcoord);
            let triangles = if self.dim == 2 { &SIDES[..] } else { &TETRAHEDRON[..] };
            for triangle in triangles {
                let corners = triangle.map(|k| vertices[k]);
                let normal = self.face_normal(corners);
                let points = corners.map(|v| self.vertex(v) + normal * self.radius);
                self.push(points, [normal; 3], triangle.map(|k| coordinates[k]));
            }
        }
    }

    /// The surface through the vertices, moved outwards along their normals: both sides and the rim of a
    /// surface, or the shell of a solid.
    fn smooth(&mut self, normals: &mut Vec<Vec3>) {
        let model = self.model;
        self.set_vertex_normals(normals);
        let flat = model.flex_flatskin[self.flex] != 0;
        if self.dim == 2 {
            for element in 0..model.flex_elemnum[self.flex] as usize {
                let [a, b, c, _] = self.element(element, &model.flex_elem);
                let [u, v, w, _] = self.element(element, &model.flex_elemtexcoord);
                self.push_smooth([a, b, c], [u, v, w], self.radius, flat, normals);
                self.push_smooth([a, c, b], [u, w, v], -self.radius, flat, normals);
            }
        }
        for fragment in 0..model.flex_shellnum[self.flex] as usize {
            let corners @ [a, b, _] = self.shell(fragment);
            if self.dim == 2 {
                self.push_rim([a, b], self.radius, normals);
                self.push_rim([b, a], -self.radius, normals);
            } else {
                self.push_smooth(corners, corners, self.radius, flat, normals);
            }
        }
    }

    /// Mean of the normals of the triangles around each vertex.
    fn set_vertex_normals(&self, normals: &mut Vec<Vec3>) {
        let model = self.model;
        normals.clear();
        normals.resize(self.vertices.len(), Vec3::zeros());
        let count =
            if self.dim == 2 { model.flex_elemnum[self.flex] } else { model.flex_shellnum[self.flex] };
        for k in 0..count as usize {
            let corners = if self.dim == 2 {
                let [a, b, c, _] = self.element(k, &model.flex_elem);
                [a, b, c]
            } else {
                self.shell(k)
            };
            let normal = self.face_normal(corners);
            for corner in corners {
                normals[corner as usize] += normal;
            }
        }
        for normal in normals {
            normalize3(normal);
        }
    }

    /// A triangle of the surface; a negative radius means its back.
    fn push_smooth(
        &mut self,
        corners: [i32; 3],
        coordinates: [i32; 3],
        radius: f64,
        flat: bool,
        normals: &[Vec3],
    ) {
        let side = if radius > 0.0 { 1.0 } else { -1.0 };
        let points = corners.map(|v| self.vertex(v) + normals[v as usize] * radius);
        let shading = if flat {
            [self.face_normal(corners) * side; 3]
        } else {
            corners.map(|v| normals[v as usize] * side)
        };
        self.push(points, shading, coordinates);
    }

    /// A triangle of the rim of a surface.
    fn push_rim(&mut self, [a, b]: [i32; 2], radius: f64, normals: &[Vec3]) {
        let mut normal = (self.vertex(b) - self.vertex(a)).cross(&normals[b as usize]);
        if radius < 0.0 {
            normal = -normal;
        }
        normalize3(&mut normal);
        let point = |v: i32, side: f64| self.vertex(v) + normals[v as usize] * (side * radius);
        let points = [point(a, 1.0), point(b, -1.0), point(b, 1.0)];
        self.push(points, [normal; 3], [a, b, b]);
    }
}
