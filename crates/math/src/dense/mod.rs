//! Dense linear algebra on slices and on nalgebra's dynamic matrices.
//!
//! Slices hold matrices row by row. Two Cholesky families live here: [`cholesky_in_place`] for `DMatrix`, on
//! a factor stored column by column, and the `chol_*` functions with MuJoCo's row-major lower triangle and
//! its clamping of small pivots.
//!
//! ```
//! use kinetree_math::dense::{chol_factor, chol_solve};
//!
//! let (mut matrix, mut x) = ([4.0, 2.0, 2.0, 3.0], [6.0, 5.0]);
//! assert_eq!(chol_factor(&mut matrix, 2, 0.0), 2, "the rank");
//! chol_solve(&mut x, &matrix);
//! assert!(x.iter().all(|x| (x - 1.0).abs() < 1e-12));
//! ```

mod cholesky;
mod cholesky_columns;
mod cholesky_rows;
mod jacobi;
mod matrix;
mod solve3;
mod vector;

pub use cholesky::{CholeskyError, cholesky_in_place, cholesky_solve_in_place};
pub use cholesky_rows::{chol_factor, chol_solve, chol_update};
pub use jacobi::jacobi_eigen;
pub use matrix::{
    identity, mul_mat_mat, mul_mat_mat_t, mul_mat_t_mat, mul_mat_t_vec, mul_mat_vec, mul_vec_mat_vec,
    sqr_mat_td, sqr_mat_td_lower, symmetrize, transpose,
};
pub use solve3::solve3;
pub use vector::{add_scaled, add_to, dot, l1_norm, norm, normalize, scale, scale_add, sub_from, sum};

/// Sign of a rank-one update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RankOne {
    /// Add `x xᵀ`.
    Add,
    /// Subtract `x xᵀ`.
    Subtract,
}
