//! Many worlds at once: what reinforcement learning steps.
//!
//! A [`BatchSim`] holds worlds of one model, or of several. Controls go in and states come out as contiguous
//! arrays with a row for each world; rewards, ends of episodes and failures come with them. Worlds do not
//! know of each other: each makes the same steps, bit for bit, as a [`Data`](kinetree_model::Data) of its own
//! would, on any number of threads, and a world that fails is recorded, marked and reset while the others go
//! on.
//!
//! ```
//! use kinetree_batch::BatchSim;
//! use std::sync::Arc;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let xml = "<mujoco>
//!     <worldbody><body><joint name='hinge'/><geom size='0.1' pos='0.3 0 0'/></body></worldbody>
//!     <actuator><motor joint='hinge'/></actuator></mujoco>";
//! let model = Arc::new(kinetree_spec::load_model_str(xml)?);
//! let mut batch = BatchSim::new(model, 64);
//! batch.set_reward(|_: &kinetree_model::Model, data: &kinetree_model::Data| -data.qpos[0].abs());
//! for (world, control) in batch.controls_mut().iter_mut().enumerate() {
//!     *control = world as f64 / 64.0;
//! }
//! let result = batch.step_all();
//! assert_eq!(result.rewards.len(), 64);
//! assert!(result.errors.iter().all(Option::is_none));
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]

mod device;
mod equalities;
mod error;
mod estimate;
mod functions;
mod lockstep;
mod mocap;
mod output;
mod pool;
mod random;
mod record;
mod result;
mod rows;
mod sim;
mod sim_worlds;
mod stepper;
mod tables;
mod task;
mod threads;
mod variation;
mod views;
mod world;
mod worlds;

pub use error::BatchError;
pub use estimate::bytes_of_worlds;
pub use functions::{ResetFn, RewardFn, TerminationFn};
pub use output::Output;
pub use random::Random;
pub use record::{Part, Record};
pub use result::BatchResult;
pub use sim::BatchSim;
pub use task::{Completion, Outcome, Reads, Task, Transition};
pub use variation::NOT_NEGATIVE;
pub use worlds::{Worlds, state_size};
