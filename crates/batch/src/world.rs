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
    fn reset(&mut self, model: &Model, task: &Task) -> Result<(), StepError> {
        if self.failed {
            // what the failed step has left is of no use
            self.data = Data::new(model);
        }
        self.steps = 0;
        let Self { data, random, .. } = self;
        let outcome = guarded(|| {
            data.reset(model)?;
            if let Some(reset) = &task.reset {
                reset.reset(model, data, random);
            }
            Ok(())
        });
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

    /// Resets the world and shows its first state.
    pub(crate) fn begin(&mut self, model: &Model, task: &Task, places: &mut Places<'_>) {
        *places.error = self.reset(model, task).err();
        self.show(task, places);
        (*places.reward, *places.terminated, *places.truncated) = (0.0, false, false);
    }

    /// Computes what follows from the state and the controls in the tables, without a step.
    pub(crate) fn evaluate(&mut self, model: &Model, task: &Task, places: &mut Places<'_>) {
        let outcome = self.settle(Ok(()), model).and_then(|()| {
            self.take(places);
            let data = &mut self.data;
            guarded(|| {
                data.forward(model)?;
                task.complete(model, data)
            })
        });
        *places.error = self.settle(outcome, model).err();
        self.show(task, places);
    }

    /// Makes `count` steps of the batch with the same controls.
    pub(crate) fn advance(&mut self, count: usize, model: &Model, task: &Task, places: &mut Places<'_>) {
        let outcome = self.try_advance(count, model, task, places);
        let outcome = self.settle(outcome, model);
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
            self.reset(model, task)?;
            self.show(task, places);
        }
        self.settle(Ok(()), model)?;
        self.take(places);
        self.steps += count as u64;
        let data = &mut self.data;
        guarded(|| {
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

    /// Takes over the state, which the caller may have changed, and the controls.
    fn take(&mut self, places: &Places<'_>) {
        let (nq, nv, nu) = (self.data.qpos.len(), self.data.qvel.len(), self.data.ctrl.len());
        self.data.qpos.copy_from_slice(&places.state[..nq]);
        self.data.qvel.copy_from_slice(&places.state[nq..nq + nv]);
        self.data.ctrl.copy_from_slice(&places.control[..nu]);
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
