//! The longest array of a model.

/// Longest array: its length must fit an integer of the reference with room for small factors.
pub(crate) const MAX_LENGTH: usize = i32::MAX as usize / 4;
