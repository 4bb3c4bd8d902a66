//! Vectors in lanes of four numbers.
//!
//! A list that is padded to whole lanes needs no loop for its rest: every operation on it is a fixed four-wide step that the compiler
//! turns into one instruction, and the order of summation is the same on every machine. Most lists are short, so that operations on
//! rows have a form without a loop over lanes for each of the first lengths.

use wide::f64x4;

/// Four neighbouring numbers.
pub type Lane = [f64; 4];

/// Number of lanes that hold `n` numbers.
#[inline]
#[must_use]
pub const fn lanes(n: usize) -> usize {
    n.div_ceil(4)
}

/// Bits that keep the first numbers of a lane, by how many.
pub const KEEP: [[u64; 4]; 5] = {
    const ON: u64 = u64::MAX;
    [[0; 4], [ON, 0, 0, 0], [ON, ON, 0, 0], [ON, ON, ON, 0], [ON; 4]]
};

/// Mask that keeps the first `n` numbers of a lane.
#[inline(always)]
#[must_use]
pub fn keep_mask(n: usize) -> f64x4 {
    f64x4::new(KEEP[n].map(f64::from_bits))
}

/// Mask that keeps the number of a lane at the given place only.
#[inline(always)]
#[must_use]
pub fn pick_mask(place: usize) -> f64x4 {
    const ON: u64 = u64::MAX;
    const PICK: [[u64; 4]; 4] = [[ON, 0, 0, 0], [0, ON, 0, 0], [0, 0, ON, 0], [0, 0, 0, ON]];
    f64x4::new(PICK[place].map(f64::from_bits))
}

/// Sets the numbers of a lane from the given one on to zero.
#[inline(always)]
pub fn keep_before(lane: &mut Lane, from: usize) {
    if from < 4 {
        *lane = (f64x4::new(*lane) & keep_mask(from)).to_array();
    }
}

/// Sum of a lane's numbers, in the order of all sums here.
#[inline]
#[must_use]
pub fn sum_lane(s: &Lane) -> f64 {
    (s[0] + s[2]) + (s[1] + s[3])
}

/// The sums of four lanes, as [`sum_lane`] takes them.
#[inline]
#[must_use]
pub fn sum_lanes(s: &[Lane; 4]) -> Lane {
    // halves first, which are two numbers at once each
    let [a, b, c, d] = s.each_ref().map(|s| [s[0] + s[2], s[1] + s[3]]);
    [a[0] + a[1], b[0] + b[1], c[0] + c[1], d[0] + d[1]]
}

/// `y += s x`. Both lanes are read before one is written, so that this is one step each to load, multiply, add and store.
#[inline(always)]
pub fn add_scaled_lane(y: &mut Lane, x: &Lane, s: f64) {
    let ([a, b, c, d], [p, q, r, t]) = (*y, *x);
    *y = [a + p * s, b + q * s, c + r * s, d + t * s];
}

/// `y −= s x`.
#[inline(always)]
pub fn sub_scaled_lane(y: &mut Lane, x: &Lane, s: f64) {
    let ([a, b, c, d], [p, q, r, t]) = (*y, *x);
    *y = [a - p * s, b - q * s, c - r * s, d - t * s];
}

/// Calls `$fixed::<W>` for a length `W` of up to four lanes, and `$any` for longer lists.
macro_rules! by_length {
    ($length:expr, $fixed:ident, $any:ident, $($argument:expr),*) => {
        match $length {
            0 => Default::default(),
            1 => $fixed::<1>($($argument),*),
            2 => $fixed::<2>($($argument),*),
            3 => $fixed::<3>($($argument),*),
            4 => $fixed::<4>($($argument),*),
            _ => $any($($argument),*),
        }
    };
}

/// Scalar product. Both lists have the length of `a`.
#[inline]
#[must_use]
pub fn dot_lanes(a: &[Lane], b: &[Lane]) -> f64 {
    by_length!(a.len(), dot_fixed, dot_any, a, b)
}

#[inline]
fn dot_fixed<const W: usize>(a: &[Lane], b: &[Lane]) -> f64 {
    match (a.first_chunk::<W>(), b.first_chunk::<W>()) {
        (Some(a), Some(b)) => dot_any(a, b),
        _ => 0.0,
    }
}

#[inline]
fn dot_any(a: &[Lane], b: &[Lane]) -> f64 {
    let mut s = [0.0; 4];
    for (x, y) in a.iter().zip(b) {
        for k in 0..4 {
            s[k] += x[k] * y[k];
        }
    }
    sum_lane(&s)
}

/// `acc += s v`, on the length of `v`. `acc` is at least as long.
#[inline]
pub fn add_scaled_lanes(acc: &mut [Lane], v: &[Lane], s: f64) {
    by_length!(v.len(), add_fixed, add_any, acc, v, s);
}

#[inline]
fn add_fixed<const W: usize>(acc: &mut [Lane], v: &[Lane], s: f64) {
    if let (Some(acc), Some(v)) = (acc.first_chunk_mut::<W>(), v.first_chunk::<W>()) {
        add_any(acc, v, s);
    }
}

#[inline]
fn add_any(acc: &mut [Lane], v: &[Lane], s: f64) {
    for (a, x) in acc.iter_mut().zip(v) {
        add_scaled_lane(a, x, s);
    }
}

/// `out = a + s b`. All lists have the length of `a`.
#[inline]
pub fn sum_scaled_lanes(out: &mut [Lane], a: &[Lane], b: &[Lane], s: f64) {
    by_length!(a.len(), sum_fixed, sum_any, out, a, b, s);
}

#[inline]
fn sum_fixed<const W: usize>(out: &mut [Lane], a: &[Lane], b: &[Lane], s: f64) {
    if let (Some(out), Some(a), Some(b)) =
        (out.first_chunk_mut::<W>(), a.first_chunk::<W>(), b.first_chunk::<W>())
    {
        sum_any(out, a, b, s);
    }
}

#[inline]
fn sum_any(out: &mut [Lane], a: &[Lane], b: &[Lane], s: f64) {
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        for k in 0..4 {
            out[k] = a[k] + b[k] * s;
        }
    }
}

/// The four rows of a matrix with rows of the given width.
#[inline]
#[must_use]
pub fn split_four<T>(rows: &[T], width: usize) -> [&[T]; 4] {
    let (a, rest) = rows.split_at(width);
    let (b, rest) = rest.split_at(width);
    let (c, d) = rest.split_at(width);
    [a, b, c, d]
}

/// The four rows of a matrix with rows of the given width.
#[inline]
#[must_use]
pub fn split_four_mut<T>(rows: &mut [T], width: usize) -> [&mut [T]; 4] {
    let (a, rest) = rows.split_at_mut(width);
    let (b, rest) = rest.split_at_mut(width);
    let (c, d) = rest.split_at_mut(width);
    [a, b, c, d]
}
