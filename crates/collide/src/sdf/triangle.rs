//! Contacts of triangles with a field: the deepest point of a triangle by the Frank–Wolfe method.
//!
//! Each step moves towards the corner that the gradient favours by `2 / (n + 2)` of the way, so that a point
//! never leaves its triangle. Triangles are found through a tree of boxes, and rejected by the ball around
//! them: where the distance at its centre is more than its radius, there is no contact.

use super::{
    ContactPoint, DescentSettings, FAR, MAX_CANDIDATES, Map, SignedDistance, add_point, halton, quat_of,
};
use crate::Pose;
use crate::bvh::BvhView;
use crate::ray::MeshFaces;
use kinetree_math::rot::normalize3;
use kinetree_math::{MINVAL, Quat, Vec3};
use wide::{CmpLt, f64x4};

/// Part of the distance at the centre of a triangle by which the fourth point of its ball is moved.
const LIFT: f64 = 0.1;
/// Least height of the tetrahedron whose ball is used (m).
const SMALLEST_LIFT: f64 = 0.1;

/// A field that triangles are searched against.
pub struct FieldBody<'a> {
    field: &'a dyn SignedDistance,
    pos: Vec3,
    quat: Quat,
    /// From the frame of the triangles to that of the field.
    map: Map,
}

/// A point of a triangle inside a field, in the field's frame.
#[derive(Clone, Copy, Debug)]
pub struct TriangleCandidate {
    point: Vec3,
    dist: f64,
    /// The triangle.
    pub triangle: i32,
}

impl<'a> FieldBody<'a> {
    /// A field at a pose, for triangles whose frame is at another.
    #[must_use]
    pub fn new(field: &'a dyn SignedDistance, pose: &Pose, triangles: &Pose) -> Self {
        let (quat, from) = (quat_of(&pose.mat), quat_of(&triangles.mat));
        let map = Map::between((&triangles.pos, &from), (&pose.pos, &quat));
        Self { field, pos: pose.pos, quat, map }
    }

    /// Appends the contact of a candidate unless there is one at its point; the normal is the field's
    /// gradient times `sign`.
    pub fn add_contact(
        &self,
        candidate: &TriangleCandidate,
        sign: f64,
        known: &mut Vec<Vec3>,
        out: &mut Vec<ContactPoint>,
    ) {
        let TriangleCandidate { point, dist, .. } = candidate;
        let pose = (&self.pos, &self.quat);
        add_point(known, point, *dist, || self.field.gradient(point), sign, pose, out);
    }

    /// Whether the ball around a box comes near the surface.
    fn meets_box(&self, aabb: &[f64; 6]) -> bool {
        let radius = Vec3::new(aabb[3], aabb[4], aabb[5]).norm();
        self.field.distance(&self.map.point(&Vec3::new(aabb[0], aabb[1], aabb[2]))) < radius
    }

    /// Whether a ball around a triangle, which may be one over it, comes near the surface.
    fn meets_triangle(&self, t: &[Vec3; 3]) -> bool {
        let (edge1, edge2) = (t[1] - t[0], t[2] - t[0]);
        let mut normal = edge1.cross(&edge2);
        normalize3(&mut normal);
        let centre = t[0] * (1.0 / 3.0) + t[1] * (1.0 / 3.0) + t[2] * (1.0 / 3.0);
        let dist = self.field.distance(&centre);
        let lift = -dist * LIFT;
        if lift.abs() < SMALLEST_LIFT {
            return dist < circumradius(t);
        }
        // ball through the corners and the centre, lifted along the normal
        let apex = centre + normal * -lift;
        let v = t.map(|corner| corner - apex);
        let cross = [v[1].cross(&v[2]), v[2].cross(&v[0]), v[0].cross(&v[1])];
        let volume = 2.0 * v[0].dot(&cross[0]);
        if volume.abs() < MINVAL {
            return dist < edge1.norm();
        }
        let sum = cross[0] * v[0].dot(&v[0]) + cross[1] * v[1].dot(&v[1]) + cross[2] * v[2].dot(&v[2]);
        let offset = sum * (1.0 / volume);
        self.field.distance(&(offset + apex)) < offset.norm()
    }

    /// Appends the points inside the field that descents in one triangle end at.
    fn search_triangle(
        &self,
        triangle: i32,
        corners: &[Vec3; 3],
        settings: &DescentSettings,
        out: &mut Vec<TriangleCandidate>,
    ) {
        if !self.meets_triangle(corners) {
            return;
        }
        let starts = settings.points.max(1);
        for (round, first) in (1..=starts).step_by(4).enumerate() {
            if settings.ends_at(round) {
                return;
            }
            let points: [Vec3; 4] = std::array::from_fn(|lane| starting_point(first + lane, corners));
            let four = self.descend_four(&points, corners, settings);
            for (lane, &start) in points.iter().enumerate().take(starts + 1 - first) {
                if out.len() >= MAX_CANDIDATES {
                    return;
                }
                let (point, dist) =
                    four.map_or_else(|| self.descend(start, corners, settings), |ends| ends[lane]);
                if dist < 0.0 {
                    out.push(TriangleCandidate { point, dist, triangle });
                }
            }
        }
    }

    /// The Frank–Wolfe method within a triangle from four points at once; `None` where the field takes points
    /// one by one.
    fn descend_four(
        &self,
        starts: &[Vec3; 4],
        corners: &[Vec3; 3],
        settings: &DescentSettings,
    ) -> Option<[(Vec3, f64); 4]> {
        let mut points: [f64x4; 3] = std::array::from_fn(|k| f64x4::new(starts.map(|start| start[k])));
        let mut lost = f64x4::ZERO;
        for step in 0..settings.iterations {
            if settings.ends_at(step) {
                break;
            }
            let gradient = self.field.gradients(&points.map(f64x4::to_array))?.map(f64x4::new);
            let (mut least, mut towards) = (f64x4::splat(FAR), points);
            for corner in corners {
                let rate = corner.x * gradient[0] + corner.y * gradient[1] + corner.z * gradient[2];
                let favoured = rate.cmp_lt(least);
                least = favoured.blend(rate, least);
                towards = std::array::from_fn(|k| favoured.blend(f64x4::splat(corner[k]), towards[k]));
            }
            lost |= !least.cmp_lt(f64x4::splat(FAR));
            let share = 2.0 / (step as f64 + 2.0);
            points = std::array::from_fn(|k| points[k] + (towards[k] - points[k]) * share);
        }
        let points = points.map(f64x4::to_array);
        let dists = lost.blend(f64x4::splat(FAR), f64x4::new(self.field.distances(&points)?)).to_array();
        Some(std::array::from_fn(|i| (Vec3::new(points[0][i], points[1][i], points[2][i]), dists[i])))
    }

    /// The Frank–Wolfe method within a triangle; returns where it ends and the distance there.
    fn descend(&self, mut point: Vec3, corners: &[Vec3; 3], settings: &DescentSettings) -> (Vec3, f64) {
        for step in 0..settings.iterations {
            if settings.ends_at(step) {
                break;
            }
            let gradient = self.field.gradient(&point);
            let (mut least, mut towards) = (FAR, None);
            for corner in corners {
                let rate = corner.dot(&gradient);
                if rate < least {
                    (least, towards) = (rate, Some(corner));
                }
            }
            let Some(corner) = towards else { return (point, FAR) };
            point += (corner - point) * (2.0 / (step as f64 + 2.0));
        }
        (point, self.field.distance(&point))
    }

    /// Calls `f` with each element of a tree whose box comes near the surface, in the reference's order, and
    /// `mark` with the nodes on the way and the leaves for which `f` returns `true`.
    fn visit(
        &self,
        tree: &BvhView<'_>,
        stack: &mut Vec<u32>,
        mark: impl Fn(usize),
        mut f: impl FnMut(&Self, i32) -> bool,
    ) {
        stack.clear();
        if !tree.aabb.is_empty() {
            stack.push(0);
        }
        while let Some(node) = stack.pop() {
            let at = node as usize;
            if !self.meets_box(&tree.aabb[at]) {
                continue;
            }
            if tree.nodeid[at] >= 0 {
                if f(self, tree.nodeid[at]) {
                    mark(at);
                }
                continue;
            }
            mark(at);
            let children = tree.child[at].iter().filter_map(|&child| u32::try_from(child).ok());
            // a child comes after its parent, so that the walk ends
            stack.extend(children.filter(|&child| child > node && (child as usize) < tree.aabb.len()));
        }
    }
}

/// Point `index` of those that descents in a triangle start from.
fn starting_point(index: usize, corners: &[Vec3; 3]) -> Vec3 {
    let (mut u, mut v) = (halton::<2>(index), halton::<3>(index));
    if u + v > 1.0 {
        (u, v) = (1.0 - u, 1.0 - v);
    }
    corners[0] * (1.0 - u - v) + corners[1] * u + corners[2] * v
}

/// Radius of the circle through the corners of a triangle.
fn circumradius(t: &[Vec3; 3]) -> f64 {
    let [a, b, c] = [(t[0] - t[1]).norm(), (t[1] - t[2]).norm(), (t[2] - t[0]).norm()];
    let s = (a + b + c) / 2.0;
    let area = (s * (s - a) * (s - b) * (s - c)).sqrt();
    (a * b * c) / (4.0 * area.max(MINVAL))
}

/// Appends the contacts of a mesh, the first shape, with a field, the second; normals point to the second.
/// `mark` is called with the nodes of the mesh's tree that the search visits.
pub fn collide_mesh_field(
    mesh: &MeshFaces<'_>,
    field: &FieldBody<'_>,
    settings: &DescentSettings,
    mark: impl Fn(usize),
    memory: (&mut Vec<TriangleCandidate>, &mut Vec<u32>, &mut Vec<Vec3>),
    out: &mut Vec<ContactPoint>,
) {
    let (candidates, stack, known) = memory;
    candidates.clear();
    field.visit(&mesh.bvh, stack, mark, |field, face| {
        let Some(corners) = mesh.corners(face) else { return false };
        let corners = corners.map(|corner| field.map.point(&corner));
        let before = candidates.len();
        field.search_triangle(face, &corners, settings, candidates);
        candidates.len() > before
    });
    known.clear();
    for candidate in &*candidates {
        field.add_contact(candidate, -1.0, known, out);
    }
}

/// Finds the deepest point of each triangle of a surface that comes near a field, given the corners of its
/// triangles; without a tree, all points inside it of all triangles. `mark` is called with the nodes of the
/// tree that the search visits.
pub fn deepest_in_triangles(
    corners: impl Fn(i32) -> [Vec3; 3],
    (tree, mark): (Option<&BvhView<'_>>, impl Fn(usize)),
    count: usize,
    field: &FieldBody<'_>,
    settings: &DescentSettings,
    memory: (&mut Vec<TriangleCandidate>, &mut Vec<u32>),
    out: &mut Vec<TriangleCandidate>,
) {
    let (candidates, stack) = memory;
    out.clear();
    let mut search = |field: &FieldBody<'_>, triangle: i32, deepest_only: bool| {
        let corners = corners(triangle).map(|corner| field.map.point(&corner));
        candidates.clear();
        field.search_triangle(triangle, &corners, settings, candidates);
        let before = out.len();
        if deepest_only {
            let deepest = candidates.iter().copied().reduce(|a, b| if b.dist < a.dist { b } else { a });
            out.extend(deepest.filter(|_| before < MAX_CANDIDATES));
        } else {
            out.extend_from_slice(candidates);
        }
        out.len() > before
    };
    match tree {
        Some(tree) => field.visit(tree, stack, mark, |field, triangle| search(field, triangle, true)),
        None => {
            for triangle in 0..count as i32 {
                search(field, triangle, false);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;
    use crate::sdf::PrimitiveField;
    use kinetree_math::Mat3;

    #[test]
    fn the_deepest_point_of_a_triangle_is_found() {
        let ball = PrimitiveField::new(Kind::Sphere, [1.0, 0.0, 0.0]).unwrap();
        let pose = Pose { pos: Vec3::new(0.0, 0.0, 5.0), mat: Mat3::identity() };
        let origin = Pose { pos: Vec3::zeros(), mat: Mat3::identity() };
        let body = FieldBody::new(&ball, &pose, &origin);
        // touches the ball from below, at depth 0.1
        let corners = [[-3.0, -3.0, 4.1], [3.0, -3.0, 4.1], [0.0, 4.0, 4.1]].map(Vec3::from);
        let settings = DescentSettings { points: 4, iterations: 200, is_over: || false };
        let mut out = Vec::new();
        let (mut candidates, mut stack) = (Vec::new(), Vec::new());
        deepest_in_triangles(
            |_| corners,
            (None, |_| ()),
            1,
            &body,
            &settings,
            (&mut candidates, &mut stack),
            &mut out,
        );
        assert!(!out.is_empty());
        for candidate in &out {
            assert!((candidate.dist + 0.1).abs() < 1e-3, "{candidate:?}");
        }
        let (mut known, mut points) = (Vec::new(), Vec::new());
        body.add_contact(&out[0], 1.0, &mut known, &mut points);
        assert!((points[0].normal + Vec3::z()).norm() < 0.05, "{points:?}");
    }
}
