//! `Ant`: run forward on four legs.

use super::records::{put_position, put_state};
use crate::lookup::control_cost;
use kinetree_batch::{Completion, Outcome, Record, Task, Transition};
use kinetree_model::{Data, Model};

define_task! {
    /// `Ant`: run forward on four legs.
    pub struct Ant {
        /// Weight of the speed.
        forward_reward_weight: f64 = 1.0,
        /// Weight of the squared controls.
        ctrl_cost_weight: f64 = 0.5,
        /// Weight of the squared contact forces.
        contact_cost_weight: f64 = 5e-4,
        /// Reward of each step in which the ant is healthy.
        healthy_reward: f64 = 1.0,
        /// The body whose speed counts.
        main_body: usize = 1,
        /// Whether the episode ends when the ant is not healthy.
        terminate_when_unhealthy: bool = true,
        /// Heights of a healthy ant.
        healthy_z_range: [f64; 2] = [0.2, 1.0],
        /// What contact forces are clipped to.
        contact_force_range: [f64; 2] = [-1.0, 1.0],
        /// Whether the observation leaves out where the ant is.
        exclude_current_positions_from_observation: bool = true,
        /// Whether contact forces are observed.
        include_cfrc_ext_in_observation: bool = true,
    } of |model| {}
}

impl Ant {
    fn contact_forces<'a>(&self, data: &'a Data, first: usize) -> impl Iterator<Item = f64> + use<'a> {
        let [low, high] = self.contact_force_range;
        data.cfrc_ext[first..].as_flattened().iter().map(move |force| force.clamp(low, high))
    }

    /// Where the main body is.
    fn position<'a>(&self, data: &'a Data) -> &'a [f64] {
        &data.xpos[self.main_body][..2]
    }
}

impl Task for Ant {
    fn observe(&self, _: &Model, data: &Data, observation: &mut Record<'_>) {
        put_state(data, 2, self.exclude_current_positions_from_observation, observation);
        if self.include_cfrc_ext_in_observation {
            observation.each("cfrc_ext", self.contact_forces(data, 1));
        }
    }

    fn evaluate(&self, step: &Transition<'_>, metrics: &mut Record<'_>) -> Outcome {
        let (data, position) = (step.data, self.position(step.data));
        let velocity = |axis: usize| (position[axis] - step.before[axis]) / step.duration;
        let finite = data.qpos.iter().chain(data.qvel.iter()).all(|x| x.is_finite());
        let [low, high] = self.healthy_z_range;
        let healthy = finite && low <= data.qpos[2] && data.qpos[2] <= high;
        let forward = velocity(0) * self.forward_reward_weight;
        let survive = if healthy { self.healthy_reward } else { 0.0 };
        let cost = control_cost(step, self.ctrl_cost_weight);
        let contact = self.contact_cost_weight * self.contact_forces(data, 0).map(|f| f * f).sum::<f64>();
        metrics.number("x_velocity", velocity(0));
        metrics.number("y_velocity", velocity(1));
        metrics.number("reward_forward", forward);
        metrics.number("reward_ctrl", -cost);
        metrics.number("reward_contact", -contact);
        metrics.number("reward_survive", survive);
        let reward = forward + survive - (cost + contact);
        Outcome { reward, terminated: !healthy && self.terminate_when_unhealthy }
    }

    fn describe(&self, _: &Model, data: &Data, metrics: &mut Record<'_>) {
        put_position(data, metrics);
    }

    fn remember(&self, _: &Model, data: &Data, before: &mut Record<'_>) {
        before.put("place", self.position(data));
    }

    fn completion(&self) -> Completion {
        Completion::BodyForces
    }
}
