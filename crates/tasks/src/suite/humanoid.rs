//! Humanoid: stand, walk or run.

use super::terms::{fast, rewarded, small_control, uprightness};
use crate::lookup::{body, difference, norm, sensor};
use crate::tolerance::{Sigmoid, Tolerance};
use kinetree_batch::{Completion, Outcome, Reads, Record, Task, Transition};
use kinetree_model::{Data, Model};
use std::ops::Range;

define_task! {
    /// Humanoid: stand, or move with a speed.
    pub struct Humanoid {
        /// Speed with full reward; zero to stand.
        move_speed: f64 = 0.0,
        /// Height of the head with full reward.
        stand_height: f64 = 1.4,
    } of |model| {
        torso: usize = body(model, "torso")?,
        head: usize = body(model, "head")?,
        limbs: [usize; 4] = [
            body(model, "left_hand")?,
            body(model, "left_foot")?,
            body(model, "right_hand")?,
            body(model, "right_foot")?,
        ],
        velocity: Range<usize> = sensor(model, "torso_subtreelinvel")?,
    }
}

impl Task for Humanoid {
    fn observe(&self, _: &Model, data: &Data, observation: &mut Record<'_>) {
        let frame = &data.xmat[self.torso];
        observation.put("joint_angles", &data.qpos[7..]);
        observation.number("head_height", data.xpos[self.head][2]);
        for limb in self.limbs {
            // in the frame of the torso
            let way = difference(&data.xpos[limb], &data.xpos[self.torso]);
            let along =
                |axis: usize| way[0] * frame[axis] + way[1] * frame[3 + axis] + way[2] * frame[6 + axis];
            observation.each("extremities", (0..3).map(along));
        }
        observation.put("torso_vertical", &frame[6..]);
        observation.put("com_velocity", &data.sensordata[self.velocity.clone()]);
        observation.put("velocity", &data.qvel);
    }

    fn evaluate(&self, step: &Transition<'_>, _: &mut Record<'_>) -> Outcome {
        let data = step.data;
        let standing = Tolerance::within(self.stand_height, f64::INFINITY).margin(self.stand_height / 4.0);
        let upright = Tolerance::within(0.9, f64::INFINITY).falling(Sigmoid::Linear, 1.9, 0.0);
        let stand = standing.of(data.xpos[self.head][2]) * upright.of(uprightness(data, self.torso));
        let plane = &data.sensordata[self.velocity.clone()][..2];
        let motion = if self.move_speed == 0.0 {
            Tolerance::within(0.0, 0.0).margin(2.0).mean(plane)
        } else {
            (5.0 * fast(norm(plane), self.move_speed, self.move_speed, 0.0) + 1.0) / 6.0
        };
        rewarded(small_control(data) * stand * motion)
    }

    fn completion(&self) -> Completion {
        Completion::NextState
    }

    fn reads(&self) -> Reads {
        Reads::State
    }
}
