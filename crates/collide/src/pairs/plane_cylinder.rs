//! Plane against cylinder.
//!
//! The lowest point of the nearer disk lies at `c + a + v`, with `a` the half axis that points towards the
//! plane and `v` the radius vector that points down most steeply. The same rim point on the far disk and an
//! inscribed equilateral triangle on the near disk (whose first corner is the lowest point) complete a
//! manifold of up to four contacts.

use kinetree_math::{MINVAL, Vec3};

use crate::vector::normalize;
use crate::{ContactPoint, Pose};

/// Plane and cylinder: up to four contacts. Order: lowest rim point, its opposite on the far disk, two
/// triangle corners.
#[inline(always)]
pub fn plane_cylinder(
    plane: &Pose,
    cylinder: &Pose,
    radius: f64,
    half_length: f64,
    margin: f64,
    out: &mut Vec<ContactPoint>,
) {
    let normal = plane.axis(2);
    let mut axis = cylinder.axis(2);

    // let the axis point towards the plane
    let mut axis_rise = normal.dot(&axis);
    if axis_rise > 0.0 {
        axis = -axis;
        axis_rise = -axis_rise;
    }
    let height = (cylinder.pos - plane.pos).dot(&normal);

    // steepest radius vector; any radius will do when the disk is parallel to the plane
    let down = axis * axis_rise - normal;
    let down_sqr = down.dot(&down);
    let rim = if down_sqr >= MINVAL * MINVAL {
        down * (radius / down_sqr.sqrt())
    } else {
        cylinder.axis(0) * radius
    };
    let rim_rise = rim.dot(&normal);
    axis *= half_length;
    axis_rise *= half_length;

    let mut push = |dist: f64, offset: Vec3| {
        out.push(ContactPoint {
            dist,
            pos: cylinder.pos + offset - normal * (dist * 0.5),
            normal,
            tangent: Vec3::zeros(),
        });
    };

    // the lowest point decides whether there is any contact
    let lowest = height + axis_rise + rim_rise;
    if lowest > margin {
        return;
    }
    push(lowest, rim + axis);

    let far = height - axis_rise + rim_rise;
    if far <= margin {
        push(far, rim - axis);
    }

    // remaining two corners of the triangle on the near disk
    let corner = height + axis_rise - rim_rise * 0.5;
    if corner <= margin {
        let sideways = normalize(&rim.cross(&axis)).0 * (radius * 3f64.sqrt() / 2.0);
        let centre = axis - rim * 0.5;
        push(corner, centre + sideways);
        push(corner, centre - sideways);
    }
}
