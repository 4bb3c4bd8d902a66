//! Kinematics: where bodies are, how they move, and the Jacobians between joint and world coordinates.

pub(crate) mod camlight;
pub(crate) mod centers;
pub(crate) mod chain;
pub(crate) mod chain_jacobian;
pub(crate) mod jacobian;
pub(crate) mod poses;
pub(crate) mod velocity;
