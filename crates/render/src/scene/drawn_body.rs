//! Shapes of deformable bodies as they are drawn: triangles with normals, balls and cylinders.
//!
//! Which edges a surface has is found once, and cached with the triangles that it was found for.

use kinetree_math::Vec3;
use kinetree_math::rot::normalize3;
use kinetree_model::Deformable;

/// A corner of a closed surface keeps its smooth normal up to this cosine of the angle to the face's normal.
const SMOOTH_COSINE: f64 = 0.8;

/// What of deformable bodies is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown {
    /// The smooth surface around all vertices.
    pub(super) skin: bool,
    /// Triangles with flat shading, where the smooth surface is not shown.
    pub(super) faces: bool,
    /// Edges as cylinders.
    pub(super) edges: bool,
    /// Vertices as balls.
    pub(super) vertices: bool,
}

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
    #[cfg(feature = "wgpu")]
    pub(crate) fn drawn(&self) -> &[DrawnBody] {
        &self.bodies[..self.used]
    }

    /// Appends a body, and returns its number.
    pub(super) fn add(&mut self, body: &Deformable<'_>, shown: Shown) -> usize {
        let index = self.used;
        if self.bodies.len() == index {
            self.bodies.push(DrawnBody::default());
        }
        self.bodies[index].update(body, shown, &mut self.normals);
        self.used += 1;
        index
    }

    /// Forgets all bodies.
    pub(super) fn clear(&mut self) {
        self.used = 0;
    }
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
    /// Takes over the vertices of a body; `normals` is working memory.
    fn update(&mut self, body: &Deformable<'_>, shown: Shown, normals: &mut Vec<Vec3>) {
        self.face.clear();
        self.normal.clear();
        self.vertices.clear();
        self.edges.clear();
        self.shows_vertices = shown.vertices;
        self.shows_edges = shown.edges;
        if body.triangles.is_empty() {
            // a chain of capsules
            self.shows_edges |= shown.skin;
            self.shows_vertices |= self.shows_edges;
            self.vertices.extend(body.vertices.iter().map(single));
            self.edges.extend_from_slice(body.segments);
            return;
        }
        let mut topology = std::mem::take(&mut self.topology);
        topology.update(body.triangles);
        if shown.skin {
            set_vertex_normals(body, normals);
            self.add_smooth(body, &topology, normals);
        } else {
            if shown.faces {
                self.add_flat(body, !topology.rim.is_empty());
            }
            self.vertices.extend(body.vertices.iter().map(single));
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

/// A point in single precision.
fn single(point: &Vec3) -> [f32; 3] {
    point.map(|x| x as f32).into()
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
