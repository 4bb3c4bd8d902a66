//! Primal solvers: Newton and conjugate gradients on accelerations.

pub(super) mod descent;
mod line_search;
mod row_space;
pub(super) mod start;
pub(super) mod vectors;
