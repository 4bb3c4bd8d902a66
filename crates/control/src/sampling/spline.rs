//! Controls as splines of few knots: fewer numbers to search over, and smooth controls.

use crate::error::{ControlError, expect};

/// How controls follow from knots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// Each knot holds until the next one.
    Zero,
    /// Straight lines between knots.
    Linear,
    /// Cubic Hermite curves whose tangents are central differences (Catmull–Rom).
    Cubic,
}

/// Controls over a horizon, given by equally spaced knots: the first one at the first step, the last one at
/// the last step.
#[derive(Clone, Debug, PartialEq)]
pub struct Spline {
    nu: usize,
    steps: usize,
    interpolation: Interpolation,
    /// Rows of `nu`, one for each knot.
    knots: Vec<f64>,
}

impl Spline {
    /// A spline whose knots (rows of `nu`) are given.
    ///
    /// # Errors
    /// When there is no knot, step or control, a row is incomplete or a number is not finite.
    pub fn new(
        nu: usize,
        steps: usize,
        interpolation: Interpolation,
        knots: &[f64],
    ) -> Result<Self, ControlError> {
        if nu == 0 || steps == 0 || knots.is_empty() {
            return Err(ControlError::Nothing("a spline needs controls, steps and a knot"));
        }
        expect("the list of knots", knots, knots.len() / nu * nu)?;
        Ok(Self { nu, steps, interpolation, knots: knots.to_vec() })
    }

    /// The knots, rows of `nu`.
    #[must_use]
    pub fn knots(&self) -> &[f64] {
        &self.knots
    }

    /// The knots, to change them.
    pub fn knots_mut(&mut self) -> &mut [f64] {
        &mut self.knots
    }

    /// Number of knots.
    #[must_use]
    pub fn count(&self) -> usize {
        self.knots.len() / self.nu
    }

    /// Writes the controls of a step, which may lie between two others. After the last step the last knot
    /// holds.
    pub fn controls(&self, step: f64, out: &mut [f64]) {
        let last = self.count() - 1;
        let spacing = if last == 0 { 1.0 } else { (self.steps - 1).max(1) as f64 / last as f64 };
        let position = (step / spacing).clamp(0.0, last as f64);
        let knot = (libm::floor(position) as usize).min(last);
        let t = position - knot as f64;
        for (i, out) in out.iter_mut().enumerate().take(self.nu) {
            let at = |knot: usize| self.knots[knot.min(last) * self.nu + i];
            let (here, next) = (at(knot), at(knot + 1));
            *out = match self.interpolation {
                Interpolation::Zero => here,
                Interpolation::Linear => here + t * (next - here),
                Interpolation::Cubic => {
                    let before = at(knot.saturating_sub(1));
                    let after = at(knot + 2);
                    // at an end the tangent is one-sided
                    let from = (next - before) * if knot == 0 { 1.0 } else { 0.5 };
                    let to = (after - here) * if knot + 2 > last { 1.0 } else { 0.5 };
                    hermite(here, next, from, to, t)
                }
            };
        }
    }

    /// Moves the spline on by some steps: what it was from then on, with the last knot held.
    pub fn shift(&mut self, steps: f64) {
        let (count, nu) = (self.count(), self.nu);
        let spacing = if count > 1 { (self.steps - 1).max(1) as f64 / (count - 1) as f64 } else { 1.0 };
        let old = self.clone();
        for (knot, row) in self.knots.chunks_exact_mut(nu).enumerate() {
            old.controls(knot as f64 * spacing + steps, row);
        }
    }
}

/// The cubic with these values and tangents at 0 and 1.
fn hermite(from: f64, to: f64, from_tangent: f64, to_tangent: f64, t: f64) -> f64 {
    let (t2, t3) = (t * t, t * t * t);
    (2.0 * t3 - 3.0 * t2 + 1.0) * from
        + (t3 - 2.0 * t2 + t) * from_tangent
        + (3.0 * t2 - 2.0 * t3) * to
        + (t3 - t2) * to_tangent
}
