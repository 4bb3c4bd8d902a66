//! Derivatives: of smooth forces with respect to velocity, for the implicit integrators, and of whole steps and inverse
//! dynamics by finite differences.
//!
//! `qDeriv = ∂(qfrc_actuator + qfrc_passive − qfrc_bias)/∂q̇`, on the full pattern of dofs that are related in the tree.
//! A force that acts along a Jacobian `J` and whose magnitude changes with the rate along it by `B` adds `Jᵀ B J`.

mod actuator;
mod bias;
mod fluid;
mod fluid_ellipsoid;
mod inverse;
mod passive;
mod transition;

pub use inverse::InverseJacobians;
pub(crate) use inverse::mjd_inverse_fd;
pub use transition::DerivativeError;
pub(crate) use transition::mjd_transition_fd;

pub(crate) use passive::{damper_slope, dof_damping_slope};

use crate::sleep::awake_lists::Visit;
use kinetree_model::{Data, Model};

/// Computes `qDeriv`. Without `with_bias` the derivative of Coriolis and centrifugal forces, which is not symmetric, is
/// left out.
pub(crate) fn mjd_smooth_vel(model: &Model, data: &mut Data, with_bias: bool) {
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
    passive::add_passive_derivative(model, data);
    if with_bias {
        bias::subtract_bias_derivative(model, data);
    }
}

/// Adds `b jᵢ jₖ` to `qDeriv` for all pairs of entries of a sparse row `j`.
fn add_outer_product(model: &Model, deriv: &mut [f64], values: &[f64], columns: &[i32], b: f64) {
    // a single entry adds to the diagonal only
    if let ([value], [dof]) = (values, columns) {
        let dof = *dof as usize;
        deriv[(model.D_rowadr[dof] + model.D_diag[dof]) as usize] += value * (value * b);
        return;
    }
    for (&value, &dof) in values.iter().zip(columns) {
        add_to_row(model, deriv, dof as usize, values, columns, value * b);
    }
}

/// Adds a multiple of a sparse row to row `dof` of `qDeriv`, where the pattern has the column.
fn add_to_row(model: &Model, deriv: &mut [f64], dof: usize, values: &[f64], columns: &[i32], scale: f64) {
    let start = model.D_rowadr[dof] as usize;
    let range = start..start + model.D_rownnz[dof] as usize;
    let pattern = &model.D_colind[range.clone()];
    let row = &mut deriv[range];
    // both lists are in increasing order
    let mut at = 0;
    for (&value, &column) in values.iter().zip(columns) {
        while at < pattern.len() && pattern[at] < column {
            at += 1;
        }
        if at == pattern.len() {
            return;
        }
        if pattern[at] == column {
            row[at] += value * scale;
        }
    }
}
