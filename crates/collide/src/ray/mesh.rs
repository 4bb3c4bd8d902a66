//! Ray against a triangle mesh, guided by its bounding volume tree.
//!
//! Nodes are visited nearest first, and nodes that start behind the best hit are skipped. Where several
//! triangles are hit at exactly the same distance (a shared edge), the one in the highest node wins, so that
//! the normal does not depend on the visiting order.

use kinetree_math::Vec3;

use super::flat::box_hits;
use super::{Ray, RayHit, TriangleCaster, meets_ball};
use crate::Pose;
use crate::bvh::BvhView;

/// Surface of a mesh as triangles with their tree.
#[derive(Clone, Copy, Debug)]
pub struct MeshFaces<'a> {
    /// Vertex positions.
    pub vert: &'a [[f32; 3]],
    /// Vertex ids of each triangle, counter-clockwise.
    pub face: &'a [[i32; 3]],
    /// Tree over the triangles; its elements are indices into `face`.
    pub bvh: BvhView<'a>,
}

/// Room for the nodes still to be visited; a tree split at medians is at most 32 levels deep.
const STACK_SIZE: usize = 64;

/// Ray against the triangles of a mesh; `half` are the half sizes of the mesh's bounding box, centred at its
/// origin (m).
#[must_use]
pub fn ray_mesh(pose: &Pose, half: &Vec3, mesh: &MeshFaces<'_>, ray: &Ray) -> Option<RayHit> {
    if !meets_ball(ray, &pose.pos, half.dot(half)) {
        return None;
    }
    let local = ray.to_local(pose);
    box_hits(&local, half)?;
    let (distance, normal) = nearest_triangle(mesh, &local)?;
    Some(RayHit { distance, normal: pose.mat * normal })
}

/// Distance and local normal of the first triangle that a local ray hits.
fn nearest_triangle(mesh: &MeshFaces<'_>, ray: &Ray) -> Option<(f64, Vec3)> {
    let caster = TriangleCaster::new(ray);
    let slab = SlabTest::new(ray);
    let bvh = &mesh.bvh;
    let mut best: Option<(f64, usize)> = None;
    let mut stack = [(0usize, 0.0); STACK_SIZE];
    let mut depth = 0;
    if let Some(entry) = bvh.aabb.first().and_then(|aabb| slab.entry(aabb)) {
        stack[0] = (0, entry);
        depth = 1;
    }
    while depth > 0 {
        depth -= 1;
        let (node, entry) = stack[depth];
        if best.is_some_and(|(nearest, _)| entry > nearest) {
            continue;
        }
        if bvh.nodeid[node] >= 0 {
            let hit = mesh.corners(bvh.nodeid[node]).and_then(|t| caster.line_distance(&t));
            if let Some(x) = hit.filter(|&x| x >= 0.0)
                && best.is_none_or(|(nearest, owner)| x < nearest || (x == nearest && node > owner))
            {
                best = Some((x, node));
            }
            continue;
        }

        // the nearer child is pushed last and therefore visited first
        let [left, right] = bvh.child[node].map(|child| {
            // a child comes after its parent, so that the walk ends
            let child = usize::try_from(child).ok().filter(|&child| child > node)?;
            slab.entry(bvh.aabb.get(child)?).map(|entry| (child, entry))
        });
        let pair = match (left, right) {
            (Some(a), Some(b)) if a.1 < b.1 => [right, left],
            _ => [left, right],
        };
        for item in pair.into_iter().flatten() {
            if depth < STACK_SIZE {
                stack[depth] = item;
                depth += 1;
            }
        }
    }
    let (distance, node) = best?;
    let corners = mesh.corners(bvh.nodeid[node])?;
    Some((distance, TriangleCaster::normal(&corners)))
}

impl MeshFaces<'_> {
    /// Corners of a triangle in double precision.
    #[inline]
    pub(crate) fn corners(&self, face: i32) -> Option<[Vec3; 3]> {
        let ids = self.face.get(usize::try_from(face).ok()?)?;
        let corner = |id: i32| {
            let v = self.vert.get(usize::try_from(id).ok()?)?;
            Some(Vec3::new(v[0].into(), v[1].into(), v[2].into()))
        };
        Some([corner(ids[0])?, corner(ids[1])?, corner(ids[2])?])
    }
}

/// Ray against axis-aligned boxes by the slab method.
struct SlabTest {
    origin: Vec3,
    inverse: Vec3,
}

impl SlabTest {
    fn new(ray: &Ray) -> Self {
        Self { origin: ray.origin, inverse: ray.direction.map(|d| 1.0 / d) }
    }

    /// Distance at which the ray enters a box, 0 from inside; `None` for a miss. The comparisons are arranged
    /// so that a ray lying exactly in a face plane (where 0·∞ is not a number) misses, as in the reference
    /// engine.
    #[inline]
    fn entry(&self, aabb: &[f64; 6]) -> Option<f64> {
        let (mut enter, mut leave) = (0.0, f64::INFINITY);
        for i in 0..3 {
            let t1 = (aabb[i] - aabb[3 + i] - self.origin[i]) * self.inverse[i];
            let t2 = (aabb[i] + aabb[3 + i] - self.origin[i]) * self.inverse[i];
            let (low, high) = if t1 < t2 { (t1, t2) } else { (t2, t1) };
            enter = if enter > low { enter } else { low };
            leave = if leave < high { leave } else { high };
        }
        (enter < leave).then_some(enter)
    }
}
