//! Forward dynamics, as a table of contents: from positions, velocities and inputs to accelerations and
//! sensors.

use crate::actuation::mj_fwd_actuation;
use crate::actuation::transmission::mj_transmission;
use crate::constraint::{
    PointWeights, make_constraint, mj_project_constraint, mj_reference_constraint, reference_constraint,
};
use crate::contact::mj_collision;
use crate::damped_inertia::{DampedInertia, factor_with_damped_inertia, factors_damped_inertia_early};
use crate::evaluation::{Evaluation, Points, SmoothStages};
use crate::forces::bias::rne_post_constraint;
use crate::forces::energy::{mj_energy_pos, mj_energy_vel};
use crate::inertia::mass_matrix::{mj_factor_m, mj_make_m};
use crate::island::find_islands;
use crate::nested::NestedCalls;
use crate::plugin::check_bound;
use crate::sensor::{mj_sensor_acc, mj_sensor_pos, mj_sensor_vel};
use crate::sleep::mj_update_sleep;
use crate::sleep::wake::{mj_wake_collision, mj_wake_equality};
use crate::smooth::{
    follow_kinematics, follow_velocities, fwd_velocity_smooth, mj_fwd_acceleration, mj_fwd_kinematics,
};
use crate::solver::{coupled_constraint, fwd_constraint};
use crate::stage_memory::StageMemory;
use crate::unsupported::{check_model, check_position};
use kinetree_model::enums::{DisableBit, EnableBit, Solver, Stage};
use kinetree_model::{Data, Model, StepError};

/// Everything that depends on positions: poses, inertia, contacts, constraints, transmissions.
pub(crate) fn mj_fwd_position(model: &Model, data: &mut Data, memory: &mut StageMemory) {
    let mut evaluation = Evaluation::begin(model);
    fwd_position(model, data, memory, &mut evaluation, Purpose::Evaluation);
    memory.reuse(evaluation);
}

/// What the dynamics are evaluated for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Their own sake.
    Evaluation,
    /// A step, at the end of which the Euler integrator needs the factor of the inertia with dampers.
    Step,
}

/// As [`mj_fwd_position`], for the later stages of an evaluation.
fn fwd_position(
    model: &Model,
    data: &mut Data,
    memory: &mut StageMemory,
    evaluation: &mut Evaluation<'_>,
    purpose: Purpose,
) {
    if let Some(stages) = evaluation.smooth {
        follow_kinematics(model, data, &mut memory.wrap_paths, &mut memory.flex, stages);
        evaluation.damped_inertia = DampedInertia::made_in_lockstep(stages.damped_inertia);
    } else {
        mj_fwd_kinematics(model, data, &mut memory.wrap_paths, &mut memory.flex);
        fwd_inertia(model, data, memory, evaluation, purpose);
    }
    mj_collision(model, data, &mut memory.collision);
    if mj_wake_collision(model, data) > 0 {
        // what a contact has woken may touch something in turn
        mj_update_sleep(model, data);
        mj_collision(model, data, &mut memory.collision);
    }
    if mj_wake_equality(model, data) > 0 {
        mj_update_sleep(model, data);
    }
    if let Some(points) = &mut evaluation.points {
        find_point_contacts(model, data, points, &mut memory.rows.contact_bodies.points);
    }
    let blocks = make_constraint(model, data, &mut memory.rows);
    memory.rows.contact_bodies.points.clear();
    if evaluation.is_undisturbed() {
        evaluation.rows = Some(blocks);
    } else {
        memory.rows.reuse(blocks);
    }
    if evaluation.has_point_contacts() {
        // point masses tie trees together that the model does not
        (data.nisland, data.nidof) = (0, 0);
    } else {
        find_islands(model, data, &mut memory.islands);
    }
    if !evaluation.has_forces() {
        mj_transmission(model, data, &mut memory.moment_row);
    }
    mj_project_constraint(model, data, &mut memory.projection);
}

/// The inertia matrix and its factor; with that of the inertia with dampers where a step does best to.
fn fwd_inertia(
    model: &Model,
    data: &mut Data,
    memory: &mut StageMemory,
    evaluation: &mut Evaluation<'_>,
    purpose: Purpose,
) {
    mj_make_m(model, data, &mut memory.dof_path);
    if purpose == Purpose::Step && evaluation.is_undisturbed() && factors_damped_inertia_early(model, data) {
        let StageMemory { factorizer, damper_derivatives, .. } = memory;
        let damped = factor_with_damped_inertia(model, data, factorizer, damper_derivatives);
        evaluation.damped_inertia = Some(damped);
    } else {
        mj_factor_m(model, data, &mut memory.factorizer);
    }
}

/// Everything that depends on velocities: bias, passive forces, reference accelerations of constraints.
pub(crate) fn mj_fwd_velocity(model: &Model, data: &mut Data, memory: &mut StageMemory) {
    fwd_velocity(model, data, memory, &mut Evaluation::begin(model), false);
}

/// As [`mj_fwd_velocity`], for the later stages of an evaluation, which may want the velocity-dependent
/// terms.
fn fwd_velocity(
    model: &Model,
    data: &mut Data,
    memory: &mut StageMemory,
    evaluation: &mut Evaluation<'_>,
    wants_terms: bool,
) {
    let StageMemory { rne, flex, nested, rows, .. } = memory;
    // sensors may need the terms again, when nobody comes between
    let wants_terms = wants_terms && evaluation.is_undisturbed();
    evaluation.velocity_terms = match evaluation.smooth {
        Some(stages) => {
            follow_velocities(model, data, flex, nested, stages);
            None
        }
        None => fwd_velocity_smooth(model, data, rne, flex, nested, wants_terms),
    };
    match &evaluation.rows {
        Some(blocks) => reference_constraint(model, data, blocks, &mut rows.lanes),
        None => mj_reference_constraint(model, data, rows),
    }
}

/// Forward dynamics: from positions, velocities and inputs to accelerations and sensors.
///
/// # Errors
/// When a sensor cannot be computed or the model asks for what is not supported.
pub(crate) fn mj_forward(model: &Model, data: &mut Data, memory: &mut StageMemory) -> Result<(), StepError> {
    mj_forward_skip(model, data, memory, Stage::None, false)
}

/// Forward dynamics that keeps the results of the stages up to `skip`, and leaves sensors out when
/// `skip_sensors`.
///
/// # Errors
/// When a sensor cannot be computed or the model asks for what is not supported.
pub(crate) fn mj_forward_skip(
    model: &Model,
    data: &mut Data,
    memory: &mut StageMemory,
    skip: Stage,
    skip_sensors: bool,
) -> Result<(), StepError> {
    if skip >= Stage::Pos {
        data.check_rows(model)?;
    }
    forward(model, data, memory, skip, skip_sensors, Purpose::Evaluation, (None, None))?;
    Ok(())
}

/// As [`mj_forward_skip`], with point masses, and after smooth stages that are made already; returns the
/// factor of the inertia with dampers if it was made for a step.
pub(crate) fn forward(
    model: &Model,
    data: &mut Data,
    memory: &mut StageMemory,
    skip: Stage,
    skip_sensors: bool,
    purpose: Purpose,
    (points, smooth): (Option<Points<'_>>, Option<SmoothStages>),
) -> Result<Option<DampedInertia>, StepError> {
    check_bound(model)?;
    let mut evaluation = Evaluation::begin(model);
    (evaluation.points, evaluation.smooth) = (points, smooth);
    let mut stages = || {
        if skip < Stage::Pos {
            position_stage(model, data, memory, &mut evaluation, skip_sensors, purpose)?;
        }
        if skip < Stage::Vel {
            let wants_terms = !skip_sensors && model.nsensor > 0;
            velocity_stage(model, data, memory, &mut evaluation, skip_sensors, wants_terms)?;
        }
        if !model.disabled(DisableBit::Actuation) {
            control_callback(model, data, &mut memory.nested);
        }
        acceleration_stage(model, data, memory, &mut evaluation, skip_sensors)
    };
    let result = stages();
    let damped_inertia = evaluation.damped_inertia.take();
    memory.reuse(evaluation);
    memory.report_failure()?;
    result.map(|()| damped_inertia)
}

/// Positions, with their sensors and energy.
pub(crate) fn position_stage(
    model: &Model,
    data: &mut Data,
    memory: &mut StageMemory,
    evaluation: &mut Evaluation<'_>,
    skip_sensors: bool,
    purpose: Purpose,
) -> Result<(), StepError> {
    check_model(model)?;
    fwd_position(model, data, memory, evaluation, purpose);
    check_position(model, data)?;
    if !skip_sensors {
        mj_sensor_pos(model, data, &mut memory.sensor_context(&mut None))?;
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
    memory: &mut StageMemory,
    evaluation: &mut Evaluation<'_>,
    skip_sensors: bool,
    wants_terms: bool,
) -> Result<(), StepError> {
    fwd_velocity(model, data, memory, evaluation, wants_terms);
    if !skip_sensors {
        mj_sensor_vel(model, data, &mut memory.sensor_context(&mut evaluation.velocity_terms))?;
    }
    if model.enabled(EnableBit::Energy) && !data.flg_energyvel {
        mj_energy_vel(model, data, &mut memory.momentum);
    }
    Ok(())
}

/// Actuation, accelerations and constraint forces, with their sensors.
pub(crate) fn acceleration_stage(
    model: &Model,
    data: &mut Data,
    memory: &mut StageMemory,
    evaluation: &mut Evaluation<'_>,
    skip_sensors: bool,
) -> Result<(), StepError> {
    check_model(model)?;
    if !evaluation.has_forces() {
        mj_fwd_actuation(model, data, &mut memory.actuation, &mut memory.nested);
        mj_fwd_acceleration(model, data);
    }
    if data.nefc > 0 {
        Solver::try_from(model.opt.solver).map_err(|error| StepError::Solver(error.value))?;
    }
    let StageMemory { solver, rows, projection, .. } = memory;
    if evaluation.has_point_contacts() {
        let scratch = (&mut solver.coupled, &mut solver.dual);
        coupled_constraint(model, data, scratch, rows, projection, evaluation)?;
    } else {
        let shared = evaluation.shared_work().unwrap_or_default();
        fwd_constraint(model, data, solver, rows, projection, &mut evaluation.rows, shared)?;
    }
    if !skip_sensors {
        data.flg_rnepost = false;
        if let Some(points) = &evaluation.points
            && !points.contacts.attachments().is_empty()
        {
            // sensors do not know what pulls besides the model
            let (terms, attached) = (evaluation.velocity_terms.take(), points.contacts.attachments());
            rne_post_constraint(model, data, &mut memory.rne, terms, attached);
        }
        mj_sensor_acc(model, data, &mut memory.sensor_context(&mut evaluation.velocity_terms))?;
    }
    Ok(())
}

/// Calls the user's control callback.
pub(crate) fn control_callback(model: &Model, data: &mut Data, nested: &mut NestedCalls) {
    if let Some(callback) = &model.callbacks.control {
        nested.allow(data, |data| (callback.0)(model, data));
    }
}

/// Adds the contacts of point masses to those of the geoms.
fn find_point_contacts(model: &Model, data: &mut Data, points: &mut Points<'_>, weights: &mut PointWeights) {
    points.contacts.clear();
    if !model.disabled(DisableBit::Constraint) {
        points.owner.find_contacts(model, data, points.contacts);
        points.contacts.append_to(data, weights);
    }
}
