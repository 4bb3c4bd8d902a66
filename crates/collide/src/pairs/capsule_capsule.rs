//! Capsule against capsule.
//!
//! The nearest points of the segments `p₁ + x₁a₁` and `p₂ + x₂a₂`, `xᵢ ∈ [−1, 1]`, minimise a quadratic whose
//! normal equations are `[a −b; −b c]·x = [u; v]`. When these are singular the segments are parallel, and up
//! to two contacts at segment ends give a stable line contact.

use kinetree_math::{MINVAL, Vec3};

use crate::pairs::sphere_sphere::{Ball, ball_ball};
use crate::vector::clip;
use crate::{ContactPoint, Pose};

/// Squared sine of the angle between two axes below which they are parallel at reference level 4.0.
const PARALLEL: f64 = 1e-8;

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
    let pair = Axes::new([capsule1, capsule2], [radius1, radius2], [half_length1, half_length2]);
    let ([ma, mb, mc], [u, v]) = (pair.quadratic, pair.linear);
    let det = ma * mc - mb * mb;
    if det.abs() >= MINVAL {
        pair.nearest([(mc * u - mb * v) / det, (ma * v - mb * u) / det], margin, out);
    } else {
        pair.parallel(margin, out);
    }
}

/// The same as it is at reference level 4.0: where the axes are parallel, two contacts at the ends of what
/// they have side by side, in the order of the first axis. Elsewhere, nearest points by the common normal of
/// both axes, which are exact however small the angle is.
pub fn capsule_capsule_ordered(
    capsule1: &Pose,
    radius1: f64,
    half_length1: f64,
    capsule2: &Pose,
    radius2: f64,
    half_length2: f64,
    margin: f64,
    out: &mut Vec<ContactPoint>,
) {
    let pair = Axes::new([capsule1, capsule2], [radius1, radius2], [half_length1, half_length2]);
    if half_length1 <= 0.0 || half_length2 <= 0.0 {
        pair.parallel(margin, out);
    } else if pair.directions[0].cross(&pair.directions[1]).norm_squared() < PARALLEL {
        pair.side_by_side(margin, out);
    } else {
        let [x1, x2] = pair.on_common_normal();
        pair.nearest([x1 / half_length1, x2 / half_length2], margin, out);
    }
}

/// The axes of two capsules, and the quadratic of the distance of two points on them.
struct Axes {
    directions: [Vec3; 2],
    /// From the middle of each to its end.
    halves: [Vec3; 2],
    middles: [Vec3; 2],
    radii: [f64; 2],
    quadratic: [f64; 3],
    linear: [f64; 2],
}

impl Axes {
    #[inline(always)]
    fn new(poses: [&Pose; 2], radii: [f64; 2], half_lengths: [f64; 2]) -> Self {
        let directions = poses.map(|pose| pose.axis(2));
        let halves = [directions[0] * half_lengths[0], directions[1] * half_lengths[1]];
        let [a, b] = &halves;
        let between = poses[0].pos - poses[1].pos;
        Self {
            directions,
            halves,
            middles: poses.map(|pose| pose.pos),
            radii,
            quadratic: [a.dot(a), -a.dot(b), b.dot(b)],
            linear: [-a.dot(&between), b.dot(&between)],
        }
    }

    #[inline(always)]
    fn ball(&self, of: usize, x: f64) -> Ball {
        let centre = self.halves[of] * x + self.middles[of];
        Ball { centre, radius: self.radii[of], axis: self.directions[of] }
    }

    #[inline(always)]
    fn contact(&self, x1: f64, x2: f64, margin: f64, out: &mut Vec<ContactPoint>) {
        ball_ball(&self.ball(0, x1), &self.ball(1, x2), margin, out);
    }

    /// Where the common normal of both lines meets them: distances from the middles.
    fn on_common_normal(&self) -> [f64; 2] {
        let [a, b] = &self.directions;
        let (normal, between) = (a.cross(b), self.middles[1] - self.middles[0]);
        let square = normal.norm_squared();
        [between.cross(b).dot(&normal) / square, between.cross(a).dot(&normal) / square]
    }

    /// General position: the nearest points of both lines, clipped to the segments one after the other.
    #[inline(always)]
    fn nearest(&self, [mut x1, mut x2]: [f64; 2], margin: f64, out: &mut Vec<ContactPoint>) {
        let ([ma, mb, mc], [u, v]) = (self.quadratic, self.linear);
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
        self.contact(x1, x2, margin, out);
    }

    /// Appends contacts at both ends of the first capsule, then at the ends of the second as long as there
    /// are fewer than two.
    #[cold]
    fn parallel(&self, margin: f64, out: &mut Vec<ContactPoint>) {
        let ([ma, mb, mc], [u, v]) = (self.quadratic, self.linear);
        let start = out.len();
        for x1 in [1.0, -1.0] {
            self.contact(x1, ratio_in_segment(v - mb * x1, mc), margin, out);
        }
        for x2 in [1.0, -1.0] {
            if out.len() - start < 2 {
                self.contact(ratio_in_segment(u - mb * x2, ma), x2, margin, out);
            }
        }
    }

    /// Appends contacts at the ends of what two parallel segments have side by side.
    #[cold]
    fn side_by_side(&self, margin: f64, out: &mut Vec<ContactPoint>) {
        let ([ma, mb, mc], [u, v]) = (self.quadratic, self.linear);
        // ends of the second segment, in the order of the first
        let ends = if mb <= 0.0 { [-1.0, 1.0] } else { [1.0, -1.0] };
        for end in ends {
            let beside = (u - mb * end) / ma;
            let x1 = clip(beside, -1.0, 1.0);
            let x2 = if x1 == beside { end } else { ratio_in_segment(v - mb * x1, mc) };
            self.contact(x1, x2, margin, out);
        }
    }
}

/// `numerator / denominator` clipped to `[−1, 1]`; a segment of no length has only its middle.
fn ratio_in_segment(numerator: f64, denominator: f64) -> f64 {
    if denominator > 0.0 { clip(numerator / denominator, -1.0, 1.0) } else { 0.0 }
}
