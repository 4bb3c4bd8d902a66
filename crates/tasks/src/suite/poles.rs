//! Poles to swing up or to balance: acrobot, cartpole, pendulum.

use super::terms::{SMALL_CONTROL, moving, radius, rewarded, uprightness};
use crate::lookup::{body, difference, norm, position, site};
use crate::tolerance::Tolerance;
use kinetree_batch::{Completion, Outcome, Reads, Record, Task, Transition};
use kinetree_model::{Data, Model};

define_task! {
    /// Pendulum: swing a pole up and hold it.
    pub struct Pendulum {} of |model| {
        pole: usize = body(model, "pole")?,
        hinge: usize = model.jnt_dofadr[crate::lookup::joint(model, "hinge")?] as usize,
    }
}

impl Task for Pendulum {
    fn observe(&self, _: &Model, data: &Data, observation: &mut Record<'_>) {
        let frame = &data.xmat[self.pole];
        observation.put("orientation", &[frame[8], frame[2]]);
        observation.number("velocity", data.qvel[self.hinge]);
    }

    fn evaluate(&self, step: &Transition<'_>, _: &mut Record<'_>) -> Outcome {
        // within eight degrees of the vertical
        let upright = Tolerance::within(libm::cos(8.0_f64.to_radians()), 1.0);
        rewarded(upright.of(uprightness(step.data, self.pole)))
    }

    fn completion(&self) -> Completion {
        Completion::NextState
    }

    fn reads(&self) -> Reads {
        Reads::State
    }
}

define_task! {
    /// Acrobot: swing two poles up with a motor between them.
    pub struct Acrobot {
        /// Whether only the target is rewarded, and not what is near it.
        sparse: bool = false,
    } of |model| {
        arms: [usize; 2] = [body(model, "upper_arm")?, body(model, "lower_arm")?],
        target: usize = site(model, "target")?,
        tip: usize = site(model, "tip")?,
    }
}

impl Task for Acrobot {
    fn observe(&self, _: &Model, data: &Data, observation: &mut Record<'_>) {
        observation.each("orientations", self.arms.iter().map(|arm| data.xmat[*arm][2]));
        observation.each("orientations", self.arms.iter().map(|arm| uprightness(data, *arm)));
        observation.put("velocity", &data.qvel);
    }

    fn evaluate(&self, step: &Transition<'_>, _: &mut Record<'_>) -> Outcome {
        let positions = &step.data.site_xpos;
        let distance = norm(&difference(&positions[self.target], &positions[self.tip]));
        let near = Tolerance::within(0.0, radius(&step.model.site_size, self.target));
        rewarded(near.margin(if self.sparse { 0.0 } else { 1.0 }).of(distance))
    }

    fn completion(&self) -> Completion {
        Completion::NextState
    }

    fn reads(&self) -> Reads {
        Reads::State
    }
}

define_task! {
    /// Cartpole: balance poles on a cart, or swing them up; what differs are the first states.
    pub struct Cartpole {
        /// Whether only what is nearly upright and centered is rewarded.
        sparse: bool = false,
    } of |model| {
        slider: usize = position(model, "slider")?,
    }
}

impl Cartpole {
    /// Product of what the cart and all poles are worth.
    fn sparse_reward(&self, step: &Transition<'_>) -> f64 {
        let centered = Tolerance::within(-0.25, 0.25).of(step.data.qpos[self.slider]);
        let upright = Tolerance::within(0.995, 1.0);
        let poles = moving(step.model, 2).map(|pole| upright.of(uprightness(step.data, pole)));
        centered * poles.product::<f64>()
    }

    fn smooth_reward(&self, step: &Transition<'_>) -> f64 {
        let data = step.data;
        let poles = moving(step.model, 2);
        let count = poles.len() as f64;
        let upright = poles.map(|pole| f64::midpoint(uprightness(data, pole), 1.0)).sum::<f64>() / count;
        let centered = Tolerance::within(0.0, 0.0).margin(2.0).of(data.qpos[self.slider]);
        let still = Tolerance::within(0.0, 0.0).margin(5.0);
        let slow = data.qvel[1..].iter().map(|v| still.of(*v)).fold(f64::INFINITY, f64::min);
        let control = (4.0 + SMALL_CONTROL.of(data.ctrl[0])) / 5.0;
        upright * control * f64::midpoint(1.0, slow) * f64::midpoint(1.0, centered)
    }
}

impl Task for Cartpole {
    fn observe(&self, model: &Model, data: &Data, observation: &mut Record<'_>) {
        observation.number("position", data.qpos[self.slider]);
        for pole in moving(model, 2) {
            observation.put("position", &[uprightness(data, pole), data.xmat[pole][2]]);
        }
        observation.put("velocity", &data.qvel);
    }

    fn evaluate(&self, step: &Transition<'_>, _: &mut Record<'_>) -> Outcome {
        rewarded(if self.sparse { self.sparse_reward(step) } else { self.smooth_reward(step) })
    }

    fn completion(&self) -> Completion {
        Completion::NextState
    }

    fn reads(&self) -> Reads {
        Reads::State
    }
}
