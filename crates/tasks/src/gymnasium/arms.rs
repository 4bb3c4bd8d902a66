//! `Pusher` and `Reacher`: arms with something to reach.

use crate::lookup::{body, control_cost, difference, norm};
use kinetree_batch::{Outcome, Record, Task, Transition};
use kinetree_model::{Data, Model};

define_task! {
    /// `Reacher`: bring the tip of an arm to a target.
    pub struct Reacher {
        /// Weight of the distance.
        reward_dist_weight: f64 = 1.0,
        /// Weight of the squared controls.
        reward_control_weight: f64 = 1.0,
    } of |model| {
        fingertip: usize = body(model, "fingertip")?,
        target: usize = body(model, "target")?,
    }
}

impl Reacher {
    /// From the target to the tip.
    fn way(&self, data: &Data) -> [f64; 3] {
        difference(&data.xpos[self.fingertip], &data.xpos[self.target])
    }
}

impl Task for Reacher {
    fn observe(&self, _: &Model, data: &Data, observation: &mut Record<'_>) {
        let angles = &data.qpos[..2];
        observation.each("cosines", angles.iter().map(|x| libm::cos(*x)));
        observation.each("sines", angles.iter().map(|x| libm::sin(*x)));
        observation.put("target", &data.qpos[2..]);
        observation.put("qvel", &data.qvel[..2]);
        observation.put("way", &self.way(data)[..2]);
    }

    fn evaluate(&self, step: &Transition<'_>, metrics: &mut Record<'_>) -> Outcome {
        let near = -norm(&self.way(step.data)) * self.reward_dist_weight;
        let control = -control_cost(step, self.reward_control_weight);
        metrics.number("reward_dist", near);
        metrics.number("reward_ctrl", control);
        Outcome { reward: near + control, terminated: false }
    }
}

define_task! {
    /// `Pusher`: push an object to a goal.
    pub struct Pusher {
        /// Weight of the distance from the arm to the object.
        reward_near_weight: f64 = 0.5,
        /// Weight of the distance from the object to the goal.
        reward_dist_weight: f64 = 1.0,
        /// Weight of the squared controls.
        reward_control_weight: f64 = 0.1,
    } of |model| {
        tip: usize = body(model, "tips_arm")?,
        object: usize = body(model, "object")?,
        goal: usize = body(model, "goal")?,
    }
}

impl Task for Pusher {
    fn observe(&self, _: &Model, data: &Data, observation: &mut Record<'_>) {
        observation.put("qpos", &data.qpos[..7]);
        observation.put("qvel", &data.qvel[..7]);
        for body in [self.tip, self.object, self.goal] {
            observation.put("places", &data.xpos[body]);
        }
    }

    fn evaluate(&self, step: &Transition<'_>, metrics: &mut Record<'_>) -> Outcome {
        let positions = &step.data.xpos;
        let away = |body: usize| -norm(&difference(&positions[self.object], &positions[body]));
        let near = away(self.tip) * self.reward_near_weight;
        let distance = away(self.goal) * self.reward_dist_weight;
        let control = -control_cost(step, self.reward_control_weight);
        metrics.number("reward_dist", distance);
        metrics.number("reward_ctrl", control);
        metrics.number("reward_near", near);
        Outcome { reward: distance + control + near, terminated: false }
    }
}
