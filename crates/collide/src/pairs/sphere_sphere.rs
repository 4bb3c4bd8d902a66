//! Sphere against sphere and capsule.
//!
//! Two balls touch along the line through their centres; everything that has a nearest point on a segment
//! reduces to it. For coincident centres the normal is the cross product of the two z axes, or world x where
//! these are parallel.

use kinetree_math::{MINVAL, Vec3};

use crate::vector::{clip, normalize};
use crate::{ContactPoint, Pose};

/// Ball of some radius around a point, with the z axis of the shape that it stands for.
#[derive(Clone, Copy)]
pub(super) struct Ball {
    pub(super) centre: Vec3,
    pub(super) radius: f64,
    pub(super) axis: Vec3,
}

/// Appends the contact of two balls, if they are within `margin`.
#[inline(always)]
pub(super) fn ball_ball(ball1: &Ball, ball2: &Ball, margin: f64, out: &mut Vec<ContactPoint>) {
    let diff = ball2.centre - ball1.centre;
    let dist_sqr = diff.dot(&diff);
    let reach = margin + ball1.radius + ball2.radius;
    if dist_sqr > reach * reach {
        return;
    }
    let (mut normal, length) = normalize(&diff);
    if length < MINVAL {
        normal = normalize(&ball1.axis.cross(&ball2.axis)).0;
    }
    let dist = length - ball1.radius - ball2.radius;
    out.push(ContactPoint {
        dist,
        pos: normal * (ball1.radius + dist / 2.0) + ball1.centre,
        normal,
        tangent: Vec3::zeros(),
    });
}

/// Two spheres: at most one contact.
#[inline(always)]
pub fn sphere_sphere(
    sphere1: &Pose,
    radius1: f64,
    sphere2: &Pose,
    radius2: f64,
    margin: f64,
    out: &mut Vec<ContactPoint>,
) {
    let ball1 = Ball { centre: sphere1.pos, radius: radius1, axis: sphere1.axis(2) };
    let ball2 = Ball { centre: sphere2.pos, radius: radius2, axis: sphere2.axis(2) };
    ball_ball(&ball1, &ball2, margin, out);
}

/// Sphere and capsule: at most one contact, at the point of the capsule's segment nearest to the sphere.
#[inline(always)]
pub fn sphere_capsule(
    sphere: &Pose,
    radius: f64,
    capsule: &Pose,
    capsule_radius: f64,
    half_length: f64,
    margin: f64,
    out: &mut Vec<ContactPoint>,
) {
    let axis = capsule.axis(2);
    let along = clip(axis.dot(&(sphere.pos - capsule.pos)), -half_length, half_length);
    let ball1 = Ball { centre: sphere.pos, radius, axis: sphere.axis(2) };
    let ball2 = Ball { centre: axis * along + capsule.pos, radius: capsule_radius, axis };
    ball_ball(&ball1, &ball2, margin, out);
}
