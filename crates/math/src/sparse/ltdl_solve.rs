//! Solution of `Lᵀ D L x = b` over a forest, with the factors that `ltdl_factor` leaves.
//!
//! Dofs are numbered depth first and a row holds all ancestors of its dof, so the position of an entry in its
//! row is the depth of the ancestor it belongs to. No column indices are needed: a list by depth holds what
//! the ancestors of the current dof contribute or receive, and every row is one contiguous product with it.
//! Each dof waits for its parent (or for its children), so what counts is how soon the next one can start:
//! dofs are treated in runs, each the child of the one before it, whose depths share a lane of the list. That
//! lane is held in registers, one number per dof; the lanes before it are read and written as a whole.

use super::csr::Pattern;
use super::vector::{add_scaled_sparse, dot_sparse};
use crate::lanes::{Lane, keep_mask, pick_mask, sum_lane};
use wide::f64x4;

/// What the dofs met so far take from the ancestor at each depth; zero for depths without a dof to come.
struct Taken<const LANES: usize>([f64x4; LANES]);

impl<const LANES: usize> Taken<LANES> {
    /// What is taken from the ancestor at a depth.
    #[inline(always)]
    fn at(&self, depth: usize) -> f64 {
        // never outside, which the remainder tells the compiler
        bytemuck::cast_slice::<_, f64>(&self.0)[depth % (4 * LANES)]
    }

    /// Finishes the run that ends with a dof at the given offset in a lane, from its last dof to its first;
    /// returns how many these are.
    #[inline(always)]
    fn pass_up(
        &mut self,
        factors: &Factors<'_>,
        x: &mut [f64],
        dof: usize,
        (lane, offset): (usize, usize),
    ) -> usize {
        // a lane all along: numbers that are written one by one cannot be read as a lane for a while
        let mut near = self.0[lane % LANES];
        let mut at = dof;
        'run: {
            if offset >= 3 {
                self.finish::<3>(factors, &mut x[at], at, lane, &mut near);
                if !factors.follows_parent(at, 4 * lane + 3) {
                    break 'run;
                }
                at -= 1;
            }
            if offset >= 2 {
                self.finish::<2>(factors, &mut x[at], at, lane, &mut near);
                if !factors.follows_parent(at, 4 * lane + 2) {
                    break 'run;
                }
                at -= 1;
            }
            if offset >= 1 {
                self.finish::<1>(factors, &mut x[at], at, lane, &mut near);
                if !factors.follows_parent(at, 4 * lane + 1) {
                    break 'run;
                }
                at -= 1;
            }
            self.finish::<0>(factors, &mut x[at], at, lane, &mut near);
        }
        self.0[lane % LANES] = near;
        dof + 1 - at
    }

    /// Finishes a dof by what its descendants take from it, and passes on what it takes from its ancestors:
    /// to those of its lane in `near`.
    #[inline(always)]
    fn finish<const OFFSET: usize>(
        &mut self,
        factors: &Factors<'_>,
        x: &mut f64,
        dof: usize,
        lane: usize,
        near: &mut f64x4,
    ) {
        *x -= near.to_array()[OFFSET];
        let value = f64x4::splat(*x);
        let row = factors.row(dof);
        if let Some((own, far)) = row.as_chunks::<4>().0.get(..=lane).and_then(<[_]>::split_last) {
            for (sum, l) in self.0.iter_mut().zip(far) {
                *sum += f64x4::new(*l) * value;
            }
            *near += f64x4::new(*own) * value;
        } else {
            // at the end of all rows
            let (far, own) = row.split_at(4 * lane);
            for (sum, l) in self.0.iter_mut().zip(far.as_chunks::<4>().0) {
                *sum += f64x4::new(*l) * value;
            }
            let mut padded = [0.0; 4];
            padded.iter_mut().zip(own).for_each(|(to, l)| *to = *l);
            *near += f64x4::new(padded) * value;
        }
        *near &= keep_mask(OFFSET);
    }
}

/// The ancestors of the current dof, by depth.
struct Path<const LANES: usize>([f64x4; LANES]);

impl<const LANES: usize> Path<LANES> {
    /// Finishes the run that begins with a dof at the given offset in a lane, from its first dof to its last;
    /// returns how many these are.
    #[inline(always)]
    fn pass_down(
        &mut self,
        factors: &Factors<'_>,
        (x, diag_inv): (&mut [f64], &[f64]),
        dof: usize,
        (lane, offset): (usize, usize),
    ) -> usize {
        let mut near = self.0[lane % LANES];
        let mut at = dof;
        'run: {
            if offset == 0 {
                self.finish::<0>(factors, (&mut x[at], diag_inv[at]), at, lane, &mut near);
                if !factors.precedes_child(at, 4 * lane) {
                    break 'run;
                }
                at += 1;
            }
            if offset <= 1 {
                self.finish::<1>(factors, (&mut x[at], diag_inv[at]), at, lane, &mut near);
                if !factors.precedes_child(at, 4 * lane + 1) {
                    break 'run;
                }
                at += 1;
            }
            if offset <= 2 {
                self.finish::<2>(factors, (&mut x[at], diag_inv[at]), at, lane, &mut near);
                if !factors.precedes_child(at, 4 * lane + 2) {
                    break 'run;
                }
                at += 1;
            }
            self.finish::<3>(factors, (&mut x[at], diag_inv[at]), at, lane, &mut near);
        }
        self.0[lane % LANES] = near;
        at + 1 - dof
    }

    /// Finishes a dof by what its ancestors are, and adds it to those of its lane.
    #[inline(always)]
    fn finish<const OFFSET: usize>(
        &self,
        factors: &Factors<'_>,
        (x, inv): (&mut f64, f64),
        dof: usize,
        lane: usize,
        near: &mut f64x4,
    ) {
        let (far, own) = factors.row(dof)[..4 * lane + OFFSET].split_at(4 * lane);
        let mut value = *x * inv;
        if lane > 0 {
            value -= dot_lanes(far.as_chunks::<4>().0, &self.0);
        }
        // the parent last, since it was finished last
        let ancestors = near.to_array();
        for k in 0..OFFSET {
            value -= own[k] * ancestors[k];
        }
        *near = pick_mask(OFFSET).blend(f64x4::splat(value), *near);
        *x = value;
    }
}

/// Scalar product of the lanes of a row with those of a path.
#[inline(always)]
fn dot_lanes(row: &[Lane], path: &[f64x4]) -> f64 {
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
    /// Number of dofs.
    #[inline]
    fn count(&self) -> usize {
        self.index.map_or(self.pattern.nrow(), <[i32]>::len)
    }

    /// One of the dofs.
    #[inline(always)]
    fn dof_at(&self, k: usize) -> usize {
        self.index.map_or(k, |list| list[k] as usize)
    }

    /// The dofs, from first to last.
    #[inline]
    fn dofs(&self) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.count()).map(|k| self.dof_at(k))
    }

    /// Number of ancestors of a dof.
    #[inline(always)]
    fn depth(&self, dof: usize) -> usize {
        (self.pattern.rownnz[dof] as usize).saturating_sub(1)
    }

    /// The row of a dof, and what follows it.
    #[inline(always)]
    fn row(&self, dof: usize) -> &'a [f64] {
        &self.ld[self.pattern.rowadr[dof] as usize..]
    }

    /// Whether a dof at the given depth is a child of the one before it.
    #[inline(always)]
    fn follows_parent(&self, dof: usize, depth: usize) -> bool {
        self.pattern.rownnz[..dof].last() == Some(&(depth as i32))
    }

    /// Whether the dof after one at the given depth is a child of it.
    #[inline(always)]
    fn precedes_child(&self, dof: usize, depth: usize) -> bool {
        self.pattern.rownnz.get(dof + 1) == Some(&(depth as i32 + 2))
    }

    /// `x ← L⁻ᵀ x`. With `SPARSE`, dofs that are zero and stay so are passed over; the numbers are the same.
    #[inline(always)]
    fn solve_transposed<const LANES: usize, const SPARSE: bool>(&self, x: &mut [f64]) {
        let mut taken = Taken([f64x4::ZERO; LANES]);
        let mut left = self.count();
        while left > 0 {
            let dof = self.dof_at(left - 1);
            let depth = self.depth(dof);
            if SPARSE && x[dof] == 0.0 && taken.at(depth) == 0.0 {
                left -= 1;
                continue;
            }
            // code of its own for each of the first lanes
            left -= match (depth / 4, depth % 4) {
                (0, offset) => taken.pass_up(self, x, dof, (0, offset)),
                (1, offset) => taken.pass_up(self, x, dof, (1, offset)),
                (2, offset) => taken.pass_up(self, x, dof, (2, offset)),
                (3, offset) => taken.pass_up(self, x, dof, (3, offset)),
                (lane, offset) => taken.pass_up(self, x, dof, (lane, offset)),
            };
        }
    }

    /// `x ← L⁻¹ D⁻¹ x`, in one pass: all ancestors of a dof come before it.
    #[inline(always)]
    fn solve_lower<const LANES: usize>(&self, x: &mut [f64], diag_inv: &[f64]) {
        let mut path = Path([f64x4::ZERO; LANES]);
        let (mut next, count) = (0, self.count());
        while next < count {
            let dof = self.dof_at(next);
            let depth = self.depth(dof);
            next += match (depth / 4, depth % 4) {
                (0, offset) => path.pass_down(self, (x, diag_inv), dof, (0, offset)),
                (1, offset) => path.pass_down(self, (x, diag_inv), dof, (1, offset)),
                (2, offset) => path.pass_down(self, (x, diag_inv), dof, (2, offset)),
                (3, offset) => path.pass_down(self, (x, diag_inv), dof, (3, offset)),
                (lane, offset) => path.pass_down(self, (x, diag_inv), dof, (lane, offset)),
            };
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
            n if n <= 4 * SHORT => self.whole_by_depth::<SHORT>(x, diag_inv),
            n if n <= 4 * LONG => self.whole_by_depth::<LONG>(x, diag_inv),
            _ => {
                self.solve_transposed_deep(x);
                self.solve_lower_deep(x, diag_inv);
            }
        }
    }

    /// Both passes with lists by depth. A function of its own, since the stack of long lists costs those that
    /// share it.
    #[inline(never)]
    fn whole_by_depth<const LANES: usize>(&self, x: &mut [f64], diag_inv: &[f64]) {
        // the same length everywhere, which is then compared once for each dof
        let n = self.pattern.nrow();
        let Pattern { rownnz, rowadr, colind } = self.pattern;
        let pattern = Pattern::new(&rownnz[..n], &rowadr[..n], colind);
        let (x, diag_inv, this) = (&mut x[..n], &diag_inv[..n], Self { pattern, ..*self });
        this.solve_transposed::<LANES, false>(x);
        this.solve_lower::<LANES>(x, diag_inv);
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
