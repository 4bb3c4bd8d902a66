//! Walker: stand, walk or run in a plane.

use super::terms::{fast, moving, rewarded, uprightness};
use crate::lookup::{body, sensor};
use crate::tolerance::Tolerance;
use kinetree_batch::{Completion, Outcome, Reads, Record, Task, Transition};
use kinetree_model::{Data, Model};
use std::ops::Range;

define_task! {
    /// Walker: stand, or move with a speed.
    pub struct Walker {
        /// Speed with full reward; zero to stand.
        move_speed: f64 = 0.0,
        /// Height of the torso with full reward.
        stand_height: f64 = 1.2,
    } of |model| {
        torso: usize = body(model, "torso")?,
        velocity: Range<usize> = sensor(model, "torso_subtreelinvel")?,
    }
}

impl Task for Walker {
    fn observe(&self, model: &Model, data: &Data, observation: &mut Record<'_>) {
        for body in moving(model, 1) {
            observation.put("orientations", &[data.xmat[body][0], data.xmat[body][2]]);
        }
        observation.number("height", data.xpos[self.torso][2]);
        observation.put("velocity", &data.qvel);
    }

    fn evaluate(&self, step: &Transition<'_>, _: &mut Record<'_>) -> Outcome {
        let data = step.data;
        let standing = Tolerance::within(self.stand_height, f64::INFINITY).margin(self.stand_height / 2.0);
        let upright = f64::midpoint(1.0, uprightness(data, self.torso));
        let stand = (3.0 * standing.of(data.xpos[self.torso][2]) + upright) / 4.0;
        if self.move_speed == 0.0 {
            return rewarded(stand);
        }
        let moving = fast(data.sensordata[self.velocity.start], self.move_speed, self.move_speed / 2.0, 0.5);
        rewarded(stand * (5.0 * moving + 1.0) / 6.0)
    }

    fn completion(&self) -> Completion {
        Completion::NextState
    }

    fn reads(&self) -> Reads {
        Reads::State
    }
}
