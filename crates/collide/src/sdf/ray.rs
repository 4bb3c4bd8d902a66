//! Rays against a field by sphere tracing.

use super::SignedDistance;
use crate::Pose;
use crate::ray::{Ray, RayHit, ray_box};
use kinetree_math::Vec3;
use kinetree_math::rot::normalize3;

/// Distance from the surface that counts as a hit (m).
const HIT: f64 = 1e-7;
/// Steps of a march.
const STEPS: usize = 40;
/// Beyond this there is nothing (m).
const NOWHERE: f64 = 1e6;

/// Ray against the surface of a field; `half` are the half sizes of the box around it, centred at its origin.
/// The distance is in metres, whatever the length of the ray's direction.
#[must_use]
pub fn ray_field(pose: &Pose, half: &Vec3, field: &dyn SignedDistance, ray: &Ray) -> Option<RayHit> {
    ray_box(pose, half, ray)?;
    let mut local = ray.to_local(pose);
    normalize3(&mut local.direction);
    let mut total = 0.0;
    for _ in 0..STEPS {
        let step = field.distance(&local.at(total)).abs();
        total += step;
        if step < HIT {
            let mut normal = field.gradient(&local.at(total));
            normalize3(&mut normal);
            return Some(RayHit { distance: total, normal: pose.mat * normal });
        }
        let lost = step > NOWHERE || step.is_nan();
        if lost {
            return None;
        }
    }
    None
}
