//! Inverse dynamics: the external force that makes a given acceleration happen.
//!
//! `qfrc_inverse = M q̈ + c − f_passive − f_constraint(q̈)`. Constraint forces follow from the acceleration in closed form, so
//! that no iteration is needed. In discrete time the acceleration is the finite difference of velocities that the
//! integrator made, and is first turned into the one of continuous time.

use crate::actuation::transmission::mj_transmission;
use crate::constraint::{mj_constraint_update, mj_make_constraint, mj_mul_jac_vec, mj_reference_constraint};
use crate::contact::mj_collision;
use crate::damped_inertia::has_implicit_damping;
use crate::derivative::{dof_damping_slope, mjd_smooth_vel};
use crate::forces::bias::{mj_rne, mj_tendon_bias};
use crate::forces::energy::{mj_energy_pos, mj_energy_vel};
use crate::inertia::mass_matrix::{m_pattern, mj_factor_m, mj_make_m, mj_mul_m, mj_solve_m};
use crate::sensor::{mj_sensor_acc, mj_sensor_pos, mj_sensor_vel};
use crate::smooth::mj_fwd_kinematics;
use crate::smooth::mj_fwd_velocity_smooth;
use crate::support::mj_xfrc_accumulate;
use kinetree_math::dense::norm;
use kinetree_math::sparse::{Csr, Pattern, gather, gather_masked, mul_mat_vec, mul_sym_vec};
use kinetree_model::StepError;
use kinetree_model::enums::{EnableBit, Integrator, Stage};
use kinetree_model::{Data, Model};

/// Position stage of inverse dynamics.
pub(crate) fn mj_inv_position(model: &Model, data: &mut Data) {
    mj_fwd_kinematics(model, data);
    mj_make_m(model, data);
    mj_factor_m(model, data);
    mj_collision(model, data);
    mj_make_constraint(model, data);
    mj_transmission(model, data);
}

/// Velocity stage of inverse dynamics.
pub(crate) fn mj_inv_velocity(model: &Model, data: &mut Data) {
    mj_fwd_velocity_smooth(model, data);
    mj_reference_constraint(model, data);
}

/// Constraint forces for the acceleration `qacc`.
pub(crate) fn mj_inv_constraint(model: &Model, data: &mut Data) {
    if data.nefc == 0 {
        data.qfrc_constraint.fill(0.0);
        return;
    }
    let mut residual = data.scratch.take_f64(data.nefc);
    mj_mul_jac_vec(model, data, &mut residual, &data.qacc);
    for (r, aref) in residual.iter_mut().zip(&data.efc_aref) {
        *r -= aref;
    }
    mj_constraint_update(model, data, &residual, false);
    data.scratch.give_f64(residual);
}

/// Inverse dynamics: `qfrc_inverse` from `qpos`, `qvel` and `qacc`.
///
/// # Errors
/// When a sensor cannot be computed, or the integrator has no discrete inverse.
pub(crate) fn mj_inverse(model: &Model, data: &mut Data) -> Result<(), StepError> {
    mj_inverse_skip(model, data, Stage::None, false)
}

/// Inverse dynamics that keeps the results of the stages up to `skip`, and leaves sensors out when `skip_sensors`.
///
/// # Errors
/// When a sensor cannot be computed, or the integrator has no discrete inverse.
pub(crate) fn mj_inverse_skip(
    model: &Model,
    data: &mut Data,
    skip: Stage,
    skip_sensors: bool,
) -> Result<(), StepError> {
    crate::supported::check_supported(model)?;
    if skip < Stage::Pos {
        mj_inv_position(model, data);
        if !skip_sensors {
            mj_sensor_pos(model, data)?;
        }
        if model.enabled(EnableBit::Energy) && !data.flg_energypos {
            mj_energy_pos(model, data);
        }
    }
    if skip < Stage::Vel {
        mj_inv_velocity(model, data);
        if !skip_sensors {
            mj_sensor_vel(model, data)?;
        }
        if model.enabled(EnableBit::Energy) && !data.flg_energyvel {
            mj_energy_vel(model, data);
        }
    }
    let mut given = data.scratch.take_f64(model.nv);
    given.copy_from_slice(&data.qacc);
    let discrete = model.enabled(EnableBit::Invdiscrete);
    let result = match if discrete { continuous_acceleration(model, data) } else { Ok(()) } {
        Ok(()) => acceleration_stage(model, data, skip_sensors),
        Err(error) => Err(error),
    };
    data.qacc.copy_from_slice(&given);
    data.scratch.give_f64(given);
    result
}

/// Everything that depends on the acceleration.
fn acceleration_stage(model: &Model, data: &mut Data, skip_sensors: bool) -> Result<(), StepError> {
    mj_inv_constraint(model, data);
    let mut force = data.scratch.take_f64(model.nv);
    force.copy_from_slice(&data.qfrc_inverse);
    mj_rne(model, data, false, &mut force);
    mj_tendon_bias(model, data, &mut force);
    data.qfrc_inverse.copy_from_slice(&force);
    data.scratch.give_f64(force);
    if !skip_sensors {
        data.flg_rnepost = false;
        mj_sensor_acc(model, data)?;
    }
    let mut inertial = data.scratch.take_f64(model.nv);
    mj_mul_m(model, data, &mut inertial, &data.qacc);
    for (i, force) in data.qfrc_inverse.iter_mut().enumerate() {
        *force += inertial[i] - data.qfrc_passive[i] - data.qfrc_constraint[i];
    }
    data.scratch.give_f64(inertial);
    Ok(())
}

/// Turns the acceleration of discrete time, in `qacc`, into that of continuous time.
fn continuous_acceleration(model: &Model, data: &mut Data) -> Result<(), StepError> {
    let h = model.opt.timestep;
    let mut force = data.scratch.take_f64(model.nv);
    match Integrator::try_from(model.opt.integrator) {
        Ok(Integrator::Euler) => {
            if !has_implicit_damping(model, data) {
                data.scratch.give_f64(force);
                return Ok(());
            }
            mj_mul_m(model, data, &mut force, &data.qacc);
            for dof in 0..model.nv {
                force[dof] += h * dof_damping_slope(model, data, dof) * data.qacc[dof];
            }
        }
        Ok(Integrator::Implicit) => {
            mjd_smooth_vel(model, data, true);
            gather_masked(&mut data.qLU, &data.M, &model.mapM2D);
            for (value, derivative) in data.qLU.iter_mut().zip(&data.qDeriv) {
                *value -= h * derivative;
            }
            let pattern = Pattern::new(&model.D_rownnz, &model.D_rowadr, &model.D_colind);
            mul_mat_vec(&mut force, Csr { val: &data.qLU, pattern }, &data.qacc);
        }
        Ok(Integrator::Implicitfast) => {
            mjd_smooth_vel(model, data, false);
            gather(&mut data.qH, &data.qDeriv, &model.mapD2M);
            for (value, inertia) in data.qH.iter_mut().zip(&data.M) {
                *value = inertia - h * *value;
            }
            mul_sym_vec(&mut force, Csr { val: &data.qH, pattern: m_pattern(model) }, &data.qacc);
        }
        _ => {
            data.scratch.give_f64(force);
            return Err(StepError::Unsupported("discrete-time inverse dynamics with this integrator"));
        }
    }
    mj_solve_m(model, data, &mut force);
    data.qacc.copy_from_slice(&force);
    data.scratch.give_f64(force);
    Ok(())
}

/// Runs inverse dynamics on the result of forward dynamics and stores how much constraint and applied forces differ in
/// `solver_fwdinv`.
///
/// # Errors
/// When the integrator has no discrete inverse.
pub(crate) fn mj_compare_fwd_inv(model: &Model, data: &mut Data) -> Result<(), StepError> {
    data.solver_fwdinv = [0.0; 2];
    if data.nefc == 0 {
        return Ok(());
    }
    let nv = model.nv;
    let mut applied = data.scratch.take_f64(nv);
    for (i, force) in applied.iter_mut().enumerate() {
        *force = data.qfrc_applied[i] + data.qfrc_actuator[i];
    }
    mj_xfrc_accumulate(model, data, &mut applied);
    let mut constraint = data.scratch.take_f64(nv);
    constraint.copy_from_slice(&data.qfrc_constraint);
    let mut rows = data.scratch.take_f64(data.nefc);
    rows.copy_from_slice(&data.efc_force);

    let result = mj_inverse_skip(model, data, Stage::Vel, true);

    let mut difference = data.scratch.take_f64(nv);
    for i in 0..nv {
        difference[i] = constraint[i] - data.qfrc_constraint[i];
    }
    data.solver_fwdinv[0] = norm(&difference);
    for i in 0..nv {
        difference[i] = applied[i] - data.qfrc_inverse[i];
    }
    data.solver_fwdinv[1] = norm(&difference);

    // the results of forward dynamics stay
    data.qfrc_constraint.copy_from_slice(&constraint);
    data.efc_force.copy_from_slice(&rows);
    data.scratch.give_f64(difference);
    data.scratch.give_f64(rows);
    data.scratch.give_f64(constraint);
    data.scratch.give_f64(applied);
    result
}
