//! In-place Cholesky factorization of nalgebra's dynamic matrices, `M = L Lᵀ`.
//!
//! nalgebra stores columns one after another, which is the layout that the column-wise factorization works
//! on.

use super::cholesky_columns::{chol_columns_solve, factor_blocks};
use nalgebra::{DMatrix, DVector};

/// Why a Cholesky factorization stopped.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum CholeskyError {
    /// A pivot is zero, negative or not a number.
    #[error("matrix is not positive definite: pivot {index} is {value}")]
    NotPositiveDefinite {
        /// Row of the pivot.
        index: usize,
        /// Its value before the square root.
        value: f64,
    },
    /// The matrix is not square.
    #[error("matrix of {0} rows and {1} columns is not square")]
    NotSquare(usize, usize),
}

/// Overwrites the lower triangle of `m` with its Cholesky factor; the strict upper triangle is neither read
/// nor written.
///
/// # Errors
/// When `m` is not square or a pivot is not positive; columns before that pivot are then already overwritten.
pub fn cholesky_in_place(m: &mut DMatrix<f64>) -> Result<(), CholeskyError> {
    let (n, nc) = m.shape();
    if n != nc {
        return Err(CholeskyError::NotSquare(n, nc));
    }
    factor_blocks(m.as_mut_slice(), n, |index, value| {
        // written so that a NaN pivot fails too
        if value > 0.0 { Ok(value.sqrt()) } else { Err(CholeskyError::NotPositiveDefinite { index, value }) }
    })
}

/// Solves `L Lᵀ x = b` in place, with `L` in the lower triangle of `m` as [`cholesky_in_place`] leaves it.
///
/// # Panics
/// When `x` is not as long as `m` has rows.
pub fn cholesky_solve_in_place(m: &DMatrix<f64>, x: &mut DVector<f64>) {
    assert_eq!(m.nrows(), x.len(), "right-hand side has the wrong length");
    chol_columns_solve(x.as_mut_slice(), m.as_slice());
}
