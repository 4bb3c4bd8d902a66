//! Panels of up to four neighbouring rows of a factor.
//!
//! All rows of a panel have the same lanes, and their diagonals lie in the last one. Rows of a factor are
//! zero from the diagonal on. Rows of a panel depend on each other one after another, all else does not: so
//! the few numbers in which they do are treated first, one by one, and then all lanes of the rows at once.
//! Lanes are written whole, since a lane of which one number was just written cannot be read without waiting.
//! Each function has a form for each number of rows and each of the first widths, without loops, and one for
//! all other widths.

use kinetree_math::MINVAL;
use kinetree_math::lanes::{Lane, keep_mask, pick_mask, sum_lane};
use std::ops::Range;
use wide::f64x4;

/// Where a panel lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Panel {
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
    /// Number of rows and, up to four, of lanes in one: which function is made for them.
    shape: u8,
}

/// Calls `$f::<W, N>` for panels of `N` rows with a width `W` of up to four lanes, and `$f::<0, N>`, which
/// takes any width, for wider rows.
macro_rules! by_shape {
    ($panel:expr, $f:ident($($argument:expr),*)) => {
        by_shape!(@ $panel.shape, $f($($argument),*),
            0 1 1, 1 2 1, 2 3 1, 3 4 1, 4 0 1,
            5 1 2, 6 2 2, 7 3 2, 8 4 2, 9 0 2,
            10 1 3, 11 2 3, 12 3 3, 13 4 3, 14 0 3,
            15 1 4, 16 2 4, 17 3 4, 18 4 4)
    };
    (@ $shape:expr, $f:ident $arguments:tt, $($number:literal $w:literal $n:literal),*) => {
        match $shape {
            $($number => by_shape!(@ $f $w $n $arguments),)*
            _ => by_shape!(@ $f 0 4 $arguments),
        }
    };
    (@ $f:ident $w:literal $n:literal ($($argument:expr),*)) => { $f::<$w, $n>($($argument),*) };
}

impl Panel {
    /// A panel of up to four rows of `width` lanes from `at` on. The diagonal of the first is at `first` in
    /// the last lane.
    pub(crate) fn new(at: usize, width: usize, first: usize, rows: Range<usize>) -> Self {
        let count = rows.len();
        let shape = 5 * (count.clamp(1, 4) - 1) + width.clamp(1, 5) - 1;
        Self { at, width, first, count, row: rows.start, shape: shape as u8 }
    }

    /// Lanes of a row: `W`, if that is not zero.
    #[inline(always)]
    fn lanes<const W: usize>(&self) -> usize {
        if W > 0 { W } else { self.width }
    }

    /// Where the diagonal of a row is in the last lane.
    #[inline(always)]
    fn diagonal_lane(&self, row: usize) -> usize {
        (self.first + row) % 4
    }

    /// Puts a number for each row where its diagonal is.
    #[inline(always)]
    fn put<const N: usize>(&self, lane: f64x4, values: [f64; N]) -> f64x4 {
        let mut lane = lane;
        for (k, value) in values.into_iter().enumerate() {
            lane = pick_mask(self.diagonal_lane(k)).blend(f64x4::splat(value), lane);
        }
        lane
    }
}

/// `N` rows of the given width.
#[inline(always)]
fn split_rows<const N: usize>(rows: &[Lane], width: usize) -> [&[Lane]; N] {
    let rows = &rows[..N * width];
    std::array::from_fn(|k| &rows[k * width..][..width])
}

/// Factorizes the rows of one panel among themselves, from the last to the first. Sets the diagonal and its
/// inverse; returns whether all pivots were positive.
#[inline(always)]
pub(crate) fn factorize_panel(rows: &mut [Lane], panel: &Panel, diag: (&mut [f64], &mut [f64])) -> bool {
    by_shape!(panel, factorize(rows, panel, diag))
}

fn factorize<const W: usize, const N: usize>(
    rows: &mut [Lane],
    panel: &Panel,
    (diag, diag_inv): (&mut [f64], &mut [f64]),
) -> bool {
    let width = panel.lanes::<W>();
    let rows = &mut rows[..N * width];
    let own: [[f64; N]; N] =
        std::array::from_fn(|k| std::array::from_fn(|m| rows[k * width + width - 1][panel.diagonal_lane(m)]));
    let Pivots { factors, pivot, pivot_inv, definite } = eliminate(own);
    let mut scale = [f64x4::ZERO; N];
    for k in 0..N {
        // 1/√p, without waiting for the root before the division starts
        let root = pivot[k].sqrt();
        let inv = root * pivot_inv[k];
        (diag[k], diag_inv[k]) = (root, inv);
        scale[k] = f64x4::splat(inv);
    }
    for j in 0..width {
        let mut lane: [f64x4; N] = std::array::from_fn(|k| f64x4::new(rows[k * width + j]));
        for k in (0..N).rev() {
            for m in 0..k {
                lane[m] -= lane[k] * f64x4::splat(factors[k][m]);
            }
        }
        for k in 0..N {
            let scaled = lane[k] * scale[k];
            let scaled = if j + 1 < width { scaled } else { scaled & keep_mask(panel.diagonal_lane(k)) };
            rows[k * width + j] = scaled.to_array();
        }
    }
    definite
}

/// Elimination of a few rows, from the last to the first.
struct Pivots<const N: usize> {
    /// What each row takes of those after it is the number at `[after][row]` times that row.
    factors: [[f64; N]; N],
    pivot: [f64; N],
    pivot_inv: [f64; N],
    definite: bool,
}

/// Eliminates a symmetric matrix, of which only the lower triangle is read.
#[inline(always)]
fn eliminate<const N: usize>(mut a: [[f64; N]; N]) -> Pivots<N> {
    let mut result = Pivots { factors: [[0.0; N]; N], pivot: [0.0; N], pivot_inv: [0.0; N], definite: true };
    for k in (0..N).rev() {
        let mut pivot = a[k][k];
        if pivot < MINVAL || pivot.is_nan() {
            pivot = MINVAL;
            result.definite = false;
        }
        let inv = 1.0 / pivot;
        for m in (0..k).rev() {
            let factor = a[k][m] * inv;
            for q in 0..=m {
                a[m][q] -= a[k][q] * factor;
            }
            result.factors[k][m] = factor;
        }
        (result.pivot[k], result.pivot_inv[k]) = (pivot, inv);
    }
    result
}

/// Solves with the transposed rows of one panel, from the last to the first.
#[inline(always)]
pub(crate) fn solve_transposed(rows: &[Lane], panel: &Panel, diag_inv: &[f64], local: &mut [Lane]) {
    by_shape!(panel, transposed(rows, panel, diag_inv, local));
}

fn transposed<const W: usize, const N: usize>(
    rows: &[Lane],
    panel: &Panel,
    diag_inv: &[f64],
    local: &mut [Lane],
) {
    let width = panel.lanes::<W>();
    let (rows, local, inv) = (split_rows::<N>(rows, width), &mut local[..width], &diag_inv[..N]);
    let mut values = [0.0; N];
    for k in (0..N).rev() {
        let lane = panel.diagonal_lane(k);
        let mut value = local[width - 1][lane];
        for m in (k + 1..N).rev() {
            value -= rows[m][width - 1][lane] * values[m];
        }
        values[k] = value * inv[k];
    }
    for j in 0..width {
        let mut lane = f64x4::new(local[j]);
        for k in (0..N).rev() {
            lane -= f64x4::new(rows[k][j]) * f64x4::splat(values[k]);
        }
        local[j] = if j + 1 < width { lane } else { panel.put(lane, values) }.to_array();
    }
}

/// Solves with the rows of one panel, from the first to the last.
#[inline(always)]
pub(crate) fn solve_lower(rows: &[Lane], panel: &Panel, diag_inv: &[f64], local: &mut [Lane]) {
    by_shape!(panel, lower(rows, panel, diag_inv, local));
}

fn lower<const W: usize, const N: usize>(rows: &[Lane], panel: &Panel, diag_inv: &[f64], local: &mut [Lane]) {
    let width = panel.lanes::<W>();
    let (rows, local, inv) = (split_rows::<N>(rows, width), &mut local[..width], &diag_inv[..N]);
    let last = f64x4::new(local[width - 1]);
    let known = last & keep_mask(panel.diagonal_lane(0));
    let mut values: [f64; N] = std::array::from_fn(|k| {
        let mut sum = f64x4::ZERO;
        for j in 0..width {
            let x = if j + 1 < width { f64x4::new(local[j]) } else { known };
            sum += f64x4::new(rows[k][j]) * x;
        }
        (local[width - 1][panel.diagonal_lane(k)] - sum_lane(&sum.to_array())) * inv[k]
    });
    for k in 1..N {
        for m in 0..k {
            // weighted before the other number is there
            values[k] -= rows[k][width - 1][panel.diagonal_lane(m)] * inv[k] * values[m];
        }
    }
    local[width - 1] = panel.put(last, values).to_array();
}

/// Multiplies the rows of one panel of a symmetric matrix, and their transposes. Rows are zero after the
/// diagonal.
#[inline(always)]
pub(crate) fn multiply_panel(rows: &[Lane], panel: &Panel, local: &[Lane], result: &mut [Lane]) {
    by_shape!(panel, multiply(rows, panel, local, result));
}

fn multiply<const W: usize, const N: usize>(
    rows: &[Lane],
    panel: &Panel,
    local: &[Lane],
    result: &mut [Lane],
) {
    let width = panel.lanes::<W>();
    let (rows, local, result) = (split_rows::<N>(rows, width), &local[..width], &mut result[..width]);
    let values: [f64x4; N] = std::array::from_fn(|k| f64x4::splat(local[width - 1][panel.diagonal_lane(k)]));
    let mut sums = [f64x4::ZERO; N];
    for j in 0..width {
        let (x, mut y) = (f64x4::new(local[j]), f64x4::new(result[j]));
        for k in 0..N {
            let row = f64x4::new(rows[k][j]);
            sums[k] += row * x;
            // the diagonal is in the product
            let above = if j + 1 < width { row } else { row & keep_mask(panel.diagonal_lane(k)) };
            y += above * values[k];
        }
        if j + 1 == width {
            y += panel.put(f64x4::ZERO, sums.map(|sum| sum_lane(&sum.to_array())));
        }
        result[j] = y.to_array();
    }
}
