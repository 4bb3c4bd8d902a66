//! Integrators that are implicit in velocity.
//!
//! `(M − h D) q̈ = f`, where `D = ∂f/∂q̇`. The full method takes all of `D` and factors a matrix that is not symmetric; the
//! fast one leaves the Coriolis part out and factors a symmetric one. Free bodies that stand alone are rotated by the
//! implicit midpoint rule instead, which keeps their energy.

use super::midpoint::{FreeStep, is_aligned, is_standalone, midpoint_velocity};
use super::{Rates, advance};
use crate::derivative::mjd_smooth_vel;
use crate::inertia::mass_matrix::{factor_h, m_pattern};
use crate::sleep::awake_lists::Visit;
use kinetree_math::sparse::{Pattern, gather_masked, ltdl_solve, lu_factor, lu_solve};
use kinetree_model::StepError;
use kinetree_model::enums::{DisableBit, EnableBit, Integrator};
use kinetree_model::{Data, Model};

/// Working memory: the free bodies of a step, and the velocity that moves positions.
#[derive(Default)]
struct Workspace {
    free: Vec<FreeStep>,
    velocity: Vec<f64>,
}

/// Advances by one step of the implicit or fast implicit method, as the options say.
///
/// # Errors
/// When the matrix cannot be factored, or a sensor that must be computed for its history cannot be.
pub(crate) fn mj_implicit(model: &Model, data: &mut Data) -> Result<(), StepError> {
    implicit_step(model, data, false)
}

/// The step; with `keep_factor` the matrix was factored by the step before and is used again.
pub(crate) fn implicit_step(model: &Model, data: &mut Data, keep_factor: bool) -> Result<(), StepError> {
    let mut qacc = data.scratch.take_f64(model.nv);
    let mut workspace = data.scratch.take::<Workspace>();
    let result = step_in(model, data, keep_factor, &mut qacc, &mut workspace);
    data.scratch.give(workspace);
    data.scratch.give_f64(qacc);
    result
}

/// The step itself, in borrowed memory.
fn step_in(
    model: &Model,
    data: &mut Data,
    keep_factor: bool,
    qacc: &mut [f64],
    work: &mut Workspace,
) -> Result<(), StepError> {
    let dofs = Visit::dofs(model, data);
    for k in 0..dofs.count {
        let dof = dofs.at(&data.dof_awake_ind, k);
        qacc[dof] = data.qfrc_smooth[dof] + data.qfrc_constraint[dof];
    }
    work.free.clear();
    if !model.enabled(EnableBit::Invdiscrete) {
        free_steps(model, data, qacc, &mut work.free);
    }
    if model.opt.integrator == Integrator::Implicit {
        if !keep_factor {
            factor_full(model, data)?;
        }
        solve_full(model, data, qacc);
    } else {
        if !keep_factor {
            factor_symmetric(model, data);
        }
        solve_symmetric(model, data, qacc);
    }
    let velocity = (!work.free.is_empty()).then(|| {
        work.velocity.clear();
        work.velocity.extend(data.qvel.iter().zip(&*qacc).map(|(v, a)| v + a * model.opt.timestep));
        for step in &work.free {
            for k in step.first..6 {
                work.velocity[step.dof + k] = 0.5 * (step.new[k] + step.old[k]);
            }
        }
        work.velocity.as_slice()
    });
    advance(model, data, Rates { act_dot: None, qacc, qvel: velocity })?;

    for step in &work.free {
        if data.tree_awake[model.dof_treeid[step.dof] as usize] == 0 {
            continue;
        }
        for k in step.first..6 {
            data.qvel[step.dof + k] = step.new[k];
            data.qacc[step.dof + k] = (step.new[k] - step.old[k]) / model.opt.timestep;
        }
    }
    Ok(())
}

/// Factors the matrix with the full derivative in `qLU`.
fn factor_full(model: &Model, data: &mut Data) -> Result<(), StepError> {
    mjd_smooth_vel(model, data, true);
    gather_masked(&mut data.qLU, &data.M, &model.mapM2D);
    for (value, derivative) in data.qLU.iter_mut().zip(&data.qDeriv) {
        *value -= model.opt.timestep * derivative;
    }
    let dofs = Visit::dofs(model, data);
    let awake = dofs.filtered.then(|| &data.dof_awake_ind[..dofs.count]);
    let pattern = Pattern::new(&model.D_rownnz, &model.D_rowadr, &model.D_colind);
    let mut remaining = data.scratch.take_i32(model.nv);
    let factored = lu_factor(&mut data.qLU, &mut remaining, pattern, awake);
    data.scratch.give_i32(remaining);
    factored?;
    Ok(())
}

/// Solves with the full derivative; `x` holds the force, then the acceleration.
fn solve_full(model: &Model, data: &Data, x: &mut [f64]) {
    let dofs = Visit::dofs(model, data);
    let awake = dofs.filtered.then(|| &data.dof_awake_ind[..dofs.count]);
    let pattern = Pattern::new(&model.D_rownnz, &model.D_rowadr, &model.D_colind);
    lu_solve(x, &data.qLU, pattern, &model.D_diag, awake);
}

/// Factors the matrix with the symmetric part of the derivative in `qH`.
fn factor_symmetric(model: &Model, data: &mut Data) {
    mjd_smooth_vel(model, data, false);
    let (derivative, h) = (&data.qDeriv[..], model.opt.timestep);
    for ((value, inertia), &at) in data.qH.iter_mut().zip(&data.M).zip(&model.mapD2M) {
        *value = inertia - h * derivative[at as usize];
    }
    let dofs = Visit::dofs(model, data);
    factor_h(model, data, dofs);
}

/// Solves with the symmetric part of the derivative; `x` holds the force, then the acceleration.
fn solve_symmetric(model: &Model, data: &Data, x: &mut [f64]) {
    let dofs = Visit::dofs(model, data);
    let awake = dofs.filtered.then(|| &data.dof_awake_ind[..dofs.count]);
    ltdl_solve(x, &data.qH, &data.qHDiagInv, m_pattern(model), awake);
}

/// Midpoint steps of all free bodies that stand alone. `force` is the sum of smooth and constraint forces.
fn free_steps(model: &Model, data: &Data, force: &[f64], steps: &mut Vec<FreeStep>) {
    let gravity = (!model.disabled(DisableBit::Gravity)).then_some(&model.opt.gravity);
    for joint in 0..model.njnt {
        if !is_standalone(model, joint) {
            continue;
        }
        let dof = model.jnt_dofadr[joint] as usize;
        if data.tree_awake[model.dof_treeid[dof] as usize] == 0 {
            continue;
        }
        let body = model.jnt_bodyid[joint] as usize;
        let mut old = [0.0; 6];
        old.copy_from_slice(&data.qvel[dof..dof + 6]);
        // the bias is part of the midpoint equations
        let external = std::array::from_fn(|k| force[dof + k] + data.qfrc_bias[dof + k]);
        let new = midpoint_velocity(model, body, &data.xquat[body], &old, &external, gravity);
        steps.push(FreeStep { dof, first: if is_aligned(model, body) { 3 } else { 0 }, old, new });
    }
}
