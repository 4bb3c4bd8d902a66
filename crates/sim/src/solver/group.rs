//! Groups of up to four neighbouring rows of a factor.
//!
//! All rows of a group have the same lanes, and their diagonals lie in the last one. Rows of a factor are zero from the diagonal on.
//! Each function has a form for each of the first widths, in which loops over lanes are unrolled, and one for all others.

use kinetree_math::MINVAL;
use kinetree_math::lanes::{Lane, add_scaled_lane, keep_before, sub_scaled_lane, sum_lane};

/// Where a group lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// First lane.
    pub at: usize,
    /// Lanes of a row.
    pub width: usize,
    /// Where the diagonal of the first row is in the last lane.
    pub first: usize,
    /// Number of rows.
    pub count: usize,
    /// First row.
    pub row: usize,
}

/// Calls `$f::<W>` for a width `W` of up to four lanes, and `$f::<0>`, which takes any width, for wider rows.
macro_rules! by_width {
    ($width:expr, $f:ident($($argument:expr),*)) => {
        match $width {
            1 => $f::<1>($($argument),*),
            2 => $f::<2>($($argument),*),
            3 => $f::<3>($($argument),*),
            4 => $f::<4>($($argument),*),
            _ => $f::<0>($($argument),*),
        }
    };
}

/// Runs `$step` for the lanes of two rows of which each is known to have `$w` lanes, or any number if that is zero.
macro_rules! for_lanes {
    ($w:ident, $y:ident in $left:expr, $x:ident in $right:expr, $step:expr) => {
        if let (Some(left), Some(right)) = ($left.first_chunk_mut::<$w>(), $right.first_chunk::<$w>())
            && $w > 0
        {
            for k in 0..$w {
                let ($y, $x) = (&mut left[k], &right[k]);
                $step;
            }
        } else {
            for ($y, $x) in $left.iter_mut().zip($right.iter()) {
                $step;
            }
        }
    };
}

/// Factorizes the rows of one group among themselves, from the last to the first. Sets the diagonal and its inverse; returns whether
/// all pivots were positive.
#[inline(always)]
pub(super) fn factorize_group(rows: &mut [Lane], group: &Group, diag: (&mut [f64], &mut [f64])) -> bool {
    by_width!(group.width, factorize(rows, group, diag))
}

fn factorize<const W: usize>(
    rows: &mut [Lane],
    group: &Group,
    (diag, diag_inv): (&mut [f64], &mut [f64]),
) -> bool {
    let width = if W > 0 { W } else { group.width };
    let mut definite = true;
    for k in (0..group.count).rev() {
        let (above, rest) = rows.split_at_mut(k * width);
        let row = &mut rest[..width];
        let end = (group.first + k) % 4;
        let mut pivot = row[width - 1][end];
        if pivot < MINVAL || pivot.is_nan() {
            pivot = MINVAL;
            definite = false;
        }
        diag[k] = pivot.sqrt();
        // 1/√p, without waiting for the root before the division starts
        let inv = diag[k] * (1.0 / pivot);
        diag_inv[k] = inv;
        scale::<W>(row, inv);
        keep_before(&mut row[width - 1], end);
        for m in 0..k {
            let s = row[width - 1][(group.first + m) % 4];
            let other = &mut above[m * width..][..width];
            for_lanes!(W, y in other, x in row, sub_scaled_lane(y, x, s));
        }
    }
    definite
}

#[inline(always)]
fn scale<const W: usize>(row: &mut [Lane], s: f64) {
    if let Some(row) = row.first_chunk_mut::<W>()
        && W > 0
    {
        for x in row {
            *x = x.map(|x| x * s);
        }
    } else {
        for x in row {
            *x = x.map(|x| x * s);
        }
    }
}

/// Solves with the transposed rows of one group, from the last to the first.
#[inline(always)]
pub(super) fn solve_transposed(rows: &[Lane], group: &Group, diag_inv: &[f64], local: &mut [Lane]) {
    by_width!(group.width, transposed(rows, group, diag_inv, local));
}

fn transposed<const W: usize>(rows: &[Lane], group: &Group, diag_inv: &[f64], local: &mut [Lane]) {
    let width = if W > 0 { W } else { group.width };
    let local = &mut local[..width];
    for (k, inv) in diag_inv.iter().enumerate().rev() {
        let row = &rows[k * width..][..width];
        let at = (group.first + k) % 4;
        let value = local[width - 1][at] * inv;
        for_lanes!(W, y in local, x in row, sub_scaled_lane(y, x, value));
        local[width - 1][at] = value;
    }
}

/// Solves with the rows of one group, from the first to the last.
#[inline(always)]
pub(super) fn solve_lower(rows: &[Lane], group: &Group, diag_inv: &[f64], local: &mut [Lane]) {
    by_width!(group.width, lower(rows, group, diag_inv, local));
}

fn lower<const W: usize>(rows: &[Lane], group: &Group, diag_inv: &[f64], local: &mut [Lane]) {
    let width = if W > 0 { W } else { group.width };
    let local = &mut local[..width];
    // what does not depend on other rows of the group
    let mut last = std::mem::take(&mut local[width - 1]);
    let mut sums = [[0.0; 4]; 4];
    for (k, sum) in sums[..group.count].iter_mut().enumerate() {
        multiply_lanes::<W>(sum, &rows[k * width..][..width], local);
    }
    for (k, (inv, sum)) in diag_inv.iter().zip(&sums).enumerate() {
        let row = &rows[k * width + width - 1];
        let at = (group.first + k) % 4;
        let sum = std::array::from_fn(|q| sum[q] + row[q] * last[q]);
        last[at] = (last[at] - sum_lane(&sum)) * inv;
    }
    local[width - 1] = last;
}

/// Multiplies the rows of one group of a symmetric matrix, and their transposes. Rows are zero after the diagonal.
#[inline(always)]
pub(super) fn multiply_group(rows: &[Lane], group: &Group, local: &[Lane], result: &mut [Lane]) {
    by_width!(group.width, multiply(rows, group, local, result));
}

fn multiply<const W: usize>(rows: &[Lane], group: &Group, local: &[Lane], result: &mut [Lane]) {
    let width = if W > 0 { W } else { group.width };
    let (local, result) = (&local[..width], &mut result[..width]);
    let mut sums = [[0.0; 4]; 4];
    for (k, sum) in sums[..group.count].iter_mut().enumerate() {
        let row = &rows[k * width..][..width];
        let at = (group.first + k) % 4;
        multiply_lanes::<W>(sum, row, local);
        let (value, end) = (local[width - 1][at], result[width - 1][at]);
        for_lanes!(W, y in result, x in row, add_scaled_lane(y, x, value));
        // the diagonal is in the product
        result[width - 1][at] = end;
    }
    for (k, sum) in sums[..group.count].iter().enumerate() {
        result[width - 1][(group.first + k) % 4] += sum_lane(sum);
    }
}

/// Sum of the lanes of `a`, each times its lane of `b`. Sums of a lane's numbers are taken later, so that lanes stay whole.
#[inline(always)]
fn multiply_lanes<const W: usize>(out: &mut Lane, a: &[Lane], b: &[Lane]) {
    let mut sum = [0.0; 4];
    let mut add = |x: &Lane, y: &Lane| sum = std::array::from_fn(|q| sum[q] + x[q] * y[q]);
    if let (Some(a), Some(b)) = (a.first_chunk::<W>(), b.first_chunk::<W>())
        && W > 0
    {
        for k in 0..W {
            add(&a[k], &b[k]);
        }
    } else {
        for (x, y) in a.iter().zip(b) {
            add(x, y);
        }
    }
    *out = sum;
}
