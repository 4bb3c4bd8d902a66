//! Symmetric matrices that are a band with a few dense rows at the end ("arrowhead"), and their Cholesky
//! factorization.
//!
//! The first `ntotal − ndense` rows store `nband` numbers each: the diagonal last, and left of it its
//! neighbours (an entry left of column zero is unused). The last `ndense` rows store `ntotal` numbers each,
//! of which those up to the diagonal are used. The factor has the same pattern.
//!
//! ```
//! use kinetree_math::band::Band;
//!
//! // a tridiagonal matrix with 2 on the diagonal and -1 beside it
//! let band = Band::new(3, 2, 0);
//! let mut matrix = [0.0, 2.0, -1.0, 2.0, -1.0, 2.0];
//! let mut x = [1.0, 0.0, 1.0];
//! assert!(band.chol_factor(&mut matrix, 0.0, 0.0) > 0.0);
//! band.chol_solve(&mut x, &matrix);
//! assert!(x.iter().all(|x| (x - 1.0).abs() < 1e-12));
//! ```

use crate::MINVAL;
use crate::dense::{add_scaled, dot};
use std::ops::Range;

/// Sizes of a band matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Band {
    /// Rows and columns.
    pub ntotal: usize,
    /// Width of the band, diagonal included.
    pub nband: usize,
    /// Dense rows at the end.
    pub ndense: usize,
}

impl Band {
    /// Sizes of a matrix with `ntotal` rows, the last `ndense` of them dense, and a band of width `nband`.
    #[must_use]
    pub fn new(ntotal: usize, nband: usize, ndense: usize) -> Self {
        debug_assert!(ndense <= ntotal);
        Self { ntotal, nband, ndense }
    }

    /// Number of band rows.
    #[inline]
    #[must_use]
    pub fn nsparse(&self) -> usize {
        self.ntotal - self.ndense
    }

    /// Numbers that the matrix stores.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.nsparse() * self.nband + self.ndense * self.ntotal
    }

    /// Whether there is nothing to store.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Index of diagonal entry `i`, which a band of no width does not have.
    #[inline]
    #[must_use]
    pub fn diag(&self, i: usize) -> usize {
        let nsparse = self.nsparse();
        if i < nsparse {
            (i + 1) * self.nband - 1
        } else {
            nsparse * self.nband + (i - nsparse) * self.ntotal + i
        }
    }

    /// First column that row `i` stores.
    #[inline]
    #[must_use]
    pub fn first_col(&self, i: usize) -> usize {
        if i < self.nsparse() { (i + 1).saturating_sub(self.nband) } else { 0 }
    }

    /// Where the lower part of row `i` lies, from its first stored column to the diagonal; it is empty where
    /// the band has no width.
    #[inline]
    fn stored(&self, i: usize) -> Range<usize> {
        let sparse = i < self.nsparse();
        let end = if sparse { (i + 1) * self.nband } else { self.diag(i) + 1 };
        end - (i + 1 - self.first_col(i))..end
    }

    /// Lower part of row `i`, from its first stored column to the diagonal.
    #[inline]
    fn row<'a>(&self, mat: &'a [f64], i: usize) -> &'a [f64] {
        &mat[self.stored(i)]
    }

    /// Copies the lower part of the row into a row-major matrix, and into the upper part as well if
    /// `symmetric`.
    pub fn to_dense(&self, res: &mut [f64], mat: &[f64], symmetric: bool) {
        let n = self.ntotal;
        res[..n * n].fill(0.0);
        for i in 0..n {
            let first = self.first_col(i);
            let row = self.row(mat, i);
            res[i * n + first..=i * n + i].copy_from_slice(row);
            if symmetric {
                for (j, &x) in (first..i).zip(row) {
                    res[j * n + i] = x;
                }
            }
        }
    }

    /// Takes what the pattern has room for from the lower triangle of a row-major matrix; unused entries of
    /// `res` stay as they are.
    pub fn from_dense(&self, res: &mut [f64], mat: &[f64]) {
        let n = self.ntotal;
        for i in 0..n {
            res[self.stored(i)].copy_from_slice(&mat[i * n + self.first_col(i)..=i * n + i]);
        }
    }

    /// `res = mat vec` for each vector of `ntotal` numbers in `vec`. With `symmetric` the matrix is the one
    /// that the lower triangle stands for, otherwise the lower triangle itself.
    pub fn mul_mat_vec(&self, res: &mut [f64], mat: &[f64], vec: &[f64], symmetric: bool) {
        let n = self.ntotal.max(1);
        for (out, v) in res.chunks_exact_mut(n).zip(vec.chunks_exact(n)) {
            for i in 0..self.ntotal {
                let first = self.first_col(i);
                let row = self.row(mat, i);
                out[i] = dot(row, &v[first..=i]);
                if symmetric {
                    add_scaled(&mut out[first.min(i)..i], row, v[i]);
                }
            }
        }
    }

    /// Replaces the matrix by its Cholesky factor after adding `diagadd + diagmul · mat[i,i]` to each
    /// diagonal entry. Returns the smallest squared pivot, or zero as soon as one is below [`MINVAL`]; the
    /// factor is then incomplete.
    pub fn chol_factor(&self, mat: &mut [f64], diagadd: f64, diagmul: f64) -> f64 {
        let mut smallest = -1.0;
        let nsparse = self.nsparse();
        if self.nband == 0 && nsparse > 0 {
            return 0.0;
        }
        // column by column, so that each needs one division
        for j in 0..self.ntotal {
            let (first, diag) = (self.first_col(j), self.diag(j));
            let (above, below) = mat.split_at_mut(diag + 1);
            let (done, last) = above[diag + first - j..].split_at_mut(j - first);
            let pivot = diagadd + diagmul * last[0] + last[0] - dot(done, done);
            if pivot < smallest || smallest < 0.0 {
                smallest = pivot;
            }
            // written so that a NaN pivot fails too
            if pivot >= MINVAL {
                last[0] = pivot.sqrt();
            } else {
                return 0.0;
            }
            let inv = 1.0 / last[0];
            let band_end = if j < nsparse { nsparse.min(j + self.nband) } else { j + 1 };
            for i in (j + 1..band_end).chain(nsparse.max(j + 1)..self.ntotal) {
                // entry (i, j), and as many to the left of it as both rows have
                let ij = self.diag(i) - (i - j) - (diag + 1);
                let overlap = (j - first).min(j - self.first_col(i));
                let left = dot(&below[ij - overlap..ij], &done[j - first - overlap..]);
                below[ij] = (below[ij] - left) * inv;
            }
        }
        smallest
    }

    /// Solves `L Lᵀ x = b` in place with the factor from [`chol_factor`](Self::chol_factor).
    pub fn chol_solve(&self, x: &mut [f64], factor: &[f64]) {
        for i in 0..self.ntotal {
            let first = self.first_col(i);
            let row = self.row(factor, i);
            let (done, todo) = x.split_at_mut(i);
            todo[0] = (todo[0] - dot(row, &done[first..])) / row[i - first];
        }
        for i in (0..self.ntotal).rev() {
            let first = self.first_col(i);
            let row = self.row(factor, i);
            let (before, rest) = x.split_at_mut(i);
            rest[0] /= row[i - first];
            add_scaled(&mut before[first..], row, -rest[0]);
        }
    }
}
