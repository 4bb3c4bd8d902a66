//! Plane against sphere and capsule.
//!
//! The signed height of the sphere's centre over the plane is `h = n·(c − p)`, so the gap is `h − r`. A capsule is tested
//! as its two end spheres, and its axis becomes the first tangent, which keeps the contact frames of a rolling capsule steady.

use kinetree_math::Vec3;

use crate::{ContactPoint, Pose};

/// Contact of a sphere with a plane given by `origin` and unit `normal`.
#[inline]
pub(super) fn plane_ball(
    origin: &Vec3,
    normal: &Vec3,
    centre: &Vec3,
    radius: f64,
    margin: f64,
) -> Option<ContactPoint> {
    let height = (centre - origin).dot(normal);
    if height > margin + radius {
        return None;
    }
    let dist = height - radius;
    Some(ContactPoint {
        dist,
        pos: centre + normal * (-dist / 2.0 - radius),
        normal: *normal,
        tangent: Vec3::zeros(),
    })
}

/// Plane and sphere: at most one contact.
pub fn plane_sphere(plane: &Pose, sphere: &Pose, radius: f64, margin: f64, out: &mut Vec<ContactPoint>) {
    let normal = plane.mat.column(2).into_owned();
    out.extend(plane_ball(&plane.pos, &normal, &sphere.pos, radius, margin));
}

/// Plane and capsule: at most two contacts, the end at `+half_length` first.
pub fn plane_capsule(
    plane: &Pose,
    capsule: &Pose,
    radius: f64,
    half_length: f64,
    margin: f64,
    out: &mut Vec<ContactPoint>,
) {
    let normal = plane.mat.column(2).into_owned();
    let axis = capsule.mat.column(2).into_owned();
    let segment = axis * half_length;
    for centre in [capsule.pos + segment, capsule.pos - segment] {
        if let Some(contact) = plane_ball(&plane.pos, &normal, &centre, radius, margin) {
            out.push(ContactPoint { tangent: axis, ..contact });
        }
    }
}
