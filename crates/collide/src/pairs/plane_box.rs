//! Plane against box: the corners below the box centre and within the margin, in the order of their sign
//! bits.
//!
//! Opposite corners rise over the centre by opposite heights, so that four of the eight corners tell all.

use kinetree_math::Vec3;

use crate::gjk::vec::{V3, add, column, dot, neg, scale, sub};
use crate::{ContactPoint, Pose};

/// Most contacts that a box makes with a plane.
const MAX_CONTACTS: usize = 4;

/// Plane and box: up to four corner contacts.
#[inline(always)]
pub fn plane_box(plane: &Pose, cuboid: &Pose, half: &Vec3, margin: f64, out: &mut Vec<ContactPoint>) {
    let (normal, pos): (V3, V3) = (column(&plane.mat, 2), cuboid.pos.into());
    let height = dot(&sub(&pos, &plane.pos.into()), &normal);
    let axis = |k: usize| scale(&column(&cuboid.mat, k), half[k]);
    let (x, y, z) = (axis(0), axis(1), axis(2));

    // the corners on the side of -z; corner 7 - k lies opposite corner k
    let (plus, minus) = (add(&x, &y), sub(&x, &y));
    let corners = [sub(&neg(&plus), &z), sub(&minus, &z), sub(&neg(&minus), &z), sub(&plus, &z)];
    let rise = |k: usize| dot(&normal, &corners[k]);
    let rises = [rise(0), rise(1), rise(2), rise(3)];
    // corners that are too far or above the centre are left out
    let touches = |rise: f64| u32::from((height + rise <= margin) & (rise <= 0.0));
    let mut found = 0;
    for k in 0..4 {
        found |= touches(rises[k]) << k | touches(-rises[k]) << (7 - k);
    }
    for _ in 0..MAX_CONTACTS {
        if found == 0 {
            return;
        }
        let k = found.trailing_zeros() as usize;
        found &= found - 1;
        let (near, sign) = if k < 4 { (k, 1.0) } else { (7 - k, -1.0) };
        let (corner, dist) = (&corners[near & 3], height + sign * rises[near & 3]);
        let coordinate = |i: usize| sign * corner[i] + pos[i] - normal[i] * (dist / 2.0);
        out.push(ContactPoint {
            dist,
            pos: Vec3::new(coordinate(0), coordinate(1), coordinate(2)),
            normal: normal.into(),
            tangent: Vec3::zeros(),
        });
    }
}
