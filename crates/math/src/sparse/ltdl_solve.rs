//! Solution of `Lᵀ D L x = b` over a forest, with the factors that `ltdl_factor` leaves.
//!
//! Dofs are numbered depth first and a row holds all ancestors of its dof, so the position of an entry in its row is the depth of
//! the ancestor it belongs to. No column indices are needed: a list by depth holds what the ancestors of the current dof
//! contribute or receive, and every row is one contiguous product with it. Each dof waits for its parent (or for its children), so
//! what counts is how soon the next one can start: the list is read and written in whole lanes, which the processor can
//! forward from one to the next, and the term of the parent is taken last, by itself.

use super::csr::Pattern;
use super::ltdl::KEEP;
use super::vector::{add_scaled_sparse, dot_sparse};
use crate::lanes::{Lane, sum_lane};
use wide::f64x4;

/// Masks that pick one number of a lane.
const PICK: [[u64; 4]; 4] = {
    const ON: u64 = u64::MAX;
    [[ON, 0, 0, 0], [0, ON, 0, 0], [0, 0, ON, 0], [0, 0, 0, ON]]
};

#[inline]
fn mask(bits: [u64; 4]) -> f64x4 {
    f64x4::new(bits.map(f64::from_bits))
}

/// One number for each depth, in lanes.
struct ByDepth<const LANES: usize>([Lane; LANES]);

impl<const LANES: usize> ByDepth<LANES> {
    /// Longest row for which there is room.
    const LONGEST: usize = 4 * LANES;

    #[inline]
    fn zero() -> Self {
        Self([[0.0; 4]; LANES])
    }

    #[inline]
    fn get(&self, depth: usize) -> f64 {
        self.0[depth / 4 % LANES][depth % 4]
    }

    /// Sets the number at `depth`; those after it may be anything.
    #[inline]
    fn put(&mut self, depth: usize, value: f64) {
        let lane = &mut self.0[depth / 4 % LANES];
        *lane = mask(PICK[depth % 4]).blend(f64x4::splat(value), f64x4::new(*lane)).to_array();
    }

    /// Scalar product with the first `n` numbers of `row`.
    #[inline]
    fn dot(&self, row: &[f64], n: usize) -> f64 {
        let (full, rest) = (n / 4 % LANES, n % 4);
        let (lanes, tail) = row.as_chunks::<4>();
        let mut sum = f64x4::ZERO;
        for (x, y) in lanes.iter().zip(&self.0[..full]) {
            sum += f64x4::new(*x) * f64x4::new(*y);
        }
        let last = f64x4::new(lane_at(lanes, tail, full)) * f64x4::new(self.0[full]);
        sum_lane(&(sum + (last & mask(KEEP[rest]))).to_array())
    }

    /// Adds a multiple of the first `n` numbers of `row`, and sets the number after them to zero; those after that are zero.
    #[inline]
    fn add_scaled(&mut self, row: &[f64], n: usize, s: f64) {
        let (full, rest) = (n / 4 % LANES, n % 4);
        let (lanes, tail) = row.as_chunks::<4>();
        let s = f64x4::splat(s);
        for (x, y) in lanes.iter().zip(&mut self.0[..full]) {
            *y = (f64x4::new(*y) + f64x4::new(*x) * s).to_array();
        }
        let last = f64x4::new(self.0[full]) + f64x4::new(lane_at(lanes, tail, full)) * s;
        self.0[full] = (last & mask(KEEP[rest])).to_array();
    }
}

/// A lane of a list, the last of which may be incomplete; what follows a row in its last lane is not used.
#[inline]
fn lane_at(lanes: &[Lane], tail: &[f64], at: usize) -> Lane {
    lanes.get(at).copied().unwrap_or_else(|| {
        let mut lane = [0.0; 4];
        lane.iter_mut().zip(tail).for_each(|(x, &y)| *x = y);
        lane
    })
}

/// The factors, and the dofs to treat.
#[derive(Clone, Copy)]
struct Factors<'a> {
    ld: &'a [f64],
    pattern: Pattern<'a>,
    index: Option<&'a [i32]>,
}

impl Factors<'_> {
    /// The dofs, from first to last.
    #[inline]
    fn dofs(&self) -> impl DoubleEndedIterator<Item = usize> {
        let count = self.index.map_or(self.pattern.nrow(), <[i32]>::len);
        (0..count).map(|k| self.index.map_or(k, |list| list[k] as usize))
    }

    /// Depth of a dof and its row, which ends with the diagonal; what follows it is there too.
    #[inline]
    fn row(&self, dof: usize) -> Option<(usize, &[f64])> {
        let depth = (self.pattern.rownnz[dof] as usize).checked_sub(1)?;
        Some((depth, &self.ld[self.pattern.rowadr[dof] as usize..]))
    }

    /// `x ← L⁻ᵀ x`.
    #[inline]
    fn solve_transposed<const LANES: usize>(&self, x: &mut [f64]) {
        // what the dofs met so far take from the ancestor at each depth
        let mut taken = ByDepth::<LANES>::zero();
        for i in self.dofs().rev() {
            let Some((depth, row)) = self.row(i) else { continue };
            let xi = x[i] - taken.get(depth);
            x[i] = xi;
            taken.add_scaled(row, depth, xi);
        }
    }

    /// `x ← L⁻¹ D⁻¹ x`, in one pass: all ancestors of a dof come before it.
    #[inline]
    fn solve_lower<const LANES: usize>(&self, x: &mut [f64], diag_inv: &[f64]) {
        let mut path = ByDepth::<LANES>::zero();
        for i in self.dofs() {
            let Some((depth, row)) = self.row(i) else { continue };
            let mut xi = x[i] * diag_inv[i];
            if let Some(parent) = depth.checked_sub(1) {
                xi = (xi - path.dot(row, parent)) - row[parent] * path.get(parent);
            }
            path.put(depth, xi);
            x[i] = xi;
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

    /// `x ← L⁻ᵀ x`, by the form that fits the rows.
    fn transposed(&self, x: &mut [f64]) {
        match self.longest_row() {
            0 | 1 => {}
            n if n <= ByDepth::<SHORT>::LONGEST => self.solve_transposed::<SHORT>(x),
            n if n <= ByDepth::<LONG>::LONGEST => self.solve_transposed::<LONG>(x),
            _ => self.solve_transposed_deep(x),
        }
    }

    /// `x ← L⁻¹ D⁻¹ L⁻ᵀ x`, by the form that fits the rows.
    fn whole(&self, x: &mut [f64], diag_inv: &[f64]) {
        match self.longest_row() {
            0 | 1 => self.solve_diagonal(x, diag_inv),
            n if n <= ByDepth::<SHORT>::LONGEST => {
                self.solve_transposed::<SHORT>(x);
                self.solve_lower::<SHORT>(x, diag_inv);
            }
            n if n <= ByDepth::<LONG>::LONGEST => {
                self.solve_transposed::<LONG>(x);
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

/// Half of the solution, `x ← D^{-1/2} L⁻ᵀ x`, for which `xᵀ x` equals `bᵀ M⁻¹ b`; `sqrt_inv_d` holds `D^{-1/2}`.
pub fn ltdl_solve_half(x: &mut [f64], ld: &[f64], sqrt_inv_d: &[f64], pattern: Pattern) {
    Factors { ld, pattern, index: None }.transposed(x);
    for (xi, s) in x.iter_mut().zip(sqrt_inv_d) {
        *xi *= s;
    }
}
