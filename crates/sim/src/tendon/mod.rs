//! Tendons: lengths and Jacobians of fixed and spatial tendons, and their paths around geoms.

pub(crate) mod lengths;
pub(crate) mod wrap;
