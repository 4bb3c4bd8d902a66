//! Lagging worlds: those that have made fewer steps than the others, since their buffers could not grow.

use crate::error::GpuError;

/// Worlds that have not made the last steps, since room for them could not be made.
#[derive(Debug)]
pub(crate) struct Late {
    pub(super) worlds: Vec<bool>,
    /// Most steps that one of them has to make, and the controls of these; none where steps overlapped.
    pub(super) owed: Option<(usize, Owed)>,
    pub(super) cause: GpuError,
}

/// Controls of steps that are still to be made.
#[derive(Clone, Debug)]
pub(super) enum Owed {
    /// These, as the device has them.
    Controls(Vec<u8>),
    /// What the tensor of controls has then: nobody else knows what it had.
    OfTensor,
}
