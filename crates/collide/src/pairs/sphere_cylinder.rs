//! Sphere against cylinder.
//!
//! With the centre of the sphere split into its part `x` along the axis and its radial part `p`, the nearest
//! feature of the cylinder is its side (`|x| < h`), a cap (`|p| < r`) or the rim. A centre inside both ranges
//! leaves through the nearer one.

use kinetree_math::Vec3;

use crate::pairs::plane_sphere::plane_ball;
use crate::pairs::sphere_sphere::{Ball, ball_ball};
use crate::{ContactPoint, Pose};

/// Sphere and cylinder: at most one contact.
#[inline]
pub fn sphere_cylinder(
    sphere: &Pose,
    radius: f64,
    cylinder: &Pose,
    cylinder_radius: f64,
    half_length: f64,
    margin: f64,
    out: &mut Vec<ContactPoint>,
) {
    let axis = cylinder.axis(2);
    let offset = sphere.pos - cylinder.pos;
    let along = axis.dot(&offset);
    let axial = axis * along;
    let radial = offset - axial;
    let radial_sqr = radial.dot(&radial);

    let mut on_side = along.abs() < half_length;
    let mut on_cap = radial_sqr < cylinder_radius * cylinder_radius;
    if on_side && on_cap {
        let to_cap = half_length - along.abs();
        let to_side = cylinder_radius - radial_sqr.sqrt();
        if to_cap < to_side {
            on_side = false;
        } else {
            on_cap = false;
        }
    }

    let ball = Ball { centre: sphere.pos, radius, axis: sphere.axis(2) };
    if on_side {
        let core = Ball { centre: axial + cylinder.pos, radius: cylinder_radius, axis };
        ball_ball(&ball, &core, margin, out);
    } else if on_cap {
        let outward = if along > 0.0 { axis } else { -axis };
        let cap = cylinder.pos + outward * half_length;
        // the plane test has the normal of the cap; ours points from the sphere into the cylinder
        if plane_ball(&cap, &outward, &sphere.pos, radius, margin, &Vec3::zeros(), out)
            && let Some(contact) = out.last_mut()
        {
            contact.normal = -contact.normal;
        }
    } else {
        // neither side nor cap: the radial part is at least one radius long, so the division is safe
        let rim = radial * (cylinder_radius / radial_sqr.sqrt());
        let level = axis * if along > 0.0 { half_length } else { -half_length };
        let corner = Ball { centre: level + rim + cylinder.pos, radius: 0.0, axis };
        ball_ball(&ball, &corner, margin, out);
    }
}
