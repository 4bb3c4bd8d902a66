//! Sine and cosine of several angles at once.
//!
//! Each angle is reduced to `|r| ≤ π/4` by multiples of π/2 in three parts (Cody and Waite, "Software Manual
//! for the Elementary Functions", 1980), where the Taylor series up to `r¹⁵` and `r¹⁶` are exact to rounding.
//! All operations are elementwise and branch-free, so that the compiler takes them in lanes, and the result
//! of an angle does not depend on its neighbours or on the number of them. Beyond [`LARGEST`] the angles go
//! to `libm` one by one.
//!
//! ```
//! let (sines, cosines) = kinetree_math::sincos::sin_cos(&[0.0, std::f64::consts::FRAC_PI_2]);
//! assert!((sines[1] - 1.0).abs() < 1e-15 && cosines[0] == 1.0);
//! ```

/// Largest magnitude for which multiples of the parts of π/2 are exact.
pub const LARGEST: f64 = 1e5;
/// 1.5 · 2⁵²: adding it leaves the nearest integer in the low bits of the sum.
const ROUND: f64 = 6_755_399_441_055_744.0;
/// π/2 as a sum of numbers of at most 33 bits each.
const HALF_PI: [f64; 3] = [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_6e-21];
/// Coefficients of `r³, r⁵ … r¹⁵` in the sine.
const SIN: [f64; 7] = [
    -1.0 / 6.0,
    1.0 / 120.0,
    -1.0 / 5_040.0,
    1.0 / 362_880.0,
    -1.0 / 39_916_800.0,
    1.0 / 6_227_020_800.0,
    -1.0 / 1_307_674_368_000.0,
];
/// Coefficients of `r⁴, r⁶ … r¹⁶` in the cosine.
const COS: [f64; 7] = [
    1.0 / 24.0,
    -1.0 / 720.0,
    1.0 / 40_320.0,
    -1.0 / 3_628_800.0,
    1.0 / 479_001_600.0,
    -1.0 / 87_178_291_200.0,
    1.0 / 20_922_789_888_000.0,
];

/// Polynomial in `x` by Horner's rule.
#[inline(always)]
fn horner<const N: usize>(x: &[f64; N], [rest @ .., last]: &[f64; 7]) -> [f64; N] {
    let mut sum = [*last; N];
    for &c in rest.iter().rev() {
        for i in 0..N {
            sum[i] = sum[i] * x[i] + c;
        }
    }
    sum
}

/// Sines and cosines of `N` angles.
#[inline]
#[must_use]
pub fn sin_cos<const N: usize>(angles: &[f64; N]) -> ([f64; N], [f64; N]) {
    // negated, so that angles that are not numbers take this way too
    let small = |x: &f64| x.abs() <= LARGEST;
    // few are looked at one by one, many in lanes
    let all_small =
        if N > 8 { angles.iter().fold(true, |all, x| all & small(x)) } else { angles.iter().all(small) };
    if !all_small {
        return one_by_one(angles);
    }
    let (mut r, mut quadrant) = ([0.0; N], [0_u64; N]);
    for i in 0..N {
        let shifted = angles[i] * core::f64::consts::FRAC_2_PI + ROUND;
        quadrant[i] = shifted.to_bits();
        let k = shifted - ROUND;
        r[i] = ((angles[i] - k * HALF_PI[0]) - k * HALF_PI[1]) - k * HALF_PI[2];
    }
    let mut square = [0.0; N];
    for i in 0..N {
        square[i] = r[i] * r[i];
    }
    let (odd, even) = (horner(&square, &SIN), horner(&square, &COS));
    let (mut sin, mut cos) = ([0.0; N], [0.0; N]);
    for i in 0..N {
        let s = (r[i] + r[i] * square[i] * odd[i]).to_bits();
        let c = (1.0 - 0.5 * square[i] + square[i] * square[i] * even[i]).to_bits();
        // odd quadrants swap sine and cosine; the second bit of the quadrant is the sign
        let swap = 0_u64.wrapping_sub(quadrant[i] & 1);
        let sin_sign = (quadrant[i] & 2) << 62;
        let cos_sign = (quadrant[i].wrapping_add(1) & 2) << 62;
        sin[i] = f64::from_bits(((s & !swap) | (c & swap)) ^ sin_sign);
        cos[i] = f64::from_bits(((c & !swap) | (s & swap)) ^ cos_sign);
    }
    (sin, cos)
}

#[cold]
fn one_by_one<const N: usize>(angles: &[f64; N]) -> ([f64; N], [f64; N]) {
    let (mut sin, mut cos) = ([0.0; N], [0.0; N]);
    for i in 0..N {
        (sin[i], cos[i]) = if angles[i].abs() <= LARGEST {
            let (s, c) = sin_cos(&[angles[i]]);
            (s[0], c[0])
        } else {
            libm::sincos(angles[i])
        };
    }
    (sin, cos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_libm_to_rounding() {
        let mut worst: f64 = 0.0;
        for i in 0..200_000 {
            // dense around zero, up to the largest angle
            let x = (f64::from(i) - 100_000.0) * 1e-4 * (1.0 + f64::from(i % 7) * 1e-3);
            for angle in [x, x * 1e3 % LARGEST, x * core::f64::consts::FRAC_PI_2] {
                let ([s, s2], [c, c2]) = sin_cos(&[angle, 0.1]);
                let (sin, cos) = libm::sincos(angle);
                worst = worst.max((s - sin).abs()).max((c - cos).abs());
                assert_eq!((s2, c2), (sin_cos(&[0.1]).0[0], sin_cos(&[0.1]).1[0]));
            }
        }
        assert!(worst <= 2.3e-16, "{worst:e}");
    }

    #[test]
    fn large_and_bad_angles() {
        let ([a, b, c], _) = sin_cos(&[1e9, f64::NAN, 0.5]);
        assert_eq!(a, libm::sin(1e9));
        assert!(b.is_nan());
        assert_eq!(c, sin_cos(&[0.5]).0[0]);
        assert_eq!(sin_cos(&[0.0]), ([0.0], [1.0]));
    }
}
