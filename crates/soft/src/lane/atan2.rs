//! The angle of four vectors in a plane.
//!
//! The quotient of the smaller and the larger component lies in `[0, 1]`; `atan t = π/4 + atan s` with
//! `s = (t − 1)/(t + 1)` brings it below `tan(π/8)`, where a polynomial is exact to rounding. Every operation
//! is elementwise, and none is fused, so that the bits are the same on every machine.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use wide::{CmpGt, CmpLt, CmpNe, f64x4};

/// `tan(π/8)`.
const TAN_PI_8: f64 = 0.414_213_562_373_095_03;

/// Chebyshev fit of `(atan(√u)/√u − 1)/u` on `[0, tan²(π/8)]`, from the constant term on; its error is
/// 3·10⁻¹⁷.
const SERIES: [f64; 11] = [
    -0.333_333_333_333_333_3,
    0.199_999_999_999_955_2,
    -0.142_857_142_846_665_42,
    0.111_111_110_152_562_92,
    -0.090_909_045_781_210_85,
    0.076_921_831_907_606_51,
    -0.066_645_114_464_602_2,
    0.058_581_489_047_951_24,
    -0.050_854_496_960_392_584,
    0.039_231_657_085_083_686,
    -0.019_176_885_636_589_053,
];

/// Angles of the vectors `(x, y)` to the first axis (rad), in `[−π, π]`; zero for `(0, 0)`. Signs of zeros do
/// not count: `(−1, −0)` has the angle π.
#[inline(always)]
pub(crate) fn atan2(y: f64x4, x: f64x4) -> f64x4 {
    let (zero, tall, wide) = (f64x4::ZERO, y.abs(), x.abs());
    let steep = tall.cmp_gt(wide);
    let (low, high) = (steep.blend(wide, tall), steep.blend(tall, wide));
    let turned = low.cmp_gt(high * TAN_PI_8);
    let above = turned.blend(low - high, low);
    let below = turned.blend(low + high, high);
    let t = below.cmp_ne(zero).blend(above / below, zero);
    let u = t * t;
    // a loop: the compiler does not always inline a fold
    let mut series = f64x4::ZERO;
    for k in (0..SERIES.len()).rev() {
        series = series * u + SERIES[k];
    }
    let small = t + t * (u * series);
    let octant = turned.blend(small + FRAC_PI_4, small);
    let quadrant = steep.blend(f64x4::splat(FRAC_PI_2) - octant, octant);
    let half = x.cmp_lt(zero).blend(f64x4::splat(PI) - quadrant, quadrant);
    y.cmp_lt(zero).blend(-half, half)
}

#[cfg(test)]
mod tests {
    use super::{atan2, f64x4};

    /// Within two units in the last place of `libm`, all around and for very different components.
    #[test]
    fn angles_are_those_of_libm() {
        for k in 1..20_000 {
            let (angle, size) = (f64::from(k) * 1.234_567e-3, libm::exp2(f64::from(k % 61 - 30)));
            let (y, x) = (size * libm::sin(angle), libm::cos(angle));
            let ours = atan2(f64x4::new([y, -y, x, 0.0]), f64x4::new([x, -x, y, 0.0])).to_array();
            let theirs = [libm::atan2(y, x), libm::atan2(-y, -x), libm::atan2(x, y), 0.0];
            for (own, other) in ours.iter().zip(theirs) {
                assert!((own - other).abs() <= 2.0 * f64::EPSILON * other.abs(), "{y} {x}: {own} {other}");
            }
        }
        let axes = atan2(f64x4::new([0.0, 1.0, 0.0, -1.0]), f64x4::new([1.0, 0.0, -1.0, 0.0]));
        let quarter = std::f64::consts::FRAC_PI_2;
        assert_eq!(axes.to_array(), [0.0, quarter, 2.0 * quarter, -quarter]);
    }
}
