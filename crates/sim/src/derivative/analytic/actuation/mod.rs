//! Actuators, linearized: forces, activations, DC motors and transmissions.

pub(super) mod actuator;
pub(super) mod motor;
mod reference_site;
mod slider_crank;
pub(super) mod transmission;
