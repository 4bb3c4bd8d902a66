//! Forward dynamics, as a table of contents: from positions, velocities and inputs to accelerations and sensors.

use crate::actuation::mj_fwd_actuation;
use crate::actuation::transmission::mj_transmission;
use crate::constraint::{forget_blocks, make_constraint, mj_project_constraint, mj_reference_constraint};
use crate::contact::mj_collision;
use crate::damped_inertia::factor_with_damped_inertia;
use crate::forces::bias::forget_velocity_parts;
use crate::forces::energy::{mj_energy_pos, mj_energy_vel};
use crate::inertia::mass_matrix::{mj_factor_m, mj_make_m};
use crate::island::find_islands;
use crate::sensor::{mj_sensor_acc, mj_sensor_pos, mj_sensor_vel};
use crate::sleep::mj_update_sleep;
use crate::sleep::wake::{mj_wake_collision, mj_wake_equality};
use crate::smooth::{fwd_velocity_smooth, mj_fwd_acceleration, mj_fwd_kinematics};
use crate::solver::mj_fwd_constraint;
use crate::supported::check_supported;
use kinetree_model::StepError;
use kinetree_model::enums::{DisableBit, EnableBit, Solver, Stage};
use kinetree_model::{Data, Model};

/// Everything that depends on positions: poses, inertia, contacts, constraints, transmissions.
pub(crate) fn mj_fwd_position(model: &Model, data: &mut Data) {
    fwd_position(model, data, Factors::Inertia);
    forget_blocks(data);
}

/// What the position stage factors.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Factors {
    /// The inertia matrix.
    Inertia,
    /// The inertia matrix and that with dampers, which the Euler integrator solves with at the end of the same step.
    WithDamped,
}

/// As [`mj_fwd_position`], with blocks of the constraint rows that are good until somebody may change the rows.
fn fwd_position(model: &Model, data: &mut Data, factors: Factors) {
    mj_fwd_kinematics(model, data);
    mj_make_m(model, data);
    match factors {
        Factors::Inertia => mj_factor_m(model, data),
        Factors::WithDamped => factor_with_damped_inertia(model, data),
    }
    mj_collision(model, data);
    if mj_wake_collision(model, data) > 0 {
        // what a contact has woken may touch something in turn
        mj_update_sleep(model, data);
        mj_collision(model, data);
    }
    if mj_wake_equality(model, data) > 0 {
        mj_update_sleep(model, data);
    }
    make_constraint(model, data);
    find_islands(model, data);
    mj_transmission(model, data);
    mj_project_constraint(model, data);
}

/// Everything that depends on velocities: bias, passive forces, reference accelerations of constraints.
pub(crate) fn mj_fwd_velocity(model: &Model, data: &mut Data) {
    fwd_velocity(model, data, false);
}

/// As [`mj_fwd_velocity`]; with `keep`, what follows from velocities is kept for the acceleration stage.
fn fwd_velocity(model: &Model, data: &mut Data, keep: bool) {
    fwd_velocity_smooth(model, data, keep);
    mj_reference_constraint(model, data);
}

/// Forward dynamics: from positions, velocities and inputs to accelerations and sensors.
///
/// # Errors
/// When a sensor cannot be computed or the model asks for what is not supported.
pub(crate) fn mj_forward(model: &Model, data: &mut Data) -> Result<(), StepError> {
    mj_forward_skip(model, data, Stage::None, false)
}

/// Forward dynamics that keeps the results of the stages up to `skip`, and leaves sensors out when `skip_sensors`.
///
/// # Errors
/// When a sensor cannot be computed or the model asks for what is not supported.
pub(crate) fn mj_forward_skip(
    model: &Model,
    data: &mut Data,
    skip: Stage,
    skip_sensors: bool,
) -> Result<(), StepError> {
    forward(model, data, skip, skip_sensors, Factors::Inertia)
}

pub(crate) fn forward(
    model: &Model,
    data: &mut Data,
    skip: Stage,
    skip_sensors: bool,
    factors: Factors,
) -> Result<(), StepError> {
    check_supported(model)?;
    // sensors may need again what follows from velocities, when nobody comes between; asked once, since the answer may change
    let keep = !skip_sensors && model.nsensor > 0 && !model.callbacks.may_write_data();
    let mut stages = || {
        if skip < Stage::Pos {
            position_stage(model, data, skip_sensors, factors)?;
        }
        if skip < Stage::Vel {
            velocity_stage(model, data, skip_sensors, keep)?;
        }
        if !model.disabled(DisableBit::Actuation) {
            control_callback(model, data);
        }
        acceleration_stage(model, data, skip_sensors)
    };
    let result = stages();
    forget_blocks(data);
    if keep && (result.is_err() || !data.flg_rnepost) {
        forget_velocity_parts(data);
    }
    result
}

/// Positions, with their sensors and energy.
pub(crate) fn position_stage(
    model: &Model,
    data: &mut Data,
    skip_sensors: bool,
    factors: Factors,
) -> Result<(), StepError> {
    fwd_position(model, data, factors);
    if !skip_sensors {
        mj_sensor_pos(model, data)?;
    }
    if !data.flg_energypos {
        if model.enabled(EnableBit::Energy) {
            mj_energy_pos(model, data);
        } else {
            data.energy = [0.0; 2];
        }
    }
    Ok(())
}

/// Velocities, with their sensors and energy.
pub(crate) fn velocity_stage(
    model: &Model,
    data: &mut Data,
    skip_sensors: bool,
    keep: bool,
) -> Result<(), StepError> {
    fwd_velocity(model, data, keep);
    if !skip_sensors {
        mj_sensor_vel(model, data)?;
    }
    if model.enabled(EnableBit::Energy) && !data.flg_energyvel {
        mj_energy_vel(model, data);
    }
    Ok(())
}

/// Actuation, accelerations and constraint forces, with their sensors.
pub(crate) fn acceleration_stage(
    model: &Model,
    data: &mut Data,
    skip_sensors: bool,
) -> Result<(), StepError> {
    mj_fwd_actuation(model, data);
    mj_fwd_acceleration(model, data);
    if data.nefc > 0 {
        Solver::try_from(model.opt.solver).map_err(|error| StepError::Solver(error.value))?;
    }
    mj_fwd_constraint(model, data);
    if !skip_sensors {
        data.flg_rnepost = false;
        mj_sensor_acc(model, data)?;
    }
    Ok(())
}

/// Calls the user's control callback.
pub(crate) fn control_callback(model: &Model, data: &mut Data) {
    if let Some(callback) = &model.callbacks.control {
        (callback.0)(model, data);
    }
}
