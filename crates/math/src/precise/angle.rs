//! Arc tangent and arc cosine of four arguments at once.
//!
//! `atan t` with `t = n / d` in \[0, 1\] is that of the nearest `c = i / 128`, from a table, plus `atan u`
//! with `u = (n − c d) / (d + c n)`, at most 1/256, by its Taylor series. Everything is elementwise, so that
//! the result of an argument does not depend on its neighbours.

use super::double::Double;
use wide::{CmpGe, CmpGt, CmpLt, f64x4};

/// Steps of the table.
const STEPS: usize = 128;
/// Where products can be split exactly; other arguments are left to `libm`.
const SPLITTABLE: std::ops::Range<f64> = 1e-100..1e100;
/// 1.5 · 2⁵²: adding it leaves the nearest integer in the low bits of the sum.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// The arc tangents of `i / 128`.
static TABLE: [Double; STEPS + 1] = table();

const fn table() -> [Double; STEPS + 1] {
    let mut table = [Double::new(0.0); STEPS + 1];
    let mut i = 0;
    while i < STEPS {
        // the difference of neighbours is that of 128 / (128² + i (i + 1))
        let below = (STEPS * STEPS + i * (i + 1)) as f64;
        table[i + 1] = table[i].add(series(Double::new(STEPS as f64).div(Double::new(below))));
        i += 1;
    }
    table
}

/// Arc tangent of a number up to 1/128 in full precision: `t − t³/3 + t⁵/5 − …`.
const fn series(t: Double) -> Double {
    let square = t.mul(t).neg();
    let mut sum = Double::new(0.0);
    let mut k = 10;
    while k > 0 {
        k -= 1;
        sum = sum.mul(square).add(Double::new(1.0).div(Double::new((2 * k + 1) as f64)));
    }
    sum.mul(t)
}

/// Sums `hi + lo` in lanes, with `lo` small beside `hi` but not necessarily below its last bit.
#[derive(Clone, Copy)]
struct Sum {
    hi: f64x4,
    lo: f64x4,
}

impl Sum {
    /// The exact sum of two numbers (Knuth).
    #[inline(always)]
    fn of(a: f64x4, b: f64x4) -> Self {
        let hi = a + b;
        let shifted = hi - a;
        Self { hi, lo: (a - (hi - shifted)) + (b - shifted) }
    }

    /// The exact sum of two numbers, the first of which is the larger (Dekker).
    #[inline(always)]
    fn of_sorted(a: f64x4, b: f64x4) -> Self {
        let hi = a + b;
        Self { hi, lo: b - (hi - a) }
    }

    /// The product of two numbers, exact to the last bit of `lo`.
    #[inline(always)]
    fn product(a: f64x4, b: f64x4) -> Self {
        let ([a_hi, a_lo], [b_hi, b_lo]) = (halves(a), halves(b));
        let hi = a * b;
        Self { hi, lo: ((a_hi * b_hi - hi) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo }
    }

    #[inline(always)]
    fn blend(mask: f64x4, yes: Self, no: Self) -> Self {
        Self { hi: mask.blend(yes.hi, no.hi), lo: mask.blend(yes.lo, no.lo) }
    }

    #[inline(always)]
    fn splat(x: Double) -> Self {
        Self { hi: f64x4::splat(x.hi), lo: f64x4::splat(x.lo) }
    }
}

/// The upper 26 bits of each number, and the rest.
#[inline(always)]
fn halves(x: f64x4) -> [f64x4; 2] {
    let upper = x & f64x4::splat(f64::from_bits(u64::MAX << 27));
    [upper, x - upper]
}

/// `n / d`, for `n` at most as large as `d`, less its nearest multiple of 1/128, as the tangent of a
/// difference; and that multiple in 128ths.
#[inline(always)]
fn reduce(n: Sum, d: Sum) -> (Sum, f64x4) {
    let shifted = n.hi / d.hi * STEPS as f64 + ROUND;
    let c = (shifted - ROUND) * (1.0 / STEPS as f64);
    // products of c, which has few bits, with halves are exact
    let ([n_hi, n_lo], [d_hi, d_lo]) = (halves(n.hi), halves(d.hi));
    let first = Sum::of(n.hi, f64x4::ZERO - c * d_hi);
    let above = Sum::of(first.hi, f64x4::ZERO - c * d_lo);
    let above_lo = above.lo + first.lo + (n.lo - c * d.lo);
    let below = Sum::of_sorted(d.hi, c * n_hi);
    let below = Sum::of_sorted(below.hi, below.lo + c * n_lo + (d.lo + c * n.lo));
    // one step of Newton's method from the rounded quotient
    let inverse = 1.0 / below.hi;
    let hi = above.hi * inverse;
    let product = Sum::product(hi, below.hi);
    let rest = ((above.hi - product.hi) - product.lo) + (above_lo - hi * below.lo);
    (Sum { hi, lo: rest * inverse }, shifted)
}

/// The angle of a point of the upper half plane off the axes, given by its distances from them and whether
/// it is to the left of the vertical one.
#[inline(always)]
fn polar_angle(up: Sum, across: Sum, left: f64x4) -> f64x4 {
    let steep = up.hi.cmp_gt(across.hi);
    let (u, shifted) = reduce(Sum::blend(steep, across, up), Sum::blend(steep, up, across));
    let z = u.hi * u.hi;
    let series = u.hi * z * (-1.0 / 3.0 + z * (0.2 + z * (-1.0 / 7.0 + z * (1.0 / 9.0))));
    let near = shifted.to_array().map(|bits| TABLE[((bits.to_bits() & 0xff) as usize).min(STEPS)]);
    let near = Sum { hi: f64x4::new(near.map(|a| a.hi)), lo: f64x4::new(near.map(|a| a.lo)) };
    // from the nearest axis: 0, π/2 or π, plus or minus
    let (right_angle, straight_angle) = (TABLE[STEPS].scale(2.0), TABLE[STEPS].scale(4.0));
    let zero = Sum::splat(Double::new(0.0));
    let level = Sum::blend(left, Sum::splat(straight_angle), zero);
    let axis = Sum::blend(steep, Sum::splat(right_angle), level);
    let sign = steep ^ left;
    let coarse = Sum::of(axis.hi, near.hi.flip_signs(sign));
    let fine = Sum::of(coarse.hi, u.hi.flip_signs(sign));
    let tail = (near.lo + (u.lo + series)).flip_signs(sign);
    fine.hi + ((coarse.lo + fine.lo) + (axis.lo + tail))
}

/// Whether products of a number can be split.
#[inline(always)]
fn splittable(x: f64x4) -> f64x4 {
    x.cmp_ge(f64x4::splat(SPLITTABLE.start)) & x.cmp_lt(f64x4::splat(SPLITTABLE.end))
}

/// The result where it counts, and what `exact` returns for the number of a lane elsewhere.
#[inline(always)]
fn or_else(counts: f64x4, result: f64x4, exact: impl Fn(usize) -> f64) -> f64x4 {
    if counts.all() {
        return result;
    }
    let (mask, result) = (counts.move_mask(), result.to_array());
    f64x4::new(std::array::from_fn(|i| if mask >> i & 1 != 0 { result[i] } else { exact(i) }))
}

/// The angles of points of the plane, as `libm::atan2`.
#[inline]
#[must_use]
pub fn atan2_lanes(y: f64x4, x: f64x4) -> f64x4 {
    let [up, across] = [y, x].map(|c| Sum { hi: c.abs(), lo: f64x4::ZERO });
    let angle = polar_angle(up, across, x.cmp_lt(f64x4::ZERO)).copysign(y);
    or_else(splittable(up.hi) & splittable(across.hi), angle, |i| {
        libm::atan2(y.to_array()[i], x.to_array()[i])
    })
}

/// The angles whose cosines are given, as `libm::acos`.
#[inline]
#[must_use]
pub fn acos_lanes(x: f64x4) -> f64x4 {
    let across = x.abs();
    // the sine: the root of (1 − x) (1 + x)
    let one = f64x4::splat(1.0);
    let (less, more) = (Sum::of_sorted(one, f64x4::ZERO - across), Sum::of_sorted(one, across));
    let square = Sum::product(less.hi, more.hi);
    let square_lo = square.lo + (less.hi * more.lo + less.lo * more.hi);
    let root = square.hi.sqrt();
    let rounded = Sum::product(root, root);
    let rest = ((square.hi - rounded.hi) - rounded.lo) + square_lo;
    let up = Sum { hi: root, lo: rest / (2.0 * root) };
    let angle = polar_angle(up, Sum { hi: across, lo: f64x4::ZERO }, x.cmp_lt(f64x4::ZERO));
    or_else(splittable(across) & across.cmp_lt(one), angle, |i| libm::acos(x.to_array()[i]))
}

/// The angle of a point of the plane, as `libm::atan2`.
#[must_use]
pub fn atan2(y: f64, x: f64) -> f64 {
    atan2_lanes(f64x4::splat(y), f64x4::splat(x)).to_array()[0]
}

/// The angle whose cosine is given, as `libm::acos`.
#[must_use]
pub fn acos(x: f64) -> f64 {
    acos_lanes(f64x4::splat(x)).to_array()[0]
}
