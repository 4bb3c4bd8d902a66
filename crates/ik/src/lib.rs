//! Kinematic chains, Jacobians and inverse kinematics for any model.
//!
//! [`Chain`] is the way from one frame of a model to another, with forward kinematics and Jacobians of its
//! own that need no `Data`. [`Solver`] finds joint values whose end reaches a [`Target`] within the joint
//! limits. [`whole_body`] serves several tasks at once, under limits.
//!
//! ```
//! use kinetree_ik::{Chain, Settings, Solver, Target};
//!
//! let model = kinetree_spec::load_model_str(
//!     r#"<mujoco>
//!          <worldbody>
//!            <body name="upper">
//!              <joint axis="0 1 0" range="-170 170"/>
//!              <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.02"/>
//!              <body name="lower" pos="0.4 0 0">
//!                <joint axis="0 1 0" range="-170 170"/>
//!                <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02"/>
//!                <site name="hand" pos="0.3 0 0"/>
//!              </body>
//!            </body>
//!          </worldbody>
//!        </mujoco>"#,
//! )?;
//! let chain = Chain::new(&model, "world", "hand")?;
//! let mut solver = Solver::new(chain, Settings::default())?;
//! let solution = solver.solve(&Target::position(&[0.3, 0.0, 0.4])?, None)?;
//! assert!(solution.converged);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod calculator;
pub mod chain;
mod error;
mod frame;
mod made_for;
mod pose;
mod singularity;
pub mod solver;
pub mod whole_body;

pub use calculator::AnalyticalJacobianCalculator;
pub use chain::{Chain, JointFrameCache, JointKind, ReferenceFrame, Variable, convert_jacobian};
pub use error::IkError;
pub use frame::Frame;
pub use pose::{Pose, rotation_vector};
pub use singularity::Singularity;
pub use solver::{Settings, Solution, Solver, Target};
