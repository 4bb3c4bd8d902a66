//! Factorization `A = (U + I) L` of a non-symmetric matrix with a symmetric pattern over a forest, as
//! implicit integration needs it.
//!
//! Row `i` holds the ancestors and the descendants of dof `i`. Eliminating from the last dof to the first
//! creates no fill-in, so `L` (lower triangle with diagonal) and `U` (strict upper triangle) replace `A` in
//! place. The rows that dof `i` touches are exactly its ancestors, which are the columns left of the diagonal
//! in its own row.

use super::csr::Pattern;
use super::vector::{add_scaled_common, dot_sparse};
use crate::MINVAL;
use crate::dense::add_scaled;

/// Why a sparse LU factorization stopped.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum LuError {
    /// A row has no diagonal entry, or its pattern is not that of a forest.
    #[error("row {0} does not have the pattern of a tree")]
    Structure(usize),
    /// A pivot is too small to divide by.
    #[error("pivot {index} of the sparse LU factorization is {value}")]
    SmallPivot {
        /// Row of the pivot.
        index: usize,
        /// Its value.
        value: f64,
    },
}

/// Factorizes in place. `remaining` is scratch with room for one number per row; `index`, if given, lists the
/// rows to treat, increasing, and must contain whole trees.
///
/// # Errors
/// When a pivot has a magnitude below [`MINVAL`] or the pattern is not that of a forest.
pub fn lu_factor(
    lu: &mut [f64],
    remaining: &mut [i32],
    pattern: Pattern,
    index: Option<&[i32]>,
) -> Result<(), LuError> {
    let n = index.map_or(pattern.nrow(), <[i32]>::len);
    let row_at = |k: usize| index.map_or(k, |list| list[k] as usize);
    for k in 0..n {
        remaining[row_at(k)] = pattern.rownnz[row_at(k)];
    }
    for k in (0..n).rev() {
        let i = row_at(k);
        // all columns right of the diagonal are done, so the diagonal is the last that remains
        remaining[i] -= 1;
        if remaining[i] < 0 {
            return Err(LuError::Structure(i));
        }
        let start_i = pattern.rowadr[i] as usize;
        let diag = start_i + remaining[i] as usize;
        if pattern.colind[diag] as usize != i {
            return Err(LuError::Structure(i));
        }
        let pivot = lu[diag];
        // written so that a NaN pivot fails too
        if pivot.abs() >= MINVAL {
            for a in (start_i..diag).rev() {
                let j = pattern.colind[a] as usize;
                eliminate(lu, remaining, pattern, start_i..diag, i, j, pivot)?;
            }
        } else {
            return Err(LuError::SmallPivot { index: i, value: pivot });
        }
    }
    Ok(())
}

/// Divides entry `(j, i)` by the pivot and subtracts its multiple of row `i` from the rest of row `j`.
#[inline]
fn eliminate(
    lu: &mut [f64],
    remaining: &mut [i32],
    pattern: Pattern,
    row_i: core::ops::Range<usize>,
    i: usize,
    j: usize,
    pivot: f64,
) -> Result<(), LuError> {
    let start_j = pattern.rowadr[j] as usize;
    remaining[j] -= 1;
    if remaining[j] < 0 {
        return Err(LuError::Structure(j));
    }
    let ji = start_j + remaining[j] as usize;
    if pattern.colind[ji] as usize != i || start_j >= row_i.start {
        return Err(LuError::Structure(j));
    }
    let (above, rest) = lu.split_at_mut(row_i.start);
    let source = &rest[..row_i.len()];
    let source_cols = &pattern.colind[row_i];
    let factor = above[ji] / pivot;
    above[ji] = factor;
    let target = &mut above[start_j..ji];
    let target_cols = &pattern.colind[start_j..ji];
    let n = source_cols.len();
    if n <= target_cols.len() && source_cols == &target_cols[..n] {
        // along a chain the columns agree: one contiguous multiply-add
        add_scaled(target, source, -factor);
    } else if add_scaled_common(target, target_cols, source, source_cols, -factor) != n {
        // row j has no entry in a column of row i
        return Err(LuError::Structure(j));
    }
    Ok(())
}

/// Solves `(U + I) L x = b` in place; `diag[i]` is the position of the diagonal within row `i`.
pub fn lu_solve(x: &mut [f64], lu: &[f64], pattern: Pattern, diag: &[i32], index: Option<&[i32]>) {
    let n = index.map_or(pattern.nrow(), <[i32]>::len);
    let row_at = |k: usize| index.map_or(k, |list| list[k] as usize);
    for k in (0..n).rev() {
        let i = row_at(k);
        let range = pattern.range(i);
        let upper = range.start + diag[i] as usize + 1..range.end;
        if !upper.is_empty() {
            x[i] -= dot_sparse(&lu[upper.clone()], &pattern.colind[upper], x);
        }
    }
    for k in 0..n {
        let i = row_at(k);
        let start = pattern.rowadr[i] as usize;
        let end = start + diag[i] as usize;
        let lower = dot_sparse(&lu[start..end], &pattern.colind[start..end], x);
        x[i] = (x[i] - lower) / lu[end];
    }
}
