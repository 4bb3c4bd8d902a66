//! Cholesky factor in the lower triangle of a row-major matrix, `M = L Lᵀ`, with MuJoCo's treatment of small
//! pivots.

use super::RankOne;
use super::vector::{add_scaled, dot};
use crate::MINVAL;

/// Factorizes in place and returns the rank. A pivot below `mindiag` is replaced by `mindiag` and lowers the
/// rank by one. The strict upper triangle is neither read nor written.
pub fn chol_factor(mat: &mut [f64], n: usize, mindiag: f64) -> usize {
    let mut rank = n;
    // column by column, so that each needs one division
    for j in 0..n {
        let (above, below) = mat.split_at_mut((j + 1) * n);
        let row = &mut above[j * n..j * n + j + 1];
        let (done, diag) = row.split_at_mut(j);
        let mut pivot = diag[0] - dot(done, done);
        if pivot < mindiag {
            pivot = mindiag;
            rank -= 1;
        }
        diag[0] = pivot.sqrt();
        let inv = 1.0 / diag[0];
        for other in below.chunks_exact_mut(n).take(n - j - 1) {
            other[j] = (other[j] - dot(&other[..j], done)) * inv;
        }
    }
    rank
}

/// Solves `L Lᵀ x = b` in place; `x.len()` is the size of the factor.
pub fn chol_solve(x: &mut [f64], mat: &[f64]) {
    let n = x.len();
    for i in 0..n {
        let row = &mat[i * n..i * n + i + 1];
        let (done, todo) = x.split_at_mut(i);
        todo[0] = (todo[0] - dot(&row[..i], done)) / row[i];
    }
    for i in (0..n).rev() {
        let row = &mat[i * n..i * n + i + 1];
        let (before, rest) = x.split_at_mut(i);
        rest[0] /= row[i];
        add_scaled(before, &row[..i], -rest[0]);
    }
}

/// Turns the factor of `M` into the factor of `M ± x xᵀ` and returns the rank; `x` is overwritten.
///
/// A squared pivot below [`MINVAL`] is replaced by [`MINVAL`] and lowers the rank by one.
pub fn chol_update(mat: &mut [f64], x: &mut [f64], sign: RankOne) -> usize {
    let n = x.len();
    let mut rank = n;
    for k in 0..n {
        let xk = x[k];
        if xk == 0.0 {
            continue;
        }
        let diag = mat[k * (n + 1)];
        let signed = if sign == RankOne::Add { xk } else { -xk };
        let mut square = diag * diag + signed * xk;
        if square < MINVAL {
            square = MINVAL;
            rank -= 1;
        }
        let root = square.sqrt();
        let (c, c_inv, s, s_signed) = (root / diag, diag / root, xk / diag, signed / diag);
        mat[k * (n + 1)] = root;
        for i in k + 1..n {
            let l = (mat[i * n + k] + s_signed * x[i]) * c_inv;
            mat[i * n + k] = l;
            x[i] = c * x[i] - s * l;
        }
    }
    rank
}
