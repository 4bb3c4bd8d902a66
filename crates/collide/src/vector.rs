//! Small vector helpers shared by the narrow phase and the rays.

use kinetree_math::{MINVAL, Vec3};

/// Scales `v` to unit length and returns `(unit, length)`; a vector shorter than [`MINVAL`] becomes the x
/// axis.
#[inline]
pub(crate) fn normalize(v: &Vec3) -> (Vec3, f64) {
    let length = v.dot(v).sqrt();
    if length < MINVAL { (Vec3::x(), length) } else { (v * (1.0 / length), length) }
}

/// Clamps `x` into `[low, high]`; unlike [`f64::clamp`] it never panics, whatever the bounds.
#[inline]
pub(crate) fn clip(x: f64, low: f64, high: f64) -> f64 {
    if x < low {
        low
    } else if x > high {
        high
    } else {
        x
    }
}
