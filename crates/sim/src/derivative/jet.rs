//! A number with its derivatives, for forward-mode derivatives of short formulas.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A value and its derivatives with `N` inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Jet<const N: usize> {
    pub(super) value: f64,
    pub(super) derivative: [f64; N],
}

impl<const N: usize> Jet<N> {
    /// A constant.
    pub(super) const fn new(value: f64) -> Self {
        Self { value, derivative: [0.0; N] }
    }

    /// Input `k`.
    pub(super) fn input(value: f64, k: usize) -> Self {
        let mut out = Self::new(value);
        out.derivative[k] = 1.0;
        out
    }

    /// A function with this value and this derivative here.
    fn chain(self, value: f64, derivative: f64) -> Self {
        Self { value, derivative: self.derivative.map(|s| s * derivative) }
    }

    pub(super) fn exp(self) -> Self {
        let value = libm::exp(self.value);
        self.chain(value, value)
    }

    /// At zero, where it has none, without derivative.
    pub(super) fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.chain(root, if root > 0.0 { 0.5 / root } else { 0.0 })
    }

    pub(super) fn sin(self) -> Self {
        self.chain(libm::sin(self.value), libm::cos(self.value))
    }

    /// At zero the mean of both sides.
    pub(super) fn abs(self) -> Self {
        self.chain(self.value.abs(), kinetree_math::misc::sign(self.value))
    }

    /// The larger of two.
    pub(super) fn max(self, other: Self) -> Self {
        if self.value >= other.value { self } else { other }
    }

    /// The smaller of two.
    pub(super) fn min(self, other: Self) -> Self {
        if self.value <= other.value { self } else { other }
    }
}

impl<const N: usize> From<f64> for Jet<N> {
    fn from(value: f64) -> Self {
        Self::new(value)
    }
}

impl<const N: usize> Neg for Jet<N> {
    type Output = Self;

    fn neg(self) -> Self {
        self.chain(-self.value, -1.0)
    }
}

impl<const N: usize, T: Into<Self>> Add<T> for Jet<N> {
    type Output = Self;

    fn add(self, other: T) -> Self {
        let other = other.into();
        Self {
            value: self.value + other.value,
            derivative: std::array::from_fn(|k| self.derivative[k] + other.derivative[k]),
        }
    }
}

impl<const N: usize, T: Into<Self>> Sub<T> for Jet<N> {
    type Output = Self;

    fn sub(self, other: T) -> Self {
        self + -other.into()
    }
}

impl<const N: usize, T: Into<Self>> Mul<T> for Jet<N> {
    type Output = Self;

    #[expect(clippy::suspicious_arithmetic_impl, reason = "the product rule is a sum")]
    fn mul(self, other: T) -> Self {
        let other = other.into();
        Self {
            value: self.value * other.value,
            derivative: std::array::from_fn(|k| {
                self.derivative[k] * other.value + self.value * other.derivative[k]
            }),
        }
    }
}

impl<const N: usize, T: Into<Self>> Div<T> for Jet<N> {
    type Output = Self;

    #[expect(clippy::suspicious_arithmetic_impl, reason = "the quotient rule is a difference")]
    fn div(self, other: T) -> Self {
        let other = other.into();
        let value = self.value / other.value;
        Self {
            value,
            derivative: std::array::from_fn(|k| {
                (self.derivative[k] - value * other.derivative[k]) / other.value
            }),
        }
    }
}
