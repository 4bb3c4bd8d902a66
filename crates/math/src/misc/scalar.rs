//! Scalar functions: smooth step, clipping, rounding, Halton sequence, and a damped spring in closed form.

use crate::MINVAL;
use crate::real::{Mask, Real};

/// Magnitude above which a number of the state counts as bad.
pub const MAXVAL: f64 = 1e10;

/// Smooth step from 0 to 1 over `[0, 1]`: the quintic `6x⁵ − 15x⁴ + 10x³`, flat to second order at both ends.
#[inline]
#[must_use]
pub fn sigmoid(x: f64) -> f64 {
    if x <= 0.0 {
        0.0
    } else if x >= 1.0 {
        1.0
    } else {
        x * x * x * (3.0 * x * (2.0 * x - 5.0) + 10.0)
    }
}

/// `x` limited to `[min, max]`; a NaN stays.
#[inline]
#[must_use]
pub fn clip<T: Real>(x: T, min: f64, max: f64) -> T {
    let (min, max) = (T::splat(min), T::splat(max));
    let (below, above) = (x.below(min), max.below(x));
    // of one world these are branches
    if below.all() {
        min
    } else if above.all() {
        max
    } else {
        T::select(below, min, T::select(above, max, x))
    }
}

/// −1, 0 or 1.
#[inline]
#[must_use]
pub fn sign(x: f64) -> f64 {
    if x < 0.0 {
        -1.0
    } else if x > 0.0 {
        1.0
    } else {
        0.0
    }
}

/// Nearest integer; halves go up.
#[inline]
#[must_use]
pub fn round(x: f64) -> i32 {
    let (lower, upper) = (x.floor(), x.ceil());
    if x - lower < upper - x { lower as i32 } else { upper as i32 }
}

/// Whether `x` is not a number or its magnitude is above [`MAXVAL`].
#[inline]
#[must_use]
pub fn is_bad(x: f64) -> bool {
    x.is_nan() || x.abs() > MAXVAL
}

/// Whether all elements are zero.
#[inline]
#[must_use]
pub fn is_zero(v: &[f64]) -> bool {
    v.iter().all(|&x| x == 0.0)
}

/// Element `index` of the Halton sequence in `base`, in `[0, 1)`: the digits of `index` mirrored at the
/// point.
///
/// An index below one or a base below two gives zero.
#[must_use]
pub fn halton(index: i32, base: i32) -> f64 {
    if base < 2 {
        return 0.0;
    }
    let b = f64::from(base);
    let (mut rest, mut weight, mut value) = (index, 1.0 / b, 0.0);
    while rest > 0 {
        value += weight * f64::from(rest % base);
        weight /= b;
        rest /= base;
    }
    value
}

/// Position at time `t` of a unit mass with stiffness `k` and damping `b` that starts at `pos0` with velocity
/// `vel0`: the exact solution of `ẍ + b ẋ + k x = 0`.
#[must_use]
pub fn spring_damper(pos0: f64, vel0: f64, k: f64, b: f64, t: f64) -> f64 {
    let discriminant = b * b - 4.0 * k;
    if discriminant > MINVAL {
        // two real rates
        let w = discriminant.sqrt() / 2.0;
        let (r1, r2) = (-b / 2.0 + w, -b / 2.0 - w);
        let c1 = (pos0 * r2 - vel0) / (r2 - r1);
        let c2 = (pos0 * r1 - vel0) / (r1 - r2);
        c1 * libm::exp(r1 * t) + c2 * libm::exp(r2 * t)
    } else if discriminant >= -MINVAL {
        // one double rate
        let c2 = vel0 + b * pos0 / 2.0;
        libm::exp(-b * t / 2.0) * (pos0 + c2 * t)
    } else {
        let w = discriminant.abs().sqrt() / 2.0;
        let c2 = (vel0 + b * pos0 / 2.0) / w;
        libm::exp(-b * t / 2.0) * (pos0 * libm::cos(w * t) + c2 * libm::sin(w * t))
    }
}

/// Stribeck curve of the LuGre friction model, `f_c + (f_s − f_c) exp(−(v / v_s)²)`.
#[must_use]
pub fn stribeck(velocity: f64, coulomb: f64, stiction: f64, stribeck_velocity: f64) -> f64 {
    let ratio = velocity / stribeck_velocity.max(MINVAL);
    coulomb + (stiction - coulomb) * libm::exp(-ratio * ratio)
}
