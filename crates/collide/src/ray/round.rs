//! Rays against sphere, capsule, ellipsoid and cylinder: roots of quadratics, kept where they lie on the
//! surface.

use kinetree_math::{MINVAL, Vec3};

use super::{Ray, RayHit, first_root, meets_ball, quadratic};
use crate::Pose;
use crate::vector::normalize;

/// Ray against a sphere.
#[must_use]
pub fn ray_sphere(centre: &Vec3, radius: f64, ray: &Ray) -> Option<RayHit> {
    let offset = ray.origin - centre;
    let d = &ray.direction;
    let distance = first_root(d.dot(d), d.dot(&offset), offset.dot(&offset) - radius * radius)?;
    Some(RayHit { distance, normal: normalize(&(ray.at(distance) - centre)).0 })
}

/// Distance to an infinite cylinder of the given radius around local z, where the hit lies within the half
/// length.
fn round_side(local: &Ray, radius: f64, half_length: f64) -> Option<f64> {
    let (p, d) = (&local.origin, &local.direction);
    let a = d.x * d.x + d.y * d.y;
    let b = d.x * p.x + d.y * p.y;
    let c = p.x * p.x + p.y * p.y - radius * radius;
    first_root(a, b, c).filter(|&x| (p.z + x * d.z).abs() <= half_length)
}

/// Ray against a capsule along local z.
#[must_use]
pub fn ray_capsule(pose: &Pose, radius: f64, half_length: f64, ray: &Ray) -> Option<RayHit> {
    let reach = radius + half_length;
    if !meets_ball(ray, &pose.pos, reach * reach) {
        return None;
    }
    let local = ray.to_local(pose);
    let (p, d) = (&local.origin, &local.direction);

    // nearest hit so far, with the height at which its normal starts (none on the side)
    let mut best = round_side(&local, radius, half_length).map(|x| (x, None));
    let a = d.dot(d);
    for end in [half_length, -half_length] {
        let offset = Vec3::new(p.x, p.y, p.z - end);
        let roots = quadratic(a, d.dot(&offset), offset.dot(&offset) - radius * radius);
        for x in roots.into_iter().flatten() {
            let z = p.z + x * d.z;
            let on_cap = if end == half_length { z >= half_length } else { z <= -half_length };
            if x >= 0.0 && on_cap && best.is_none_or(|(nearest, _)| x < nearest) {
                best = Some((x, Some(end)));
            }
        }
    }
    best.map(|(distance, end)| {
        let mut normal = local.at(distance);
        normal.z = end.map_or(0.0, |end| normal.z - end);
        RayHit { distance, normal: pose.mat * normalize(&normal).0 }
    })
}

/// Ray against an ellipsoid.
#[must_use]
pub fn ray_ellipsoid(pose: &Pose, semi_axes: &Vec3, ray: &Ray) -> Option<RayHit> {
    let local = ray.to_local(pose);
    let (p, d) = (&local.origin, &local.direction);
    let scale = semi_axes.map(|s| 1.0 / (s * s));
    let scaled = scale.component_mul(d);
    let a = scaled.dot(d);
    let b = scaled.dot(p);
    let c = scale.component_mul(p).dot(p) - 1.0;
    let distance = first_root(a, b, c)?;

    // the gradient of the implicit function is the normal
    let gradient = scale.component_mul(&local.at(distance));
    Some(RayHit { distance, normal: pose.mat * normalize(&gradient).0 })
}

/// Ray against a cylinder along local z.
#[must_use]
pub fn ray_cylinder(pose: &Pose, radius: f64, half_length: f64, ray: &Ray) -> Option<RayHit> {
    if !meets_ball(ray, &pose.pos, radius * radius + half_length * half_length) {
        return None;
    }
    let local = ray.to_local(pose);
    let (p, d) = (&local.origin, &local.direction);

    // flat ends
    let mut best: Option<(f64, f64)> = None;
    if d.z.abs() > MINVAL {
        for side in [-1.0, 1.0] {
            let x = (side * half_length - p.z) / d.z;
            let point = local.at(x);
            let inside = point.x * point.x + point.y * point.y <= radius * radius;
            if x >= 0.0 && inside && best.is_none_or(|(nearest, _)| x < nearest) {
                best = Some((x, side));
            }
        }
    }
    if let Some(x) = round_side(&local, radius, half_length)
        && best.is_none_or(|(nearest, _)| x < nearest)
    {
        best = Some((x, 0.0));
    }
    best.map(|(distance, side)| {
        let normal = if side == 0.0 {
            let point = local.at(distance);
            normalize(&Vec3::new(point.x, point.y, 0.0)).0
        } else {
            Vec3::new(0.0, 0.0, side)
        };
        RayHit { distance, normal: pose.mat * normal }
    })
}
