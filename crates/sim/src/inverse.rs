//! Inverse dynamics: the external force that makes a given acceleration happen.
//!
//! `qfrc_inverse = M q̈ + c − f_passive − f_constraint(q̈)`. Constraint forces follow from the acceleration
//! in closed form, so that no iteration is needed. In discrete time the acceleration is the finite difference
//! of velocities that the integrator made, and is first turned into the one of continuous time.

use crate::actuation::transmission::mj_transmission;
use crate::constraint::{mj_constraint_update, mj_make_constraint, mj_mul_jac_vec, mj_reference_constraint};
use crate::contact::mj_collision;
use crate::damped_inertia::has_implicit_damping;
use crate::derivative::velocity::passive::dof_damping_derivative;
use crate::derivative::velocity::{DerivativeScratch, mjd_smooth_vel};
use crate::forces::bias::{mj_rne, mj_tendon_bias};
use crate::forces::energy::{mj_energy_pos, mj_energy_vel};
use crate::inertia::mass_matrix::{m_pattern, mj_factor_m, mj_make_m, mj_mul_m, mj_solve_m};
use crate::sensor::{mj_sensor_acc, mj_sensor_pos, mj_sensor_vel};
use crate::smooth::{mj_fwd_kinematics, mj_fwd_velocity_smooth};
use crate::stage_memory::StageMemory;
use crate::support::mj_xfrc_accumulate;
use crate::unsupported::{check_model, check_position};
use kinetree_math::dense::norm;
use kinetree_math::sparse::{Csr, Pattern, gather, gather_masked, mul_mat_vec, mul_sym_vec};
use kinetree_model::enums::{EnableBit, Integrator, Stage};
use kinetree_model::{Data, Model, StepError};

/// Working memory of inverse dynamics.
#[derive(Debug, Default)]
pub(crate) struct InverseScratch {
    /// The acceleration that was given.
    given: Vec<f64>,
    /// A generalized force.
    force: Vec<f64>,
    /// `J qacc − aref`.
    residual: Vec<f64>,
}

/// Working memory of [`mj_compare_fwd_inv`]: what forward dynamics have found, and how much inverse dynamics
/// differ.
#[derive(Debug, Default)]
pub(crate) struct ComparisonScratch {
    applied: Vec<f64>,
    constraint: Vec<f64>,
    rows: Vec<f64>,
    difference: Vec<f64>,
}

/// Position stage of inverse dynamics.
pub(crate) fn mj_inv_position(model: &Model, data: &mut Data, memory: &mut StageMemory) {
    mj_fwd_kinematics(model, data, &mut memory.wrap_paths, &mut memory.flex);
    mj_make_m(model, data, &mut memory.dof_path);
    mj_factor_m(model, data, &mut memory.factorizer);
    mj_collision(model, data, &mut memory.collision);
    mj_make_constraint(model, data, &mut memory.rows);
    mj_transmission(model, data, &mut memory.moment_row);
}

/// Velocity stage of inverse dynamics.
pub(crate) fn mj_inv_velocity(model: &Model, data: &mut Data, memory: &mut StageMemory) {
    mj_fwd_velocity_smooth(model, data, &mut memory.rne, &mut memory.flex, &mut memory.nested);
    mj_reference_constraint(model, data, &mut memory.rows);
}

/// Constraint forces for the acceleration `qacc`.
pub(crate) fn mj_inv_constraint(model: &Model, data: &mut Data, scratch: &mut InverseScratch) {
    if data.nefc == 0 {
        data.qfrc_constraint.fill(0.0);
        return;
    }
    let residual = &mut scratch.residual;
    residual.resize(data.nefc, 0.0);
    mj_mul_jac_vec(model, data, residual, &data.qacc);
    for (r, aref) in residual.iter_mut().zip(&data.efc_aref) {
        *r -= aref;
    }
    mj_constraint_update(model, data, residual, false);
}

/// Inverse dynamics: `qfrc_inverse` from `qpos`, `qvel` and `qacc`.
///
/// # Errors
/// When a sensor cannot be computed, or the integrator has no discrete inverse.
pub(crate) fn mj_inverse(
    model: &Model,
    data: &mut Data,
    scratch: &mut InverseScratch,
    memory: &mut StageMemory,
) -> Result<(), StepError> {
    mj_inverse_skip(model, data, scratch, memory, Stage::None, false)
}

/// Inverse dynamics that keeps the results of the stages up to `skip`, and leaves sensors out when
/// `skip_sensors`.
///
/// # Errors
/// When a sensor cannot be computed, or the integrator has no discrete inverse.
pub(crate) fn mj_inverse_skip(
    model: &Model,
    data: &mut Data,
    scratch: &mut InverseScratch,
    memory: &mut StageMemory,
    skip: Stage,
    skip_sensors: bool,
) -> Result<(), StepError> {
    crate::plugin::check_bound(model)?;
    check_model(model)?;
    if skip >= Stage::Pos {
        data.check_rows(model)?;
    } else {
        mj_inv_position(model, data, memory);
        check_position(model, data)?;
        if !skip_sensors {
            mj_sensor_pos(model, data, &mut memory.sensor_context(&mut None))?;
        }
        if model.enabled(EnableBit::Energy) && !data.flg_energypos {
            mj_energy_pos(model, data);
        }
    }
    if skip < Stage::Vel {
        mj_inv_velocity(model, data, memory);
        if !skip_sensors {
            mj_sensor_vel(model, data, &mut memory.sensor_context(&mut None))?;
        }
        if model.enabled(EnableBit::Energy) && !data.flg_energyvel {
            mj_energy_vel(model, data, &mut memory.momentum);
        }
    }
    scratch.given.clear();
    scratch.given.extend_from_slice(&data.qacc);
    let result = if model.enabled(EnableBit::Invdiscrete) {
        continuous_acceleration(model, data, &mut scratch.force, &mut memory.derivative)
    } else {
        Ok(())
    };
    let result = result.and_then(|()| acceleration_stage(model, data, scratch, memory, skip_sensors));
    data.qacc.copy_from_slice(&scratch.given);
    memory.report_failure()?;
    result
}

/// Everything that depends on the acceleration.
fn acceleration_stage(
    model: &Model,
    data: &mut Data,
    scratch: &mut InverseScratch,
    memory: &mut StageMemory,
    skip_sensors: bool,
) -> Result<(), StepError> {
    mj_inv_constraint(model, data, scratch);
    let force = &mut scratch.force;
    force.clear();
    force.extend_from_slice(&data.qfrc_inverse);
    mj_rne(model, data, &mut memory.rne, false, force);
    mj_tendon_bias(model, data, force);
    data.qfrc_inverse.copy_from_slice(force);
    if !skip_sensors {
        data.flg_rnepost = false;
        mj_sensor_acc(model, data, &mut memory.sensor_context(&mut None))?;
    }
    mj_mul_m(model, data, force, &data.qacc);
    for (i, total) in data.qfrc_inverse.iter_mut().enumerate() {
        *total += force[i] - data.qfrc_passive[i] - data.qfrc_constraint[i];
    }
    Ok(())
}

/// Turns the acceleration of discrete time, in `qacc`, into that of continuous time. `force` is working
/// memory.
fn continuous_acceleration(
    model: &Model,
    data: &mut Data,
    force: &mut Vec<f64>,
    derivative: &mut DerivativeScratch,
) -> Result<(), StepError> {
    let h = model.opt.timestep;
    force.resize(model.nv, 0.0);
    match Integrator::try_from(model.opt.integrator) {
        Ok(Integrator::Euler) => {
            if !has_implicit_damping(model, data) {
                return Ok(());
            }
            mj_mul_m(model, data, force, &data.qacc);
            for dof in 0..model.nv {
                force[dof] += h * dof_damping_derivative(model, data, dof) * data.qacc[dof];
            }
        }
        Ok(Integrator::Implicit) => {
            mjd_smooth_vel(model, data, derivative, true);
            gather_masked(&mut data.qLU, &data.M, &model.mapM2D);
            for (value, derivative) in data.qLU.iter_mut().zip(&data.qDeriv) {
                *value -= h * derivative;
            }
            let pattern = Pattern::new(&model.D_rownnz, &model.D_rowadr, &model.D_colind);
            mul_mat_vec(force, Csr { val: &data.qLU, pattern }, &data.qacc);
        }
        Ok(Integrator::Implicitfast)
            if model.reference().free_bodies()
                && (0..model.njnt).any(|joint| crate::integrate::is_free_alone(model, joint)) =>
        {
            let what =
                "discrete-time inverse dynamics of free bodies with implicitfast at reference level 4.0";
            return Err(StepError::Unsupported(what));
        }
        Ok(Integrator::Implicitfast) => {
            mjd_smooth_vel(model, data, derivative, false);
            gather(&mut data.qH, &data.qDeriv, &model.mapD2M);
            for (value, inertia) in data.qH.iter_mut().zip(&data.M) {
                *value = inertia - h * *value;
            }
            mul_sym_vec(force, Csr { val: &data.qH, pattern: m_pattern(model) }, &data.qacc);
        }
        _ => {
            return Err(StepError::Unsupported("discrete-time inverse dynamics with this integrator"));
        }
    }
    mj_solve_m(model, data, force);
    data.qacc.copy_from_slice(force);
    Ok(())
}

/// Runs inverse dynamics on the result of forward dynamics and stores how much constraint and applied forces
/// differ in `solver_fwdinv`.
///
/// # Errors
/// When the integrator has no discrete inverse.
pub(crate) fn mj_compare_fwd_inv(
    model: &Model,
    data: &mut Data,
    comparison: &mut ComparisonScratch,
    scratch: &mut InverseScratch,
    memory: &mut StageMemory,
) -> Result<(), StepError> {
    data.solver_fwdinv = [0.0; 2];
    if data.nefc == 0 {
        return Ok(());
    }
    let ComparisonScratch { applied, constraint, rows, difference } = comparison;
    applied.clear();
    applied.extend(data.qfrc_applied.iter().zip(&data.qfrc_actuator).map(|(user, actuator)| user + actuator));
    mj_xfrc_accumulate(model, data, applied);
    constraint.clear();
    constraint.extend_from_slice(&data.qfrc_constraint);
    rows.clone_from(&data.efc_force);

    let result = mj_inverse_skip(model, data, scratch, memory, Stage::Vel, true);

    let mut distance = |forward: &[f64], inverse: &[f64]| {
        difference.clear();
        difference.extend(forward.iter().zip(inverse).map(|(a, b)| a - b));
        norm(difference)
    };
    data.solver_fwdinv = [distance(constraint, &data.qfrc_constraint), distance(applied, &data.qfrc_inverse)];

    // the results of forward dynamics stay
    data.qfrc_constraint.copy_from_slice(constraint);
    data.efc_force.copy_from_slice(rows);
    result
}
