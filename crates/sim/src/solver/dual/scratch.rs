//! Working memory of the dual solvers.

use super::pgs_push::PushScratch;

/// Working memory of the dual solvers.
#[derive(Debug, Default)]
pub(crate) struct DualScratch {
    /// Inverse diagonal of the matrix.
    pub diag_inv: Vec<f64>,
    /// Addresses of the diagonal in the matrix.
    pub diag_adr: Vec<usize>,
    /// Diagonal blocks of the elliptic contacts, row by row, one after the other.
    pub cone_blocks: Vec<f64>,
    /// `J qacc − aref` of the previous acceleration.
    pub jaref: Vec<f64>,
    pub push: PushScratch,
}
