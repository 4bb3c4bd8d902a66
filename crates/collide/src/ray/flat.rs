//! Rays against plane and box.

use kinetree_math::{MINVAL, Vec3};

use super::{Ray, RayHit, meets_ball};
use crate::Pose;

/// Ray against the front of a plane; a positive entry of `half_sizes` bounds the plane along local x or y
/// (m).
#[must_use]
pub fn ray_plane(pose: &Pose, half_sizes: [f64; 2], ray: &Ray) -> Option<RayHit> {
    let local = ray.to_local(pose);
    if local.direction.z > -MINVAL {
        return None;
    }
    let distance = -local.origin.z / local.direction.z;
    let point = local.at(distance);
    let within = |i: usize| half_sizes[i] <= 0.0 || point[i].abs() <= half_sizes[i];
    (distance >= 0.0 && within(0) && within(1))
        .then(|| RayHit { distance, normal: pose.mat.column(2).into_owned() })
}

/// All intersections of a ray with the faces of a box.
pub(super) struct BoxHits {
    /// Distance of the nearest one.
    pub(super) nearest: f64,
    /// Outward normal of the face that is hit first, in the frame of the box.
    pub(super) local_normal: Vec3,
    /// Distance to each face in the order −x, +x, −y, +y, −z, +z; −1 where the ray misses it.
    pub(super) faces: [f64; 6],
}

/// Intersects a ray with all faces of a box. `local` is the same ray as `ray`, in the frame of the box.
pub(super) fn box_hits(local: &Ray, half: &Vec3) -> Option<BoxHits> {
    let mut faces = [-1.0; 6];
    let mut nearest = None;
    for axis in 0..3 {
        if local.direction[axis].abs() <= MINVAL {
            continue;
        }
        let (other1, other2) = [(1, 2), (0, 2), (0, 1)][axis];
        for (face, side) in [(2 * axis, -1.0), (2 * axis + 1, 1.0)] {
            let x = (side * half[axis] - local.origin[axis]) / local.direction[axis];
            if x < 0.0 {
                continue;
            }
            let inside = |i: usize| (local.origin[i] + x * local.direction[i]).abs() <= half[i];
            if inside(other1) && inside(other2) {
                faces[face] = x;
                if nearest.is_none_or(|(best, _, _)| x < best) {
                    nearest = Some((x, axis, side));
                }
            }
        }
    }
    nearest.map(|(nearest, axis, side)| {
        let mut local_normal = Vec3::zeros();
        local_normal[axis] = side;
        BoxHits { nearest, local_normal, faces }
    })
}

/// Ray against a box.
#[must_use]
pub fn ray_box(pose: &Pose, half: &Vec3, ray: &Ray) -> Option<RayHit> {
    if !meets_ball(ray, &pose.pos, half.dot(half)) {
        return None;
    }
    box_hits(&ray.to_local(pose), half)
        .map(|hits| RayHit { distance: hits.nearest, normal: pose.mat * hits.local_normal })
}
