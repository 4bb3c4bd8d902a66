//! `Humanoid` and `HumanoidStandup`.

use super::records::{put_position, put_state};
use kinetree_batch::{Completion, Outcome, Record, Task, Transition};
use kinetree_model::{Data, Model};

define_task! {
    /// `Humanoid`: walk forward without falling.
    pub struct Humanoid {
        /// Weight of the speed.
        forward_reward_weight: f64 = 1.25,
        /// Weight of the squared controls.
        ctrl_cost_weight: f64 = 0.1,
        /// Weight of the squared contact forces.
        contact_cost_weight: f64 = 5e-7,
        /// What their cost is clipped to.
        contact_cost_range: [f64; 2] = [f64::NEG_INFINITY, 10.0],
        /// Reward of each step in which the humanoid is upright.
        healthy_reward: f64 = 5.0,
        /// Whether the episode ends when it is not.
        terminate_when_unhealthy: bool = true,
        /// Heights of an upright humanoid.
        healthy_z_range: [f64; 2] = [1.0, 2.0],
        /// Whether the observation leaves out where the humanoid is.
        exclude_current_positions_from_observation: bool = true,
        /// Whether inertias of bodies are observed.
        include_cinert_in_observation: bool = true,
        /// Whether velocities of bodies are observed.
        include_cvel_in_observation: bool = true,
        /// Whether forces of actuators are observed.
        include_qfrc_actuator_in_observation: bool = true,
        /// Whether contact forces are observed.
        include_cfrc_ext_in_observation: bool = true,
    } of |model| {}
}

define_task! {
    /// `HumanoidStandup`: get up from the floor.
    pub struct HumanoidStandup {
        /// Nothing is made of this weight of the height, as in the original.
        uph_cost_weight: f64 = 1.0,
        /// Weight of the squared controls.
        ctrl_cost_weight: f64 = 0.1,
        /// Weight of the squared contact forces.
        impact_cost_weight: f64 = 0.5e-6,
        /// What their cost is clipped to.
        impact_cost_range: [f64; 2] = [f64::NEG_INFINITY, 10.0],
        /// Whether the observation leaves out where the humanoid is.
        exclude_current_positions_from_observation: bool = true,
        /// Whether inertias of bodies are observed.
        include_cinert_in_observation: bool = true,
        /// Whether velocities of bodies are observed.
        include_cvel_in_observation: bool = true,
        /// Whether forces of actuators are observed.
        include_qfrc_actuator_in_observation: bool = true,
        /// Whether contact forces are observed.
        include_cfrc_ext_in_observation: bool = true,
    } of |model| {}
}

/// What both tasks observe, by settings that both have.
macro_rules! observe {
    ($task:expr, $data:expr, $observation:expr) => {
        put_state($data, 2, $task.exclude_current_positions_from_observation, $observation);
        let included = [
            $task.include_cinert_in_observation,
            $task.include_cvel_in_observation,
            $task.include_qfrc_actuator_in_observation,
            $task.include_cfrc_ext_in_observation,
        ];
        put_bodies($data, included, $observation);
    };
}

/// Arrays of bodies without the world, forces of actuators without the free joint.
fn put_bodies(data: &Data, included: [bool; 4], observation: &mut Record<'_>) {
    let [cinert, cvel, qfrc_actuator, cfrc_ext] = included;
    if cinert {
        observation.put("cinert", data.cinert[1..].as_flattened());
    }
    if cvel {
        observation.put("cvel", data.cvel[1..].as_flattened());
    }
    if qfrc_actuator {
        observation.put("qfrc_actuator", &data.qfrc_actuator[6..]);
    }
    if cfrc_ext {
        observation.put("cfrc_ext", data.cfrc_ext[1..].as_flattened());
    }
}

fn squares(numbers: &[f64]) -> f64 {
    numbers.iter().map(|x| x * x).sum()
}

/// Bounded cost of contact forces.
fn impact(data: &Data, weight: f64, [low, high]: [f64; 2]) -> f64 {
    (weight * squares(data.cfrc_ext.as_flattened())).clamp(low, high)
}

fn put_tendons(data: &Data, metrics: &mut Record<'_>) {
    metrics.put("tendon_length", &data.ten_length);
    metrics.put("tendon_velocity", &data.ten_velocity);
}

/// Centre of mass in the plane.
fn mass_center(model: &Model, data: &Data) -> [f64; 2] {
    let (mut sum, mut mass) = ([0.0; 2], 0.0);
    for (own, center) in model.body_mass.iter().zip(data.xipos.iter()) {
        sum[0] += own * center[0];
        sum[1] += own * center[1];
        mass += own;
    }
    sum.map(|s| s / mass)
}

impl Task for Humanoid {
    fn observe(&self, _: &Model, data: &Data, observation: &mut Record<'_>) {
        observe!(self, data, observation);
    }

    fn evaluate(&self, step: &Transition<'_>, metrics: &mut Record<'_>) -> Outcome {
        let (data, center) = (step.data, mass_center(step.model, step.data));
        let velocity = [0, 1].map(|axis| (center[axis] - step.before[axis]) / step.duration);
        let [low, high] = self.healthy_z_range;
        let healthy = low < data.qpos[2] && data.qpos[2] < high;
        let forward = self.forward_reward_weight * velocity[0];
        let survive = if healthy { self.healthy_reward } else { 0.0 };
        let cost = self.ctrl_cost_weight * squares(&data.ctrl);
        let contact = impact(data, self.contact_cost_weight, self.contact_cost_range);
        metrics.number("x_velocity", velocity[0]);
        metrics.number("y_velocity", velocity[1]);
        metrics.number("reward_survive", survive);
        metrics.number("reward_forward", forward);
        metrics.number("reward_ctrl", -cost);
        metrics.number("reward_contact", -contact);
        let reward = forward + survive - (cost + contact);
        Outcome { reward, terminated: !healthy && self.terminate_when_unhealthy }
    }

    fn describe(&self, _: &Model, data: &Data, metrics: &mut Record<'_>) {
        put_position(data, metrics);
        put_tendons(data, metrics);
    }

    fn remember(&self, model: &Model, data: &Data, before: &mut Record<'_>) {
        before.put("center", &mass_center(model, data));
    }

    fn completion(&self) -> Completion {
        Completion::BodyForces
    }
}

impl Task for HumanoidStandup {
    fn observe(&self, _: &Model, data: &Data, observation: &mut Record<'_>) {
        observe!(self, data, observation);
    }

    fn evaluate(&self, step: &Transition<'_>, metrics: &mut Record<'_>) -> Outcome {
        let data = step.data;
        let up = data.qpos[2] / step.model.opt.timestep;
        let cost = self.ctrl_cost_weight * squares(&data.ctrl);
        let impact = impact(data, self.impact_cost_weight, self.impact_cost_range);
        metrics.number("reward_linup", up);
        metrics.number("reward_quadctrl", -cost);
        metrics.number("reward_impact", -impact);
        Outcome { reward: up - cost - impact + 1.0, terminated: false }
    }

    fn describe(&self, model: &Model, data: &Data, metrics: &mut Record<'_>) {
        metrics.number("x_position", data.qpos[0]);
        metrics.number("y_position", data.qpos[1]);
        metrics.number("z_distance_from_origin", data.qpos[2] - model.qpos0[2]);
        put_tendons(data, metrics);
    }

    fn completion(&self) -> Completion {
        Completion::BodyForces
    }
}
