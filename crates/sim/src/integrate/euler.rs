//! Semi-implicit Euler, with the dampers of joints taken implicitly.
//!
//! `(M + h B) q̈ = f`, where `B` is the diagonal of damping derivatives; without dampers this is `q̈` as
//! solved. New velocities then move the positions.

use super::{Rates, advance};
use crate::damped_inertia::{DampedInertia, factor_damped_inertia, has_implicit_damping};
use crate::sleep::awake_lists::Visit;
use crate::stage_memory::StageMemory;
use kinetree_model::StepError;
use kinetree_model::{Data, Model};

/// Advances by one step of the semi-implicit Euler method; `qacc` is working memory.
///
/// # Errors
/// When a sensor that must be computed for its history cannot be.
pub(crate) fn mj_euler(
    model: &Model,
    data: &mut Data,
    qacc: &mut Vec<f64>,
    memory: &mut StageMemory,
) -> Result<(), StepError> {
    euler_step(model, data, qacc, memory, None)?;
    Ok(())
}

/// The step, with a factor of the inertia with dampers if it is there. Returns the factor that was used, if
/// there are dampers.
pub(crate) fn euler_step(
    model: &Model,
    data: &mut Data,
    qacc: &mut Vec<f64>,
    memory: &mut StageMemory,
    factor: Option<DampedInertia>,
) -> Result<Option<DampedInertia>, StepError> {
    qacc.clear();
    let mut used = None;
    if has_implicit_damping(model, data) {
        qacc.resize(model.nv, 0.0);
        let factor = factor.unwrap_or_else(|| factor_damped_inertia(model, data, &mut memory.factorizer));
        sum_forces(model, data, qacc);
        factor.solve(model, data, qacc);
        used = Some(factor);
    } else {
        qacc.extend_from_slice(&data.qacc);
    }
    advance(model, data, memory, Rates { act_dot: None, qacc, qvel: None })?;
    Ok(used)
}

/// Sums smooth and constraint forces of the dofs that are awake.
fn sum_forces(model: &Model, data: &Data, force: &mut [f64]) {
    let dofs = Visit::dofs(model, data);
    for k in 0..dofs.count {
        let dof = dofs.at(&data.dof_awake_ind, k);
        force[dof] = data.qfrc_smooth[dof] + data.qfrc_constraint[dof];
    }
}
