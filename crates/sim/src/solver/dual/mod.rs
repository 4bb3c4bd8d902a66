//! Dual solvers: projected Gauss–Seidel on constraint forces, and noslip iterations.

pub(super) mod matrix;
pub(super) mod noslip;
pub(super) mod pgs;
mod pgs_push;
pub(super) mod scratch;
pub(super) mod start;
