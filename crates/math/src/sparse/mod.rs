//! Sparse linear algebra on compressed rows.
//!
//! A matrix is four arrays as in MuJoCo: `rownnz` (entries of each row), `rowadr` (where each row begins),
//! `colind` (columns, increasing within a row) and the values. Rows need not be adjacent. [`Pattern`] and
//! [`Csr`] borrow such arrays, [`CsrBuf`] owns them. Kernels trust the pattern: one that points outside its
//! arrays panics, it never reads elsewhere.
//!
//! ```
//! use kinetree_math::sparse::{CsrBuf, dense_to_sparse, sparse_to_dense};
//!
//! let (dense, mut sparse, mut back) = ([0.0, 2.0, 3.0, 0.0], CsrBuf::default(), [0.0; 4]);
//! dense_to_sparse(&mut sparse, &dense, 2, 2);
//! assert_eq!((&sparse.colind[..], &sparse.val[..]), (&[1, 0][..], &[2.0, 3.0][..]));
//! sparse_to_dense(&mut back, sparse.view(), 2);
//! assert_eq!(back, dense);
//! ```

mod chol;
mod convert;
mod csr;
mod ltdl;
mod ltdl_delassus;
mod ltdl_lockstep;
mod ltdl_rows;
mod ltdl_solve;
mod ltdl_solve_lockstep;
mod lu;
mod map;
mod product;
mod product_lockstep;
mod square;
mod vector;

pub use chol::SparseChol;
pub use convert::{Transposed, dense_to_sparse, sparse_to_dense, transpose};
pub use csr::{Csr, CsrBuf, Pattern};
pub use ltdl::ltdl_factor;
pub use ltdl_delassus::DelassusBuilder;
pub use ltdl_lockstep::{LOCKSTEP_LONGEST_ROW, ltdl_factor_lockstep};
pub use ltdl_rows::{Factor, LtdlFactorizer};
pub use ltdl_solve::{ltdl_solve, ltdl_solve_half, ltdl_solve_many};
pub use ltdl_solve_lockstep::ltdl_solve_lockstep;
pub use lu::{LuError, lu_factor, lu_solve};
pub use map::{find_supernodes, sparse_map};
pub use product::{mul_mat_t_vec, mul_mat_vec, mul_sym_vec};
pub use product_lockstep::mul_sym_vec_lockstep;
pub use square::SquareBuilder;
pub use vector::{
    add_scaled_common, add_scaled_sparse, combine, combine_count, dot_sparse, dot_sparse_rows, gather,
    gather_masked, scatter,
};
