//! Control by a model of the robot: regulators, trajectory optimization, control by samples.
//!
//! - [`transitions`](fn@transitions): `A`, `B`, `C`, `D` of every step of a trajectory, on threads.
//! - [`lqr`](fn@lqr) and [`tvlqr`]: linear-quadratic regulators, of an equilibrium and along a trajectory.
//! - [`Ilqr`]: iterative LQR with limits on controls, regularization and a parallel line search.
//! - [`Sampler`]: predictive sampling, the cross-entropy method and MPPI, over splines of controls.
//! - [`Mpc`] and [`BackgroundMpc`]: planning again and again by one of them while a world goes on.
//! - [`sysid`]: masses, inertias, friction, gains and more from recorded trajectories.
//!
//! A [`Cost`] is a function of state, controls and sensors with its expansion to second order;
//! [`QuadraticCost`] serves most tasks.
//!
//! ```
//! use kinetree_control::{Ilqr, QuadraticCost, Settings};
//! use kinetree_model::Data;
//!
//! let model = kinetree_spec::load_model_str(
//!     "<mujoco>
//!        <option timestep='0.02'/>
//!        <worldbody>
//!          <body><joint name='j' type='slide' axis='1 0 0'/><geom size='0.1' mass='1'/></body>
//!        </worldbody>
//!        <actuator><motor joint='j' ctrlrange='-5 5'/></actuator>
//!      </mujoco>",
//! )?;
//! // to x = 1 within a second, and at rest there
//! let cost = QuadraticCost::new(&model)
//!     .target(&[1.0], &[0.0])?
//!     .terminal_weights(&[1e3, 1e2])?
//!     .control_weights(&[1e-3])?;
//! let mut planner = Ilqr::new(&model, 50, Settings::default())?;
//! let solution = planner.solve(&cost, &Data::new(&model), &[0.0; 50])?;
//! let end = solution.trajectory.qpos(50);
//! assert!((end[0] - 1.0).abs() < 0.01);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod cost;
mod error;
mod ilqr;
mod limits;
mod lqr;
mod memory;
mod mpc;
mod sampling;
pub mod sysid;
mod tangent;
mod trajectory;
mod transitions;
mod workers;

pub use cost::{Cost, Expansion, Norm, Point, QuadraticCost, SensorJacobian, SensorTerm};
pub use error::ControlError;
pub use ilqr::{Ilqr, Settings, Solution, Status};
pub use lqr::{Regulator, lqr, tvlqr};
pub use memory::transition_bytes;
pub use mpc::{BackgroundMpc, Budget, Mpc, Plan, Planner};
pub use sampling::{Interpolation, Method, SampledSolution, Sampler, SamplerSettings, Spline};
pub use trajectory::{Trajectory, state_size};
pub use transitions::{Transitions, transitions};
