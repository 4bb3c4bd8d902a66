//! Cholesky factor stored column by column, `M = L Lᵀ` with `L[i,j]` at `j n + i`.
//!
//! A symmetric matrix reads the same by rows and by columns, so a caller may fill a row-major upper triangle and take it for
//! this layout. Every inner loop then runs over contiguous memory: in the factorization, in both halves of the solution and in the
//! rank-one update, where a row-major factor has strides.

use super::RankOne;
use super::vector::{add_scaled, dot};
use crate::MINVAL;

/// Subtracts from column `j`, diagonal and below, what the columns before it contribute. Returns that part of the column and
/// its first entry, the pivot.
#[inline]
pub(super) fn factor_column(mat: &mut [f64], n: usize, j: usize) -> (&mut [f64], f64) {
    let (done, rest) = mat.split_at_mut(j * n);
    let column = &mut rest[j..n];
    let mut k = 0;
    // four columns per pass over the target
    while k + 4 <= j {
        let c: [&[f64]; 4] = core::array::from_fn(|s| &done[(k + s) * n + j..(k + s + 1) * n]);
        let w: [f64; 4] = core::array::from_fn(|s| c[s][0]);
        for ((((x, a), b), d), e) in column.iter_mut().zip(c[0]).zip(c[1]).zip(c[2]).zip(c[3]) {
            *x -= (w[0] * a + w[1] * b) + (w[2] * d + w[3] * e);
        }
        k += 4;
    }
    while k < j {
        let source = &done[k * n + j..(k + 1) * n];
        add_scaled(column, source, -source[0]);
        k += 1;
    }
    let pivot = column[0];
    (column, pivot)
}

/// Factorizes in place and returns the rank. A pivot below `mindiag` is replaced by `mindiag` and lowers the rank by one.
/// Only entries on and below the diagonal are read and written.
pub fn chol_columns_factor(mat: &mut [f64], n: usize, mindiag: f64) -> usize {
    let mut rank = n;
    for j in 0..n {
        let (column, mut pivot) = factor_column(mat, n, j);
        if pivot < mindiag {
            pivot = mindiag;
            rank -= 1;
        }
        let root = pivot.sqrt();
        let inv = 1.0 / root;
        column[0] = root;
        for x in &mut column[1..] {
            *x *= inv;
        }
    }
    rank
}

/// Solves `L Lᵀ x = b` in place; `x.len()` is the size of the factor.
pub fn chol_columns_solve(x: &mut [f64], mat: &[f64]) {
    let n = x.len();
    for j in 0..n {
        let column = &mat[j * n + j..(j + 1) * n];
        let (head, tail) = x[j..].split_at_mut(1);
        head[0] /= column[0];
        add_scaled(tail, &column[1..], -head[0]);
    }
    for j in (0..n).rev() {
        let column = &mat[j * n + j..(j + 1) * n];
        let (head, tail) = x[j..].split_at_mut(1);
        head[0] = (head[0] - dot(&column[1..], tail)) / column[0];
    }
}

/// Turns the factor of `M` into the factor of `M ± x xᵀ` and returns the rank; `x` is overwritten.
///
/// A squared pivot below [`MINVAL`] is replaced by [`MINVAL`] and lowers the rank by one.
pub fn chol_columns_update(mat: &mut [f64], x: &mut [f64], sign: RankOne) -> usize {
    let n = x.len();
    let mut rank = n;
    for k in 0..n {
        let (head, tail) = x[k..].split_at_mut(1);
        let xk = head[0];
        if xk == 0.0 {
            continue;
        }
        let column = &mut mat[k * n + k..(k + 1) * n];
        let diag = column[0];
        let signed = if sign == RankOne::Add { xk } else { -xk };
        let mut square = diag * diag + signed * xk;
        if square < MINVAL {
            square = MINVAL;
            rank -= 1;
        }
        let root = square.sqrt();
        let (c, c_inv, s, s_signed) = (root / diag, diag / root, xk / diag, signed / diag);
        column[0] = root;
        for (l, xi) in column[1..].iter_mut().zip(tail) {
            *l = (*l + s_signed * *xi) * c_inv;
            *xi = c * *xi - s * *l;
        }
    }
    rank
}
