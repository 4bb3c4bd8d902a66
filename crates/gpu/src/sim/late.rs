//! Lagging worlds: those that have made fewer steps than the others, since their buffers could not grow.

use crate::error::GpuError;

/// Worlds that have not made the last steps, since room for them could not be made.
#[derive(Debug)]
pub(crate) struct Late {
    pub(super) worlds: Vec<bool>,
    /// Most steps that one of them has to make, and the controls of these; none where steps overlapped.
    pub(super) owed: Option<(usize, Vec<u8>)>,
    pub(super) cause: GpuError,
}
