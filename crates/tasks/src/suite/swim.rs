//! Fish: stay upright in water.

use super::terms::{rewarded, uprightness};
use crate::lookup::{body, position};
use crate::tolerance::Tolerance;
use kinetree_batch::{Completion, Outcome, Reads, Record, Task, Transition};
use kinetree_model::{Data, Model};

define_task! {
    /// Fish: stay upright.
    pub struct Fish {} of |model| {
        torso: usize = body(model, "torso")?,
        joints: [usize; 7] = [
            position(model, "tail1")?,
            position(model, "tail_twist")?,
            position(model, "tail2")?,
            position(model, "finright_roll")?,
            position(model, "finright_pitch")?,
            position(model, "finleft_roll")?,
            position(model, "finleft_pitch")?,
        ],
    }
}

impl Task for Fish {
    fn observe(&self, _: &Model, data: &Data, observation: &mut Record<'_>) {
        observation.each("joint_angles", self.joints.iter().map(|joint| data.qpos[*joint]));
        observation.number("upright", uprightness(data, self.torso));
        observation.put("velocity", &data.qvel);
    }

    fn evaluate(&self, step: &Transition<'_>, _: &mut Record<'_>) -> Outcome {
        rewarded(Tolerance::within(1.0, 1.0).margin(1.0).of(uprightness(step.data, self.torso)))
    }

    fn completion(&self) -> Completion {
        Completion::NextState
    }

    fn reads(&self) -> Reads {
        Reads::State
    }
}
