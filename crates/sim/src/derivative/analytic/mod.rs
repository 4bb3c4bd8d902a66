//! Analytic derivatives of a step.
//!
//! The acceleration `a` of a step is the root of `g = M a + c − τ − Jᵀ f(J a − aref)`, so that by the
//! implicit function theorem `∂a = −H⁻¹ ∂g` with `H = ∂g/∂a = M + Jᵀ s'' J`, the Hessian of the solver's cost
//! over the active rows. Each file differentiates one part of `g` at fixed acceleration; `step_slope.rs` and
//! `implicit.rs` add what the integrators do, `transition.rs` is forward mode and `adjoint.rs` reverse, with
//! the Euler integrator without matrices (`product_solver.rs`). `docs/derivatives.md` has the notation.

mod actuator;
mod adhesion;
mod adjoint;
mod body_forces;
mod contact;
mod contact_pull;
mod coupling;
mod damping;
mod dense_ltdl;
mod equality;
mod friction;
mod gradient;
mod implicit;
mod inverse;
mod inverse_dynamics;
mod linearize;
mod midpoint;
mod momentum;
mod motion;
mod motor;
mod narrow_slope;
mod parameters;
mod passive;
mod point_motion;
mod product_solver;
mod reference_site;
mod refuse;
mod rows;
mod search_cache;
mod sensor;
mod sensor_force;
mod sensor_space;
mod slider_crank;
mod step_slope;
mod tendon;
mod tendon_armature;
mod tendon_path;
mod tilted;
mod transition;
mod transmission;
mod witness;
mod witness_pull;

pub(crate) use adjoint::{AdjointScratch, step_vjp};
pub(crate) use inverse::mjd_inverse;
pub use parameters::{FieldGradient, field_gradient_size};
pub(crate) use parameters::{FieldScratch, add_field_gradient, begin_field, step_field_vjp};
pub(crate) use transition::{TransitionScratch, mjd_transition};

use kinetree_math::Vec3;
use kinetree_model::{Data, Model};

/// A point carried by a body.
#[derive(Clone, Copy, Debug)]
struct Point {
    body: usize,
    /// In the world.
    pos: Vec3,
    /// From the reference point of the body's spatial vectors.
    offset: Vec3,
}

impl Point {
    fn new(model: &Model, data: &Data, body: usize, pos: &Vec3) -> Self {
        Self { body, pos: *pos, offset: pos - motion::origin(model, data, body) }
    }
}
