//! Deformable bodies that are no part of a model: sheets, solids and ropes.
//!
//! Whoever steps such bodies hands over their vertices after each update of a scene. They are drawn as flexes
//! are, and the options of flexes hold for them. Which edges a surface has is found once and kept as long as
//! its triangles are the same.

use super::enums::{CatBit, LabelMode, VisFlag};
use super::geom::{mjv_init_geom, single};
use super::label::Label;
use super::painter::{geom_for, in_group};
use super::types::{MjvOption, MjvScene};
use kinetree_math::Vec3;
use kinetree_math::rot::normalize3;
pub use kinetree_model::Deformable;
use kinetree_model::Model;
use kinetree_model::enums::{GeomType, ObjType};

/// A corner of a closed surface keeps its smooth normal up to this cosine of the angle to the face's normal.
const SMOOTH_COSINE: f64 = 0.8;

/// Triangles, balls and cylinders of the deformable bodies of a scene.
#[derive(Clone, Debug, Default)]
pub struct Deformables {
    /// Bodies; the memory of those that a scene has no longer is kept.
    bodies: Vec<DrawnBody>,
    used: usize,
    normals: Vec<Vec3>,
}

/// One body as it is drawn.
#[derive(Clone, Debug, Default)]
pub(crate) struct DrawnBody {
    /// Corners of triangles (m).
    pub(crate) face: Vec<[f32; 9]>,
    /// Normals at those corners.
    pub(crate) normal: Vec<[f32; 9]>,
    /// Vertices (m), balls of the body's radius.
    pub(crate) vertices: Vec<[f32; 3]>,
    /// Edges, cylinders of that radius.
    pub(crate) edges: Vec<[u32; 2]>,
    pub(crate) shows_vertices: bool,
    pub(crate) shows_edges: bool,
    topology: Topology,
}

/// What of a surface its triangles alone decide.
#[derive(Clone, Debug, Default)]
struct Topology {
    triangles: Vec<[u32; 3]>,
    /// Edges of the surface, each once.
    edges: Vec<[u32; 2]>,
    /// Edges of one triangle alone, in its direction.
    rim: Vec<[u32; 2]>,
}

impl Deformables {
    /// The bodies that are drawn.
    pub(crate) fn drawn(&self) -> &[DrawnBody] {
        &self.bodies[..self.used]
    }

    /// Forgets all bodies.
    pub(super) fn clear(&mut self) {
        self.used = 0;
    }
}

/// Appends a deformable body that is no part of the model: one geom with the type of flexes, no object, and
/// the number of the body in `objid`, counted since the scene was updated.
///
/// What names a vertex that is not there is left out.
pub fn mjv_add_deformable(model: &Model, body: &Deformable<'_>, opt: &MjvOption, scn: &mut MjvScene) {
    if !opt.shows_flexes() || !in_group(&opt.flexgroup, 0) || body.vertices.is_empty() {
        return;
    }
    if scn.geoms.len() >= scn.maxgeom {
        scn.status = 1;
        return;
    }
    let Deformables { bodies, used, normals } = &mut scn.deformables;
    if bodies.len() == *used {
        bodies.push(DrawnBody::default());
    }
    bodies[*used].update(body, opt, normals);
    let mut geom = geom_for(ObjType::Unknown, *used, CatBit::Dynamic);
    *used += 1;
    let centre = body.vertices.iter().sum::<Vec3>() / body.vertices.len() as f64;
    let kind = GeomType::Flex as i32;
    mjv_init_geom(&mut geom, kind, None, Some(&centre.into()), None, Some(&body.rgba));
    geom.size[0] = body.radius as f32;
    if opt.shows(VisFlag::Transparent) {
        geom.rgba[3] *= model.vis.map.alpha;
    }
    if opt.labels(LabelMode::Flex) {
        geom.label = Label::from(body.name);
    }
    geom.segid = scn.geoms.len() as i32;
    scn.geoms.push(geom);
}

impl Topology {
    /// Finds edges and the border, unless the triangles are those of the last call.
    fn update(&mut self, triangles: &[[u32; 3]]) {
        if self.triangles == triangles {
            return;
        }
        self.triangles.clear();
        self.triangles.extend_from_slice(triangles);
        let around = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]];
        let mut directed: Vec<([u32; 2], [u32; 2])> =
            triangles.iter().flat_map(around).map(|[a, b]| ([a.min(b), a.max(b)], [a, b])).collect();
        directed.sort_unstable();
        self.edges.clear();
        self.rim.clear();
        for same in directed.chunk_by(|a, b| a.0 == b.0) {
            self.edges.push(same[0].0);
            if let [(_, alone)] = same {
                self.rim.push(*alone);
            }
        }
    }
}

impl DrawnBody {
    fn update(&mut self, body: &Deformable<'_>, opt: &MjvOption, normals: &mut Vec<Vec3>) {
        self.face.clear();
        self.normal.clear();
        self.vertices.clear();
        self.edges.clear();
        let (smooth, edges) = (opt.shows(VisFlag::Flexskin), opt.shows(VisFlag::Flexedge));
        self.shows_vertices = opt.shows(VisFlag::Flexvert);
        self.shows_edges = edges;
        if body.triangles.is_empty() {
            // a chain of capsules
            self.shows_edges |= smooth;
            self.shows_vertices |= self.shows_edges;
            self.vertices.extend(body.vertices.iter().map(|v| single(&(*v).into())));
            self.edges.extend_from_slice(body.segments);
            return;
        }
        let mut topology = std::mem::take(&mut self.topology);
        topology.update(body.triangles);
        if smooth {
            set_vertex_normals(body, normals);
            self.add_smooth(body, &topology, normals);
        } else {
            if opt.shows(VisFlag::Flexface) {
                self.add_flat(body, !topology.rim.is_empty());
            }
            self.vertices.extend(body.vertices.iter().map(|v| single(&(*v).into())));
            self.edges.extend_from_slice(&topology.edges);
        }
        self.topology = topology;
    }

    fn push(&mut self, points: [Vec3; 3], normals: [Vec3; 3]) {
        let flat = |v: [Vec3; 3]| -> [f32; 9] { std::array::from_fn(|k| v[k / 3][k % 3] as f32) };
        self.face.push(flat(points));
        self.normal.push(flat(normals));
    }

    /// The surface through the vertices, moved outwards along their normals: both sides and the rim of a
    /// sheet, or the hull of a solid, whose sharp edges look sharp.
    fn add_smooth(&mut self, body: &Deformable<'_>, topology: &Topology, normals: &[Vec3]) {
        let sheet = !topology.rim.is_empty();
        for triangle in body.triangles {
            let Some(corners) = corners(body, *triangle) else { continue };
            let around = triangle.map(|v| normals[v as usize]);
            let offset = |side: f64| -> [Vec3; 3] {
                std::array::from_fn(|k| corners[k] + around[k] * (side * body.radius))
            };
            if sheet {
                self.push(offset(1.0), around);
                let ([a, b, c], [u, v, w]) = (offset(-1.0), around.map(|normal| -normal));
                self.push([a, c, b], [u, w, v]);
            } else {
                let flat = face_normal(corners);
                let shown =
                    around.map(|smooth| if smooth.dot(&flat) < SMOOTH_COSINE { flat } else { smooth });
                self.push(offset(1.0), shown);
            }
        }
        for &[a, b] in &topology.rim {
            let ([a, b], Some(ends)) = ([a, b].map(|v| v as usize), ends(body, [a, b])) else { continue };
            let mut normal = (ends[1] - ends[0]).cross(&normals[b]);
            normalize3(&mut normal);
            let rim = |k: usize, v: usize, side: f64| ends[k] + normals[v] * (side * body.radius);
            self.push([rim(0, a, 1.0), rim(1, b, -1.0), rim(1, b, 1.0)], [normal; 3]);
            self.push([rim(0, a, 1.0), rim(0, a, -1.0), rim(1, b, -1.0)], [normal; 3]);
        }
    }

    /// Triangles with flat shading.
    fn add_flat(&mut self, body: &Deformable<'_>, sheet: bool) {
        for triangle in body.triangles {
            let Some(corners) = corners(body, *triangle) else { continue };
            let normal = face_normal(corners);
            let [a, b, c] = corners.map(|x| x + normal * body.radius);
            self.push([a, b, c], [normal; 3]);
            if sheet {
                let [a, b, c] = corners.map(|x| x - normal * body.radius);
                self.push([a, c, b], [-normal; 3]);
            }
        }
    }
}

/// Corners of a triangle, unless it names a vertex that is not there.
fn corners(body: &Deformable<'_>, triangle: [u32; 3]) -> Option<[Vec3; 3]> {
    let [a, b, c] = triangle.map(|v| body.vertices.get(v as usize).copied());
    Some([a?, b?, c?])
}

/// Ends of an edge, unless it names a vertex that is not there.
fn ends(body: &Deformable<'_>, edge: [u32; 2]) -> Option<[Vec3; 2]> {
    let [a, b] = edge.map(|v| body.vertices.get(v as usize).copied());
    Some([a?, b?])
}

/// Unit normal of a triangle.
fn face_normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    let mut normal = (b - a).cross(&(c - a));
    normalize3(&mut normal);
    normal
}

/// Mean of the normals of the triangles around each vertex, by their areas.
fn set_vertex_normals(body: &Deformable<'_>, normals: &mut Vec<Vec3>) {
    normals.clear();
    normals.resize(body.vertices.len(), Vec3::zeros());
    for triangle in body.triangles {
        let Some([a, b, c]) = corners(body, *triangle) else { continue };
        let normal = (b - a).cross(&(c - a));
        for &v in triangle {
            normals[v as usize] += normal;
        }
    }
    for normal in normals {
        normalize3(normal);
    }
}
