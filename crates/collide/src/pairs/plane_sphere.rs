//! Plane against sphere and capsule.
//!
//! The signed height of the sphere's centre over the plane is `h = n·(c − p)`, so the gap is `h − r`. A
//! capsule is tested as its two end spheres, and its axis becomes the first tangent, which keeps the contact
//! frames of a rolling capsule steady.

use kinetree_math::Vec3;

use crate::{ContactPoint, Pose};

/// Appends the contact of a ball with a plane given by `origin` and unit `normal`; returns whether there is
/// one.
#[inline(always)]
pub(super) fn plane_ball(
    origin: &Vec3,
    normal: &Vec3,
    centre: &Vec3,
    radius: f64,
    margin: f64,
    tangent: &Vec3,
    out: &mut Vec<ContactPoint>,
) -> bool {
    let height = (centre - origin).dot(normal);
    if height > margin + radius {
        return false;
    }
    let dist = height - radius;
    out.push(ContactPoint {
        dist,
        pos: centre + normal * (-dist / 2.0 - radius),
        normal: *normal,
        tangent: *tangent,
    });
    true
}

/// Plane and sphere: at most one contact.
#[inline(always)]
pub fn plane_sphere(plane: &Pose, sphere: &Pose, radius: f64, margin: f64, out: &mut Vec<ContactPoint>) {
    let normal = plane.axis(2);
    plane_ball(&plane.pos, &normal, &sphere.pos, radius, margin, &Vec3::zeros(), out);
}

/// Plane and capsule: at most two contacts, the end at `+half_length` first.
#[inline(always)]
pub fn plane_capsule(
    plane: &Pose,
    capsule: &Pose,
    radius: f64,
    half_length: f64,
    margin: f64,
    out: &mut Vec<ContactPoint>,
) {
    let normal = plane.axis(2);
    let axis = capsule.axis(2);
    let segment = axis * half_length;
    plane_ball(&plane.pos, &normal, &(capsule.pos + segment), radius, margin, &axis, out);
    plane_ball(&plane.pos, &normal, &(capsule.pos - segment), radius, margin, &axis, out);
}
