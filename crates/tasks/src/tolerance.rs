//! A soft indicator: one within bounds, falling to zero outside of them.

/// How the value falls outside of the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sigmoid {
    /// A bell curve.
    Gaussian,
    /// A straight line.
    Linear,
    /// A parabola.
    Quadratic,
}

/// One within bounds, and a sigmoid of the distance from them outside, as rewards of `dm_control` have it.
///
/// ```
/// use kinetree_tasks::{Sigmoid, Tolerance};
///
/// let fast = Tolerance::within(10.0, f64::INFINITY).falling(Sigmoid::Linear, 10.0, 0.0);
/// assert_eq!((fast.of(12.0), fast.of(5.0), fast.of(-1.0)), (1.0, 0.5, 0.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    lower: f64,
    upper: f64,
    sigmoid: Sigmoid,
    margin: f64,
    /// Value at the end of the margin.
    at_margin: f64,
}

impl Tolerance {
    /// One from `lower` to `upper`, both included, and zero elsewhere.
    #[must_use]
    pub const fn within(lower: f64, upper: f64) -> Self {
        Self { lower, upper, sigmoid: Sigmoid::Gaussian, margin: 0.0, at_margin: 0.1 }
    }

    /// With a bell curve outside, which is 0.1 at a distance of `margin`.
    #[must_use]
    pub const fn margin(self, margin: f64) -> Self {
        self.falling(Sigmoid::Gaussian, margin, 0.1)
    }

    /// With a sigmoid outside, which is `value` at a distance of `margin`.
    #[must_use]
    pub const fn falling(self, sigmoid: Sigmoid, margin: f64, value: f64) -> Self {
        Self { sigmoid, margin, at_margin: value, ..self }
    }

    /// Value at a number.
    #[must_use]
    pub fn of(&self, x: f64) -> f64 {
        if self.lower <= x && x <= self.upper {
            return 1.0;
        }
        if self.margin == 0.0 {
            return 0.0;
        }
        let distance = if x < self.lower { self.lower - x } else { x - self.upper } / self.margin;
        match self.sigmoid {
            Sigmoid::Gaussian => {
                let scaled = distance * libm::sqrt(-2.0 * libm::log(self.at_margin));
                libm::exp(-0.5 * (scaled * scaled))
            }
            Sigmoid::Linear => (1.0 - distance * (1.0 - self.at_margin)).max(0.0),
            Sigmoid::Quadratic => {
                let scaled = distance * libm::sqrt(1.0 - self.at_margin);
                (1.0 - scaled * scaled).max(0.0)
            }
        }
    }

    /// Mean of the values at some numbers; one when there are none.
    #[must_use]
    pub fn mean(&self, numbers: &[f64]) -> f64 {
        let sum: f64 = numbers.iter().map(|x| self.of(*x)).sum();
        if numbers.is_empty() { 1.0 } else { sum / numbers.len() as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_at_bounds_and_margins() {
        for sigmoid in [Sigmoid::Gaussian, Sigmoid::Linear, Sigmoid::Quadratic] {
            let soft = Tolerance::within(-1.0, 2.0).falling(sigmoid, 0.5, 0.3);
            assert_eq!((soft.of(-1.0), soft.of(2.0)), (1.0, 1.0));
            assert!((soft.of(-1.5) - 0.3).abs() < 1e-15 && (soft.of(2.5) - 0.3).abs() < 1e-15);
            assert!(soft.of(2.2) > soft.of(2.3) && soft.of(100.0) >= 0.0);
        }
        assert_eq!(Tolerance::within(0.0, 1.0).of(1.1), 0.0);
        assert!(Tolerance::within(0.0, 1.0).margin(1.0).of(f64::NAN).is_nan());
        assert_eq!(Tolerance::within(0.0, 1.0).mean(&[0.5, 3.0]), 0.5);
    }
}
