//! A step: checks, forward dynamics, and the integrator that makes the next state.

use crate::constraint::forget_blocks;
use crate::damped_inertia::factors_damped_inertia_early;
use crate::forward::{
    Factors, acceleration_stage, control_callback, forward, mj_forward, position_stage, velocity_stage,
};
use crate::integrate::{
    euler_step, implicit_spring_damper, implicit_step, mj_euler, mj_implicit, mj_runge_kutta4,
};
use crate::inverse::mj_compare_fwd_inv;
use crate::sleep::awake_lists::Visit;
use crate::supported::check_supported;
use kinetree_math::misc::is_bad;
use kinetree_model::StepError;
use kinetree_model::enums::{DisableBit, EnableBit, Integrator, Stage, Warning};
use kinetree_model::{Data, Mismatch, Model, mj_reset_data};

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
