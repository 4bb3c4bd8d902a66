//! Gymnasium's MuJoCo environments, version 5. Settings have the names and usual values of the originals.

mod ant;
mod arms;
mod humanoids;
mod pendulums;
mod records;
mod runners;

pub use ant::Ant;
pub use arms::{Pusher, Reacher};
pub use humanoids::{Humanoid, HumanoidStandup};
pub use pendulums::{InvertedDoublePendulum, InvertedPendulum};
pub use runners::{HalfCheetah, Hopper, Swimmer, Walker2d};

use crate::definition::{Maker, boxed};

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
