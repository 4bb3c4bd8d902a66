//! One world of a batch, and a step of it.

use crate::functions::{ResetFn, RewardFn, TerminationFn};
use crate::output::Output;
use crate::random::Random;
use crate::record::{Part, Record, width};
use crate::tables::WorldRows;
use crate::task::{Completion, Outcome, Reads, Task, Transition};
use crate::threads::Stop;
use kinetree_model::enums::{Integrator, Stage, Warning};
use kinetree_model::{Data, Model, StepError};
use std::sync::Arc;

/// What all worlds of a batch have in common.
pub(crate) struct Setup {
    pub(crate) reward: Option<Box<dyn RewardFn>>,
    pub(crate) termination: Option<Box<dyn TerminationFn>>,
    pub(crate) reset: Option<Box<dyn ResetFn>>,
    pub(crate) task: Option<TaskLayout>,
    /// Steps of physics in a step of the batch.
    pub(crate) frame_skip: usize,
    /// Steps of the batch after which an episode is cut off.
    pub(crate) time_limit: Option<u64>,
    /// Arrays of the data that the batch shows.
    pub(crate) outputs: Vec<Output>,
    pub(crate) completion: Completion,
    /// Whether controls were given in single precision.
    pub(crate) single_precision: bool,
}

/// A task, and what it writes.
pub(crate) struct TaskLayout {
    task: Arc<dyn Task>,
    pub(crate) observation: Vec<Part>,
    /// Metrics of states, then those of steps.
    pub(crate) metrics: [Vec<Part>; 2],
    /// Numbers that it remembers about the state before a step.
    memory: usize,
}

impl TaskLayout {
    /// Lets a task write once, to see what it writes.
    pub(crate) fn new(task: Arc<dyn Task>, model: &Model) -> Result<Self, StepError> {
        StepError::catch(|| {
            let mut data = Data::new(model);
            data.forward(model)?;
            let memory = width(&Record::layout(|record| task.remember(model, &data, record)));
            let (duration, before) = (model.opt.timestep, vec![0.0; memory]);
            let step = Transition { model, data: &data, before: &before, duration, single_precision: false };
            let observation = Record::layout(|record| task.observe(model, &data, record));
            let metrics = [
                Record::layout(|record| task.describe(model, &data, record)),
                Record::layout(|record| {
                    task.evaluate(&step, record);
                }),
            ];
            Ok(Self { task, observation, metrics, memory })
        })
    }

    /// Numbers in a row of metrics, of states and of all.
    pub(crate) fn metric_columns(&self) -> [usize; 2] {
        let states = width(&self.metrics[0]);
        [states, states + width(&self.metrics[1])]
    }

    /// Writes the observation and the metrics of a state.
    fn show(&self, model: &Model, data: &Data, rows: &mut WorldRows<'_>) {
        self.task.observe(model, data, &mut Record::new(rows.observation));
        self.task.describe(model, data, &mut Record::new(rows.metrics));
    }
}

impl Setup {
    /// Steps of physics alone, with these outputs, or of a task.
    pub(crate) fn new(outputs: Vec<Output>, task: Option<TaskLayout>) -> Self {
        let mut completion = task.as_ref().map_or(Completion::None, |task| task.task.completion());
        if completion == Completion::None && outputs.iter().any(Output::is_after_constraints) {
            completion = Completion::BodyForces;
        }
        let (reward, termination, reset) = (None, None, None);
        let (frame_skip, time_limit, single_precision) = (1, None, false);
        Self {
            reward,
            termination,
            reset,
            task,
            frame_skip,
            time_limit,
            outputs,
            completion,
            single_precision,
        }
    }

    /// What is read of a world after a step. Functions of the user and outputs may be anything.
    pub(crate) fn reads(&self, model: &Model) -> Reads {
        match &self.task {
            Some(layout) => layout.task.reads(),
            None if self.reward.is_none()
                && self.termination.is_none()
                && self.outputs.is_empty()
                && model.nsensor == 0 =>
            {
                Reads::State
            }
            None => Reads::LastEvaluation,
        }
    }

    /// Completes what a step or an evaluation has left out and outputs need.
    fn complete(&self, model: &Model, data: &mut Data) -> Result<(), StepError> {
        match self.completion {
            Completion::None => Ok(()),
            Completion::BodyForces => Ok(kinetree_sim::mj_rne_post_constraint(model, data)?),
            Completion::NextState => kinetree_sim::mj_step1(model, data),
        }
    }

    /// Reward of a step that was made, and whether the episode has ended.
    fn evaluate(&self, step: &Transition<'_>, metrics: &mut [f64]) -> Outcome {
        if let Some(layout) = &self.task {
            let [first, _] = layout.metric_columns();
            return layout.task.evaluate(step, &mut Record::new(&mut metrics[first..]));
        }
        let (model, data) = (step.model, step.data);
        let reward = self.reward.as_ref().map_or(0.0, |reward| reward.compute(model, data));
        let terminated = self.termination.as_ref().is_some_and(|end| end.terminated(model, data));
        Outcome { reward, terminated }
    }
}

/// How many steps of the batch to make; each step of physics looks whether to stop early.
#[derive(Clone, Copy)]
pub(crate) struct Steps<'a> {
    pub(crate) count: usize,
    pub(crate) stop: Stop<'a>,
}

/// A world.
#[derive(Clone)]
pub(crate) struct World {
    pub(crate) data: Data,
    pub(crate) random: Random,
    /// Steps of the batch since the last reset.
    pub(crate) steps: u64,
    /// Whether the last step failed: the world is reset before the next one.
    pub(crate) failed: bool,
    /// Whether everything that follows from positions and velocities is computed, so that the next step
    /// begins with its second half. Only where the completion is [`Completion::NextState`].
    pub(crate) ahead: bool,
    /// Whether a device that steps the worlds does not have the state of this one.
    pub(crate) moved: bool,
    /// What the task remembers about the state before a step.
    before: Box<[f64]>,
}

/// Warnings that mean that a step has left no usable state; a cause comes before what follows from it.
const DIVERGED: [(Warning, &str); 4] = [
    (Warning::Inertia, "the inertia"),
    (Warning::Badqpos, "qpos"),
    (Warning::Badqvel, "qvel"),
    (Warning::Badqacc, "qacc"),
];

impl World {
    pub(crate) fn new(model: &Model, random: Random, setup: &Setup) -> Self {
        let memory = setup.task.as_ref().map_or(0, |task| task.memory);
        let before = vec![0.0; memory].into();
        let (failed, ahead, moved) = (false, false, true);
        Self { data: Data::new(model), random, steps: 0, failed, ahead, moved, before }
    }

    /// Returns to the first state, or to positions and velocities that are given, and evaluates them. A task
    /// has the last word, and leaves forces of bodies, which first states do not have, at zero.
    fn reset(&mut self, model: &Model, setup: &Setup, state: Option<&[f64]>) -> Result<(), StepError> {
        if self.failed {
            // what the failed step has left is of no use
            self.data = Data::new(model);
        }
        (self.steps, self.ahead, self.moved) = (0, false, true);
        let Self { data, random, .. } = self;
        let outcome = StepError::catch(|| {
            data.reset(model)?;
            match (state, &setup.reset) {
                (Some(state), _) => set_state(data, state),
                (None, Some(reset)) => reset.reset(model, data, random),
                (None, None) => {}
            }
            if state.is_some() || setup.task.is_some() {
                data.forward(model)?;
            }
            match &setup.task {
                Some(layout) => layout.task.begin(model, data),
                None if state.is_some() => setup.complete(model, data),
                None => Ok(()),
            }
        });
        self.ahead = outcome.is_ok() && setup.task.is_some() && setup.completion == Completion::NextState;
        self.settle(outcome, model)
    }

    /// Notes whether the world failed. A data that somebody has replaced by that of another model is a
    /// failure, too.
    fn settle<R>(&mut self, outcome: Result<R, StepError>, model: &Model) -> Result<R, StepError> {
        let outcome = match self.data.check_sizes(model) {
            Ok(()) => outcome,
            Err(mismatch) => {
                self.data = Data::new(model);
                Err(mismatch.into())
            }
        };
        self.failed = outcome.is_err();
        outcome
    }

    /// Resets the world and shows its first state, which is in the table when `here`.
    pub(crate) fn begin(&mut self, here: bool, model: &Model, setup: &Setup, rows: &mut WorldRows<'_>) {
        let columns = model.nq + model.nv;
        let state = here.then(|| &rows.state[..columns]);
        let outcome = self.reset(model, setup, state);
        if let Some(layout) = &setup.task {
            rows.metrics[layout.metric_columns()[0]..].fill(0.0);
        }
        *rows.error = outcome.and(self.show(model, setup, rows)).err();
        (*rows.reward, *rows.terminated, *rows.truncated) = (0.0, false, false);
    }

    /// Computes what follows from the state and the controls in the tables, without a step.
    pub(crate) fn evaluate(&mut self, model: &Model, setup: &Setup, rows: &mut WorldRows<'_>) {
        let outcome = self.settle(Ok(()), model).and_then(|()| {
            self.take(rows);
            let data = &mut self.data;
            StepError::catch(|| {
                data.forward(model)?;
                setup.complete(model, data)
            })
        });
        let outcome = self.settle(outcome, model);
        *rows.error = outcome.and(self.show(model, setup, rows)).err();
    }

    /// Makes steps of the batch with the same controls.
    pub(crate) fn advance(
        &mut self,
        steps: Steps<'_>,
        model: &Model,
        setup: &Setup,
        rows: &mut WorldRows<'_>,
    ) {
        let outcome = self.try_advance(steps, model, setup, rows);
        self.report(outcome, model, setup, rows);
    }

    /// Shows what came of a step.
    pub(crate) fn report(
        &mut self,
        outcome: Result<Outcome, StepError>,
        model: &Model,
        setup: &Setup,
        rows: &mut WorldRows<'_>,
    ) {
        let outcome = self.settle(outcome, model);
        let shown = self.show(model, setup, rows);
        match outcome.and_then(|outcome| shown.map(|()| outcome)) {
            Ok(Outcome { reward, terminated }) => {
                (*rows.reward, *rows.terminated, *rows.error) = (reward, terminated, None);
                *rows.truncated = setup.time_limit.is_some_and(|limit| self.steps >= limit);
            }
            Err(error) => {
                (*rows.reward, *rows.terminated, *rows.error) = (0.0, true, Some(error));
                *rows.truncated = false;
            }
        }
    }

    /// Outcome of the last step.
    fn try_advance(
        &mut self,
        steps: Steps<'_>,
        model: &Model,
        setup: &Setup,
        rows: &mut WorldRows<'_>,
    ) -> Result<Outcome, StepError> {
        let departure = self.set_out(steps.count, model, setup, rows)?;
        let data = &mut self.data;
        StepError::catch(|| make_steps(model, data, &departure, steps.stop))?;
        self.conclude(&departure, model, setup, rows)
    }

    /// What precedes the steps of physics: see [`depart`](Self::depart).
    pub(crate) fn set_out(
        &mut self,
        count: usize,
        model: &Model,
        setup: &Setup,
        rows: &mut WorldRows<'_>,
    ) -> Result<Departure, StepError> {
        self.depart(count, model, setup, rows)?;
        let count = setup.frame_skip.saturating_mul(count);
        let ahead = std::mem::replace(&mut self.ahead, false);
        // Runge–Kutta needs whole steps
        let halves = ahead && count > 0 && model.opt.integrator != Integrator::Rk4 as i32;
        Ok(Departure { count, halves, warned: warnings(&self.data) })
    }

    /// What follows the steps of physics: see [`arrive`](Self::arrive).
    pub(crate) fn conclude(
        &mut self,
        departure: &Departure,
        model: &Model,
        setup: &Setup,
        rows: &mut WorldRows<'_>,
    ) -> Result<Outcome, StepError> {
        let outcome = self.arrive(departure.count, departure.warned, model, setup, rows)?;
        self.ahead = setup.completion == Completion::NextState;
        Ok(outcome)
    }

    /// What precedes the steps of physics of a step of the batch: the world begins anew if it has failed,
    /// takes over what the caller has written, and the task remembers what it needs.
    pub(crate) fn depart(
        &mut self,
        count: usize,
        model: &Model,
        setup: &Setup,
        rows: &mut WorldRows<'_>,
    ) -> Result<(), StepError> {
        if self.failed {
            self.reset(model, setup, None)?;
            self.show(model, setup, rows)?;
        }
        self.settle(Ok(()), model)?;
        self.take(rows);
        self.steps += count as u64;
        let Self { data, before, .. } = self;
        StepError::catch(|| {
            if let Some(layout) = &setup.task {
                layout.task.remember(model, data, &mut Record::new(before));
            }
            Ok(())
        })
    }

    /// What follows `count` steps of physics.
    fn arrive(
        &mut self,
        count: usize,
        warned: [i32; DIVERGED.len()],
        model: &Model,
        setup: &Setup,
        rows: &mut WorldRows<'_>,
    ) -> Result<Outcome, StepError> {
        let Self { data, before, .. } = self;
        StepError::catch(|| {
            setup.complete(model, data)?;
            check_divergence(data, warned)?;
            let duration = model.opt.timestep * count as f64;
            let single_precision = setup.single_precision;
            let step = Transition { model, data, before, duration, single_precision };
            Ok(setup.evaluate(&step, rows.metrics))
        })
    }

    /// Takes over the steps of physics that a device has made of this world, and shows what came of them.
    pub(crate) fn land(
        &mut self,
        mut arrival: Arrival<'_>,
        model: &Model,
        setup: &Setup,
        rows: &mut WorldRows<'_>,
    ) {
        let outcome = match rows.error.take().or(arrival.failure.take()) {
            Some(failure) => {
                write_state(&mut self.data, arrival.state);
                Err(failure)
            }
            None => self
                .adopt(&arrival, model)
                .and_then(|warned| self.arrive(arrival.count, warned, model, setup, rows)),
        };
        self.ahead = false;
        self.report(outcome, model, setup, rows);
        if arrival.before_last.is_none() {
            hide_sensors(model, setup, rows.sensors);
        }
    }

    /// Takes over a state of the device, and the evaluation that leads there where it is needed. Returns the
    /// warnings before.
    fn adopt(&mut self, arrival: &Arrival<'_>, model: &Model) -> Result<[i32; DIVERGED.len()], StepError> {
        let data = &mut self.data;
        let (warned, begin) = (warnings(data), data.time);
        if let Some(state) = arrival.before_last {
            write_state(data, state);
            StepError::catch(|| data.step(model))?;
        }
        write_state(data, arrival.state);
        data.time = begin + model.opt.timestep * arrival.count as f64;
        Ok(warned)
    }

    /// Takes over the state, which the caller may have changed, and the controls.
    fn take(&mut self, rows: &WorldRows<'_>) {
        let nu = self.data.ctrl.len();
        let own = self.data.qpos.iter().chain(self.data.qvel.iter());
        let same = own.zip(rows.state.iter()).all(|(a, b)| a.to_bits() == b.to_bits());
        self.ahead &= same;
        self.moved |= !same;
        set_state(&mut self.data, rows.state);
        self.data.ctrl.copy_from_slice(&rows.control[..nu]);
    }

    /// Shows state, sensors, outputs and observation to the caller. Of worlds that failed, what is not finite
    /// is shown as zero; a task that cannot observe is such a failure.
    fn show(&mut self, model: &Model, setup: &Setup, rows: &mut WorldRows<'_>) -> Result<(), StepError> {
        let (nq, nv) = (self.data.qpos.len(), self.data.qvel.len());
        rows.state[..nq].copy_from_slice(&self.data.qpos);
        rows.state[nq..nq + nv].copy_from_slice(&self.data.qvel);
        rows.sensors[..self.data.sensordata.len()].copy_from_slice(&self.data.sensordata);
        setup.outputs.iter().for_each(|output| output.show(&self.data, rows.outputs));
        let Some(layout) = &setup.task else { return Ok(()) };
        let shown = StepError::catch(|| {
            layout.show(model, &self.data, rows);
            Ok(())
        });
        self.failed |= shown.is_err();
        if self.failed {
            let told = rows.observation.iter_mut().chain(rows.metrics.iter_mut());
            told.filter(|x| !x.is_finite()).for_each(|x| *x = 0.0);
        }
        if !rows.copy.is_empty() {
            rows.copy.copy_from_slice(rows.observation);
        }
        shown
    }

    /// Shows the first state of a world that was just made.
    pub(crate) fn introduce(&mut self, model: &Model, setup: &Setup, rows: &mut WorldRows<'_>) {
        *rows.error = self.show(model, setup, rows).err();
    }
}

/// A world that is about to make steps of physics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Departure {
    /// Steps of physics.
    pub(crate) count: usize,
    /// Whether the first half of the first step is made already.
    pub(crate) halves: bool,
    /// Warnings so far.
    warned: [i32; DIVERGED.len()],
}

/// What a device has made of a world.
#[derive(Clone, Debug)]
pub(crate) struct Arrival<'a> {
    /// Steps of physics.
    pub(crate) count: usize,
    /// State before the last of them, where the last evaluation is of interest.
    pub(crate) before_last: Option<&'a [f64]>,
    /// State after them.
    pub(crate) state: &'a [f64],
    /// Why the device has reset the world.
    pub(crate) failure: Option<StepError>,
}

/// Positions, velocities, activations and the accelerations that the solver starts from, as a row.
pub(crate) fn read_state(data: &Data, row: &mut [f64]) {
    let parts = [&data.qpos[..], &data.qvel, &data.act, &data.qacc_warmstart];
    row.iter_mut().zip(parts.into_iter().flatten()).for_each(|(to, from)| *to = *from);
}

/// Writes such a row into a world.
pub(crate) fn write_state(data: &mut Data, row: &[f64]) {
    let Data { qpos, qvel, act, qacc_warmstart, .. } = data;
    let parts = [&mut qpos[..], qvel, act, qacc_warmstart];
    parts.into_iter().flatten().zip(row).for_each(|(to, from)| *to = *from);
}

/// Sensor values that nothing has computed are NaN, so that they are not taken for values: after steps
/// whose last evaluation was not of interest.
fn hide_sensors(model: &Model, setup: &Setup, sensors: &mut [f64]) {
    let completed = setup.completion == Completion::NextState;
    for s in 0..model.nsensor {
        if completed && model.sensor_needstage[s] != Stage::Acc as i32 {
            continue;
        }
        let first = model.sensor_adr[s] as usize;
        sensors[first..first + model.sensor_dim[s] as usize].fill(f64::NAN);
    }
}

/// How often a world has warned that its state is of no use.
fn warnings(data: &Data) -> [i32; DIVERGED.len()] {
    DIVERGED.map(|(kind, _)| data.warning[kind as usize].number)
}

/// Writes positions and velocities.
fn set_state(data: &mut Data, state: &[f64]) {
    let (nq, nv) = (data.qpos.len(), data.qvel.len());
    data.qpos.copy_from_slice(&state[..nq]);
    data.qvel.copy_from_slice(&state[nq..nq + nv]);
}

/// Makes steps of physics.
fn make_steps(
    model: &Model,
    data: &mut Data,
    departure: &Departure,
    stop: Stop<'_>,
) -> Result<(), StepError> {
    if departure.halves {
        kinetree_sim::mj_step2(model, data)?;
    }
    for _ in usize::from(departure.halves)..departure.count {
        if stop.is_asked() {
            break;
        }
        data.step(model)?;
    }
    Ok(())
}

/// An error when numbers were or are not usable since there were so many warnings.
fn check_divergence(data: &Data, before: [i32; DIVERGED.len()]) -> Result<(), StepError> {
    for ((kind, what), before) in DIVERGED.iter().zip(before) {
        let warning = &data.warning[*kind as usize];
        if warning.number != before {
            return Err(match kind {
                Warning::Inertia => StepError::SingularInertia { dof: warning.lastinfo as usize },
                _ => StepError::Diverged(what),
            });
        }
    }
    if data.qpos.iter().chain(data.qvel.iter()).any(|x| !x.is_finite()) {
        return Err(StepError::Diverged("the state"));
    }
    Ok(())
}
