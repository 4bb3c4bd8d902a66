//! Smooth forces: bias, passive and fluid forces, and the energies that belong to them.

pub(crate) mod bias;
pub(crate) mod energy;
pub(crate) mod fluid;
pub(crate) mod passive;
