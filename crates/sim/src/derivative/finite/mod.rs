//! Derivatives by finite differences.

pub(super) mod inverse;
pub(super) mod transition;
