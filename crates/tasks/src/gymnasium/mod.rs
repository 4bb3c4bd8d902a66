//! Gymnasium's MuJoCo environments, version 5. Settings have the names and usual values of the originals.
//!
//! ```
//! use kinetree_batch::BatchSim;
//! use kinetree_tasks::gymnasium::InvertedPendulum;
//! use std::sync::Arc;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let xml = "<mujoco><worldbody><body><joint type='slide' axis='1 0 0'/><geom size='0.1'/>
//!     <body><joint axis='0 1 0'/><geom size='0.05' pos='0 0 0.6'/></body></body></worldbody></mujoco>";
//! let model = Arc::new(kinetree_spec::load_model_str(xml)?);
//! let task = InvertedPendulum::new(&model)?;
//! let mut batch = BatchSim::with_task(model, 2, Arc::new(task))?;
//! batch.advance();
//! assert_eq!(batch.rewards(), [1.0; 2], "the poles are upright");
//! # Ok(())
//! # }
//! ```

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
