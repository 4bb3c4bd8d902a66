//! Cheetah: run.

use super::terms::{fast, put_state, rewarded};
use crate::lookup::sensor;
use kinetree_batch::{Completion, Outcome, Reads, Record, Task, Transition};
use kinetree_model::{Data, Model, StepError};

define_task! {
    /// Cheetah: run.
    pub struct Cheetah {
        /// Speed with full reward.
        run_speed: f64 = 10.0,
        /// Steps of physics in which the cheetah falls to the floor before an episode.
        settling_steps: usize = 200,
    } of |model| {
        velocity: std::ops::Range<usize> = sensor(model, "torso_subtreelinvel")?,
    }
}

impl Task for Cheetah {
    fn observe(&self, _: &Model, data: &Data, observation: &mut Record<'_>) {
        put_state(data, 1, observation);
    }

    fn evaluate(&self, step: &Transition<'_>, _: &mut Record<'_>) -> Outcome {
        rewarded(fast(step.data.sensordata[self.velocity.start], self.run_speed, self.run_speed, 0.0))
    }

    /// The original sets positions and makes steps at once, so that the first of them takes accelerations of
    /// the state before, which is that of the model.
    fn begin(&self, model: &Model, data: &mut Data) -> Result<(), StepError> {
        if self.settling_steps == 0 {
            return Ok(());
        }
        let (qpos, qvel) = (data.qpos.to_vec(), data.qvel.to_vec());
        data.reset(model)?;
        data.forward(model)?;
        data.qpos.copy_from_slice(&qpos);
        data.qvel.copy_from_slice(&qvel);
        kinetree_sim::mj_step2(model, data)?;
        data.steps(model, self.settling_steps - 1)?;
        kinetree_sim::mj_step1(model, data)?;
        data.time = 0.0;
        data.forward(model)
    }

    fn completion(&self) -> Completion {
        Completion::NextState
    }

    fn reads(&self) -> Reads {
        Reads::State
    }
}
