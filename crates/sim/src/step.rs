//! The pipeline, as a table of contents: what a forward evaluation and a step do, in order.

use crate::actuation::mj_fwd_actuation;
use crate::actuation::transmission::mj_transmission;
use crate::constraint::{forget_blocks, make_constraint, mj_project_constraint, mj_reference_constraint};
use crate::contact::mj_collision;
use crate::forces::bias::forget_velocity_parts;
use crate::forces::energy::{mj_energy_pos, mj_energy_vel};
use crate::forward::{mj_fwd_acceleration, mj_fwd_kinematics};
use crate::inertia::mass_matrix::{mj_factor_m, mj_make_m};
use crate::integrate::{
    euler_step, factor_with_damped_inertia, factors_damped_inertia_early, implicit_spring_damper,
    implicit_step, mj_euler, mj_implicit, mj_runge_kutta4,
};
use crate::inverse::mj_compare_fwd_inv;
use crate::island::find_islands;
use crate::kinematics::velocity::fwd_velocity_smooth;
use crate::sensor::{SensorError, mj_sensor_acc, mj_sensor_pos, mj_sensor_vel};
use crate::sleep::awake_lists::Visit;
use crate::sleep::mj_update_sleep;
use crate::sleep::wake::{mj_wake_collision, mj_wake_equality};
use crate::solver::mj_fwd_constraint;
use kinetree_math::misc::is_bad;
use kinetree_math::sparse::LuError;
use kinetree_model::enums::{DisableBit, EnableBit, Integrator, Solver, Stage, Warning};
use kinetree_model::{Data, Mismatch, Model, mj_reset_data};

/// Why the pipeline could not go on. The data is left as it was when the stage failed; reset it or set another state.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// A sensor cannot be computed.
    #[error(transparent)]
    Sensor(#[from] SensorError),
    /// The matrix of the implicit integrator is singular.
    #[error("the implicit integrator cannot factor its matrix: {0}")]
    Implicit(#[from] LuError),
    /// The options name an integrator that does not exist.
    #[error("invalid integrator {0} in the model's options")]
    Integrator(i32),
    /// The options name a solver that does not exist.
    #[error("mj_fwdConstraint: unknown solver type {0}")]
    Solver(i32),
    /// The model asks for something that does not exist yet.
    #[error("unsupported: {0}")]
    Unsupported(&'static str),
    /// The data was made for another model.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
}

/// Everything that depends on positions: poses, inertia, contacts, constraints, transmissions.
pub(crate) fn mj_fwd_position(model: &Model, data: &mut Data) {
    fwd_position(model, data, Factors::Inertia);
    forget_blocks(data);
}

/// What the position stage factors.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Factors {
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

fn forward(
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

/// Advances the simulation by one time step.
///
/// # Errors
/// When a sensor cannot be computed, the integrator fails or the model asks for what is not supported.
pub(crate) fn mj_step(model: &Model, data: &mut Data) -> Result<(), StepError> {
    mj_step_skip(model, data, Stage::None, false)
}

/// Step that keeps the results of the stages up to `skip`, with what the integrator has factored from them, and leaves
/// sensors out when `skip_sensors`. The Runge–Kutta integrator keeps nothing.
///
/// # Errors
/// As [`mj_step`].
pub(crate) fn mj_step_skip(
    model: &Model,
    data: &mut Data,
    skip: Stage,
    skip_sensors: bool,
) -> Result<(), StepError> {
    mj_check_pos(model, data)?;
    mj_check_vel(model, data)?;
    let factors =
        if factors_damped_inertia_early(model, data) { Factors::WithDamped } else { Factors::Inertia };
    forward(model, data, skip, skip_sensors, factors)?;
    let was_reset = check_acc(model, data)?;
    if model.enabled(EnableBit::Fwdinv) {
        mj_compare_fwd_inv(model, data)?;
    }
    match Integrator::try_from(model.opt.integrator) {
        Ok(Integrator::Euler) => {
            let factored = factors == Factors::WithDamped || skip >= Stage::Pos;
            euler_step(model, data, factored && !was_reset)
        }
        Ok(Integrator::Implicit | Integrator::Implicitfast) => implicit_step(model, data, skip >= Stage::Vel),
        _ => integrate(model, data, false),
    }
}

/// First half of a step: everything before controls are needed.
///
/// # Errors
/// When a sensor cannot be computed or the model asks for what is not supported.
pub(crate) fn mj_step1(model: &Model, data: &mut Data) -> Result<(), StepError> {
    check_supported(model)?;
    mj_check_pos(model, data)?;
    mj_check_vel(model, data)?;
    let result = position_stage(model, data, false, Factors::Inertia)
        .and_then(|()| velocity_stage(model, data, false, false));
    forget_blocks(data);
    result?;
    control_callback(model, data);
    Ok(())
}

/// Second half of a step. Runge–Kutta needs whole steps, so that Euler takes its place here.
///
/// # Errors
/// When a sensor cannot be computed or the integrator fails.
pub(crate) fn mj_step2(model: &Model, data: &mut Data) -> Result<(), StepError> {
    check_supported(model)?;
    acceleration_stage(model, data, false)?;
    mj_check_acc(model, data)?;
    if model.enabled(EnableBit::Fwdinv) {
        mj_compare_fwd_inv(model, data)?;
    }
    integrate(model, data, true)
}

/// Positions, with their sensors and energy.
fn position_stage(
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
fn velocity_stage(model: &Model, data: &mut Data, skip_sensors: bool, keep: bool) -> Result<(), StepError> {
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
fn acceleration_stage(model: &Model, data: &mut Data, skip_sensors: bool) -> Result<(), StepError> {
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
fn control_callback(model: &Model, data: &mut Data) {
    if let Some(callback) = &model.callbacks.control {
        (callback.0)(model, data);
    }
}

/// Advances the state with the integrator of the options.
fn integrate(model: &Model, data: &mut Data, halves: bool) -> Result<(), StepError> {
    match Integrator::try_from(model.opt.integrator) {
        Ok(Integrator::Rk4) if !halves => mj_runge_kutta4(model, data),
        Ok(Integrator::Euler | Integrator::Rk4) => mj_euler(model, data),
        Ok(Integrator::Implicit | Integrator::Implicitfast) => mj_implicit(model, data),
        Ok(Integrator::ImplicitSpringDamper | Integrator::ImplicitEuler) => {
            implicit_spring_damper(model, data)
        }
        Err(error) => Err(StepError::Integrator(error.value)),
    }
}

/// Refuses models that ask for what does not exist yet.
pub(crate) fn check_supported(model: &Model) -> Result<(), StepError> {
    if model.nflex > 0 {
        return Err(StepError::Unsupported("flex"));
    }
    if model.nplugin > 0 {
        return Err(StepError::Unsupported("plugins"));
    }
    Ok(())
}

/// Looks for bad positions; when there are any, counts a warning and resets unless that is disabled.
pub(crate) fn mj_check_pos(model: &Model, data: &mut Data) -> Result<(), Mismatch> {
    first_bad(&data.qpos).map_or(Ok(()), |at| reset_with_warning(model, data, Warning::Badqpos, at))
}

/// Looks for bad velocities; when there are any, counts a warning and resets unless that is disabled.
pub(crate) fn mj_check_vel(model: &Model, data: &mut Data) -> Result<(), Mismatch> {
    let bad = first_bad_dof(model, data, &data.qvel);
    bad.map_or(Ok(()), |at| reset_with_warning(model, data, Warning::Badqvel, at))
}

/// Looks for bad accelerations; when there are any, counts a warning, and unless that is disabled resets and evaluates the
/// forward dynamics anew.
///
/// # Errors
/// When the forward dynamics cannot be evaluated after a reset.
pub(crate) fn mj_check_acc(model: &Model, data: &mut Data) -> Result<(), StepError> {
    check_acc(model, data).map(|_| ())
}

/// As [`mj_check_acc`]; says whether there was a reset.
fn check_acc(model: &Model, data: &mut Data) -> Result<bool, StepError> {
    let Some(at) = first_bad_dof(model, data, &data.qacc) else { return Ok(false) };
    reset_with_warning(model, data, Warning::Badqacc, at)?;
    if model.disabled(DisableBit::Autoreset) {
        return Ok(false);
    }
    mj_forward(model, data)?;
    Ok(true)
}

/// The first bad one of some numbers.
fn first_bad(values: &[f64]) -> Option<usize> {
    // mostly there is none, and looking at all of them takes less time than asking after each
    let count = values.iter().map(|&x| u64::from(is_bad(x))).sum::<u64>();
    if count > 0 { values.iter().position(|&x| is_bad(x)) } else { None }
}

/// The first dof that is awake and has a bad value.
fn first_bad_dof(model: &Model, data: &Data, values: &[f64]) -> Option<usize> {
    let dofs = Visit::dofs(model, data);
    if dofs.filtered {
        (0..dofs.count).map(|k| dofs.at(&data.dof_awake_ind, k)).find(|&dof| is_bad(values[dof]))
    } else {
        first_bad(values)
    }
}

/// Counts a warning and resets, unless that is disabled. The warning survives the reset.
fn reset_with_warning(model: &Model, data: &mut Data, warning: Warning, at: usize) -> Result<(), Mismatch> {
    // counted before and after, so that it is seen with and without a reset
    data.warn(warning, at as i32);
    if !model.disabled(DisableBit::Autoreset) {
        mj_reset_data(model, data)?;
    }
    data.warn(warning, at as i32);
    Ok(())
}
