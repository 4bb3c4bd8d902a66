//! Capsule against capsule.
//!
//! The nearest points of the segments `p₁ + x₁a₁` and `p₂ + x₂a₂`, `xᵢ ∈ [−1, 1]`, minimise a quadratic whose
//! normal equations are `[a −b; −b c]·x = [u; v]`. When these are singular the segments are parallel, and up
//! to two contacts at segment ends give a stable line contact.

use kinetree_math::MINVAL;

use crate::pairs::sphere_sphere::{Ball, ball_ball};
use crate::vector::clip;
use crate::{ContactPoint, Pose};

/// Two capsules: one contact, or up to two when the axes are parallel.
#[inline(always)]
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
    let z1 = capsule1.axis(2);
    let z2 = capsule2.axis(2);
    let axis1 = z1 * half_length1;
    let axis2 = z2 * half_length2;
    let diff = capsule1.pos - capsule2.pos;

    let ma = axis1.dot(&axis1);
    let mb = -axis1.dot(&axis2);
    let mc = axis2.dot(&axis2);
    let u = -axis1.dot(&diff);
    let v = axis2.dot(&diff);
    let det = ma * mc - mb * mb;

    let ball1 = |x: f64| Ball { centre: axis1 * x + capsule1.pos, radius: radius1, axis: z1 };
    let ball2 = |x: f64| Ball { centre: axis2 * x + capsule2.pos, radius: radius2, axis: z2 };

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
        ball_ball(&ball1(x1), &ball2(x2), margin, out);
        return;
    }
    parallel(ball1, ball2, [ma, mb, mc], [u, v], margin, out);
}

/// Parallel axes: appends contacts at both ends of the first capsule, then at the ends of the second as long
/// as there are fewer than two.
#[cold]
fn parallel(
    ball1: impl Fn(f64) -> Ball,
    ball2: impl Fn(f64) -> Ball,
    [ma, mb, mc]: [f64; 3],
    [u, v]: [f64; 2],
    margin: f64,
    out: &mut Vec<ContactPoint>,
) {
    let start = out.len();
    for x1 in [1.0, -1.0] {
        ball_ball(&ball1(x1), &ball2(ratio_in_segment(v - mb * x1, mc)), margin, out);
    }
    for x2 in [1.0, -1.0] {
        if out.len() - start < 2 {
            ball_ball(&ball1(ratio_in_segment(u - mb * x2, ma)), &ball2(x2), margin, out);
        }
    }
}

/// `numerator / denominator` clipped to `[−1, 1]`; a segment of no length has only its middle.
fn ratio_in_segment(numerator: f64, denominator: f64) -> f64 {
    if denominator > 0.0 { clip(numerator / denominator, -1.0, 1.0) } else { 0.0 }
}
