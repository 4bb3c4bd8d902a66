//! Normals of round surfaces near a contact, where an iterative search has found the point better than the
//! direction.

use kinetree_math::{MINVAL, Vec3};

use crate::shape::{Pose, Shape};
use crate::vector::normalize;

const MAX_ITERATIONS: usize = 30;
const TOLERANCE: f64 = 1e-6;

/// Outward normal of a cylinder's or ellipsoid's surface near a point; `None` for other shapes and where the
/// point says nothing about the round part of the surface. `guess` is a normal to start from.
#[must_use]
pub fn surface_normal(shape: &Shape<'_>, pose: &Pose, point: &Vec3, guess: &Vec3) -> Option<Vec3> {
    let local = pose.mat.tr_mul(&(point - pose.pos));
    let normal = match shape {
        Shape::Cylinder { radius, half_length } => round_wall(&local, *radius, *half_length)?,
        Shape::Ellipsoid { semi_axes } if semi_axes.min() >= MINVAL => {
            let scaled = local.component_div(semi_axes);
            if scaled.norm_squared() <= 1.0 {
                from_inside(&local, semi_axes, pose.mat.tr_mul(guess))?
            } else {
                from_outside(&local, semi_axes)
            }
        }
        _ => return None,
    };
    Some(pose.mat * normalize(&normal).0)
}

/// Direction away from the axis of a cylinder, unless the point is nearer to its flat ends.
fn round_wall(local: &Vec3, radius: f64, half_length: f64) -> Option<Vec3> {
    let height = local.z.abs();
    let to_flat = (half_length - height).abs();
    let to_round = (radius - local.xy().norm()).abs();
    let near_flat = height > 0.95 * half_length || to_flat < 0.25 * to_round;
    (!near_flat).then(|| Vec3::new(local.x, local.y, 0.0))
}

/// Fixed point of: follow the normal to the surface, take the normal there.
fn from_inside(local: &Vec3, semi_axes: &Vec3, guess: Vec3) -> Option<Vec3> {
    let inverse = semi_axes.map(|s| 1.0 / (s * s));
    let weighted = |a: &Vec3, b: &Vec3| a.x * b.x * inverse.x + a.y * b.y * inverse.y + a.z * b.z * inverse.z;
    let c = weighted(local, local) - 1.0;
    let mut normal = normalize(&guess).0;
    for iteration in 0..MAX_ITERATIONS {
        let (a, b) = (weighted(&normal, &normal), weighted(local, &normal));
        let determinant = b * b - a * c;
        let along = (determinant.max(0.0).sqrt() - b) / a;
        if determinant < MINVAL || a < MINVAL || along < 0.0 {
            return (iteration > 0).then_some(normal);
        }
        let next = normalize(&(local + normal * along).component_mul(&inverse)).0;
        let change = (normal - next).norm();
        normal = next;
        if change < TOLERANCE {
            break;
        }
    }
    Some(normal)
}

/// Normal at the nearest point of the surface, by Newton's method on its Lagrange multiplier.
fn from_outside(local: &Vec3, semi_axes: &Vec3) -> Vec3 {
    let squares = semi_axes.map(|s| s * s);
    let weights = local.component_mul(local).component_mul(&squares);
    let mut multiplier = 0.0;
    for _ in 0..MAX_ITERATIONS {
        let r = squares.map(|s| 1.0 / (s + multiplier));
        let value = weights.dot(&r.component_mul(&r)) - 1.0;
        let derivative = -2.0 * weights.dot(&r.component_mul(&r).component_mul(&r));
        let step = -value / derivative;
        if value < TOLERANCE || derivative > -MINVAL || step < TOLERANCE {
            break;
        }
        multiplier += step;
    }
    local.component_div(&squares.map(|s| s + multiplier))
}
