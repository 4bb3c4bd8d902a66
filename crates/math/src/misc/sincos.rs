//! Sine and cosine of four angles at once, to the last bit those of `libm`, except that the sine of −0 is 0.
//!
//! Up to π/4 both are one polynomial each, which is evaluated in lanes in the order that `libm` has; if one of the angles is larger,
//! `libm` takes them one by one.

use wide::{CmpLt, f64x4};

/// Angles below this need no reduction. `libm` compares the upper half of the bits with those of π/4.
const LIMIT: f64 = f64::from_bits(0x3fe9_21fc_0000_0000);

/// Coefficients of x³, x⁵, … in the sine.
const SINE: [f64; 6] = [
    -1.666_666_666_666_663_243_48e-1,
    8.333_333_333_322_489_461_24e-3,
    -1.984_126_982_985_794_931_34e-4,
    2.755_731_370_707_006_767_89e-6,
    -2.505_076_025_340_686_341_95e-8,
    1.589_690_995_211_550_102_21e-10,
];
/// Coefficients of x⁴, x⁶, … in the cosine.
const COSINE: [f64; 6] = [
    4.166_666_666_666_660_190_37e-2,
    -1.388_888_888_887_410_957_49e-3,
    2.480_158_728_947_672_941_78e-5,
    -2.755_731_435_139_066_330_35e-7,
    2.087_572_321_298_174_827_90e-9,
    -1.135_964_755_778_819_482_65e-11,
];

/// Sines and cosines of four angles.
#[inline]
#[must_use]
pub fn sincos_four(x: f64x4) -> (f64x4, f64x4) {
    if x.abs().cmp_lt(f64x4::splat(LIMIT)).move_mask() != 0b1111 {
        let both = x.to_array().map(libm::sincos);
        return (f64x4::new(both.map(|b| b.0)), f64x4::new(both.map(|b| b.1)));
    }
    let ([s1, s2, s3, s4, s5, s6], [c1, c2, c3, c4, c5, c6]) =
        (SINE.map(f64x4::splat), COSINE.map(f64x4::splat));
    let z = x * x;
    let w = z * z;
    let r = s2 + z * (s3 + z * s4) + z * w * (s5 + z * s6);
    let sine = x + z * x * (s1 + z * r);

    let r = z * (c1 + z * (c2 + z * c3)) + w * w * (c4 + z * (c5 + z * c6));
    let (one, half) = (f64x4::ONE, f64x4::HALF * z);
    let head = one - half;
    // what rounding has taken from the head
    let cosine = head + (((one - head) - half) + z * r);
    (sine, cosine)
}

#[cfg(test)]
mod tests {
    use super::sincos_four;
    use core::f64::consts::FRAC_PI_4;
    use wide::f64x4;

    #[test]
    fn lanes_agree_with_libm() {
        let small = [0.0, 1e-320, 1e-12, -3e-9, 1.1e-8, 0.25, -0.5, 0.78, -0.75];
        let mut angles: Vec<f64> = small.to_vec();
        angles.extend([FRAC_PI_4, 0.8, 1.0, -2.5, 1e5, f64::NAN, f64::INFINITY]);
        angles.extend((0..40_000).map(|k| f64::from(k - 20_000) * 4.1e-5));
        for four in angles.as_chunks::<4>().0 {
            let (s, c) = sincos_four(f64x4::new(*four));
            for ((x, s), c) in four.iter().zip(s.to_array()).zip(c.to_array()) {
                let expected = libm::sincos(*x);
                assert_eq!((s.to_bits(), c.to_bits()), (expected.0.to_bits(), expected.1.to_bits()), "{x}");
            }
        }
    }
}
