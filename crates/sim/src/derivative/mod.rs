//! Derivatives: of smooth forces with respect to velocity, for the implicit integrators (`velocity/`); of
//! whole steps and of inverse dynamics, analytic (`analytic/`) and by finite differences (`finite/`).

mod analytic;
pub(crate) mod error;
mod finite;
mod jet;
mod memory;
mod reverse;
mod smooth_contacts;
pub(crate) mod velocity;

pub use analytic::{FieldGradient, field_gradient_size};
pub(crate) use analytic::{mjd_inverse, mjd_transition, mjd_transition_fields};
pub use error::DerivativeError;
pub use finite::inverse::InverseJacobians;
pub(crate) use finite::inverse::mjd_inverse_fd;
pub(crate) use finite::transition::mjd_transition_fd;
pub(crate) use memory::DerivativeMemory;
pub(crate) use reverse::{rollout_vjp, rollout_vjp_watched, step_field_vjp, step_jvp, step_vjp};
pub use smooth_contacts::smooth_contacts;
