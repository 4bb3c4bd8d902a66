//! The step, forward and inverse dynamics: with timers, and interruptible.

use super::functions;
use crate::call::{PyData, PyModel, run};
use crate::callbacks::{clock, has_clock, pending_error};
use crate::errors::{Outcome, fatal};
use crate::health::refuse;
use crate::signals::SIGNAL_INTERVAL;
use kinetree_model::enums::Timer;
use kinetree_model::{Data, Model, is_interrupted};
use kinetree_sim as sim;
use pyo3::prelude::*;
use std::time::Instant;

/// Calls `f` and adds the time it takes to a timer.
fn timed<R>(d: &mut Data, timer: Timer, f: impl FnOnce(&mut Data) -> R) -> R {
    let origin = Instant::now();
    let start = if has_clock() { clock(origin) } else { 0.0 };
    let result = f(d);
    count(d, timer, clock(origin) - start);
    result
}

/// Adds to a timer.
fn count(d: &mut Data, timer: Timer, duration: f64) {
    let stat = &mut d.timer[timer as usize];
    stat.duration += duration;
    stat.number += 1;
}

/// Runs a timed part of the pipeline; a failure of the engine is a `FatalError`.
fn timed_stage<R: Outcome + Send>(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    timer: Timer,
    f: impl FnOnce(&Model, &mut Data) -> R + Send,
) -> PyResult<()> {
    run(m, d, |m, d| timed(d, timer, |d| f(m, d).outcome()))?.map_err(fatal)
}

/// Like [`timed_stage`], from a state that must be finite if it is the program's.
fn timed_start<R: Outcome + Send>(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    timer: Timer,
    f: impl FnOnce(&Model, &mut Data) -> R + Send,
) -> PyResult<()> {
    let core = d.get();
    run(m, d, |m, d| {
        refuse(d, core.has_diverged())?;
        timed(d, timer, |d| f(m, d).outcome()).map_err(fatal)
    })?
}

/// Makes steps until they are all done, one fails, a callback raises an exception or a signal handler does.
fn many_steps(m: &Model, d: &mut Data, nstep: i64) -> PyResult<()> {
    let mut last = Instant::now();
    let mut last_look = last;
    for _ in 0..nstep {
        let own_clock = !has_clock();
        let result =
            if own_clock { sim::mj_step(m, d) } else { timed(d, Timer::Step, |d| sim::mj_step(m, d)) };
        // one look at the clock ends this step and begins the next
        let now = Instant::now();
        if own_clock {
            count(d, Timer::Step, (now - last).as_secs_f64());
        }
        last = now;
        result.map_err(fatal)?;
        if pending_error() {
            break;
        }
        if now - last_look > SIGNAL_INTERVAL {
            if is_interrupted() {
                break;
            }
            last_look = now;
        }
    }
    Ok(())
}

/// Advances the simulation by `nstep` time steps of `m.opt.timestep` seconds.
///
/// Runs the whole pipeline, then integrates: reads the state (`qpos`, `qvel`, `act`, `time`) and the inputs
/// (`ctrl`, `qfrc_applied`, `xfrc_applied`, `mocap_pos`, `mocap_quat`, `eq_active`, `userdata`), and writes
/// the next state and all results. Positions and sensors belong to the state before the integration; call
/// `mj_forward` to bring them up to date.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     nstep: number of steps; other threads may run meanwhile.
///
/// Raises:
///     FatalError: the model asks for something unsupported, or the state was not finite before.
///
/// Example::
///
///     while data.time < 1.0:
///         data.ctrl[:] = 0.1
///         kinetree.mj_step(model, data)
#[pyfunction]
#[pyo3(signature = (m, d, nstep=1))]
fn mj_step(m: PyModel<'_, '_>, d: PyData<'_, '_>, nstep: i64) -> PyResult<()> {
    if nstep == 1 {
        return timed_start(m, d, Timer::Step, sim::mj_step);
    }
    let core = d.get();
    run(m, d, |m, d| {
        refuse(d, core.has_diverged())?;
        many_steps(m, d, nstep)
    })?
}

/// First half of a step: all that does not depend on the controls.
///
/// Computes positions, velocities, contacts and constraints, and the sensors that depend on those. Set
/// `d.ctrl` or the applied forces afterwards, then call `mj_step2`. With the Runge-Kutta integrator the
/// second half uses Euler.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
#[pyfunction]
fn mj_step1(m: PyModel<'_, '_>, d: PyData<'_, '_>) -> PyResult<()> {
    let core = d.get();
    run(m, d, |m, d| {
        refuse(d, core.has_diverged())?;
        let result = timed(d, Timer::Step, |d| sim::mj_step1(m, d).outcome());
        // the second half counts the step
        d.timer[Timer::Step as usize].number -= 1;
        result.map_err(fatal)
    })?
}

/// Second half of a step: actuation, constraint forces, the remaining sensors, and the integration.
///
/// Call `mj_step1` before, and set the controls in between. Runge-Kutta is replaced by Euler, as it needs
/// whole steps.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
#[pyfunction]
fn mj_step2(m: PyModel<'_, '_>, d: PyData<'_, '_>) -> PyResult<()> {
    timed_start(m, d, Timer::Step, sim::mj_step2)
}

/// Forward dynamics: computes all results, `qacc` and the sensors among them, and leaves state and time as
/// they are.
///
/// Call it after you have changed `qpos`, `qvel`, inputs or the model, before you read results such as
/// `xpos`.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
#[pyfunction]
fn mj_forward(m: PyModel<'_, '_>, d: PyData<'_, '_>) -> PyResult<()> {
    timed_start(m, d, Timer::Forward, sim::mj_forward)
}

/// Forward dynamics without the stages whose inputs have not changed.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     skipstage: last stage to skip, an `mjtStage`: `mjSTAGE_NONE`, `mjSTAGE_POS` or `mjSTAGE_VEL`.
///     skipsensor: not 0 to skip the sensors, too.
#[pyfunction]
fn mj_forwardSkip(m: PyModel<'_, '_>, d: PyData<'_, '_>, skipstage: i32, skipsensor: i64) -> PyResult<()> {
    let stage = stage_of(skipstage)?;
    timed_start(m, d, Timer::Forward, |m, d| sim::mj_forward_skip(m, d, stage, skipsensor != 0))
}

/// Inverse dynamics: the generalized force that causes the acceleration `d.qacc`.
///
/// Reads `qpos`, `qvel` and `qacc`; writes `qfrc_inverse`, shape (nv,), and the results of the position and
/// velocity stages. With the flag `invdiscrete` the acceleration is that of a step instead of the continuous
/// one.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
#[pyfunction]
fn mj_inverse(m: PyModel<'_, '_>, d: PyData<'_, '_>) -> PyResult<()> {
    timed_stage(m, d, Timer::Inverse, sim::mj_inverse)
}

/// Inverse dynamics without the stages whose inputs have not changed.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     skipstage: last stage to skip, an `mjtStage`.
///     skipsensor: not 0 to skip the sensors, too.
#[pyfunction]
fn mj_inverseSkip(m: PyModel<'_, '_>, d: PyData<'_, '_>, skipstage: i32, skipsensor: i64) -> PyResult<()> {
    let stage = stage_of(skipstage)?;
    timed_stage(m, d, Timer::Inverse, |m, d| sim::mj_inverse_skip(m, d, stage, skipsensor != 0))
}

/// Integrates one step with the Runge-Kutta method, starting from the results of `mj_forward`.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     N: order of the method; only 4 is supported.
///
/// Raises:
///     FatalError: `N` is not 4.
#[pyfunction]
#[allow(non_snake_case)]
fn mj_RungeKutta(m: PyModel<'_, '_>, d: PyData<'_, '_>, N: i64) -> PyResult<()> {
    if N != 4 {
        return Err(fatal(format!("unsupported: Runge-Kutta integrator of order {N}, only 4 is available")));
    }
    crate::call::stage(m, d, sim::mj_runge_kutta4)
}

fn stage_of(value: i32) -> PyResult<kinetree_model::enums::Stage> {
    value.try_into().map_err(|_| fatal(format!("{value} is not a stage")))
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    functions!(module; mj_step mj_step1 mj_step2 mj_forward mj_forwardSkip mj_inverse mj_inverseSkip mj_RungeKutta);
    Ok(())
}
