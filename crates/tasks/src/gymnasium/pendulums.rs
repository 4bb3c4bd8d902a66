//! `InvertedPendulum` and `InvertedDoublePendulum`: poles on a cart.

use kinetree_batch::{Outcome, Reads, Record, Task, Transition};
use kinetree_model::{Data, Model};

define_task! {
    /// `InvertedPendulum`: keep a pole upright.
    pub struct InvertedPendulum {} of |model| {}
}

impl Task for InvertedPendulum {
    fn observe(&self, _: &Model, data: &Data, observation: &mut Record<'_>) {
        observation.put("qpos", &data.qpos);
        observation.put("qvel", &data.qvel);
    }

    fn evaluate(&self, step: &Transition<'_>, metrics: &mut Record<'_>) -> Outcome {
        let (qpos, qvel) = (&step.data.qpos, &step.data.qvel);
        let finite = qpos.iter().chain(qvel.iter()).all(|x| x.is_finite());
        let terminated = !finite || qpos[1].abs() > 0.2;
        let reward = f64::from(u8::from(!terminated));
        metrics.number("reward_survive", reward);
        Outcome { reward, terminated }
    }

    fn reads(&self) -> Reads {
        Reads::State
    }
}

define_task! {
    /// `InvertedDoublePendulum`: keep two poles upright, one on the other.
    pub struct InvertedDoublePendulum {
        /// Reward of each step in which the tip is high.
        healthy_reward: f64 = 10.0,
    } of |model| {}
}

impl Task for InvertedDoublePendulum {
    fn observe(&self, _: &Model, data: &Data, observation: &mut Record<'_>) {
        let angles = &data.qpos[1..];
        observation.number("place", data.qpos[0]);
        observation.each("sines", angles.iter().map(|x| libm::sin(*x)));
        observation.each("cosines", angles.iter().map(|x| libm::cos(*x)));
        observation.each("qvel", data.qvel.iter().map(|v| v.clamp(-10.0, 10.0)));
        observation.number("force", data.qfrc_constraint[0].clamp(-10.0, 10.0));
    }

    fn evaluate(&self, step: &Transition<'_>, metrics: &mut Record<'_>) -> Outcome {
        let [x, _, y] = step.data.site_xpos[0];
        let terminated = y <= 1.0;
        let distance = 0.01 * (x * x) + (y - 2.0) * (y - 2.0);
        let (first, second) = (step.data.qvel[1], step.data.qvel[2]);
        let velocity = 1e-3 * (first * first) + 5e-3 * (second * second);
        let alive = if terminated { 0.0 } else { self.healthy_reward };
        metrics.number("reward_survive", alive);
        metrics.number("distance_penalty", -distance);
        metrics.number("velocity_penalty", -velocity);
        Outcome { reward: alive - distance - velocity, terminated }
    }
}
