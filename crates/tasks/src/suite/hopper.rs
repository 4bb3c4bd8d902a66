//! Hopper: stand or hop on one leg.

use super::terms::{fast, put_state, rewarded, small_control};
use crate::lookup::{body, sensor};
use crate::tolerance::Tolerance;
use kinetree_batch::{Completion, Outcome, Record, Task, Transition};
use kinetree_model::{Data, Model};
use std::ops::Range;

define_task! {
    /// Hopper: stand, or hop forward.
    pub struct Hopper {
        /// Whether to hop.
        hopping: bool = false,
    } of |model| {
        torso: usize = body(model, "torso")?,
        foot: usize = body(model, "foot")?,
        velocity: Range<usize> = sensor(model, "torso_subtreelinvel")?,
        touch: [Range<usize>; 2] = [sensor(model, "touch_toe")?, sensor(model, "touch_heel")?],
    }
}

impl Task for Hopper {
    fn observe(&self, _: &Model, data: &Data, observation: &mut Record<'_>) {
        put_state(data, 1, observation);
        for touch in &self.touch {
            observation.each("touch", data.sensordata[touch.clone()].iter().map(|force| libm::log1p(*force)));
        }
    }

    fn evaluate(&self, step: &Transition<'_>, _: &mut Record<'_>) -> Outcome {
        let data = step.data;
        let height = data.xipos[self.torso][2] - data.xipos[self.foot][2];
        let standing = Tolerance::within(0.6, 2.0).of(height);
        let speed = data.sensordata[self.velocity.start];
        rewarded(standing * if self.hopping { fast(speed, 2.0, 1.0, 0.5) } else { small_control(data) })
    }

    fn completion(&self) -> Completion {
        Completion::NextState
    }
}
