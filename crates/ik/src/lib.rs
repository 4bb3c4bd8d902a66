//! Kinematic chains, Jacobians and inverse kinematics for any model.
//!
//! [`Chain`] is the way from one frame of a model to another, with forward kinematics and Jacobians of its own that need no
//! `Data`.
#![forbid(unsafe_code)]

mod calculator;
pub mod chain;
mod error;
mod frame;
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
