//! Integrators that are implicit in velocity.
//!
//! `(M − h D) q̈ = f`, where `D = ∂f/∂q̇`. The full method takes all of `D` and factors a matrix that is not
//! symmetric; the fast one leaves the Coriolis part out and factors a symmetric one. Free bodies that stand
//! alone are rotated by the implicit midpoint rule instead, which keeps their energy. At level 4.0 there is
//! no midpoint rule; the fast method takes the exact derivative of the gyroscopic force of free bodies.

use super::flex_implicit::{FlexImplicit, has_interpolated_flex};
use super::free_block::{FreeBlock, free_blocks};
use super::midpoint::{FreeStep, is_aligned, is_standalone, midpoint_velocity};
use super::{Rates, advance};
use crate::derivative::velocity::mjd_smooth_vel;
use crate::inertia::mass_matrix::{factor_h, m_pattern};
use crate::sleep::awake_lists::Visit;
use crate::stage_memory::StageMemory;
use kinetree_math::sparse::{Pattern, gather_masked, ltdl_solve, lu_factor, lu_solve};
use kinetree_model::enums::{DisableBit, EnableBit, Integrator};
use kinetree_model::{Data, Model, StepError, point};

/// Working memory of the implicit integrators.
#[derive(Default)]
pub(crate) struct ImplicitScratch {
    /// Force, then acceleration.
    qacc: Vec<f64>,
    /// Free bodies that stand alone.
    free: Vec<FreeStep>,
    /// Velocity that moves positions.
    velocity: Vec<f64>,
    /// Entries of each row that are left to eliminate.
    remaining: Vec<i32>,
    /// Forces, where interpolated flexes need them after the others.
    force: Vec<f64>,
    flex: FlexImplicit,
    /// Free bodies whose rows are solved with the exact derivative.
    exact: Vec<FreeBlock>,
}

/// The factor of `M − h D`, in `qLU` or, where `D` is symmetric, in `qH` and `qHDiagInv`.
///
/// Invariant: it is that of the positions and velocities in the data. Code that has it may solve with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ImplicitFactor {
    /// With the full derivative.
    Full,
    /// With its symmetric part.
    Symmetric,
}

/// Advances by one step of the implicit or fast implicit method, as the options say.
///
/// # Errors
/// When the matrix cannot be factored, or a sensor that must be computed for its history cannot be.
pub(crate) fn mj_implicit(
    model: &Model,
    data: &mut Data,
    scratch: &mut ImplicitScratch,
    memory: &mut StageMemory,
) -> Result<(), StepError> {
    implicit_step(model, data, scratch, memory, None)?;
    Ok(())
}

/// The step, with the factor of a step before if it is there. Returns the factor that was used.
pub(crate) fn implicit_step(
    model: &Model,
    data: &mut Data,
    scratch: &mut ImplicitScratch,
    memory: &mut StageMemory,
    factor: Option<ImplicitFactor>,
) -> Result<ImplicitFactor, StepError> {
    let ImplicitScratch { qacc, free, velocity, remaining, force, flex, exact } = scratch;
    let dofs = Visit::dofs(model, data);
    qacc.clear();
    qacc.resize(model.nv, 0.0);
    for k in 0..dofs.count {
        let dof = dofs.at(&data.dof_awake_ind, k);
        qacc[dof] = data.qfrc_smooth[dof] + data.qfrc_constraint[dof];
    }
    free.clear();
    exact.clear();
    if model.reference().free_bodies() {
        if model.opt.integrator == Integrator::Implicitfast {
            free_blocks(model, data, memory, qacc, exact);
        }
    } else if !model.enabled(EnableBit::Invdiscrete) {
        free_steps(model, data, qacc, free);
    }
    let mut flex = (has_interpolated_flex(model) && !dofs.filtered).then_some(flex);
    let factor = match factor {
        Some(factor) => factor,
        None if model.opt.integrator == Integrator::Implicit => {
            factor_full(model, data, memory, remaining, flex.as_deref_mut())?
        }
        None => factor_symmetric(model, data, memory, flex.as_deref_mut()),
    };
    if model.reference().pivots()
        && factor == ImplicitFactor::Symmetric
        && !data.qHDiagInv.iter().all(|inverse| *inverse > 0.0 && inverse.is_finite())
    {
        return Err(StepError::Reference(&point::pivots));
    }
    if flex.is_some() {
        force.clone_from(qacc);
    }
    factor.solve(model, data, qacc);
    if let Some(flex) = flex {
        flex.solve(model, data, force, qacc);
    }
    for block in &*exact {
        qacc[block.dof..block.dof + 6].copy_from_slice(&block.acceleration);
    }
    let velocity = (!free.is_empty()).then(|| {
        velocity.clear();
        velocity.extend(data.qvel.iter().zip(&*qacc).map(|(v, a)| v + a * model.opt.timestep));
        for step in &*free {
            for k in step.first..6 {
                velocity[step.dof + k] = 0.5 * (step.new[k] + step.old[k]);
            }
        }
        velocity.as_slice()
    });
    advance(model, data, memory, Rates { act_dot: None, qacc, qvel: velocity })?;

    for step in &*free {
        if data.tree_awake[model.dof_treeid[step.dof] as usize] == 0 {
            continue;
        }
        for k in step.first..6 {
            data.qvel[step.dof + k] = step.new[k];
            data.qacc[step.dof + k] = (step.new[k] - step.old[k]) / model.opt.timestep;
        }
    }
    Ok(factor)
}

/// Factors the matrix with the full derivative.
fn factor_full(
    model: &Model,
    data: &mut Data,
    memory: &mut StageMemory,
    remaining: &mut Vec<i32>,
    flex: Option<&mut FlexImplicit>,
) -> Result<ImplicitFactor, StepError> {
    mjd_smooth_vel(model, data, &mut memory.derivative, true);
    gather_masked(&mut data.qLU, &data.M, &model.mapM2D);
    for (value, derivative) in data.qLU.iter_mut().zip(&data.qDeriv) {
        *value -= model.opt.timestep * derivative;
    }
    if let Some(flex) = flex {
        flex.factor(model, data, &mut memory.flex);
    }
    let dofs = Visit::dofs(model, data);
    let awake = dofs.filtered.then(|| &data.dof_awake_ind[..dofs.count]);
    let pattern = Pattern::new(&model.D_rownnz, &model.D_rowadr, &model.D_colind);
    remaining.clear();
    remaining.resize(model.nv, 0);
    lu_factor(&mut data.qLU, remaining, pattern, awake)?;
    Ok(ImplicitFactor::Full)
}

/// Factors the matrix with the symmetric part of the derivative.
fn factor_symmetric(
    model: &Model,
    data: &mut Data,
    memory: &mut StageMemory,
    flex: Option<&mut FlexImplicit>,
) -> ImplicitFactor {
    mjd_smooth_vel(model, data, &mut memory.derivative, false);
    let (derivative, h) = (&data.qDeriv[..], model.opt.timestep);
    for ((value, inertia), &at) in data.qH.iter_mut().zip(&data.M).zip(&model.mapD2M) {
        *value = inertia - h * derivative[at as usize];
    }
    if let Some(flex) = flex {
        flex.factor(model, data, &mut memory.flex);
    }
    let dofs = Visit::dofs(model, data);
    factor_h(model, data, &mut memory.factorizer, dofs);
    ImplicitFactor::Symmetric
}

impl ImplicitFactor {
    /// Solves in place; `x` holds the force, then the acceleration.
    fn solve(self, model: &Model, data: &Data, x: &mut [f64]) {
        let dofs = Visit::dofs(model, data);
        let awake = dofs.filtered.then(|| &data.dof_awake_ind[..dofs.count]);
        match self {
            Self::Full => {
                let pattern = Pattern::new(&model.D_rownnz, &model.D_rowadr, &model.D_colind);
                lu_solve(x, &data.qLU, pattern, &model.D_diag, awake);
            }
            Self::Symmetric => ltdl_solve(x, &data.qH, &data.qHDiagInv, m_pattern(model), awake),
        }
    }
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
