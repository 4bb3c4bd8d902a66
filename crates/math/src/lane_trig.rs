//! Sines and cosines of four worlds at once, with the bits of [`libm::sincos`].
//!
//! The polynomials of FreeBSD's `k_sin` and `k_cos`, which `libm` evaluates between −π/4 and π/4, in the same
//! order. Where one of four arguments lies outside, all four are left to `libm`.

use wide::{CmpLt, f64x4};

/// Below this the polynomials hold: the first number whose upper 32 bits are above those of π/4.
const RANGE: f64 = f64::from_bits(0x3fe9_21fc_0000_0000);
/// Below this the sine is the argument itself, which keeps the sign of zero.
const TINY: f64 = f64::from_bits(0x3e46_a09e_0000_0000);

/// Coefficients of the sine, from that of `x³` on.
const SIN: [f64; 6] = [
    -1.66666666666666324348e-01,
    8.33333333332248946124e-03,
    -1.98412698298579493134e-04,
    2.75573137070700676789e-06,
    -2.50507602534068634195e-08,
    1.58969099521155010221e-10,
];
/// Coefficients of the cosine, from that of `x⁴` on.
const COS: [f64; 6] = [
    4.16666666666666019037e-02,
    -1.38888888888741095749e-03,
    2.48015872894767294178e-05,
    -2.75573143513906633035e-07,
    2.08757232129817482790e-09,
    -1.13596475577881948265e-11,
];

/// Sines and cosines.
#[inline(always)]
#[must_use]
pub(crate) fn sincos(x: f64x4) -> (f64x4, f64x4) {
    let size = x.abs();
    if size.cmp_lt(f64x4::splat(RANGE)).move_mask() != 0b1111 {
        return sincos_of_any(x);
    }
    let z = x * x;
    let w = z * z;
    let ([s1, s2, s3, s4, s5, s6], [c1, c2, c3, c4, c5, c6]) = (SIN.map(f64x4::splat), COS.map(f64x4::splat));
    let r = s2 + z * (s3 + z * s4) + z * w * (s5 + z * s6);
    let sin = x + z * x * (s1 + z * r);
    let r = z * (c1 + z * (c2 + z * c3)) + w * w * (c4 + z * (c5 + z * c6));
    let half = f64x4::HALF * z;
    let near = f64x4::ONE - half;
    let cos = near + (((f64x4::ONE - near) - half) + z * r);
    (size.cmp_lt(f64x4::splat(TINY)).blend(x, sin), cos)
}

/// As [`sincos`], of any arguments, one by one.
#[inline(never)]
fn sincos_of_any(x: f64x4) -> (f64x4, f64x4) {
    let pairs = x.to_array().map(libm::sincos);
    (f64x4::new(pairs.map(|pair| pair.0)), f64x4::new(pairs.map(|pair| pair.1)))
}

#[cfg(test)]
mod tests {
    use super::{RANGE, TINY, sincos};
    use wide::f64x4;

    fn assert_same_bits(x: [f64; 4]) {
        let (sin, cos) = sincos(f64x4::new(x));
        for (x, (s, c)) in x.iter().zip(sin.to_array().iter().zip(cos.to_array())) {
            let (sin, cos) = libm::sincos(*x);
            assert!(s.to_bits() == sin.to_bits() && c.to_bits() == cos.to_bits(), "{x:e}");
        }
    }

    #[test]
    fn have_the_bits_of_libm() {
        for edge in [0.0, f64::MIN_POSITIVE, 5e-324, TINY, RANGE, 0.3, 0.5, 2.0_f64.powi(-26)] {
            let (below, above) = (f64::from_bits(edge.to_bits().saturating_sub(1)), edge.next_up());
            assert_same_bits([edge, -edge, below, -below]);
            assert_same_bits([above, -above, edge, 0.7]);
        }
        assert_same_bits([1.0, 0.1, -3.0, 1e9]);
        let (sin, cos) = sincos(f64x4::new([f64::NAN, f64::INFINITY, 0.5, 0.0]));
        assert!(sin.to_array()[1].is_nan() && cos.to_array()[0].is_nan());
        // all magnitudes alike, and the whole range alike
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state ^ state >> 29
        };
        for _ in 0..500_000 {
            let sizes: [f64; 4] = std::array::from_fn(|_| f64::from_bits(next() % RANGE.to_bits()));
            assert_same_bits(sizes);
            let angles =
                std::array::from_fn(|_| ((next() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0) * RANGE);
            assert_same_bits(angles);
        }
    }
}
