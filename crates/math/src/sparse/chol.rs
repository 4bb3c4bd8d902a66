//! Reverse sparse Cholesky factorization, `H = Lᵀ L` with lower-triangular `L`, its solution and rank-one
//! updates.
//!
//! Rows are eliminated from last to first, which keeps the fill-in of tree-like matrices small without
//! reordering. The pattern comes from the elimination tree (Davis, "Algorithm 849: a concise sparse Cholesky
//! factorization package", mirrored): the parent of row `i` is the largest column left of its diagonal in
//! `L`, and row `r` reaches every row on the tree paths that start at its neighbours below. A [`SparseChol`]
//! holds the pattern; values are separate, so that several factors can share it.

use super::convert::Transposed;
use super::csr::{Csr, Pattern, pack_rows};
use super::vector::{add_scaled_sparse, dot_sparse};
use crate::MINVAL;
use crate::dense::RankOne;

/// Pattern of a reverse Cholesky factor, with the scratch that factorization and updates need.
#[derive(Debug, Clone, Default)]
pub struct SparseChol {
    rownnz: Vec<i32>,
    rowadr: Vec<i32>,
    colind: Vec<i32>,
    /// for each column of `L`: rows below the diagonal that have it, and where in `L`
    column: Transposed,
    upper: Transposed,
    parent: Vec<i32>,
    flag: Vec<i32>,
    dense: Vec<f64>,
}

impl SparseChol {
    /// Finds the pattern of the factor from the lower triangle of `H`, whose rows contain the diagonal.
    pub fn symbolic(&mut self, h: Pattern) {
        let n = h.nrow();
        self.upper.build(h, n);
        self.parent.clear();
        self.parent.resize(n, -1);
        self.flag.clear();
        self.flag.resize(n, -1);
        self.rownnz.clear();
        self.rownnz.resize(n, 1);
        // columns of L, last to first; each is a list of rows, kept in reverse order of columns for now
        let column = &mut self.column;
        column.colind.clear();
        column.rownnz.clear();
        column.rownnz.resize(n, 0);
        for r in (0..n).rev() {
            let start = column.colind.len();
            self.flag[r] = r as i32;
            for &below in self.upper.row(r).0 {
                let mut i = below as usize;
                // climb until a row that this column has already met
                while i > r && self.flag[i] != r as i32 {
                    self.flag[i] = r as i32;
                    self.rownnz[i] += 1;
                    column.colind.push(i as i32);
                    match self.parent[i] {
                        -1 => {
                            self.parent[i] = r as i32;
                            break;
                        }
                        up => i = up as usize,
                    }
                }
            }
            column.rownnz[r] = (column.colind.len() - start) as i32;
        }
        self.fill(n);
    }

    /// Writes the rows of `L` from its columns, and reverses the list of columns.
    fn fill(&mut self, n: usize) {
        let total = pack_rows(&mut self.rowadr, &self.rownnz);
        self.colind.resize(total, 0);
        let column = &mut self.column;
        column.map.resize(column.colind.len(), 0);
        column.rowadr.clear();
        column.rowadr.resize(n, 0);
        // write position of each row, just before its diagonal; `flag` is free again
        for r in 0..n {
            let diag = self.rowadr[r] + self.rownnz[r] - 1;
            self.colind[diag as usize] = r as i32;
            self.flag[r] = diag;
        }
        let mut adr = 0;
        for r in (0..n).rev() {
            column.rowadr[r] = adr as i32;
            for _ in 0..column.rownnz[r] {
                let cursor = &mut self.flag[column.colind[adr] as usize];
                *cursor -= 1;
                self.colind[*cursor as usize] = r as i32;
                column.map[adr] = *cursor;
                adr += 1;
            }
        }
        self.dense.clear();
        self.dense.resize(n, 0.0);
    }

    /// Pattern of the factor: lower triangle, diagonal last in each row.
    #[inline]
    #[must_use]
    pub fn pattern(&self) -> Pattern<'_> {
        Pattern::new(&self.rownnz, &self.rowadr, &self.colind)
    }

    /// Number of entries of the factor.
    #[inline]
    #[must_use]
    pub fn nnz(&self) -> usize {
        self.colind.len()
    }

    /// Computes the values of the factor of `H` (lower triangle, with the pattern given to
    /// [`symbolic`](Self::symbolic) or a part of it) and returns the rank. A pivot below `mindiag` is
    /// replaced by `mindiag` and lowers the rank by one.
    pub fn factor(&mut self, l: &mut [f64], h: Csr, mindiag: f64) -> usize {
        let n = self.rownnz.len();
        let mut rank = n;
        let pattern = Pattern::new(&self.rownnz, &self.rowadr, &self.colind);
        let dense = self.dense.as_mut_slice();
        for r in (0..n).rev() {
            let (cols, val) = h.row(r);
            for (&c, &v) in cols.iter().zip(val) {
                dense[c as usize] = v;
            }
            // rows below with an entry in column r
            let (rows, below) = self.column.row(r);
            for (&c, &k) in rows.iter().zip(below) {
                let start = self.rowadr[c as usize] as usize;
                let part = start..k as usize + 1;
                let factor = l[k as usize];
                add_scaled_sparse(dense, &l[part.clone()], &self.colind[part], -factor);
            }
            let mut pivot = dense[r];
            if pivot < mindiag {
                pivot = mindiag;
                rank -= 1;
            }
            let root = pivot.sqrt();
            let inv = 1.0 / root;
            let range = pattern.range(r);
            for (&c, out) in self.colind[range.clone()].iter().zip(&mut l[range.clone()]) {
                *out = dense[c as usize] * inv;
                dense[c as usize] = 0.0;
            }
            l[range.end - 1] = root;
        }
        rank
    }

    /// Solves `Lᵀ L x = b` in place.
    pub fn solve(&self, x: &mut [f64], l: &[f64]) {
        let pattern = self.pattern();
        for i in (0..pattern.nrow()).rev() {
            if x[i] == 0.0 {
                continue;
            }
            let range = pattern.range(i);
            let diag = range.end - 1;
            let xi = x[i] / l[diag];
            x[i] = xi;
            let lower = range.start..diag;
            add_scaled_sparse(x, &l[lower.clone()], &self.colind[lower], -xi);
        }
        for i in 0..pattern.nrow() {
            let range = pattern.range(i);
            let diag = range.end - 1;
            let lower = range.start..diag;
            x[i] = (x[i] - dot_sparse(&l[lower.clone()], &self.colind[lower], x)) / l[diag];
        }
    }

    /// Turns the factor of `H` into the factor of `H ± x xᵀ` and returns the rank.
    ///
    /// The pattern must already have room for `x xᵀ`, that is, all indices of `x` lie on one path of the
    /// elimination tree. Only rows of that path are visited. A squared pivot below [`MINVAL`] is replaced by
    /// [`MINVAL`] and lowers the rank by one.
    pub fn update(&mut self, l: &mut [f64], x: &[f64], x_ind: &[i32], sign: RankOne) -> usize {
        let mut rank = self.rownnz.len();
        let Some(&last) = x_ind.last() else { return rank };
        let dense = self.dense.as_mut_slice();
        for (&i, &v) in x_ind.iter().zip(x) {
            dense[i as usize] = v;
        }
        let mut row = last;
        while row >= 0 {
            let r = row as usize;
            row = self.parent[r];
            let xr = core::mem::take(&mut dense[r]);
            if xr == 0.0 {
                continue;
            }
            let start = self.rowadr[r] as usize;
            let diag = start + self.rownnz[r] as usize - 1;
            let old = l[diag];
            let signed = if sign == RankOne::Add { xr } else { -xr };
            let mut square = old * old + signed * xr;
            if square < MINVAL {
                square = MINVAL;
                rank -= 1;
            }
            let root = square.sqrt();
            l[diag] = root;
            let (c, s, s_signed) = (old / root, -xr / root, signed / root);
            for (&j, v) in self.colind[start..diag].iter().zip(&mut l[start..diag]) {
                let d = &mut dense[j as usize];
                let before = *v;
                *v = c * before + s_signed * *d;
                *d = s * before + c * *d;
            }
        }
        debug_assert!(x_ind.iter().all(|&i| dense[i as usize] == 0.0), "x does not fit the pattern");
        rank
    }
}
