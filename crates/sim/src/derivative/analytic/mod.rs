//! Analytic derivatives of a step.
//!
//! The acceleration `a` of a step is the root of `g = M a + c − τ − Jᵀ f(J a − aref)`, so that by the
//! implicit function theorem `∂a = −H⁻¹ ∂g` with `H = ∂g/∂a = M + Jᵀ s'' J`, the Hessian of the solver's cost
//! over the active rows. Each file or folder differentiates one part of `g` at fixed acceleration, and
//! `linearize.rs` adds them up; `integrator/` has what the integrators do, `transition.rs` is forward mode,
//! `products/` reverse mode, mostly without matrices. `docs/derivatives.md` has the notation.

mod actuation;
mod body_forces;
mod contact;
mod coupling;
mod dense_ltdl;
mod equality;
mod evaluated;
mod gradient;
mod integrator;
mod inverse;
mod inverse_dynamics;
mod linearize;
mod momentum;
mod motion;
mod passive;
mod point_motion;
mod products;
mod refuse;
mod rows;
mod sensor;
mod tendon;
mod transition;

pub(crate) use inverse::mjd_inverse;
pub(crate) use products::adjoint::{AdjointScratch, PulledStep, pull_step};
pub use products::fields::{FieldGradient, field_gradient_size};
pub(crate) use products::fields::{FieldScratch, add_field_gradient, begin_field};
pub(crate) use products::jacobian::mjd_transition_fields;
pub(crate) use transition::{TransitionScratch, mjd_transition};
