//! Springs and dampers whose coefficient is a polynomial, `c(x) = linear + poly₀ x + poly₁ x² + …`, with
//! force `−x c(x)`.

use crate::real::Real;

/// What the polynomial is taken of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PolyKind {
    /// Of `x` itself.
    Signed,
    /// Of `|x|`, so that the force is an odd function.
    Odd,
}

impl PolyKind {
    #[inline]
    fn argument<T: Real>(self, x: T) -> T {
        if self == Self::Odd { x.magnitude() } else { x }
    }
}

/// Coefficient `c(x)`.
#[inline]
#[must_use]
pub fn poly_force<T: Real>(linear: f64, poly: &[f64], x: T, kind: PolyKind) -> T {
    let x = kind.argument(x);
    let (mut value, mut power) = (T::splat(linear), T::ONE);
    for &p in poly {
        power = power * x;
        value += T::splat(p) * power;
    }
    value
}

/// Derivative of `x c(x)` with respect to `x`.
#[inline]
#[must_use]
pub fn poly_force_deriv(linear: f64, poly: &[f64], x: f64, kind: PolyKind) -> f64 {
    let x = kind.argument(x);
    let (mut value, mut power, mut degree) = (linear, 1.0, 2.0);
    for p in poly {
        power *= x;
        value += degree * p * power;
        degree += 1.0;
    }
    value
}

/// Potential energy, the integral of `t c(t)` from 0 to `x`.
#[inline]
#[must_use]
pub fn poly_potential(linear: f64, poly: &[f64], x: f64, kind: PolyKind) -> f64 {
    let x = kind.argument(x);
    let (mut value, mut power, mut degree) = (0.5 * linear * (x * x), x, 3.0);
    for p in poly {
        power *= x;
        value += p / degree * (power * x);
        degree += 1.0;
    }
    value
}
