//! A step: checks, forward dynamics, and the integrator that makes the next state.

use crate::damped_inertia::DampedInertia;
use crate::evaluation::{Evaluation, Points};
use crate::forward::{
    Purpose, acceleration_stage, control_callback, forward, mj_forward, position_stage, velocity_stage,
};
use crate::integrate::{
    ImplicitFactor, euler_step, implicit_spring_damper, implicit_step, mj_euler, mj_implicit, mj_runge_kutta4,
};
use crate::inverse::mj_compare_fwd_inv;
use crate::nested::NestedCalls;
use crate::plugin::check_bound;
use crate::point_masses::PointMasses;
use crate::sleep::awake_lists::Visit;
use crate::stage_memory::StageMemory;
use crate::step_memory::StepMemory;
use crate::support::mj_integrate_pos;
use kinetree_math::misc::is_bad;
use kinetree_model::enums::{DisableBit, EnableBit, Integrator, Stage, Warning};
use kinetree_model::{Data, Mismatch, Model, StepError, mj_reset_data};

/// Advances the simulation by one time step.
///
/// # Errors
/// When a sensor cannot be computed, the integrator fails or the model asks for what is not supported.
pub(crate) fn mj_step(model: &Model, data: &mut Data, work: &mut StepMemory) -> Result<(), StepError> {
    step_skip(model, data, work, Stage::None, false, StepFactor::default())?;
    Ok(())
}

/// As [`mj_step`], together with point masses that are no part of the model.
///
/// # Errors
/// As [`mj_step`]; with the integrator of Runge and Kutta, which needs several evaluations for a step, and
/// with models whose bodies may sleep.
pub(crate) fn step_with_points(
    model: &Model,
    data: &mut Data,
    work: &mut StepMemory,
    owner: &mut dyn PointMasses,
) -> Result<(), StepError> {
    if model.opt.integrator == Integrator::Rk4 {
        let what = "deformable bodies with the integrator RK4: take Euler, implicit or implicitfast";
        return Err(StepError::Unsupported(what));
    }
    if model.enabled(EnableBit::Sleep) {
        let what = "deformable bodies in a model with the flag sleep: take the flag away; deformable bodies \
                    sleep by themselves where their settings say when";
        return Err(StepError::Unsupported(what));
    }
    let (mut contacts, mut lag) = (std::mem::take(&mut work.points), std::mem::take(&mut work.lag));
    lag.clear();
    let points = Points { owner, contacts: &mut contacts, lag: &mut lag };
    let result = step_stages(model, data, work, (Stage::None, false), StepFactor::default(), Some(points));
    (work.points, work.lag) = (contacts, lag);
    result.map(|_| ())
}

/// The matrix that the integrator of a step has solved with, factored: of the inertia with dampers for Euler,
/// with derivatives of forces for the implicit integrators. Other integrators have none.
#[derive(Debug, Default)]
pub(crate) struct StepFactor {
    damped_inertia: Option<DampedInertia>,
    implicit: Option<ImplicitFactor>,
}

/// Step that keeps the results of the stages up to `skip`, and leaves sensors out when `skip_sensors`. Given
/// the factor of the step that made these results, the integrator uses it again if they are all that it
/// depends on. Returns the factor of this step.
///
/// # Errors
/// As [`mj_step`].
pub(crate) fn step_skip(
    model: &Model,
    data: &mut Data,
    work: &mut StepMemory,
    skip: Stage,
    skip_sensors: bool,
    last: StepFactor,
) -> Result<StepFactor, StepError> {
    // callbacks may write to the model, too
    work.stages.hold_model(!model.callbacks.may_write_data());
    let result = step_stages(model, data, work, (skip, skip_sensors), last, None);
    work.stages.hold_model(false);
    result
}

/// As [`step_skip`], with point masses if there are any.
fn step_stages(
    model: &Model,
    data: &mut Data,
    work: &mut StepMemory,
    (skip, skip_sensors): (Stage, bool),
    last: StepFactor,
    mut points: Option<Points<'_>>,
) -> Result<StepFactor, StepError> {
    if points.is_none() {
        refuse_deformable(model)?;
    }
    check_state(model, data, &mut work.stages.nested)?;
    let inputs = (points.as_mut().map(Points::reborrow), None);
    let made = forward(model, data, &mut work.stages, skip, skip_sensors, Purpose::Step, inputs)?;
    let was_reset = check_evaluation(model, data, work)?;
    let factor = integrate_step(model, data, work, (skip, was_reset), (made, last))?;
    if let Some(Points { lag, .. }) = points
        && !was_reset
        && !lag.is_empty()
    {
        // positions move as the substeps did, so that bodies stay where attached points are
        mj_integrate_pos(model, &mut data.qpos, lag, 1.0);
    }
    Ok(factor)
}

/// Looks at the accelerations of a step, and compares them with inverse dynamics where the model asks for it.
/// Says whether there was a reset.
pub(crate) fn check_evaluation(
    model: &Model,
    data: &mut Data,
    work: &mut StepMemory,
) -> Result<bool, StepError> {
    let was_reset = check_acc(model, data, &mut work.stages)?;
    if model.enabled(EnableBit::Fwdinv) {
        mj_compare_fwd_inv(model, data, &mut work.comparison, &mut work.inverse, &mut work.stages)?;
    }
    Ok(was_reset)
}

/// Advances the state at the end of a whole step, with the factors that this step and the last one have made.
/// Returns the factor that was used.
pub(crate) fn integrate_step(
    model: &Model,
    data: &mut Data,
    work: &mut StepMemory,
    (skip, was_reset): (Stage, bool),
    (made, last): (Option<DampedInertia>, StepFactor),
) -> Result<StepFactor, StepError> {
    let (stages, mut factor) = (&mut work.stages, StepFactor::default());
    match Integrator::try_from(model.opt.integrator) {
        Ok(Integrator::Euler) => {
            let cached = made.or(last.damped_inertia.filter(|_| skip >= Stage::Pos));
            let cached = cached.filter(|_| !was_reset);
            factor.damped_inertia = euler_step(model, data, &mut work.qacc, stages, cached)?;
        }
        Ok(Integrator::Implicit | Integrator::Implicitfast) => {
            let cached = last.implicit.filter(|_| skip >= Stage::Vel && !was_reset);
            factor.implicit = Some(implicit_step(model, data, &mut work.implicit, stages, cached)?);
        }
        _ => integrate(model, data, work, false)?,
    }
    Ok(factor)
}

/// Looks at the positions and velocities that a step begins with.
pub(crate) fn check_state(model: &Model, data: &mut Data, nested: &mut NestedCalls) -> Result<(), Mismatch> {
    mj_check_pos(model, data, nested)?;
    mj_check_vel(model, data, nested)
}

/// An error for a model with deformable bodies, which nobody would step.
pub(crate) fn refuse_deformable(model: &Model) -> Result<(), StepError> {
    // hardly a model has custom texts
    if model.ntext > 0 && model.deformable_bodies().next().is_some() {
        return Err(StepError::Deformable);
    }
    Ok(())
}

/// First half of a step: everything before controls are needed.
///
/// # Errors
/// When a sensor cannot be computed or the model asks for what is not supported.
pub(crate) fn mj_step1(model: &Model, data: &mut Data, memory: &mut StageMemory) -> Result<(), StepError> {
    check_bound(model)?;
    refuse_deformable(model)?;
    mj_check_pos(model, data, &mut memory.nested)?;
    mj_check_vel(model, data, &mut memory.nested)?;
    let mut evaluation = Evaluation::begin(model);
    let result = position_stage(model, data, memory, &mut evaluation, false, Purpose::Evaluation)
        .and_then(|()| velocity_stage(model, data, memory, &mut evaluation, false, false));
    memory.reuse(evaluation);
    memory.report_failure()?;
    result?;
    control_callback(model, data, &mut memory.nested);
    Ok(())
}

/// Second half of a step. Runge–Kutta needs whole steps, so that Euler takes its place here.
///
/// # Errors
/// When a sensor cannot be computed or the integrator fails.
pub(crate) fn mj_step2(model: &Model, data: &mut Data, work: &mut StepMemory) -> Result<(), StepError> {
    check_bound(model)?;
    refuse_deformable(model)?;
    acceleration_stage(model, data, &mut work.stages, &mut Evaluation::begin(model), false)?;
    work.stages.report_failure()?;
    mj_check_acc(model, data, &mut work.stages)?;
    if model.enabled(EnableBit::Fwdinv) {
        mj_compare_fwd_inv(model, data, &mut work.comparison, &mut work.inverse, &mut work.stages)?;
    }
    integrate(model, data, work, true)
}

/// Advances the state with the integrator of the options.
fn integrate(model: &Model, data: &mut Data, work: &mut StepMemory, halves: bool) -> Result<(), StepError> {
    let StepMemory { stages, qacc, implicit, runge_kutta, .. } = work;
    match Integrator::try_from(model.opt.integrator) {
        Ok(Integrator::Rk4) if !halves => mj_runge_kutta4(model, data, runge_kutta, stages),
        Ok(Integrator::Euler | Integrator::Rk4) => mj_euler(model, data, qacc, stages),
        Ok(Integrator::Implicit | Integrator::Implicitfast) => mj_implicit(model, data, implicit, stages),
        Ok(Integrator::ImplicitSpringDamper | Integrator::ImplicitEuler) => {
            implicit_spring_damper(model, data, qacc, stages)
        }
        Err(error) => Err(StepError::Integrator(error.value)),
    }
}

/// Looks for bad positions; when there are any, counts a warning and resets unless that is disabled.
pub(crate) fn mj_check_pos(model: &Model, data: &mut Data, nested: &mut NestedCalls) -> Result<(), Mismatch> {
    first_bad(&data.qpos).map_or(Ok(()), |at| reset_with_warning(model, data, nested, Warning::Badqpos, at))
}

/// Looks for bad velocities; when there are any, counts a warning and resets unless that is disabled.
pub(crate) fn mj_check_vel(model: &Model, data: &mut Data, nested: &mut NestedCalls) -> Result<(), Mismatch> {
    let bad = first_bad_dof(model, data, &data.qvel);
    bad.map_or(Ok(()), |at| reset_with_warning(model, data, nested, Warning::Badqvel, at))
}

/// Looks for bad accelerations; when there are any, counts a warning, and unless that is disabled resets and
/// evaluates the forward dynamics anew.
///
/// # Errors
/// When the forward dynamics cannot be evaluated after a reset.
pub(crate) fn mj_check_acc(
    model: &Model,
    data: &mut Data,
    memory: &mut StageMemory,
) -> Result<(), StepError> {
    check_acc(model, data, memory).map(|_| ())
}

/// As [`mj_check_acc`]; says whether there was a reset.
fn check_acc(model: &Model, data: &mut Data, memory: &mut StageMemory) -> Result<bool, StepError> {
    let Some(at) = first_bad_dof(model, data, &data.qacc) else { return Ok(false) };
    // looked for where something is wrong only; a reset clears the factor
    let singular = first_singular_dof(model, data);
    reset_with_warning(model, data, &mut memory.nested, Warning::Badqacc, at)?;
    if let Some(dof) = singular {
        data.warn(Warning::Inertia, dof as i32);
    }
    if model.disabled(DisableBit::Autoreset) {
        return Ok(false);
    }
    mj_forward(model, data, memory)?;
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

/// The first dof that is awake and whose pivot in the factor of the inertia matrix is not positive: the
/// matrix cannot be factored.
fn first_singular_dof(model: &Model, data: &Data) -> Option<usize> {
    let dofs = Visit::dofs(model, data);
    let awake = (0..dofs.count).map(|k| dofs.at(&data.dof_awake_ind, k));
    // pivots are found from the leaves to the root: the first that fails spoils those above it
    awake.rev().find(|&dof| !(data.qLDiagInv[dof].is_finite() && data.qLDiagInv[dof] > 0.0))
}

/// Counts a warning and resets, unless that is disabled. The warning survives the reset.
fn reset_with_warning(
    model: &Model,
    data: &mut Data,
    nested: &mut NestedCalls,
    warning: Warning,
    at: usize,
) -> Result<(), Mismatch> {
    // counted before and after, so that it is seen with and without a reset
    data.warn(warning, at as i32);
    if !model.disabled(DisableBit::Autoreset) {
        nested.allow(data, |data| mj_reset_data(model, data))?;
    }
    data.warn(warning, at as i32);
    Ok(())
}
