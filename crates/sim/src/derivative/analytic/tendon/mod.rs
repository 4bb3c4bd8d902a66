//! Tendons, linearized: lengths, forces along them, armature.

pub(super) mod armature;
pub(super) mod force;
pub(super) mod path;
