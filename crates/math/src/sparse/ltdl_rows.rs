//! Factorization `M = Lᵀ D L` over a forest of shallow trees, of one matrix or of two at once that differ on
//! the diagonal only.
//!
//! The same sums as in [`super::ltdl`], and so the same numbers. For short rows most of the time goes into
//! finding rows and treating their ends. So the matrix is first copied to a layout in which all rows are
//! equally long and begin with a lane. The rows below a dof then are a list of arrays of known length, and
//! what lies between the end of a row and the end of its last lane is treated with it: no number left of a
//! row's end depends on one right of it. The numbers of two matrices lie side by side, and everything is done
//! to both at once: all functions here treat `N` matrices, with the `N` numbers of an entry next to each
//! other.

use super::csr::Pattern;
use super::ltdl::{ltdl_factor, padded, relatives};
use crate::lane_vec::LaneVec;
use crate::lanes::{Lane, lanes};
use wide::f64x4;

/// As many lanes as are summed at once, in registers.
type Strip = [Lane; STRIP];
const STRIP: usize = 4;
/// Most strips of a row that are copied whole, without looking where the row ends: that is faster than a
/// loop over so few.
const STRAIGHT: usize = 2;

/// A row of `N` matrices.
type Row<const S: usize> = [Strip; S];

/// A factorization in place.
#[derive(Debug)]
pub struct Factor<'a> {
    /// `M`, then `L` below the diagonal and `D` on it.
    pub ld: &'a mut [f64],
    /// The inverse of `D`.
    pub diag_inv: &'a mut [f64],
}

/// Factorizes by the form that fits the rows, in memory that grows to what is needed and can be used again.
///
/// The results are those of [`ltdl_factor`]. Each row must have its diagonal, and end where the next one
/// begins.
#[derive(Clone, Debug, Default)]
pub struct LtdlFactorizer {
    rows: LaneVec,
    /// The inverses of the pivots of a row, repeated to fill a lane.
    inverses: LaneVec,
}

impl LtdlFactorizer {
    /// Fewer rows are not worth the copies, and two matrices are better factored one after the other.
    pub const WORTHWHILE_ROWS: usize = 8;

    /// Factorizes `M`, or the part of it that `index` lists.
    pub fn factor(&mut self, m: Factor<'_>, pattern: Pattern, index: Option<&[i32]>) {
        let rest = if index.is_none() { self.factor_short([m], &[], pattern) } else { Some([m]) };
        if let Some([m]) = rest {
            ltdl_factor(m.ld, m.diag_inv, pattern, index);
        }
    }

    /// Factorizes `M`, and `M + diag(shift)` into other memory, whatever it holds.
    pub fn factor_shifted(&mut self, m: Factor<'_>, shifted: Factor<'_>, shift: &[f64], pattern: Pattern) {
        if let Some([m, shifted]) = self.factor_short([m, shifted], shift, pattern) {
            shifted.ld.copy_from_slice(m.ld);
            for ((&at, &n), shift) in pattern.rowadr.iter().zip(pattern.rownnz).zip(shift) {
                shifted.ld[(at + n - 1) as usize] += shift;
            }
            // rows that are too long for two at once may fit one by one
            self.factor(m, pattern, None);
            self.factor(shifted, pattern, None);
        }
    }

    /// Factorizes the first of `N` matrices, and with the shift the second; gives them back as they are if
    /// their rows are too few or too long for this form.
    fn factor_short<'a, const N: usize>(
        &mut self,
        to: [Factor<'a>; N],
        shift: &[f64],
        pattern: Pattern,
    ) -> Option<[Factor<'a>; N]> {
        if pattern.nrow() < Self::WORTHWHILE_ROWS {
            return Some(to);
        }
        let longest = pattern.rownnz.iter().fold(0, |max, &n| max.max(n)) as usize;
        match lanes(N * longest) {
            0..=4 => self.factor_rows::<N, 1>(to, shift, pattern),
            5..=8 => self.factor_rows::<N, 2>(to, shift, pattern),
            9..=16 => self.factor_rows::<N, 4>(to, shift, pattern),
            _ => return Some(to),
        }
        None
    }

    fn factor_rows<const N: usize, const S: usize>(
        &mut self,
        mut to: [Factor<'_>; N],
        shift: &[f64],
        pattern: Pattern,
    ) {
        self.rows.resize(pattern.nrow() * S * STRIP);
        self.inverses.resize(pattern.nrow());
        let rows = self.rows.as_chunks_mut::<STRIP>().0.as_chunks_mut::<S>().0;
        let row_spans = pattern.rowadr.iter().zip(pattern.rownnz).map(|(&at, &n)| (at as usize, n as usize));
        for (row, (at, n)) in rows.iter_mut().zip(row_spans.clone()) {
            read_row::<N, S>(row, &to[0].ld[at..], n);
        }
        if N > 1 {
            for ((row, &n), shift) in rows.iter_mut().zip(pattern.rownnz).zip(shift) {
                row.as_flattened_mut().as_flattened_mut()[N * n as usize - 1] += shift;
            }
        }
        eliminate::<N, S>(rows, &mut self.inverses, pattern);
        for ((row, (at, n)), inverse) in rows.iter().zip(row_spans).zip(self.inverses.iter()) {
            write_row::<N, S>(row, &mut to, at, n, inverse);
        }
        for (matrix, to) in to.into_iter().enumerate() {
            for (inverse, x) in self.inverses.iter().zip(to.diag_inv) {
                *x = inverse[matrix];
            }
        }
    }
}

/// Copies `n` numbers to a row for each matrix, and more, at least up to a multiple of four.
#[inline(always)]
fn read_row<const N: usize, const S: usize>(row: &mut Row<S>, list: &[f64], n: usize) {
    if N == 1
        && S <= STRAIGHT
        && let Some(whole) = list.as_chunks::<4>().0.as_chunks::<STRIP>().0.first_chunk::<S>()
    {
        *row = *whole;
        return;
    }
    let to = row.as_flattened_mut().as_chunks_mut::<N>().0;
    let (fours, rest) = list.as_chunks::<4>();
    for (to, four) in to.iter_mut().zip(fours).take(lanes(n)) {
        repeat(to, four);
    }
    if 4 * fours.len() < n {
        let [four] = padded(rest);
        repeat(&mut to[fours.len()], &four);
    }
}

/// Puts each of four numbers there `N` times.
#[inline(always)]
fn repeat<const N: usize>(to: &mut [Lane; N], four: &Lane) {
    for (l, lane) in to.iter_mut().enumerate() {
        for (i, x) in lane.iter_mut().enumerate() {
            *x = four[(4 * l + i) / N];
        }
    }
}

/// Divides a row by its pivots and copies it to the factors, and more, at least up to a multiple of four,
/// which the next rows overwrite.
#[inline(always)]
fn write_row<const N: usize, const S: usize>(
    row: &Row<S>,
    to: &mut [Factor<'_>; N],
    at: usize,
    n: usize,
    inverse: &Lane,
) {
    if N == 1
        && S <= STRAIGHT
        && let Some(whole) =
            to[0].ld[at..].as_chunks_mut::<4>().0.as_chunks_mut::<STRIP>().0.first_chunk_mut::<S>()
    {
        let inverse = f64x4::new(*inverse);
        for (to, from) in whole.as_flattened_mut().iter_mut().zip(row.as_flattened()) {
            *to = (f64x4::new(*from) * inverse).to_array();
        }
        write_pivots(row, to, at, n);
        return;
    }
    let from = row.as_flattened().as_chunks::<N>().0;
    for (from, at) in from.iter().take(lanes(n)).zip((at..).step_by(4)) {
        let mut scaled = *from;
        for lane in &mut scaled {
            *lane = (f64x4::new(*lane) * f64x4::new(*inverse)).to_array();
        }
        for (matrix, to) in to.iter_mut().enumerate() {
            let mut four = [0.0; 4];
            for (i, x) in four.iter_mut().enumerate() {
                let index = N * i + matrix;
                *x = scaled[index / 4][index % 4];
            }
            match to.ld[at..].first_chunk_mut::<4>() {
                Some(to) => *to = four,
                None => to.ld[at..].iter_mut().zip(four).for_each(|(to, x)| *to = x),
            }
        }
    }
    write_pivots(row, to, at, n);
}

/// Writes the pivots of a row of `n` entries to the diagonals.
#[inline(always)]
fn write_pivots<const N: usize, const S: usize>(row: &Row<S>, to: &mut [Factor<'_>; N], at: usize, n: usize) {
    if let Some(depth) = n.checked_sub(1) {
        let pivots = entry::<N, S>(row, depth).to_array();
        for (to, pivot) in to.iter_mut().zip(pivots) {
            to.ld[at + depth] = pivot;
        }
    }
}

/// The numbers of an entry, repeated to fill a lane.
#[inline(always)]
fn entry<const N: usize, const S: usize>(row: &Row<S>, at: usize) -> f64x4 {
    let numbers = row.as_flattened().as_flattened().as_chunks::<N>().0[at];
    f64x4::new(core::array::from_fn(|i| numbers[i % N]))
}

/// Gathers all rows, which stay multiplied with their pivots.
#[inline(always)]
fn eliminate<const N: usize, const S: usize>(rows: &mut [Row<S>], inverses: &mut [Lane], pattern: Pattern) {
    let mut left = rows.len();
    while left > 0 {
        left -= 1;
        let k = left;
        let Some(depth) = (pattern.rownnz[k] as usize).checked_sub(1) else { continue };
        let (range, pair) = relatives(pattern, k, depth);
        let (above, from) = rows.split_at_mut(k);
        let Some((row, after)) = from.split_first_mut() else { continue };
        let (own, after_inverses) = inverses.split_at_mut(k + 1);
        let below = Below { rows: &after[..range.len()], inverses: &after_inverses[..range.len()] };
        if !pair {
            below.subtract::<N, _>([&mut *row], depth);
            own[k] = (f64x4::ONE / entry::<N, S>(row, depth)).to_array();
            continue;
        }
        let Some(parent) = above.last_mut() else { continue };
        below.subtract::<N, _>([&mut *row, &mut *parent], depth);
        let inverse = f64x4::ONE / entry::<N, S>(row, depth);
        let coupling = entry::<N, S>(row, depth - 1);
        let factor = -coupling * inverse;
        // the parent's pivot before the rest of its row, since the next division waits for it
        let pivot = entry::<N, S>(parent, depth - 1) + coupling * factor;
        own[k] = inverse.to_array();
        own[k - 1] = (f64x4::ONE / pivot).to_array();
        for (y, x) in parent.as_flattened_mut().iter_mut().zip(row.as_flattened()).take(lanes(N * depth)) {
            *y = (f64x4::new(*y) + f64x4::new(*x) * factor).to_array();
        }
        left -= 1;
    }
}

/// The rows below a dof.
#[derive(Clone, Copy)]
struct Below<'a, const S: usize> {
    rows: &'a [Row<S>],
    inverses: &'a [Lane],
}

impl<const S: usize> Below<'_, S> {
    /// Takes from the row of a dof, and from those of the dofs before it, what elimination of the dofs below
    /// takes from them: `Σ rᵢ[d] rᵢ / Dᵢ` over their rows `rᵢ`, with `d` the depth of the row's own dof.
    #[inline(always)]
    fn subtract<const N: usize, const ROWS: usize>(self, mut rows: [&mut Row<S>; ROWS], depth: usize) {
        if self.rows.is_empty() {
            return;
        }
        let mut left = lanes(N * (depth + 1));
        for s in 0..S {
            match left {
                0 => return,
                1 => self.subtract_lanes::<N, ROWS, 1>(&mut rows, s, depth),
                2 => self.subtract_lanes::<N, ROWS, 2>(&mut rows, s, depth),
                3 => self.subtract_lanes::<N, ROWS, 3>(&mut rows, s, depth),
                _ => self.subtract_lanes::<N, ROWS, STRIP>(&mut rows, s, depth),
            }
            left = left.saturating_sub(STRIP);
        }
    }

    /// As [`Below::subtract`], for the first `W` lanes of a strip.
    #[inline(always)]
    fn subtract_lanes<const N: usize, const ROWS: usize, const W: usize>(
        self,
        rows: &mut [&mut Row<S>; ROWS],
        s: usize,
        depth: usize,
    ) {
        let mut sums = [[f64x4::ZERO; W]; ROWS];
        for (row, inverse) in self.rows.iter().zip(self.inverses) {
            for (r, sum) in sums.iter_mut().enumerate() {
                let weight = entry::<N, S>(row, depth - r) * f64x4::new(*inverse);
                for (sum, x) in sum.iter_mut().zip(&row[s]) {
                    *sum += weight * f64x4::new(*x);
                }
            }
        }
        for (row, sum) in rows.iter_mut().zip(sums) {
            for (x, sum) in row[s].iter_mut().zip(sum) {
                *x = (f64x4::new(*x) - sum).to_array();
            }
        }
    }
}
