//! Newton's matrix `H = M + Jᵀ D J` and its sparse Cholesky factor on supernodes.

pub(super) mod hessian;
mod packed_triangle;
mod panel;
pub(super) mod pattern;
mod supernodes;
