//! Derivatives of smooth forces with respect to velocity, for the implicit integrators.
//!
//! `qDeriv = ∂(qfrc_actuator + qfrc_passive − qfrc_bias)/∂q̇`, on the full pattern of dofs that are related
//! in the tree. A force that acts along a Jacobian `J` and whose magnitude changes with the rate along it by
//! `B` adds `Jᵀ B J`.

pub(super) mod actuator;
mod bias;
pub(super) mod fluid;
mod fluid_curvature;
mod fluid_ellipsoid;
pub(crate) mod passive;
mod sparse_row;

use crate::sleep::awake_lists::Visit;
use kinetree_model::{Data, Model};

/// Working memory of [`mjd_smooth_vel`].
#[derive(Default)]
pub(crate) struct DerivativeScratch {
    bias: bias::BodyRows,
    fluid: fluid::LocalJacobian,
}

/// Computes `qDeriv`. Without `with_bias` the derivative of Coriolis and centrifugal forces, which is not
/// symmetric, is left out.
pub(crate) fn mjd_smooth_vel(
    model: &Model,
    data: &mut Data,
    scratch: &mut DerivativeScratch,
    with_bias: bool,
) {
    let dofs = Visit::dofs(model, data);
    if dofs.filtered {
        for &dof in &data.dof_awake_ind[..dofs.count] {
            let row = model.D_rowadr[dof as usize] as usize;
            data.qDeriv[row..row + model.D_rownnz[dof as usize] as usize].fill(0.0);
        }
    } else {
        data.qDeriv.fill(0.0);
    }
    actuator::add_actuator_derivative(model, data);
    passive::add_passive_derivative(model, data, &mut scratch.fluid);
    if with_bias {
        bias::subtract_bias_derivative(model, data, &mut scratch.bias);
    }
}

/// Forces whose velocity derivative can be added by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VelocityPart {
    /// Those of actuators.
    Actuators,
    /// Passive ones.
    Passive,
    /// Coriolis and centrifugal forces, which are subtracted.
    Bias,
}

/// Adds the derivative of some forces to `qDeriv`.
pub(crate) fn add_velocity_part(model: &Model, data: &mut Data, part: VelocityPart) {
    let mut scratch = DerivativeScratch::default();
    match part {
        VelocityPart::Actuators => actuator::add_actuator_derivative(model, data),
        VelocityPart::Passive => passive::add_passive_derivative(model, data, &mut scratch.fluid),
        VelocityPart::Bias => bias::subtract_bias_derivative(model, data, &mut scratch.bias),
    }
}
