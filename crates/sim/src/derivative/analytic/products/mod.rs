//! Vector–Jacobian products of a step, with respect to its inputs and to fields of the model.

pub(super) mod adjoint;
pub(super) mod fields;
pub(super) mod jacobian;
mod solver;
