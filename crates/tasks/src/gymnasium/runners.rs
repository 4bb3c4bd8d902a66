//! `HalfCheetah`, `Hopper`, `Swimmer` and `Walker2d`: rewards for running forward.

use super::records::{put_height, put_position, put_state};
use crate::lookup::{control_cost, within};
use kinetree_batch::{Outcome, Reads, Record, Task, Transition};
use kinetree_model::{Data, Model};

/// Speed along x since the state before.
fn speed(step: &Transition<'_>, axis: usize) -> f64 {
    (step.data.qpos[axis] - step.before[axis]) / step.duration
}

define_task! {
    /// `HalfCheetah`: run forward.
    pub struct HalfCheetah {
        /// Weight of the speed.
        forward_reward_weight: f64 = 1.0,
        /// Weight of the squared controls.
        ctrl_cost_weight: f64 = 0.1,
        /// Whether the observation leaves out how far the runner is.
        exclude_current_positions_from_observation: bool = true,
    } of |model| {}
}

impl Task for HalfCheetah {
    fn observe(&self, _: &Model, data: &Data, observation: &mut Record<'_>) {
        put_state(data, 1, self.exclude_current_positions_from_observation, observation);
    }

    fn evaluate(&self, step: &Transition<'_>, metrics: &mut Record<'_>) -> Outcome {
        let velocity = speed(step, 0);
        let forward = self.forward_reward_weight * velocity;
        let cost = control_cost(step, self.ctrl_cost_weight);
        metrics.number("x_velocity", velocity);
        metrics.number("reward_forward", forward);
        metrics.number("reward_ctrl", -cost);
        Outcome { reward: forward - cost, terminated: false }
    }

    fn describe(&self, _: &Model, data: &Data, metrics: &mut Record<'_>) {
        metrics.number("x_position", data.qpos[0]);
    }

    fn remember(&self, _: &Model, data: &Data, before: &mut Record<'_>) {
        before.number("x", data.qpos[0]);
    }

    fn reads(&self) -> Reads {
        Reads::State
    }
}

define_task! {
    /// `Swimmer`: swim forward.
    pub struct Swimmer {
        /// Weight of the speed.
        forward_reward_weight: f64 = 1.0,
        /// Weight of the squared controls.
        ctrl_cost_weight: f64 = 1e-4,
        /// Whether the observation leaves out where the swimmer is.
        exclude_current_positions_from_observation: bool = true,
    } of |model| {}
}

impl Task for Swimmer {
    fn observe(&self, _: &Model, data: &Data, observation: &mut Record<'_>) {
        put_state(data, 2, self.exclude_current_positions_from_observation, observation);
    }

    fn evaluate(&self, step: &Transition<'_>, metrics: &mut Record<'_>) -> Outcome {
        let forward = self.forward_reward_weight * speed(step, 0);
        let cost = control_cost(step, self.ctrl_cost_weight);
        metrics.number("x_velocity", speed(step, 0));
        metrics.number("y_velocity", speed(step, 1));
        metrics.number("reward_forward", forward);
        metrics.number("reward_ctrl", -cost);
        Outcome { reward: forward - cost, terminated: false }
    }

    fn describe(&self, _: &Model, data: &Data, metrics: &mut Record<'_>) {
        put_position(data, metrics);
    }

    fn remember(&self, _: &Model, data: &Data, before: &mut Record<'_>) {
        before.put("place", &data.qpos[..2]);
    }

    fn reads(&self) -> Reads {
        Reads::State
    }
}

define_task! {
    /// `Walker2d`: walk forward and stay upright.
    pub struct Walker2d {
        /// Weight of the speed.
        forward_reward_weight: f64 = 1.0,
        /// Weight of the squared controls.
        ctrl_cost_weight: f64 = 1e-3,
        /// Reward of each step in which the walker is healthy.
        healthy_reward: f64 = 1.0,
        /// Whether the episode ends when the walker is not healthy.
        terminate_when_unhealthy: bool = true,
        /// Heights of a healthy walker.
        healthy_z_range: [f64; 2] = [0.8, 2.0],
        /// Angles of a healthy walker.
        healthy_angle_range: [f64; 2] = [-1.0, 1.0],
        /// Whether the observation leaves out how far the walker is.
        exclude_current_positions_from_observation: bool = true,
    } of |model| {}
}

define_task! {
    /// `Hopper`: hop forward and stay upright.
    pub struct Hopper {
        /// Weight of the speed.
        forward_reward_weight: f64 = 1.0,
        /// Weight of the squared controls.
        ctrl_cost_weight: f64 = 1e-3,
        /// Reward of each step in which the hopper is healthy.
        healthy_reward: f64 = 1.0,
        /// Whether the episode ends when the hopper is not healthy.
        terminate_when_unhealthy: bool = true,
        /// What all positions and velocities but the first two of a healthy hopper are within.
        healthy_state_range: [f64; 2] = [-100.0, 100.0],
        /// Heights of a healthy hopper.
        healthy_z_range: [f64; 2] = [0.7, f64::INFINITY],
        /// Angles of a healthy hopper.
        healthy_angle_range: [f64; 2] = [-0.2, 0.2],
        /// Whether the observation leaves out how far the hopper is.
        exclude_current_positions_from_observation: bool = true,
    } of |model| {}
}

/// Clipped velocities, which both observe.
fn put_clipped(data: &Data, excluded: bool, observation: &mut Record<'_>) {
    observation.put("qpos", &data.qpos[usize::from(excluded)..]);
    observation.each("qvel", data.qvel.iter().map(|v| v.clamp(-10.0, 10.0)));
}

/// Speed and a bonus while healthy, less the cost of controls.
fn evaluate_walk(
    step: &Transition<'_>,
    metrics: &mut Record<'_>,
    [weight, cost_weight, bonus]: [f64; 3],
    healthy: bool,
) -> f64 {
    let forward = weight * speed(step, 0);
    let cost = control_cost(step, cost_weight);
    let survive = if healthy { bonus } else { 0.0 };
    metrics.number("x_velocity", speed(step, 0));
    metrics.number("reward_forward", forward);
    metrics.number("reward_ctrl", -cost);
    metrics.number("reward_survive", survive);
    forward + survive - cost
}

impl Task for Walker2d {
    fn observe(&self, _: &Model, data: &Data, observation: &mut Record<'_>) {
        put_clipped(data, self.exclude_current_positions_from_observation, observation);
    }

    fn evaluate(&self, step: &Transition<'_>, metrics: &mut Record<'_>) -> Outcome {
        let qpos = &step.data.qpos;
        let healthy = within(qpos[1], self.healthy_z_range) && within(qpos[2], self.healthy_angle_range);
        let weights = [self.forward_reward_weight, self.ctrl_cost_weight, self.healthy_reward];
        let reward = evaluate_walk(step, metrics, weights, healthy);
        Outcome { reward, terminated: !healthy && self.terminate_when_unhealthy }
    }

    fn describe(&self, model: &Model, data: &Data, metrics: &mut Record<'_>) {
        put_height(model, data, metrics);
    }

    fn remember(&self, _: &Model, data: &Data, before: &mut Record<'_>) {
        before.number("x", data.qpos[0]);
    }

    fn reads(&self) -> Reads {
        Reads::State
    }
}

impl Task for Hopper {
    fn observe(&self, _: &Model, data: &Data, observation: &mut Record<'_>) {
        put_clipped(data, self.exclude_current_positions_from_observation, observation);
    }

    fn evaluate(&self, step: &Transition<'_>, metrics: &mut Record<'_>) -> Outcome {
        let (qpos, qvel) = (&step.data.qpos, &step.data.qvel);
        let inside = qpos[2..].iter().chain(qvel.iter()).all(|x| within(*x, self.healthy_state_range));
        let upright = within(qpos[1], self.healthy_z_range) && within(qpos[2], self.healthy_angle_range);
        let weights = [self.forward_reward_weight, self.ctrl_cost_weight, self.healthy_reward];
        let reward = evaluate_walk(step, metrics, weights, inside && upright);
        Outcome { reward, terminated: !(inside && upright) && self.terminate_when_unhealthy }
    }

    fn describe(&self, model: &Model, data: &Data, metrics: &mut Record<'_>) {
        put_height(model, data, metrics);
    }

    fn remember(&self, _: &Model, data: &Data, before: &mut Record<'_>) {
        before.number("x", data.qpos[0]);
    }

    fn reads(&self) -> Reads {
        Reads::State
    }
}
