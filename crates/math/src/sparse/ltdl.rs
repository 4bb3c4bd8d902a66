//! Factorization `M = Lᵀ D L` of a matrix over a forest, such as the joint-space inertia.
//!
//! Entry `(i, j)` is non-zero only if dof `j` is dof `i` or an ancestor of it. Row `i` holds the ancestors of `i` in increasing order and `i` itself
//! last, so the row of an ancestor is a prefix of the row of each descendant. Eliminating from the last dof to the first
//! then creates no fill-in (Featherstone, "Efficient factorization of the joint-space inertia matrix for branched kinematic trees"), and
//! every update is one contiguous multiply-add. `ld` receives `D` on the diagonal and the strict lower part of `L`, whose own diagonal is one.
//!
//! An optional `index` lists the dofs to treat, increasing; it must contain whole trees.

use super::csr::Pattern;
use super::vector::{add_scaled_sparse, dot_sparse};
use crate::dense::{add_scaled, scale};

/// Dofs from first to last: those of the list, or all.
#[inline]
fn dof_at(index: Option<&[i32]>, k: usize) -> usize {
    index.map_or(k, |list| list[k] as usize)
}

#[inline]
fn dof_count(pattern: Pattern, index: Option<&[i32]>) -> usize {
    index.map_or(pattern.nrow(), <[i32]>::len)
}

/// Factorizes in place: `ld` holds the lower triangle of `M` and receives `L` and `D`, `diag_inv` the inverse of `D`.
///
/// Pivots are not checked: a matrix that is not positive definite gives a `D` with entries that are not positive.
pub fn ltdl_factor(ld: &mut [f64], diag_inv: &mut [f64], pattern: Pattern, index: Option<&[i32]>) {
    let mut left = dof_count(pattern, index);
    while left > 0 {
        let k = dof_at(index, left - 1);
        let range = pattern.range(k);
        let cols = &pattern.colind[range.clone()];
        let (above, rest) = ld.split_at_mut(range.start);
        let row = &mut rest[..range.len()];
        let Some(depth) = row.len().checked_sub(1) else {
            left -= 1;
            continue;
        };
        let inv = 1.0 / row[depth];
        diag_inv[k] = inv;
        // a dof and its parent right before it update their common ancestors together
        if depth > 0 && cols[depth - 1] as usize + 1 == k {
            let parent_start = pattern.rowadr[k - 1] as usize;
            let (above, parent_row) = above.split_at_mut(parent_start);
            let parent_row = &mut parent_row[..depth];
            add_scaled(parent_row, &row[..depth], -row[depth - 1] * inv);
            let parent_inv = 1.0 / parent_row[depth - 1];
            diag_inv[k - 1] = parent_inv;
            for (a, &i) in cols[..depth - 1].iter().enumerate().rev() {
                let start = pattern.rowadr[i as usize] as usize;
                let (p, q) = (row[a] * inv, parent_row[a] * parent_inv);
                let target = &mut above[start..start + a + 1];
                for ((t, x), y) in target.iter_mut().zip(&row[..=a]).zip(&parent_row[..=a]) {
                    *t -= p * x + q * y;
                }
            }
            scale(&mut row[..depth], inv);
            scale(&mut parent_row[..depth - 1], parent_inv);
            left -= 2;
        } else {
            for (a, &i) in cols[..depth].iter().enumerate().rev() {
                let start = pattern.rowadr[i as usize] as usize;
                add_scaled(&mut above[start..start + a + 1], &row[..=a], -row[a] * inv);
            }
            scale(&mut row[..depth], inv);
            left -= 1;
        }
    }
}

/// `x ← L⁻ᵀ x`.
#[inline]
fn solve_transposed(x: &mut [f64], ld: &[f64], pattern: Pattern, index: Option<&[i32]>) {
    for k in (0..dof_count(pattern, index)).rev() {
        let i = dof_at(index, k);
        let range = pattern.range(i);
        let xi = x[i];
        if range.len() <= 1 || xi == 0.0 {
            continue;
        }
        let lower = range.start..range.end - 1;
        add_scaled_sparse(x, &ld[lower.clone()], &pattern.colind[lower], -xi);
    }
}

/// Solves `Lᵀ D L x = b` in place.
pub fn ltdl_solve(x: &mut [f64], ld: &[f64], diag_inv: &[f64], pattern: Pattern, index: Option<&[i32]>) {
    solve_transposed(x, ld, pattern, index);
    // D and L in one pass: all ancestors of a dof come before it
    for k in 0..dof_count(pattern, index) {
        let i = dof_at(index, k);
        let range = pattern.range(i);
        let mut xi = x[i] * diag_inv[i];
        if range.len() > 1 {
            let lower = range.start..range.end - 1;
            xi -= dot_sparse(&ld[lower.clone()], &pattern.colind[lower], x);
        }
        x[i] = xi;
    }
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
    solve_transposed(x, ld, pattern, None);
    for (xi, s) in x.iter_mut().zip(sqrt_inv_d) {
        *xi *= s;
    }
}
