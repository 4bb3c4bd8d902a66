//! Integrators, linearized: from the derivative of the acceleration to that of the next state.

pub(super) mod damping;
pub(super) mod implicit;
pub(super) mod midpoint;
pub(super) mod step;
