//! Well-known tasks of reinforcement learning for batches of worlds.
//!
//! [`gymnasium`] has those of Gymnasium's MuJoCo environments, version 5; [`suite`] has tasks of the
//! `dm_control` suite. Each is a [`Task`](kinetree_batch::Task) over a model that the user loads, with the
//! observations, rewards and ends of episodes of the original. First states are set by the caller
//! ([`BatchSim::begin_where`]), since the originals draw them from random numbers of their own.
//!
//! ```
//! use kinetree_batch::BatchSim;
//! use std::sync::Arc;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let xml = "<mujoco><worldbody>
//!       <body name='pole'><joint name='hinge' axis='0 1 0'/><geom size='0.1' pos='0 0 1'/></body>
//!     </worldbody><actuator><motor joint='hinge'/></actuator></mujoco>";
//! let model = Arc::new(kinetree_spec::load_model_str(xml)?);
//! let task = kinetree_tasks::make("pendulum-swingup", &model)?;
//! let mut batch = BatchSim::with_task(model, 4, Arc::from(task as Box<dyn kinetree_batch::Task>))?;
//! batch.advance();
//! assert_eq!(batch.rewards(), [1.0; 4], "the pole is upright");
//! assert_eq!(batch.observation_parts()[1].name, "velocity");
//! # Ok(())
//! # }
//! ```
//!
//! [`BatchSim::begin_where`]: kinetree_batch::BatchSim::begin_where
#![forbid(unsafe_code)]

// first, so that its macro is known to the others
#[macro_use]
mod settings;

mod definition;
mod error;
pub mod gymnasium;
mod lookup;
pub mod suite;
mod tolerance;

pub use definition::Definition;
pub use error::TaskError;
pub use settings::Settings;
pub use tolerance::{Sigmoid, Tolerance};

use kinetree_model::Model;

/// Names of all tasks: those of [`gymnasium`], then those of [`suite`].
pub fn names() -> impl Iterator<Item = &'static str> {
    gymnasium::TASKS.iter().chain(suite::TASKS).map(|(name, _)| *name)
}

/// A task by its name: `Ant`, `walker-run`.
///
/// # Errors
/// When there is no such task, or the model lacks what the task refers to by name.
pub fn make(name: &str, model: &Model) -> Result<Box<dyn Definition>, TaskError> {
    let mut all = gymnasium::TASKS.iter().chain(suite::TASKS);
    match all.find(|(known, _)| *known == name) {
        Some((_, maker)) => maker(model),
        None => {
            Err(TaskError::Unknown { name: name.to_owned(), known: names().collect::<Vec<_>>().join(", ") })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_named() {
        let model = kinetree_spec::load_model_str("<mujoco/>").unwrap();
        let message = |result: Result<Box<dyn Definition>, TaskError>| result.err().unwrap().to_string();
        assert!(message(make("Aunt", &model)).contains("there is no task 'Aunt'; there are Ant, "));
        assert!(message(make("walker-walk", &model)).contains("the task needs a body 'torso'"));
        let mut cheetah = make("HalfCheetah", &model).unwrap();
        let error = cheetah.set("ctrl_cost", &[1.0]).unwrap_err().to_string();
        assert!(error.contains("'ctrl_cost'") && error.contains("ctrl_cost_weight"), "{error}");
        let error = cheetah.set("ctrl_cost_weight", &[1.0, 2.0]).unwrap_err().to_string();
        assert!(error.contains("one number"), "{error}");
        cheetah.set("ctrl_cost_weight", &[0.5]).unwrap();
    }
}
