//! Something to bring somewhere: ball in cup, point mass, reacher.

use super::terms::{put_state, radius, rewarded, small_control};
use crate::lookup::{body, difference, geom, norm, site};
use crate::tolerance::Tolerance;
use kinetree_batch::{Completion, Outcome, Reads, Record, Task, Transition};
use kinetree_model::{Data, Model};

define_task! {
    /// Ball in cup: catch a ball that hangs from a cup.
    pub struct BallInCup {} of |model| {
        target: usize = site(model, "target")?,
        ball: usize = body(model, "ball")?,
        ball_geom: usize = geom(model, "ball")?,
    }
}

impl Task for BallInCup {
    fn observe(&self, _: &Model, data: &Data, observation: &mut Record<'_>) {
        put_state(data, 0, observation);
    }

    fn evaluate(&self, step: &Transition<'_>, _: &mut Record<'_>) -> Outcome {
        let way = difference(&step.data.site_xpos[self.target], &step.data.xpos[self.ball]);
        let room = step.model.site_size[self.target];
        let ball = radius(&step.model.geom_size, self.ball_geom);
        let inside = [0, 2].iter().all(|axis| way[*axis].abs() < room[*axis] - ball);
        rewarded(f64::from(u8::from(inside)))
    }

    fn completion(&self) -> Completion {
        Completion::NextState
    }

    fn reads(&self) -> Reads {
        Reads::State
    }
}

define_task! {
    /// Point mass: bring a point to a target.
    pub struct PointMass {} of |model| {
        target: usize = geom(model, "target")?,
        mass: usize = geom(model, "pointmass")?,
    }
}

impl Task for PointMass {
    fn observe(&self, _: &Model, data: &Data, observation: &mut Record<'_>) {
        put_state(data, 0, observation);
    }

    fn evaluate(&self, step: &Transition<'_>, _: &mut Record<'_>) -> Outcome {
        let positions = &step.data.geom_xpos;
        let size = radius(&step.model.geom_size, self.target);
        let near = Tolerance::within(0.0, size).margin(size);
        let distance = norm(&difference(&positions[self.target], &positions[self.mass]));
        rewarded(near.of(distance) * small_control(step.data))
    }

    fn completion(&self) -> Completion {
        Completion::NextState
    }

    fn reads(&self) -> Reads {
        Reads::State
    }
}

define_task! {
    /// Reacher: bring the finger of an arm to a target, whose position is a field of the model.
    pub struct Reacher {} of |model| {
        target: usize = geom(model, "target")?,
        finger: usize = geom(model, "finger")?,
    }
}

impl Reacher {
    /// From the finger to the target, in the plane.
    fn way(&self, data: &Data) -> [f64; 2] {
        let [x, y, _] = difference(&data.geom_xpos[self.target], &data.geom_xpos[self.finger]);
        [x, y]
    }
}

impl Task for Reacher {
    fn observe(&self, _: &Model, data: &Data, observation: &mut Record<'_>) {
        observation.put("position", &data.qpos);
        observation.put("to_target", &self.way(data));
        observation.put("velocity", &data.qvel);
    }

    fn evaluate(&self, step: &Transition<'_>, _: &mut Record<'_>) -> Outcome {
        let sizes = &step.model.geom_size;
        let radii = radius(sizes, self.target) + radius(sizes, self.finger);
        rewarded(Tolerance::within(0.0, radii).of(norm(&self.way(step.data))))
    }

    fn completion(&self) -> Completion {
        Completion::NextState
    }

    fn reads(&self) -> Reads {
        Reads::State
    }
}
