//! Capsule against capsule.
//!
//! The nearest points of the segments `p₁ + x₁a₁` and `p₂ + x₂a₂`, `xᵢ ∈ [−1, 1]`, minimise a quadratic whose normal equations
//! are `[a −b; −b c]·x = [u; v]`. When these are singular the segments are parallel, and up to two contacts at segment
//! ends give a stable line contact.

use kinetree_math::MINVAL;

use crate::pairs::sphere_sphere::{Ball, ball_ball};
use crate::vector::clip;
use crate::{ContactPoint, Pose};

/// Two capsules: one contact, or up to two when the axes are parallel.
pub fn capsule_capsule(
    capsule1: &Pose,
    radius1: f64,
    half_length1: f64,
    capsule2: &Pose,
    radius2: f64,
    half_length2: f64,
    margin: f64,
    out: &mut Vec<ContactPoint>,
) {
    let z1 = capsule1.mat.column(2).into_owned();
    let z2 = capsule2.mat.column(2).into_owned();
    let axis1 = z1 * half_length1;
    let axis2 = z2 * half_length2;
    let diff = capsule1.pos - capsule2.pos;

    let ma = axis1.dot(&axis1);
    let mb = -axis1.dot(&axis2);
    let mc = axis2.dot(&axis2);
    let u = -axis1.dot(&diff);
    let v = axis2.dot(&diff);
    let det = ma * mc - mb * mb;

    let contact_at = |x1: f64, x2: f64, out: &mut Vec<ContactPoint>| {
        let ball1 = Ball { centre: axis1 * x1 + capsule1.pos, radius: radius1, axis: z1 };
        let ball2 = Ball { centre: axis2 * x2 + capsule2.pos, radius: radius2, axis: z2 };
        ball_ball(&ball1, &ball2, margin, out);
    };

    // general position: one nearest pair, clipped to the segments one after the other
    if det.abs() >= MINVAL {
        let mut x1 = (mc * u - mb * v) / det;
        let mut x2 = (ma * v - mb * u) / det;
        if x1 > 1.0 {
            x1 = 1.0;
            x2 = (v - mb) / mc;
        } else if x1 < -1.0 {
            x1 = -1.0;
            x2 = (v + mb) / mc;
        }
        if x2 > 1.0 {
            x2 = 1.0;
            x1 = clip((u - mb) / ma, -1.0, 1.0);
        } else if x2 < -1.0 {
            x2 = -1.0;
            x1 = clip((u + mb) / ma, -1.0, 1.0);
        }
        contact_at(x1, x2, out);
        return;
    }

    // parallel axes: both ends of the first capsule, then the ends of the second while fewer than two were found
    let start = out.len();
    let nearest2 = |t: f64| ratio_in_segment(t, mc);
    let nearest1 = |t: f64| ratio_in_segment(t, ma);
    contact_at(1.0, nearest2(v - mb), out);
    contact_at(-1.0, nearest2(v + mb), out);
    if out.len() - start >= 2 {
        return;
    }
    contact_at(nearest1(u - mb), 1.0, out);
    if out.len() - start >= 2 {
        return;
    }
    contact_at(nearest1(u + mb), -1.0, out);
}

/// `numerator / denominator` clipped to `[−1, 1]`; a segment of no length has only its middle.
fn ratio_in_segment(numerator: f64, denominator: f64) -> f64 {
    if denominator > 0.0 { clip(numerator / denominator, -1.0, 1.0) } else { 0.0 }
}
