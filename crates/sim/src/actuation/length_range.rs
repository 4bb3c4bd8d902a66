//! Range of the length of an actuator, found by pulling the model into both extremes: `mj_set_length_range`.
//!
//! Two short simulations apply a force along the actuator's moment, scaled so that it would accelerate the
//! model at a given rate, once in each direction; velocities decay with a time constant. The extreme lengths
//! over the last part of each simulation are the range. Any kind of transmission can be driven this way:
//! joints, tendons and sites alike.

use kinetree_math::MINVAL;
use kinetree_model::enums::{BiasType, DisableBit, GainType, LengthRangeMode, TrnType};
use kinetree_model::{Data, Mismatch, Model, checkpoint, mj_reset_data};

use super::transmission::moment_arms;
use crate::inertia::mass_matrix::mj_solve_m;
use crate::step::{mj_step1, mj_step2};
use crate::step_memory::StepMemory;
use kinetree_model::StepError;

/// Most time steps of one simulation.
const MAX_STEPS: f64 = 200_000.0;

/// How length ranges are searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LengthRangeOptions {
    /// Which actuators are processed.
    pub mode: LengthRangeMode,
    /// Keep a range that was given.
    pub useexisting: bool,
    /// Take the range from joint and tendon limits where they exist.
    pub uselimit: bool,
    /// Target acceleration.
    pub accel: f64,
    /// Bound on the force; 0: none.
    pub maxforce: f64,
    /// Time constant of the velocity damping (s).
    pub timeconst: f64,
    /// Time step of the simulation (s); 0: that of the model.
    pub timestep: f64,
    /// Total time of the simulation (s).
    pub inttotal: f64,
    /// Final interval over which the length is measured (s).
    pub interval: f64,
    /// Convergence tolerance as a share of the range.
    pub tolrange: f64,
}

impl Default for LengthRangeOptions {
    fn default() -> Self {
        Self {
            mode: LengthRangeMode::Muscle,
            useexisting: true,
            uselimit: false,
            accel: 20.0,
            maxforce: 0.0,
            timeconst: 1.0,
            timestep: 0.01,
            inttotal: 10.0,
            interval: 2.0,
            tolrange: 0.05,
        }
    }
}

/// Why a length range could not be found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LengthRangeError {
    /// The data does not fit the model.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// There is no such actuator.
    #[error("actuator {0} does not exist")]
    NoActuator(usize),
    /// The simulation diverged.
    #[error("unstable lengthrange simulation in actuator {0}")]
    Unstable(usize),
    /// The simulation would take unreasonably many steps.
    #[error("lengthrange simulation of {0} s needs more than {MAX_STEPS} steps")]
    TooLong(f64),
    /// A step failed.
    #[error("lengthrange simulation in actuator {actuator}: {error}")]
    Step {
        /// The actuator.
        actuator: usize,
        /// What went wrong.
        error: StepError,
    },
    /// The two extremes do not form a range.
    #[error("invalid lengthrange ({low}, {high}) in actuator {actuator}")]
    Invalid {
        /// The actuator.
        actuator: usize,
        /// Length when pulled one way.
        low: f64,
        /// Length when pulled the other way.
        high: f64,
    },
    /// The length was still changing at the end.
    #[error(
        "lengthrange computation did not converge in actuator {actuator}: length between {low} and {high} at the end"
    )]
    NotConverged {
        /// The actuator.
        actuator: usize,
        /// Smallest length in the final interval.
        low: f64,
        /// Largest length in the final interval.
        high: f64,
    },
}

/// Sets the length ranges of all actuators that the options select.
///
/// # Errors
/// When a range cannot be found for one of them.
pub(crate) fn mj_set_length_ranges(
    model: &mut Model,
    data: &mut Data,
    work: &mut StepMemory,
    options: &LengthRangeOptions,
) -> Result<(), LengthRangeError> {
    let saved = model.opt.clone();
    undisturb(model, options);
    let result =
        (0..model.nu).try_for_each(|actuator| mj_set_length_range(model, data, work, actuator, options));
    model.opt = saved;
    result
}

/// Switches off everything that should not disturb the search, and sets its time step.
pub fn undisturb(model: &mut Model, options: &LengthRangeOptions) {
    model.opt.disableflags = [
        DisableBit::Frictionloss,
        DisableBit::Contact,
        DisableBit::Spring,
        DisableBit::Damper,
        DisableBit::Gravity,
        DisableBit::Actuation,
    ]
    .iter()
    .fold(0, |flags, bit| flags | *bit as i32);
    if options.timestep > 0.0 {
        model.opt.timestep = options.timestep;
    }
}

/// Sets the length range of one actuator, if the options select it. The options of the model are used as they
/// are; [`mj_set_length_ranges`] switches off everything that should not disturb the search.
///
/// # Errors
/// When the range cannot be found.
pub(crate) fn mj_set_length_range(
    model: &mut Model,
    data: &mut Data,
    work: &mut StepMemory,
    actuator: usize,
    options: &LengthRangeOptions,
) -> Result<(), LengthRangeError> {
    if let Some(range) = find_length_range(model, data, work, actuator, options)? {
        model.actuator_lengthrange[actuator] = range;
    }
    Ok(())
}

/// Whether the options ask for a search of this actuator's range.
#[must_use]
pub fn needs_length_range(model: &Model, actuator: usize, options: &LengthRangeOptions) -> bool {
    let [low, high] = model.actuator_lengthrange[actuator];
    is_selected(model, actuator, options.mode) && !(options.useexisting && low < high)
}

/// The length range of one actuator; `None` when the options do not ask for it.
///
/// # Errors
/// When the range cannot be found.
pub(crate) fn find_length_range(
    model: &Model,
    data: &mut Data,
    work: &mut StepMemory,
    actuator: usize,
    options: &LengthRangeOptions,
) -> Result<Option<[f64; 2]>, LengthRangeError> {
    if actuator >= model.nu {
        return Err(LengthRangeError::NoActuator(actuator));
    }
    if !needs_length_range(model, actuator, options) {
        return Ok(None);
    }
    if let Some(limit) = limit_of_target(model, actuator).filter(|_| options.uselimit) {
        return Ok(Some(limit));
    }
    let mut pull = |direction: f64| simulate(model, data, work, actuator, direction, options);
    let ends = [pull(-1.0)?, pull(1.0)?];
    let range = [ends[0][0], ends[1][1]];
    let width = range[1] - range[0];
    if width <= 0.0 {
        return Err(LengthRangeError::Invalid { actuator, low: range[0], high: range[1] });
    }
    for [low, high] in ends {
        if high - low > options.tolrange * width {
            return Err(LengthRangeError::NotConverged { actuator, low, high });
        }
    }
    Ok(Some(range))
}

fn is_selected(model: &Model, actuator: usize, mode: LengthRangeMode) -> bool {
    let (gain, bias) = (model.actuator_gaintype[actuator], model.actuator_biastype[actuator]);
    let muscle = gain == GainType::Muscle || bias == BiasType::Muscle;
    let user = gain == GainType::User || bias == BiasType::User;
    match mode {
        LengthRangeMode::None => false,
        LengthRangeMode::Muscle => muscle,
        LengthRangeMode::Muscleuser => muscle || user,
        LengthRangeMode::All => true,
    }
}

/// Limits of the joint or tendon that an actuator drives.
fn limit_of_target(model: &Model, actuator: usize) -> Option<[f64; 2]> {
    let target = usize::try_from(model.actuator_trnid[actuator][0]).ok()?;
    match model.actuator_trntype[actuator] {
        t if t == TrnType::Joint || t == TrnType::Jointinparent => {
            (model.jnt_limited[target] != 0).then(|| model.jnt_range[target])
        }
        t if t == TrnType::Tendon => (model.tendon_limited[target] != 0).then(|| model.tendon_range[target]),
        _ => None,
    }
}

/// Pulls in one direction; returns the smallest and largest length in the final interval.
fn simulate(
    model: &Model,
    data: &mut Data,
    work: &mut StepMemory,
    actuator: usize,
    direction: f64,
    options: &LengthRangeOptions,
) -> Result<[f64; 2], LengthRangeError> {
    let steps = (options.inttotal / model.opt.timestep).ceil();
    if !(model.opt.timestep > 0.0 && steps <= MAX_STEPS) {
        return Err(LengthRangeError::TooLong(options.inttotal));
    }
    work.stages.nested.allow(data, |data| mj_reset_data(model, data))?;
    let mut range: Option<[f64; 2]> = None;
    let mut taken = 0.0;
    while data.time < options.inttotal {
        // time goes back when the state became invalid and was reset
        if taken > steps + 1.0 {
            return Err(LengthRangeError::Unstable(actuator));
        }
        taken += 1.0;
        checkpoint();
        let length = pull(model, data, work, actuator, direction, options)
            .map_err(|error| LengthRangeError::Step { actuator, error })?;
        if data.time > options.inttotal - options.interval {
            let [low, high] = range.unwrap_or([length; 2]);
            range = Some([low.min(length), high.max(length)]);
        }
    }
    Ok(range.unwrap_or([0.0; 2]))
}

/// One time step with a force along the actuator's moment; returns the length of the actuator.
fn pull(
    model: &Model,
    data: &mut Data,
    work: &mut StepMemory,
    actuator: usize,
    direction: f64,
    options: &LengthRangeOptions,
) -> Result<f64, StepError> {
    let decay = libm::exp(-model.opt.timestep / options.timeconst.max(0.01));
    data.qvel.iter_mut().for_each(|v| *v *= decay);
    mj_step1(model, data, &mut work.stages)?;

    let mut moment = vec![0.0; model.nv];
    let (columns, arms) = moment_arms(data, actuator);
    columns.iter().zip(arms).for_each(|(&dof, arm)| moment[dof as usize] = *arm);
    let mut force = moment.clone();
    mj_solve_m(model, data, &mut force);
    let scale = direction * options.accel / norm(&force).max(MINVAL);
    for (force, moment) in force.iter_mut().zip(&moment) {
        *force = moment * scale;
    }
    let size = norm(&force);
    if options.maxforce > 0.0 && size > options.maxforce {
        let scale = options.maxforce / size.max(MINVAL);
        force.iter_mut().for_each(|f| *f *= scale);
    }
    data.qfrc_applied.copy_from_slice(&force);

    mj_step2(model, data, work)?;
    Ok(data.actuator_length[actuator])
}

fn norm(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}
