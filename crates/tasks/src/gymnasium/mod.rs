//! Gymnasium's MuJoCo environments, version 5. Settings have the names and usual values of the originals.

mod ant;
mod arms;
mod humanoids;
mod pendulums;
mod runners;

pub use ant::Ant;
pub use arms::{Pusher, Reacher};
pub use humanoids::{Humanoid, HumanoidStandup};
pub use pendulums::{InvertedDoublePendulum, InvertedPendulum};
pub use runners::{HalfCheetah, Hopper, Swimmer, Walker2d};

use crate::{Maker, boxed};
use kinetree_batch::Record;
use kinetree_model::{Data, Model};

/// Tasks by name.
pub(crate) const TASKS: &[(&str, Maker)] = &[
    ("Ant", |model| boxed(Ant::new(model))),
    ("HalfCheetah", |model| boxed(HalfCheetah::new(model))),
    ("Hopper", |model| boxed(Hopper::new(model))),
    ("HumanoidStandup", |model| boxed(HumanoidStandup::new(model))),
    ("Humanoid", |model| boxed(Humanoid::new(model))),
    ("InvertedDoublePendulum", |model| boxed(InvertedDoublePendulum::new(model))),
    ("InvertedPendulum", |model| boxed(InvertedPendulum::new(model))),
    ("Pusher", |model| boxed(Pusher::new(model))),
    ("Reacher", |model| boxed(Reacher::new(model))),
    ("Swimmer", |model| boxed(Swimmer::new(model))),
    ("Walker2d", |model| boxed(Walker2d::new(model))),
];

/// Positions without the first ones, then velocities.
fn put_state(data: &Data, skipped: usize, excluded: bool, observation: &mut Record<'_>) {
    observation.put("qpos", &data.qpos[if excluded { skipped } else { 0 }..]);
    observation.put("qvel", &data.qvel);
}

/// Where something in a plane is.
fn put_place(data: &Data, metrics: &mut Record<'_>) {
    let (x, y) = (data.qpos[0], data.qpos[1]);
    metrics.number("x_position", x);
    metrics.number("y_position", y);
    metrics.number("distance_from_origin", libm::hypot(x, y));
}

/// How far and high something that moves in a vertical plane is.
fn put_height(model: &Model, data: &Data, metrics: &mut Record<'_>) {
    metrics.number("x_position", data.qpos[0]);
    metrics.number("z_distance_from_origin", data.qpos[1] - model.qpos0[1]);
}
