//! Controls as splines of few knots: fewer numbers to search over, and smooth controls.

use crate::error::{ControlError, expect, unknown};
use std::str::FromStr;

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

impl Interpolation {
    /// The names of all interpolations.
    pub const NAMES: &[&str] = &["zero", "linear", "cubic"];
}

impl FromStr for Interpolation {
    type Err = ControlError;

    fn from_str(name: &str) -> Result<Self, ControlError> {
        match name {
            "zero" => Ok(Self::Zero),
            "linear" => Ok(Self::Linear),
            "cubic" => Ok(Self::Cubic),
            other => Err(unknown("interpolation", other, Self::NAMES)),
        }
    }
}

/// Controls over a horizon, given by equally spaced knots: the first one at the first step, the last one at
/// the last step. After a [`shift`](Self::shift) the first knot may lie before the first step.
#[derive(Clone, Debug, PartialEq)]
pub struct Spline {
    nu: usize,
    steps: usize,
    interpolation: Interpolation,
    /// Rows of `nu`, one for each knot.
    knots: Vec<f64>,
    /// How far the first step lies behind the first knot, times the number of intervals between knots: a
    /// whole number for whole steps.
    phase: f64,
    /// The knot before the first one, which was there before a shift.
    passed: Option<Vec<f64>>,
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
        Ok(Self { nu, steps, interpolation, knots: knots.to_vec(), phase: 0.0, passed: None })
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

    /// Steps from the first knot to the first step, less than there are between two knots.
    #[must_use]
    pub fn phase(&self) -> f64 {
        self.phase / (self.count() - 1).max(1) as f64
    }

    /// Intervals between knots, and steps between the first and the last one.
    fn lengths(&self) -> (f64, f64) {
        ((self.count() - 1) as f64, (self.steps - 1).max(1) as f64)
    }

    /// Becomes a spline whose knots are equally spaced from the first step on.
    pub(super) fn restart(&mut self, knots: &[f64]) {
        self.knots.copy_from_slice(knots);
        (self.phase, self.passed) = (0.0, None);
    }

    /// Becomes another spline of the same size.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.knots.copy_from_slice(&other.knots);
        self.phase = other.phase;
        self.passed.clone_from(&other.passed);
    }

    /// Writes the controls of a step, which may lie between two others. After the last knot that one holds.
    pub fn controls(&self, step: f64, out: &mut [f64]) {
        let last = self.count() - 1;
        let (intervals, length) = self.lengths();
        // whole numbers for whole steps, so that a step at a knot is exactly there
        let position = ((step * intervals + self.phase) / length).clamp(0.0, intervals);
        let knot = (libm::floor(position) as usize).min(last);
        let t = position - knot as f64;
        for (i, out) in out.iter_mut().enumerate().take(self.nu) {
            let at = |knot: usize| self.knots[knot.min(last) * self.nu + i];
            let (here, next) = (at(knot), at(knot + 1));
            *out = match self.interpolation {
                Interpolation::Zero => here,
                Interpolation::Linear => here + t * (next - here),
                Interpolation::Cubic => {
                    let before = match knot {
                        0 => self.passed.as_ref().map(|row| row[i]),
                        _ => Some(at(knot - 1)),
                    };
                    let after = at(knot + 2);
                    // at an end the tangent is one-sided
                    let from = before.map_or(next - here, |before| 0.5 * (next - before));
                    let to = (after - here) * if knot + 2 > last { 1.0 } else { 0.5 };
                    hermite(here, next, from, to, t)
                }
            };
        }
    }

    /// Moves the spline on by some steps: what it was from then on, with the last knot held. Knots move by
    /// whole ones, and what is left of the steps remains as the [`phase`](Self::phase), so that many small
    /// shifts do what a large one does. Cubic curves change from the last interval on, where what is held has
    /// another tangent than an end.
    ///
    /// # Errors
    /// When the number of steps is negative or not finite.
    pub fn shift(&mut self, steps: f64) -> Result<(), ControlError> {
        if !(steps >= 0.0 && steps.is_finite()) {
            return Err(ControlError::Setting {
                what: "steps",
                should: "finite and not negative",
                value: steps,
            });
        }
        let (intervals, length) = self.lengths();
        let phase = self.phase + steps * intervals;
        let whole = libm::floor(phase / length);
        if whole < 1.0 {
            self.phase = phase;
            return Ok(());
        }
        let (nu, last, is_over) = (self.nu, self.count() - 1, whole > intervals);
        let moved = if is_over { last + 1 } else { whole as usize };
        self.phase = if is_over { 0.0 } else { phase - whole * length };
        self.passed = Some(self.knots[(moved - 1) * nu..moved * nu].to_vec());
        for knot in 0..=last {
            let from = (knot + moved).min(last) * nu;
            self.knots.copy_within(from..from + nu, knot * nu);
        }
        Ok(())
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
