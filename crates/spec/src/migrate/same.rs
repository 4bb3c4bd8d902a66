//! When two frames are the same.

use kinetree_math::rot::quat_mul;

/// Relative difference of two inertias or frames that are the same.
pub(super) const SAME: f64 = 1e-12;

/// Whether two points differ.
pub(super) fn far(a: &[f64; 3], b: &[f64; 3]) -> bool {
    a.iter().zip(b).any(|(a, b)| (a - b).abs() > SAME * a.abs().max(1.0))
}

/// Sine of half the angle between two orientations.
pub(super) fn rotated_by(a: &[f64; 4], b: &[f64; 4]) -> f64 {
    let [_, x, y, z] = quat_mul(&[a[0], -a[1], -a[2], -a[3]], b);
    (x * x + y * y + z * z).sqrt()
}
