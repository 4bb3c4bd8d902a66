//! One world of a batch, and a step of it.

use crate::functions::{ResetFn, RewardFn, TerminationFn};
use crate::output::Output;
use crate::random::Random;
use kinetree_model::enums::Warning;
use kinetree_model::{Data, Model, StepError};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What all worlds of a batch have in common.
pub(crate) struct Task {
    pub(crate) reward: Option<Box<dyn RewardFn>>,
    pub(crate) termination: Option<Box<dyn TerminationFn>>,
    pub(crate) reset: Option<Box<dyn ResetFn>>,
    /// Steps of physics in a step of the batch.
    pub(crate) frame_skip: usize,
    /// Steps of the batch after which an episode is cut off.
    pub(crate) time_limit: Option<u64>,
    /// Arrays of the data that the batch shows.
    pub(crate) outputs: Vec<Output>,
    /// Whether one of them needs accelerations and forces of bodies, which steps leave out.
    pub(crate) after_constraints: bool,
}

impl Task {
    /// Steps of physics alone, with these outputs.
    pub(crate) fn new(outputs: Vec<Output>) -> Self {
        let after_constraints = outputs.iter().any(Output::is_after_constraints);
        let (reward, termination, reset) = (None, None, None);
        Self { reward, termination, reset, frame_skip: 1, time_limit: None, outputs, after_constraints }
    }

    /// Completes what a step or an evaluation has left out and outputs need.
    fn complete(&self, model: &Model, data: &mut Data) -> Result<(), StepError> {
        if self.after_constraints {
            kinetree_sim::mj_rne_post_constraint(model, data)?;
        }
        Ok(())
    }
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
}

/// Where a world finds its inputs and leaves its results.
pub(crate) struct Places<'a> {
    pub(crate) state: &'a mut [f64],
    pub(crate) control: &'a [f64],
    pub(crate) sensors: &'a mut [f64],
    pub(crate) outputs: &'a mut [f64],
    pub(crate) reward: &'a mut f64,
    pub(crate) terminated: &'a mut bool,
    pub(crate) truncated: &'a mut bool,
    pub(crate) error: &'a mut Option<StepError>,
}

/// Warnings that mean that a step has left no usable state.
const DIVERGED: [(Warning, &str); 3] =
    [(Warning::Badqpos, "qpos"), (Warning::Badqvel, "qvel"), (Warning::Badqacc, "qacc")];

impl World {
    pub(crate) fn new(model: &Model, random: Random) -> Self {
        Self { data: Data::new(model), random, steps: 0, failed: false }
    }

    /// Returns to the first state.
    pub(crate) fn reset(&mut self, model: &Model, task: &Task) -> Result<(), StepError> {
        (self.steps, self.failed) = (0, false);
        let Self { data, random, .. } = self;
        guarded(|| {
            data.reset(model)?;
            if let Some(reset) = &task.reset {
                reset.reset(model, data, random);
            }
            Ok(())
        })
        .inspect_err(|_| self.failed = true)
    }

    /// Resets the world and shows its first state.
    pub(crate) fn begin(&mut self, model: &Model, task: &Task, places: &mut Places<'_>) {
        *places.error = self.reset(model, task).err();
        self.show(task, places);
        (*places.reward, *places.terminated, *places.truncated) = (0.0, false, false);
    }

    /// Computes what follows from the state and the controls in the tables, without a step.
    pub(crate) fn evaluate(&mut self, model: &Model, task: &Task, places: &mut Places<'_>) {
        self.take(places.state);
        let (data, control) = (&mut self.data, places.control);
        let outcome = guarded(|| {
            let nu = data.ctrl.len();
            data.ctrl.copy_from_slice(&control[..nu]);
            data.forward(model)?;
            task.complete(model, data)
        });
        self.failed = outcome.is_err();
        *places.error = outcome.err();
        self.show(task, places);
    }

    /// Makes `count` steps of the batch with the same controls.
    pub(crate) fn advance(&mut self, count: usize, model: &Model, task: &Task, places: &mut Places<'_>) {
        let outcome = self.try_advance(count, model, task, places);
        self.failed = outcome.is_err();
        self.show(task, places);
        match outcome {
            Ok((reward, ended)) => {
                (*places.reward, *places.terminated, *places.error) = (reward, ended, None);
                *places.truncated = task.time_limit.is_some_and(|limit| self.steps >= limit);
            }
            Err(error) => {
                (*places.reward, *places.terminated, *places.error) = (0.0, true, Some(error));
                *places.truncated = false;
            }
        }
    }

    /// Reward of the last step, and whether the episode has ended.
    fn try_advance(
        &mut self,
        count: usize,
        model: &Model,
        task: &Task,
        places: &mut Places<'_>,
    ) -> Result<(f64, bool), StepError> {
        if self.failed {
            // what the failed step has left is of no use
            self.data = Data::new(model);
            self.reset(model, task)?;
        } else {
            self.take(places.state);
        }
        self.steps += count as u64;
        let (data, control) = (&mut self.data, places.control);
        guarded(|| {
            let nu = data.ctrl.len();
            data.ctrl.copy_from_slice(&control[..nu]);
            let before = DIVERGED.map(|(kind, _)| data.warning[kind as usize].number);
            for _ in 0..task.frame_skip * count {
                data.step(model)?;
            }
            for ((kind, what), before) in DIVERGED.iter().zip(before) {
                if data.warning[*kind as usize].number != before {
                    return Err(StepError::Diverged(what));
                }
            }
            if data.qpos.iter().chain(data.qvel.iter()).any(|x| !x.is_finite()) {
                return Err(StepError::Diverged("the state"));
            }
            task.complete(model, data)?;
            let reward = task.reward.as_ref().map_or(0.0, |reward| reward.compute(model, data));
            Ok((reward, task.termination.as_ref().is_some_and(|end| end.terminated(model, data))))
        })
    }

    /// Takes the state over that the caller may have changed.
    fn take(&mut self, state: &[f64]) {
        let (nq, nv) = (self.data.qpos.len(), self.data.qvel.len());
        self.data.qpos.copy_from_slice(&state[..nq]);
        self.data.qvel.copy_from_slice(&state[nq..nq + nv]);
    }

    /// Shows state, sensors and outputs to the caller.
    pub(crate) fn show(&self, task: &Task, places: &mut Places<'_>) {
        let (nq, nv) = (self.data.qpos.len(), self.data.qvel.len());
        places.state[..nq].copy_from_slice(&self.data.qpos);
        places.state[nq..nq + nv].copy_from_slice(&self.data.qvel);
        places.sensors[..self.data.sensordata.len()].copy_from_slice(&self.data.sensordata);
        task.outputs.iter().for_each(|output| output.show(&self.data, places.outputs));
    }
}

/// Runs what may panic, be it by a bug or in a function of the user: one world's panic is not another's.
fn guarded<R>(f: impl FnOnce() -> Result<R, StepError>) -> Result<R, StepError> {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Err(StepError::Panicked(text.unwrap_or_default()))
    })
}
