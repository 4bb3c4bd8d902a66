//! Rays against flexes, as they are drawn, and against the triangles of skins.

use crate::flex::{edge_range, element_vertices, vertex_range};
use kinetree_collide::Pose;
use kinetree_collide::ray::{Ray, TriangleCaster, ray_box, ray_capsule, ray_sphere};
use kinetree_math::rot::{normalize3, quat_to_mat, quat_z_to_vec};
use kinetree_math::{Mat3, Vec3};
use kinetree_model::{Data, Model};

/// Faces of a tetrahedron; the first is that of a triangle.
const FACES: [[usize; 3]; 4] = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];

/// Which parts of a flex a ray can hit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlexParts {
    /// Spheres at vertices, unless edges are hit.
    pub vertices: bool,
    /// Capsules along edges.
    pub edges: bool,
    /// Triangles; of a solid those of the elements in `layer`.
    pub faces: bool,
    /// The smooth surface: edges and triangles, of a solid those of the outer elements.
    pub skin: bool,
    /// Layer of elements in a solid, counted from its surface.
    pub layer: i32,
}

/// First part of a flex that a ray hits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlexHit {
    /// Distance in units of the length of the ray's direction.
    pub distance: f64,
    /// The nearest vertex of the part, counted from the first of the flex.
    pub vertex: usize,
    /// Unit normal of the surface.
    pub normal: [f64; 3],
}

/// A ray against one flex.
struct FlexRay<'a> {
    model: &'a Model,
    data: &'a Data,
    flex: usize,
    ray: Ray,
    best: Option<FlexHit>,
}

/// First part of a flex that the ray from `point` in direction `vector` hits, if any.
#[must_use]
pub(crate) fn mj_ray_flex(
    model: &Model,
    data: &Data,
    flex: usize,
    parts: &FlexParts,
    point: &[f64; 3],
    vector: &[f64; 3],
) -> Option<FlexHit> {
    let ray = Ray { origin: Vec3::from(*point), direction: Vec3::from(*vector) };
    let vertices = data.flexvert_xpos[vertex_range(model, flex)].iter().map(|v| Vec3::from(*v));
    if !meets_bounds(vertices, model.flex_radius[flex], &ray) {
        return None;
    }
    let mut cast = FlexRay { model, data, flex, ray, best: None };
    let wide = model.flex_dim[flex] > 1;
    let skin = wide && parts.skin;
    if skin || parts.edges {
        cast.edges();
    } else if parts.vertices {
        cast.vertices();
    }
    if wide && (skin || parts.faces) {
        cast.faces(if skin { 0 } else { parts.layer });
    }
    cast.best
}

impl FlexRay<'_> {
    fn vertex(&self, id: i32) -> Vec3 {
        Vec3::from(self.data.flexvert_xpos[self.model.flex_vertadr[self.flex] as usize + id as usize])
    }

    /// Keeps a hit if it is the nearest; its vertex is the nearest of `corners`.
    fn keep(&mut self, distance: f64, normal: &Vec3, corners: &[i32]) {
        if distance < 0.0 || self.best.is_some_and(|best| best.distance <= distance) {
            return;
        }
        let point = self.ray.at(distance);
        let away = |id: i32| (self.vertex(id) - point).norm();
        let nearest = corners.iter().copied().reduce(|a, b| if away(b) < away(a) { b } else { a });
        self.best = nearest.map(|id| FlexHit { distance, vertex: id as usize, normal: (*normal).into() });
    }

    fn edges(&mut self) {
        let (model, radius) = (self.model, self.model.flex_radius[self.flex]);
        for &edge in &model.flex_edge[edge_range(model, self.flex)] {
            let [from, to] = edge.map(|id| self.vertex(id));
            let mut along = to - from;
            let half = 0.5 * normalize3(&mut along);
            let pose = Pose { pos: (from + to) * 0.5, mat: quat_to_mat(&quat_z_to_vec(&along)) };
            if let Some(hit) = ray_capsule(&pose, radius, half, &self.ray) {
                // of two equally near ends the second counts
                self.keep(hit.distance, &hit.normal, &[edge[1], edge[0]]);
            }
        }
    }

    fn vertices(&mut self) {
        for id in 0..self.model.flex_vertnum[self.flex] {
            if let Some(hit) = ray_sphere(&self.vertex(id), self.model.flex_radius[self.flex], &self.ray) {
                self.keep(hit.distance, &hit.normal, &[id]);
            }
        }
    }

    fn faces(&mut self, layer: i32) {
        let (model, flex) = (self.model, self.flex);
        let dim = model.flex_dim[flex] as usize;
        let caster = TriangleCaster::new(&self.ray);
        let layers = &model.flex_elemlayer[model.flex_elemadr[flex] as usize..];
        for (ids, &own) in element_vertices(model, flex).chunks_exact(dim + 1).zip(layers) {
            if dim == 3 && own != layer {
                continue;
            }
            for face in &FACES[..if dim == 2 { 1 } else { 4 }] {
                let corners = face.map(|k| ids[k]);
                let triangle = corners.map(|id| self.vertex(id));
                if let Some(distance) = caster.line_distance(&triangle) {
                    self.keep(distance, &TriangleCaster::normal(&triangle), &corners);
                }
            }
        }
    }
}

/// Whether a ray meets the box around points, enlarged by `radius`.
fn meets_bounds(points: impl Iterator<Item = Vec3>, radius: f64, ray: &Ray) -> bool {
    let mut bounds: Option<(Vec3, Vec3)> = None;
    for p in points {
        let (low, high) = bounds.unwrap_or((p, p));
        bounds = Some((low.inf(&p), high.sup(&p)));
    }
    let (low, high) = bounds.unwrap_or_default();
    let half = (high - low) * 0.5 + Vec3::repeat(radius);
    let pose = Pose { pos: (low + high) * 0.5, mat: Mat3::identity() };
    ray_box(&pose, &half, ray).is_some()
}

/// Distance of the first triangle of a skin that a ray hits, and its corner nearest to the hit. Triangles
/// whose corners are not there are passed through.
#[must_use]
pub fn mju_ray_skin(
    faces: &[[i32; 3]],
    vertices: &[[f32; 3]],
    point: &[f64; 3],
    vector: &[f64; 3],
) -> Option<(f64, usize)> {
    let ray = Ray { origin: Vec3::from(*point), direction: Vec3::from(*vector) };
    let position = |v: &[f32; 3]| Vec3::from(v.map(f64::from));
    if !meets_bounds(vertices.iter().map(position), 0.0, &ray) {
        return None;
    }
    let caster = TriangleCaster::new(&ray);
    let mut best: Option<(f64, usize)> = None;
    for face in faces {
        let ids = face.map(|id| usize::try_from(id).unwrap_or(usize::MAX));
        let [Some(a), Some(b), Some(c)] = ids.map(|id| vertices.get(id).map(position)) else { continue };
        let Some(distance) = caster.line_distance(&[a, b, c]).filter(|&d| d >= 0.0) else { continue };
        if best.is_none_or(|(nearest, _)| distance < nearest) {
            let hit = ray.at(distance);
            let away = [a, b, c].map(|corner| (corner - hit).norm());
            let first = usize::from(away[1] < away[0]);
            let corner = if away[2] < away[first] { 2 } else { first };
            best = Some((distance, ids[corner]));
        }
    }
    best
}
