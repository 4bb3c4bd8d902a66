//! Model predictive control: planning again and again while a world goes on.

mod plan;
mod planner;
mod thread;

pub use plan::Plan;
pub use planner::{Budget, Mpc, Planner};
pub use thread::BackgroundMpc;
