//! Angles that are correctly rounded but for one in a hundred thousand, by double-double arithmetic (Dekker,
//! 1971).
//!
//! The functions of `libm` are off by a last bit now and then. That is of no account, except where forward
//! differences with a step of 1e-8 are taken of what they return, as distance fields do: there it becomes an
//! error of 1e-8 in a gradient, which a descent may magnify.
//!
//! ```
//! let (sine, cosine) = kinetree_math::precise::sin_cos(1.0);
//! assert!((sine.atan2(cosine) - 1.0).abs() < 1e-15);
//! ```

mod angle;
mod double;

pub use angle::{acos, acos_lanes, atan2, atan2_lanes};

use double::Double;

/// Largest angle whose sine and cosine are computed here.
const LARGEST_ANGLE: f64 = 8.0;
/// Terms of their series, so that the first one left out is below 1e-32.
const TERMS: u32 = 52;
/// Values below this have too large a relative error, and are left to `libm`.
const SMALLEST_VALUE: f64 = 1e-8;

/// Sine and cosine, as `libm::sincos`, by their Taylor series: slow, for constants.
#[must_use]
pub fn sin_cos(x: f64) -> (f64, f64) {
    let rough = libm::sincos(x);
    if x.abs() >= LARGEST_ANGLE || x.is_nan() {
        return rough;
    }
    // the powers of i x / k!, whose real parts are the cosine's and whose imaginary parts the sine's
    let (mut term, mut sums) = (Double::new(1.0), [Double::new(0.0); 2]);
    for k in 0..TERMS {
        let sum = &mut sums[(k % 2) as usize];
        *sum = sum.add(if k % 4 < 2 { term } else { term.neg() });
        term = term.mul(Double::new(x)).div(Double::new(f64::from(k + 1)));
    }
    let choose = |rough: f64, fine: Double| if rough.abs() < SMALLEST_VALUE { rough } else { fine.hi };
    (choose(rough.0, sums[1]), choose(rough.1, sums[0]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

    /// Among those of a random sample that are nearest to the middle of two numbers.
    const ATAN2: [(f64, f64, f64); 8] = [
        (9.658655558787512, -0.8014568536848807, 1.6535847614706223),
        (0.017800052350243352, -0.6925043662328398, 3.1158944274592693),
        (4.70078462626194, 0.007566427784607255, 1.5691867186439785),
        (0.12867965427639222, -0.24713041123556123, 2.6615261755055246),
        (15.670713933223126, -0.4989916163169972, 1.6026278740409954),
        (0.008743325133024817, -0.0766558584091146, 3.028023998166025),
        (-4.813964231538042, -0.3110218387633845, -1.6353149118714263),
        (-355.5972754978299, 0.9707392595752844, -1.5680664497258872),
    ];
    const ACOS: [(f64, f64); 8] = [
        (-0.2162563199262859, 1.7887747428986598),
        (0.738597684596423, 0.7398084803111047),
        (0.6001065788680482, 0.9271619877597964),
        (-0.1651950551126944, 1.7367521071534182),
        (-0.8711135661672322, 2.6282616855889898),
        (-0.37311695088820196, 1.9531626514341032),
        (0.06309902884756347, 1.5076553514176556),
        (0.2676433740117248, 1.2998499847753464),
    ];

    const SIN_COS: [(f64, f64, f64); 8] = [
        (-0.9487397533087627, -0.8126817948525713, 0.5827077314702486),
        (-1.9237751743896458, -0.9383471062747275, -0.34569453010692164),
        (6.201760496711474, -0.08133486587761417, 0.9966868312527614),
        (1.1382618400960176, 0.9079062778771206, 0.4191732226553988),
        (-4.995689952218754, 0.9601379617306542, 0.2795265540940696),
        (5.522148541286622, -0.6896725599747335, 0.7241213710545336),
        (-2.5725221711956276, -0.5388492539460439, -0.8424022088775598),
        (-3.1410973423614976, -0.0004953112080428988, -0.9999998773333961),
    ];

    /// Values of 160 bits, rounded.
    #[test]
    fn hard_cases_are_rounded_correctly() {
        for (y, x, exact) in ATAN2 {
            assert_eq!(atan2(y, x), exact, "atan2({y:e}, {x:e})");
        }
        for (x, exact) in ACOS {
            assert_eq!(acos(x), exact, "acos({x:e})");
        }
    }

    #[test]
    fn axes_diagonals_and_quadrants() {
        assert_eq!(atan2(1.0, 1.0), FRAC_PI_4);
        assert_eq!(atan2(-3.0, -3.0), -3.0 * FRAC_PI_4);
        for (y, x) in [(0.0, 1.0), (-0.0, -1.0), (2.0, 0.0), (1e300, 1e-300), (f64::INFINITY, 1.0)] {
            assert_eq!(atan2(y, x).to_bits(), libm::atan2(y, x).to_bits());
        }
        assert!(atan2(f64::NAN, 1.0).is_nan() && acos(1.1).is_nan());
        assert_eq!((acos(0.0), acos(1.0), acos(-1.0)), (FRAC_PI_2, 0.0, PI));
    }

    #[test]
    fn sines_and_cosines_are_rounded_correctly() {
        for (x, sine, cosine) in SIN_COS {
            assert_eq!(sin_cos(x), (sine, cosine), "{x:e}");
        }
        let far = sin_cos(1e9);
        assert_eq!((far, sin_cos(0.0)), (libm::sincos(1e9), (0.0, 1.0)));
        assert!(sin_cos(f64::NAN).0.is_nan());
        assert_eq!(sin_cos(PI).0, libm::sin(PI));
    }

    /// Never farther from `libm` than a last bit of each.
    #[test]
    fn all_directions_agree_with_libm() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        for _ in 0..100_000 {
            let (y, x) = (random(), random());
            let (a, b) = (atan2(y, x), libm::atan2(y, x));
            assert!((a - b).abs() <= 2.0 * f64::EPSILON * a.abs(), "{y} {x}");
            let (a, b) = (acos(x), libm::acos(x));
            assert!((a - b).abs() <= 2.0 * f64::EPSILON * a.abs(), "{x}");
        }
    }

    /// The result of an argument does not depend on its neighbours, also where some are left to `libm`.
    #[test]
    fn lanes_are_computed_each_on_its_own() {
        use wide::f64x4;
        let (y, x) = ([0.3, -2.0, 0.0, 1e-200], [-0.7, 1e-3, 5.0, 3.0]);
        let angles = atan2_lanes(f64x4::new(y), f64x4::new(x)).to_array();
        let cosines = [0.3, -0.999, 1.0, 0.0];
        let arc_cosines = acos_lanes(f64x4::new(cosines)).to_array();
        for i in 0..4 {
            assert_eq!(angles[i], atan2(y[i], x[i]));
            assert_eq!(arc_cosines[i], acos(cosines[i]));
        }
    }
}
