//! Gradient descent with a backtracking line search, from several points together.
//!
//! A descent waits for a root or for memory at every step. Several of them take their steps together, so
//! that a processor works on one while another waits; the numbers of each are those of a descent on its
//! own. Trial steps of a line search are evaluated four at once.

use super::FAR;
use super::objective::{FieldPair, Objective};
use super::settings::DescentSettings;
use kinetree_math::Vec3;
use kinetree_math::lanes::Lane;
use wide::{CmpGt, f64x4};

/// Most descents that go on together.
pub(super) const TOGETHER: usize = 4;
/// Part of the predicted decrease that a step must reach.
const SUFFICIENT_DECREASE: f64 = 0.1;
/// Factor of the step from one trial to the next.
const BACKTRACK: f64 = 0.5;
/// The first four steps.
const GROUP: Lane = [1.0, BACKTRACK, BACKTRACK * BACKTRACK, BACKTRACK * BACKTRACK * BACKTRACK];
/// Steps below this are not shortened any more.
const SMALLEST_STEP: f64 = 1e-4;

/// A descent: where it is, and its current line search.
#[derive(Clone, Copy, Default)]
pub(super) struct Descent {
    /// Where it is.
    pub(super) x: Vec3,
    /// The value there.
    pub(super) value: f64,
    /// The value where the line search began.
    before: f64,
    gradient: Vec3,
    /// Change of the value that a step of length one must reach.
    required_rate: f64,
    /// The step that is taken.
    step: f64,
}

impl Descent {
    fn begin_search(&mut self) {
        // step sizes are powers of two, so that scaling by them is exact
        self.required_rate = -SUFFICIENT_DECREASE * self.gradient.dot(&self.gradient);
    }

    /// Chooses the longest of four steps that decreases the value enough; returns whether there is one.
    /// There is no branch, which nobody could predict.
    #[inline]
    fn choose(&mut self, steps: f64x4, values: f64x4) -> bool {
        let too_long = steps.cmp_gt(f64x4::splat(SMALLEST_STEP))
            & (values - self.before).cmp_gt(steps * self.required_rate);
        let fits = !too_long.move_mask() & 0b1111;
        let first = fits.trailing_zeros() as usize & 3;
        // without one, those of a step that is too long, until the next four
        (self.step, self.value) = (steps.to_array()[first], values.to_array()[first]);
        fits != 0
    }
}

/// Some of several descents, by their indices.
#[derive(Clone, Copy)]
struct Chosen {
    indices: [usize; TOGETHER],
    count: usize,
}

impl Chosen {
    fn first(count: usize) -> Self {
        Self { indices: std::array::from_fn(|i| i), count: count.min(TOGETHER) }
    }

    /// Calls `keep` with the index of each, and keeps those for which it returns `true`.
    #[inline]
    fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let mut kept = 0;
        for i in 0..self.count {
            let index = self.indices[i];
            self.indices[kept] = index;
            kept += usize::from(keep(index));
        }
        self.count = kept;
    }
}

impl FieldPair<'_> {
    /// Descends from where the descents are; sets where they end, and the value there.
    pub(super) fn descend(&self, objective: Objective, descents: &mut [Descent], settings: &DescentSettings) {
        let mut going = Chosen::first(descents.len());
        descents.iter_mut().for_each(|descent| descent.value = FAR);
        for iteration in 0..settings.iterations {
            if settings.ends_at(iteration) {
                return;
            }
            going.retain(|i| {
                let descent = &mut descents[i];
                (descent.before, descent.gradient) = self.value_and_gradient(objective, &descent.x);
                let regular = descent.gradient.iter().all(|g| g.abs() <= FAR);
                if !regular {
                    descent.value = FAR;
                }
                regular
            });
            if self.in_lanes {
                self.line_searches(objective, descents, going);
            } else {
                going.indices[..going.count]
                    .iter()
                    .for_each(|&i| self.line_search(objective, &mut descents[i]));
            }
            going.retain(|i| {
                let gone_up = descents[i].before < descents[i].value;
                !gone_up
            });
            if going.count == 0 {
                return;
            }
        }
    }

    /// Moves descents against their gradients by the longest step that decreases the value enough, or the
    /// shortest. Steps are tried in groups of four.
    fn line_searches(&self, objective: Objective, descents: &mut [Descent], going: Chosen) {
        let all = &going.indices[..going.count];
        all.iter().for_each(|&i| descents[i].begin_search());
        let (mut searching, mut steps) = (going, f64x4::new(GROUP));
        while searching.count > 0 {
            let mut values = [f64x4::ZERO; TOGETHER];
            for &i in &searching.indices[..searching.count] {
                values[i] = self.values(objective, &along(&descents[i], steps));
            }
            searching.retain(|i| !descents[i].choose(steps, values[i]));
            steps = steps * (GROUP[3] * BACKTRACK);
        }
        for &i in all {
            let descent = &mut descents[i];
            descent.x += descent.gradient * -descent.step;
        }
    }

    /// As [`line_searches`](Self::line_searches), of one descent and step by step.
    fn line_search(&self, objective: Objective, descent: &mut Descent) {
        descent.begin_search();
        let (start, mut step) = (descent.x, 1.0);
        loop {
            descent.x = start + descent.gradient * -step;
            descent.value = self.value(objective, &descent.x);
            let too_long =
                step > SMALLEST_STEP && descent.value - descent.before > step * descent.required_rate;
            if !too_long {
                return;
            }
            step *= BACKTRACK;
        }
    }
}

/// Four points on the ray of a line search, given by their coordinates.
#[inline]
fn along(descent: &Descent, steps: f64x4) -> [Lane; 3] {
    let back = f64x4::ZERO - steps;
    std::array::from_fn(|k| (descent.x[k] + descent.gradient[k] * back).to_array())
}
