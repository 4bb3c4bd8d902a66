//! Sensors, linearized.

mod force;
mod frame;
pub(super) mod rows;
mod space;
mod write;
