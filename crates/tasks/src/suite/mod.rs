//! Tasks of the `dm_control` suite. Observations have the parts of the originals, in their order.
//!
//! Steps end with the first half of the next one, so that observations and rewards are those of the new
//! state.

mod cheetah;
mod hopper;
mod humanoid;
mod poles;
mod reach;
mod swim;
mod walker;

pub use cheetah::Cheetah;
pub use hopper::Hopper;
pub use humanoid::Humanoid;
pub use poles::{Acrobot, Cartpole, Pendulum};
pub use reach::{BallInCup, PointMass, Reacher};
pub use swim::Fish;
pub use walker::Walker;

use crate::error::TaskError;
use crate::tolerance::{Sigmoid, Tolerance};
use crate::{Maker, boxed};
use kinetree_batch::{Outcome, Record};
use kinetree_model::{Data, Model};

/// Tasks by name.
pub(crate) const TASKS: &[(&str, Maker)] = &[
    ("acrobot-swingup", |model| boxed(Acrobot::new(model))),
    ("acrobot-swingup_sparse", |model| variant(Acrobot::new(model), |task| task.sparse = true)),
    ("ball_in_cup-catch", |model| boxed(BallInCup::new(model))),
    ("cartpole-balance", |model| boxed(Cartpole::new(model))),
    ("cartpole-balance_sparse", |model| variant(Cartpole::new(model), |task| task.sparse = true)),
    ("cartpole-swingup", |model| boxed(Cartpole::new(model))),
    ("cartpole-swingup_sparse", |model| variant(Cartpole::new(model), |task| task.sparse = true)),
    ("cheetah-run", |model| boxed(Cheetah::new(model))),
    ("fish-upright", |model| boxed(Fish::new(model))),
    ("hopper-hop", |model| variant(Hopper::new(model), |task| task.hopping = true)),
    ("hopper-stand", |model| boxed(Hopper::new(model))),
    ("humanoid-run", |model| variant(Humanoid::new(model), |task| task.move_speed = 10.0)),
    ("humanoid-stand", |model| boxed(Humanoid::new(model))),
    ("humanoid-walk", |model| variant(Humanoid::new(model), |task| task.move_speed = 1.0)),
    ("pendulum-swingup", |model| boxed(Pendulum::new(model))),
    ("point_mass-easy", |model| boxed(PointMass::new(model))),
    ("reacher-easy", |model| boxed(Reacher::new(model))),
    ("reacher-hard", |model| boxed(Reacher::new(model))),
    ("walker-run", |model| variant(Walker::new(model), |task| task.move_speed = 8.0)),
    ("walker-stand", |model| boxed(Walker::new(model))),
    ("walker-walk", |model| variant(Walker::new(model), |task| task.move_speed = 1.0)),
];

/// A task with other settings.
fn variant<T: crate::Definition + 'static>(
    task: Result<T, TaskError>,
    change: impl FnOnce(&mut T),
) -> Result<Box<dyn crate::Definition>, TaskError> {
    boxed(task.map(|mut task| {
        change(&mut task);
        task
    }))
}

/// How much controls are worth that are near zero: one for none, zero for full ones.
const SMALL_CONTROL: Tolerance = Tolerance::within(0.0, 0.0).falling(Sigmoid::Quadratic, 1.0, 0.0);

/// A factor from 0.8 to 1 for small controls.
fn small_control(data: &Data) -> f64 {
    (4.0 + SMALL_CONTROL.mean(&data.ctrl)) / 5.0
}

/// How much a speed is worth that is less than wanted, falling by a straight line to `value` at `margin`.
fn fast(speed: f64, wanted: f64, margin: f64, value: f64) -> f64 {
    Tolerance::within(wanted, f64::INFINITY).falling(Sigmoid::Linear, margin, value).of(speed)
}

/// Tasks of the suite end by time alone.
fn rewarded(reward: f64) -> Outcome {
    Outcome { reward, terminated: false }
}

/// Positions without the first ones, then velocities.
fn put_state(data: &Data, skipped: usize, observation: &mut Record<'_>) {
    observation.put("position", &data.qpos[skipped..]);
    observation.put("velocity", &data.qvel);
}

/// Cosine of the angle between the z-axis of a body and the vertical.
fn uprightness(data: &Data, body: usize) -> f64 {
    data.xmat[body][8]
}

/// Size of a geom or site along its first axis.
fn radius(sizes: &[[f64; 3]], id: usize) -> f64 {
    sizes[id][0]
}

/// Number of bodies after the first `skipped` ones, which are the world and what moves others.
fn moving(model: &Model, skipped: usize) -> std::ops::Range<usize> {
    skipped.min(model.nbody)..model.nbody
}
