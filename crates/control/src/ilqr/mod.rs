//! Iterative LQR: trajectory optimization by linear dynamics and quadratic costs around a trajectory (Li and
//! Todorov, "Iterative linear quadratic regulator design for nonlinear biological movement systems", 2004),
//! with limits on controls (Tassa, Mansard and Todorov, "Control-limited differential dynamic programming",
//! 2014).

mod backward;
mod optimizer;
mod settings;

pub use optimizer::{Ilqr, Solution, Status};
pub use settings::Settings;
