//! Solution of `Lᵀ D L x = b` over a forest, with the factors that `ltdl_factor` leaves.
//!
//! Dofs are numbered depth first and a row holds all ancestors of its dof, so the position of an entry in its
//! row is the depth of the ancestor it belongs to. No column indices are needed: a list by depth holds what
//! the ancestors of the current dof contribute or receive, and every row is one contiguous product with it.
//! Each dof waits for its parent (or for its children), so what counts is how soon the next one can start:
//! the list is read and written in whole lanes, which the processor can forward from one to the next, and the
//! nearest ancestors are taken last, one by one.

use super::csr::Pattern;
use super::vector::{add_scaled_sparse, dot_sparse};
use crate::lanes::{Lane, keep_mask, lanes, pick_mask, sum_lane};
use wide::f64x4;

/// What the dofs met so far take from the ancestor at each depth.
///
/// Held in lanes, not arrays, so that each lies in one cache line.
struct Taken<const LANES: usize>([f64x4; LANES]);

impl<const LANES: usize> Taken<LANES> {
    #[inline]
    fn zero() -> Self {
        Self([f64x4::ZERO; LANES])
    }

    /// Finishes a dof by what its descendants take from it, and passes on what it takes from its ancestors.
    #[inline(always)]
    fn pass_up(&mut self, x: &mut f64, (depth, row): (usize, &[f64])) {
        *x -= self.at(depth);
        if depth == 0 {
            self.0[0] = f64x4::ZERO;
        } else {
            self.add_scaled([(row, *x)], depth);
        }
    }

    /// As [`Taken::pass_up`] for a dof and for its parent after it.
    #[inline(always)]
    fn pass_up_two(
        &mut self,
        [parent_x, x]: &mut [f64; 2],
        (depth, row): (usize, &[f64]),
        parent_row: &[f64],
    ) {
        *x -= self.at(depth);
        *parent_x -= self.at(depth - 1) + row[depth - 1] * *x;
        // the lane that begins with this depth, if one does; others that begin later are zero
        if let Some(lane) = self.0.get_mut(lanes(depth)) {
            *lane = f64x4::ZERO;
        }
        self.add_scaled([(row, *x), (parent_row, *parent_x)], depth - 1);
    }

    /// What is taken from the ancestor at a depth.
    #[inline(always)]
    fn at(&self, depth: usize) -> f64 {
        // never outside, which the remainder tells the compiler
        bytemuck::cast_slice::<_, f64>(&self.0)[depth % (4 * LANES)]
    }

    /// Adds multiples of the first `n` numbers of rows, one after the other, and sets the number after them
    /// to zero; those after that are zero.
    #[inline(always)]
    fn add_scaled<const ROWS: usize>(&mut self, rows: [(&[f64], f64); ROWS], n: usize) {
        let keep = keep_mask(n % 4);
        let done = match n / 4 {
            0 => add_first::<1, ROWS>(&mut self.0, rows, keep),
            1 => add_first::<2, ROWS>(&mut self.0, rows, keep),
            2 => add_first::<3, ROWS>(&mut self.0, rows, keep),
            3 => add_first::<4, ROWS>(&mut self.0, rows, keep),
            _ => None,
        };
        if done.is_none() {
            self.add_any(rows, n);
        }
    }

    /// As [`Taken::add_scaled`], for long rows and at the end of all rows.
    #[inline(always)]
    fn add_any<const ROWS: usize>(&mut self, rows: [(&[f64], f64); ROWS], n: usize) {
        for (row, s) in rows {
            let (whole, rest) = row[..n].as_chunks::<4>();
            let (sums, after) = self.0.split_at_mut(whole.len());
            for (sum, x) in sums.iter_mut().zip(whole) {
                *sum += f64x4::new(*x) * f64x4::splat(s);
            }
            if let Some(last) = after.first_mut() {
                let list = last.as_array_mut();
                list.iter_mut().zip(rest).for_each(|(sum, x)| *sum += x * s);
                list[rest.len()..].fill(0.0);
            }
        }
    }
}

/// Adds multiples of the first `W` lanes of rows, and keeps only part of the last one; `None` if there are
/// not as many.
#[inline(always)]
fn add_first<const W: usize, const ROWS: usize>(
    taken: &mut [f64x4],
    rows: [(&[f64], f64); ROWS],
    keep: f64x4,
) -> Option<()> {
    let taken = taken.first_chunk_mut::<W>()?;
    let mut sums = *taken;
    for (row, s) in rows {
        let row = row.as_chunks::<4>().0.first_chunk::<W>()?;
        for (sum, x) in sums.iter_mut().zip(row) {
            *sum += f64x4::new(*x) * f64x4::splat(s);
        }
    }
    sums[W - 1] &= keep;
    *taken = sums;
    Some(())
}

/// The ancestors of the current dof, by depth: in lanes for those whose lane is complete, and one by one for
/// the nearest.
struct Path<const LANES: usize> {
    lanes: [f64x4; LANES],
    single: [Lane; LANES],
}

impl<const LANES: usize> Path<LANES> {
    #[inline]
    fn zero() -> Self {
        Self { lanes: [f64x4::ZERO; LANES], single: [[0.0; 4]; LANES] }
    }

    /// Finishes a dof by what its ancestors are, and adds it to them.
    #[inline(always)]
    fn pass_down(&mut self, x: &mut f64, inv: f64, (depth, row): (usize, &[f64])) {
        let (whole, place) = (depth / 4 % LANES, depth % 4);
        let far = dot_whole(&self.lanes, row.as_chunks::<4>().0, whole);
        let (near, own) = (&mut self.single[whole], &row[4 * whole..]);
        let mut value = *x * inv - far;
        // the parent last, since it was finished last
        if place > 0 {
            value -= own[0] * near[0];
        }
        if place > 1 {
            value -= own[1] * near[1];
        }
        if place > 2 {
            value -= own[2] * near[2];
        }
        near[place] = value;
        let lane = &mut self.lanes[whole];
        *lane = pick_mask(place).blend(f64x4::splat(value), *lane);
        *x = value;
    }
}

/// Scalar product of the first lanes, of which each row has as many.
#[inline(always)]
fn dot_whole(path: &[f64x4], row: &[Lane], lanes: usize) -> f64 {
    match lanes {
        0 => 0.0,
        1 => dot_first::<1>(path, row),
        2 => dot_first::<2>(path, row),
        3 => dot_first::<3>(path, row),
        _ => dot_any(&path[..lanes], row),
    }
}

#[inline(always)]
fn dot_first<const W: usize>(path: &[f64x4], row: &[Lane]) -> f64 {
    path.first_chunk::<W>().zip(row.first_chunk::<W>()).map_or(0.0, |(path, row)| dot_any(path, row))
}

#[inline(always)]
fn dot_any(path: &[f64x4], row: &[Lane]) -> f64 {
    let mut sum = f64x4::ZERO;
    for (x, y) in row.iter().zip(path) {
        sum += f64x4::new(*x) * *y;
    }
    sum_lane(&sum.to_array())
}

/// The factors, and the dofs to treat.
#[derive(Clone, Copy)]
struct Factors<'a> {
    ld: &'a [f64],
    pattern: Pattern<'a>,
    index: Option<&'a [i32]>,
}

impl<'a> Factors<'a> {
    /// The dofs, from first to last.
    #[inline]
    fn dofs(&self) -> impl DoubleEndedIterator<Item = usize> {
        let count = self.index.map_or(self.pattern.nrow(), <[i32]>::len);
        (0..count).map(|k| self.index.map_or(k, |list| list[k] as usize))
    }

    /// Depth of a dof and its row, which ends with the diagonal; what follows it is there too.
    #[inline(always)]
    fn row(&self, dof: usize) -> (usize, &'a [f64]) {
        let depth = (self.pattern.rownnz[dof] as usize).saturating_sub(1);
        (depth, &self.ld[self.pattern.rowadr[dof] as usize..])
    }

    /// Whether a dof at the given depth is a child of the one before it.
    #[inline(always)]
    fn follows_parent(&self, dof: usize, depth: usize) -> bool {
        depth > 0 && self.pattern.rownnz[..dof].last() == Some(&(depth as i32))
    }

    /// `x ← L⁻ᵀ x`. With `SPARSE`, dofs that are zero and stay so are passed over; the numbers are the same.
    #[inline]
    fn solve_transposed<const LANES: usize, const SPARSE: bool>(&self, x: &mut [f64]) {
        match self.index {
            None => self.solve_transposed_of::<LANES, SPARSE>(x, x.len(), |k| k),
            Some(list) => self.solve_transposed_of::<LANES, SPARSE>(x, list.len(), |k| list[k] as usize),
        }
    }

    #[inline(always)]
    fn solve_transposed_of<const LANES: usize, const SPARSE: bool>(
        &self,
        x: &mut [f64],
        count: usize,
        dof_at: impl Fn(usize) -> usize,
    ) {
        let mut taken = Taken::<LANES>::zero();
        let mut left = count;
        while left > 0 {
            let dof = dof_at(left - 1);
            let row = self.row(dof);
            if SPARSE && x[dof] == 0.0 && taken.at(row.0) == 0.0 {
                left -= 1;
                continue;
            }
            if self.follows_parent(dof, row.0)
                && let Some(two) = x[dof - 1..].first_chunk_mut::<2>()
            {
                taken.pass_up_two(two, row, self.row(dof - 1).1);
                left -= 2;
            } else {
                taken.pass_up(&mut x[dof], row);
                left -= 1;
            }
        }
    }

    /// `x ← L⁻¹ D⁻¹ x`, in one pass: all ancestors of a dof come before it.
    #[inline]
    fn solve_lower<const LANES: usize>(&self, x: &mut [f64], diag_inv: &[f64]) {
        let Pattern { rownnz, rowadr, .. } = self.pattern;
        let mut path = Path::<LANES>::zero();
        match self.index {
            None => {
                for (((x, &inv), &nnz), &at) in x.iter_mut().zip(diag_inv).zip(rownnz).zip(rowadr) {
                    let depth = (nnz as usize).saturating_sub(1);
                    path.pass_down(x, inv, (depth, &self.ld[at as usize..]));
                }
            }
            Some(list) => {
                for i in list.iter().map(|&i| i as usize) {
                    path.pass_down(&mut x[i], diag_inv[i], self.row(i));
                }
            }
        }
    }

    fn solve_transposed_deep(&self, x: &mut [f64]) {
        for i in self.dofs().rev() {
            let range = self.pattern.range(i);
            let xi = x[i];
            if range.len() <= 1 || xi == 0.0 {
                continue;
            }
            let lower = range.start..range.end - 1;
            add_scaled_sparse(x, &self.ld[lower.clone()], &self.pattern.colind[lower], -xi);
        }
    }

    fn solve_lower_deep(&self, x: &mut [f64], diag_inv: &[f64]) {
        for i in self.dofs() {
            let range = self.pattern.range(i);
            let mut xi = x[i] * diag_inv[i];
            if range.len() > 1 {
                let lower = range.start..range.end - 1;
                xi -= dot_sparse(&self.ld[lower.clone()], &self.pattern.colind[lower], x);
            }
            x[i] = xi;
        }
    }

    /// `x ← D⁻¹ x`: all there is to do without ancestors.
    fn solve_diagonal(&self, x: &mut [f64], diag_inv: &[f64]) {
        match self.index {
            None => x.iter_mut().zip(diag_inv).for_each(|(x, inv)| *x *= inv),
            Some(list) => list.iter().for_each(|&i| x[i as usize] *= diag_inv[i as usize]),
        }
    }

    fn longest_row(&self) -> usize {
        self.pattern.rownnz.iter().fold(0, |max, &n| max.max(n)) as usize
    }

    /// `x ← L⁻ᵀ x`, by the form that fits the rows, for vectors with many zeros.
    fn transposed(&self, x: &mut [f64]) {
        match self.longest_row() {
            0 | 1 => {}
            n if n <= 4 * SHORT => self.solve_transposed::<SHORT, true>(x),
            n if n <= 4 * LONG => self.solve_transposed::<LONG, true>(x),
            _ => self.solve_transposed_deep(x),
        }
    }

    /// `x ← L⁻¹ D⁻¹ L⁻ᵀ x`, by the form that fits the rows.
    fn whole(&self, x: &mut [f64], diag_inv: &[f64]) {
        match self.longest_row() {
            0 | 1 => self.solve_diagonal(x, diag_inv),
            n if n <= 4 * SHORT => {
                self.solve_transposed::<SHORT, false>(x);
                self.solve_lower::<SHORT>(x, diag_inv);
            }
            n if n <= 4 * LONG => {
                self.solve_transposed::<LONG, false>(x);
                self.solve_lower::<LONG>(x, diag_inv);
            }
            _ => {
                self.solve_transposed_deep(x);
                self.solve_lower_deep(x, diag_inv);
            }
        }
    }
}

/// Lanes of a list by depth, for most models and for long chains.
const SHORT: usize = 8;
const LONG: usize = 64;

/// Solves `Lᵀ D L x = b` in place.
pub fn ltdl_solve(x: &mut [f64], ld: &[f64], diag_inv: &[f64], pattern: Pattern, index: Option<&[i32]>) {
    Factors { ld, pattern, index }.whole(x, diag_inv);
}

/// Solves for several right-hand sides, each of `nv` numbers, one after another in `x`.
pub fn ltdl_solve_many(
    x: &mut [f64],
    nv: usize,
    ld: &[f64],
    diag_inv: &[f64],
    pattern: Pattern,
    index: Option<&[i32]>,
) {
    for one in x.chunks_exact_mut(nv.max(1)) {
        ltdl_solve(one, ld, diag_inv, pattern, index);
    }
}

/// Half of the solution, `x ← D^{-1/2} L⁻ᵀ x`, for which `xᵀ x` equals `bᵀ M⁻¹ b`; `sqrt_inv_d` holds
/// `D^{-1/2}`. Mostly `x` is a row of a Jacobian, with a few dofs and their ancestors.
pub fn ltdl_solve_half(x: &mut [f64], ld: &[f64], sqrt_inv_d: &[f64], pattern: Pattern) {
    Factors { ld, pattern, index: None }.transposed(x);
    for (xi, s) in x.iter_mut().zip(sqrt_inv_d) {
        *xi *= s;
    }
}
