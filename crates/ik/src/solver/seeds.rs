//! Starting points that fill the joint ranges evenly.
//!
//! The additive recurrence of Roberts ("The unreasonable effectiveness of quasirandom sequences", 2018):
//! point `k` is `frac(½ + k αⁱ)` with `1/α` the real root of `x^(n+1) = x + 1`. Any beginning of it is spread
//! well in any dimension, and a point needs no memory of those before it.

use super::descent::spans_full_circle;
use crate::chain::{Chain, JointKind};
use core::f64::consts::PI;

/// Range of a prismatic joint without limits that starts are taken from (m).
const OPEN_RANGE: [f64; 2] = [-1.0, 1.0];

/// The sequence over a chain's joints.
#[derive(Clone, Debug)]
pub(super) struct Seeds {
    steps: Vec<f64>,
    next: u32,
}

impl Seeds {
    pub(super) fn new(chain: &Chain) -> Self {
        let n = chain.nq();
        // fixed point of x = (1 + x)^(1 / (n + 1))
        let mut root: f64 = 2.0;
        for _ in 0..60 {
            root = libm::pow(1.0 + root, 1.0 / (n + 1) as f64);
        }
        Self { steps: (1..=n).map(|i| libm::pow(root, -(i as f64))).collect(), next: 1 }
    }

    /// Bytes of its memory beyond itself.
    pub(super) fn heap_bytes(&self) -> usize {
        size_of_val(&*self.steps)
    }

    /// Starts the sequence again.
    pub(super) fn rewind(&mut self) {
        self.next = 1;
    }

    /// Writes the next point.
    pub(super) fn fill(&mut self, chain: &Chain, q: &mut [f64]) {
        let k = f64::from(self.next);
        self.next = self.next.wrapping_add(1);
        let unit = |i: usize| (0.5 + k * self.steps[i]).fract();
        for variable in chain.variables() {
            let i = variable.q_index;
            match variable.kind {
                JointKind::Revolute => {
                    let around = spans_full_circle(variable.range);
                    let range = if around { [-PI, PI] } else { closed(variable.range, [-PI, PI]) };
                    q[i] = lerp(range, unit(i));
                }
                JointKind::Prismatic => q[i] = lerp(closed(variable.range, OPEN_RANGE), unit(i)),
                JointKind::Ball => quaternion([unit(i), unit(i + 1), unit(i + 2)], &mut q[i..]),
                JointKind::Free => {
                    for j in 0..3 {
                        q[i + j] = lerp(OPEN_RANGE, unit(i + j));
                    }
                    quaternion([unit(i + 3), unit(i + 4), unit(i + 5)], &mut q[i + 3..]);
                }
            }
        }
    }
}

fn lerp(range: [f64; 2], t: f64) -> f64 {
    range[0] + (range[1] - range[0]) * t
}

/// A range with both ends: open ends are as far from the other as `open` is wide.
fn closed(range: [f64; 2], open: [f64; 2]) -> [f64; 2] {
    let width = open[1] - open[0];
    match (range[0].is_finite(), range[1].is_finite()) {
        (true, true) => range,
        (true, false) => [range[0], range[0] + width],
        (false, true) => [range[1] - width, range[1]],
        (false, false) => open,
    }
}

/// Uniform unit quaternion from three numbers in [0, 1) (Shoemake, 1992).
fn quaternion(u: [f64; 3], q: &mut [f64]) {
    let (a, b) = ((1.0 - u[0]).sqrt(), u[0].sqrt());
    let ((s1, c1), (s2, c2)) = (libm::sincos(2.0 * PI * u[1]), libm::sincos(2.0 * PI * u[2]));
    q[..4].copy_from_slice(&[a * s1, a * c1, b * s2, b * c2]);
}
