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
        let (x, keep) = (*lane, KEEP[from]);
        *lane = core::array::from_fn(|k| f64::from_bits(x[k].to_bits() & keep[k]));
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

/// Scalar products of all rows with `v`, which has the length of each row.
#[inline]
pub fn dot_rows(out: &mut [f64], rows: &[Lane], v: &[Lane]) {
    if v.is_empty() {
        out.fill(0.0);
        return;
    }
    by_length!(v.len(), dot_rows_fixed, dot_rows_any, out, rows, v);
}

fn dot_rows_fixed<const W: usize>(out: &mut [f64], rows: &[Lane], v: &[Lane]) {
    let Some(v) = v.first_chunk::<W>() else { return };
    let (out_fours, out_rest) = out.as_chunks_mut::<4>();
    let (fours, rest) = rows.as_chunks::<W>().0.as_chunks::<4>();
    for (out, rows) in out_fours.iter_mut().zip(fours) {
        let mut sums = [[0.0; 4]; 4];
        multiply_fixed(&mut sums, rows, v);
        *out = sum_lanes(&sums);
    }
    for (out, row) in out_rest.iter_mut().zip(rest) {
        let mut sums = [[0.0; 4]];
        multiply_fixed(&mut sums, &[*row], v);
        *out = sum_lane(&sums[0]);
    }
}

/// Sums of the lanes of `v`, each times its lane in a row. Kept apart: summed up at once, lanes would be taken apart too early.
#[inline(never)]
fn multiply_fixed<const W: usize, const N: usize>(out: &mut [Lane; N], rows: &[[Lane; W]; N], v: &[Lane; W]) {
    let mut sums = [[0.0; 4]; N];
    for c in 0..W {
        for (sum, row) in sums.iter_mut().zip(rows) {
            for k in 0..4 {
                sum[k] += row[c][k] * v[c][k];
            }
        }
    }
    *out = sums;
}

fn dot_rows_any(out: &mut [f64], rows: &[Lane], v: &[Lane]) {
    for (out, row) in out.iter_mut().zip(rows.chunks_exact(v.len())) {
        let mut sum = [[0.0; 4]; 2];
        multiply_any(&mut sum, row, v);
        *out = sum_lane(&[0, 1, 2, 3].map(|k| sum[0][k] + sum[1][k]));
    }
}

/// As [`multiply_fixed`], for lists of any length, with every other lane in a second sum.
#[inline(never)]
fn multiply_any(out: &mut [Lane; 2], row: &[Lane], v: &[Lane]) {
    let mut sum = [[0.0; 4]; 2];
    let ((x2, x1), (v2, v1)) = (row.as_chunks::<2>(), v.as_chunks::<2>());
    for (x, v) in x2.iter().zip(v2) {
        for q in 0..2 {
            for k in 0..4 {
                sum[q][k] += x[q][k] * v[q][k];
            }
        }
    }
    for (x, v) in x1.iter().zip(v1) {
        for k in 0..4 {
            sum[0][k] += x[k] * v[k];
        }
    }
    *out = sum;
}

/// `acc += Σ s v` over rows `v` of the length of `acc`, one after another.
#[inline]
pub fn add_rows(acc: &mut [Lane], rows: &[Lane], s: &[f64]) {
    by_length!(acc.len(), add_rows_fixed, add_rows_any, acc, rows, s);
}

fn add_rows_fixed<const W: usize>(acc: &mut [Lane], rows: &[Lane], s: &[f64]) {
    let Some(acc) = acc.first_chunk_mut::<W>() else { return };
    let (fours, rest) = rows.as_chunks::<W>().0.as_chunks::<4>();
    let (s_fours, s_rest) = s.as_chunks::<4>();
    for (rows, s) in fours.iter().zip(s_fours) {
        for (c, acc) in acc.iter_mut().enumerate() {
            add_four(acc, [&rows[0][c], &rows[1][c], &rows[2][c], &rows[3][c]], s);
        }
    }
    for (row, &s) in rest.iter().zip(s_rest) {
        for (acc, x) in acc.iter_mut().zip(row) {
            add_scaled_lane(acc, x, s);
        }
    }
}

fn add_rows_any(acc: &mut [Lane], rows: &[Lane], s: &[f64]) {
    let width = acc.len();
    let (s_fours, s_rest) = s.as_chunks::<4>();
    let (fours, rest) = rows.split_at(4 * s_fours.len() * width);
    for (rows, s) in fours.chunks_exact(4 * width).zip(s_fours) {
        let (a, others) = rows.split_at(width);
        let (b, others) = others.split_at(width);
        let (c, d) = others.split_at(width);
        for ((((acc, a), b), c), d) in acc.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            add_four(acc, [a, b, c, d], s);
        }
    }
    for (row, &s) in rest.chunks_exact(width).zip(s_rest) {
        add_scaled_lanes(acc, row, s);
    }
}

/// `acc += Σ s x` over four lanes, one after another.
#[inline(always)]
fn add_four(acc: &mut Lane, x: [&Lane; 4], s: &[f64; 4]) {
    let (a, [x0, x1, x2, x3]) = (*acc, x.map(|x| *x));
    let sum = |k: usize| (((a[k] + x0[k] * s[0]) + x1[k] * s[1]) + x2[k] * s[2]) + x3[k] * s[3];
    *acc = [sum(0), sum(1), sum(2), sum(3)];
}

/// Appends increasing indices, padded to whole lanes with copies of the lane's first one.
pub fn push_index_lanes(out: &mut Vec<[i32; 4]>, ind: &[i32]) {
    let (full, rest) = ind.as_chunks::<4>();
    out.extend_from_slice(full);
    if let Some(&first) = rest.first() {
        let mut lane = [first; 4];
        lane[..rest.len()].copy_from_slice(rest);
        out.push(lane);
    }
}

/// Collects `dense[i]` for each index of increasing ones. Padding repeats an index, and so a number.
#[inline]
pub fn gather_lanes(out: &mut [Lane], dense: &[f64], ind: &[[i32; 4]]) {
    for (lane, i) in out.iter_mut().zip(ind) {
        *lane = gather_lane(dense, i);
    }
}

/// `dense[i]` for four indices.
#[inline]
#[must_use]
pub fn gather_lane(dense: &[f64], i: &[i32; 4]) -> Lane {
    // along a chain of bodies most indices have no gaps; padding repeats the first one
    if i[3] - i[0] == 3
        && let Some(&lane) = dense[i[0] as usize..].first_chunk::<4>()
    {
        return lane;
    }
    i.map(|i| dense[i as usize])
}

/// Writes numbers to the places of increasing indices, of which there are `count` without padding.
#[inline]
pub fn scatter_lanes(dense: &mut [f64], lanes: &[Lane], ind: &[[i32; 4]], count: usize) {
    let full = count / 4;
    for (x, i) in lanes[..full].iter().zip(ind) {
        if i[3] - i[0] == 3
            && let Some(target) = dense[i[0] as usize..].first_chunk_mut::<4>()
        {
            *target = *x;
        } else {
            for (&i, &x) in i.iter().zip(x) {
                dense[i as usize] = x;
            }
        }
    }
    if !count.is_multiple_of(4) {
        for (&i, &x) in ind[full].iter().zip(&lanes[full]).take(count % 4) {
            dense[i as usize] = x;
        }
    }
}
