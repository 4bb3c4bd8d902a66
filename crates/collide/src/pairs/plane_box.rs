//! Plane against box: the corners below the box centre and within the margin, in the order of their sign bits.

use kinetree_math::Vec3;

use crate::{ContactPoint, Pose};

/// Most contacts that a box makes with a plane.
const MAX_CONTACTS: usize = 4;

/// Plane and box: up to four corner contacts.
pub fn plane_box(plane: &Pose, cuboid: &Pose, half: &Vec3, margin: f64, out: &mut Vec<ContactPoint>) {
    let normal = plane.mat.column(2).into_owned();
    let height = (cuboid.pos - plane.pos).dot(&normal);
    let mut count = 0;
    let x = cuboid.mat.column(0) * half.x;
    let y = cuboid.mat.column(1) * half.y;
    let z = cuboid.mat.column(2) * half.z;
    let signs =
        [(-x, -y, -z), (x, -y, -z), (-x, y, -z), (x, y, -z), (-x, -y, z), (x, -y, z), (-x, y, z), (x, y, z)];
    for (x, y, z) in signs {
        let corner = x + y + z;

        // skip corners that are too far or above the centre
        let rise = normal.dot(&corner);
        if height + rise > margin || rise > 0.0 {
            continue;
        }
        let dist = height + rise;
        out.push(ContactPoint {
            dist,
            pos: corner + cuboid.pos - normal * (dist / 2.0),
            normal,
            tangent: Vec3::zeros(),
        });
        count += 1;
        if count == MAX_CONTACTS {
            return;
        }
    }
}
