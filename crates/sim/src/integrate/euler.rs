//! Semi-implicit Euler, with the dampers of joints taken implicitly.
//!
//! `(M + h B) q̈ = f`, where `B` is the diagonal of damping slopes; without dampers this is `q̈` as solved. New velocities
//! then move the positions.

use super::{Rates, advance};
use crate::damped_inertia::{factor_damped_inertia, has_implicit_damping};
use crate::inertia::mass_matrix::m_pattern;
use crate::sleep::awake_lists::Visit;
use kinetree_math::sparse::ltdl_solve;
use kinetree_model::StepError;
use kinetree_model::{Data, Model};

/// Advances by one step of the semi-implicit Euler method.
///
/// # Errors
/// When a sensor that must be computed for its history cannot be.
pub(crate) fn mj_euler(model: &Model, data: &mut Data) -> Result<(), StepError> {
    euler_step(model, data, false)
}

/// The step; with `keep_factor` the damped inertia in `qH` is factored already, in this step or the one before.
pub(crate) fn euler_step(model: &Model, data: &mut Data, keep_factor: bool) -> Result<(), StepError> {
    let mut qacc = data.scratch.take_f64(model.nv);
    if has_implicit_damping(model, data) {
        damped_acceleration(model, data, keep_factor, &mut qacc);
    } else {
        qacc.copy_from_slice(&data.qacc);
    }
    let result = advance(model, data, Rates { act_dot: None, qacc: &qacc, qvel: None });
    data.scratch.give_f64(qacc);
    result
}

/// Acceleration with implicit dampers.
fn damped_acceleration(model: &Model, data: &mut Data, keep_factor: bool, qacc: &mut [f64]) {
    let dofs = Visit::dofs(model, data);
    for k in 0..dofs.count {
        let dof = dofs.at(&data.dof_awake_ind, k);
        qacc[dof] = data.qfrc_smooth[dof] + data.qfrc_constraint[dof];
    }
    if !keep_factor {
        factor_damped_inertia(model, data, dofs);
    }
    let awake = dofs.filtered.then(|| &data.dof_awake_ind[..dofs.count]);
    ltdl_solve(qacc, &data.qH, &data.qHDiagInv, m_pattern(model), awake);
}
