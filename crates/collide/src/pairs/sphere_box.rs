//! Sphere against box.
//!
//! In the frame of the box the nearest point is the centre of the sphere clamped to the half sizes. A centre
//! inside the box is pushed out through the nearest face.

use kinetree_math::{MINVAL, Vec3};

use crate::vector::{clip, normalize};
use crate::{ContactPoint, Pose};

/// Appends the contact of a ball with a box, if they are within `margin`.
#[inline]
pub(super) fn ball_box(
    centre: &Vec3,
    radius: f64,
    cuboid: &Pose,
    half: &Vec3,
    margin: f64,
    out: &mut Vec<ContactPoint>,
) {
    let local = cuboid.mat.tr_mul(&(centre - cuboid.pos));
    let nearest = local.zip_map(half, |x, h| if h > 0.0 { clip(x, -h, h) } else { x });
    let (inward, dist) = normalize(&(nearest - local));
    if dist - radius > margin {
        return;
    }

    let (dist, pos, normal) = if dist <= MINVAL {
        let (depth, inward) = nearest_face(&local, half);
        (-depth, local + inward * ((radius - depth) / 2.0), inward)
    } else {
        let deepest = local + inward * radius;
        (dist, nearest * 0.5 + deepest * 0.5, inward)
    };
    out.push(ContactPoint {
        dist: dist - radius,
        pos: cuboid.mat * pos + cuboid.pos,
        normal: cuboid.mat * normal,
        tangent: Vec3::zeros(),
    });
}

/// Distance from an inner point to the nearest face, and the unit vector from that face inwards. Faces are
/// tried in the order −x, +x, −y, +y, −z, +z; the first of equally near ones wins.
#[cold]
fn nearest_face(point: &Vec3, half: &Vec3) -> (f64, Vec3) {
    let mut closest = (half.x + half.y + half.z) * 2.0;
    let mut inward = Vec3::x();
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let depth = (side * half[axis] - point[axis]).abs();
            if closest > depth {
                closest = depth;
                inward = Vec3::zeros();
                inward[axis] = -side;
            }
        }
    }
    (closest, inward)
}

/// Sphere and box: at most one contact.
#[inline]
pub fn sphere_box(
    sphere: &Pose,
    radius: f64,
    cuboid: &Pose,
    half: &Vec3,
    margin: f64,
    out: &mut Vec<ContactPoint>,
) {
    ball_box(&sphere.pos, radius, cuboid, half, margin, out);
}
