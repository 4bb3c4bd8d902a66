//! Numerics for Kinetree: rotations, spatial vectors, dense, sparse and band factorizations, box QP. Knows
//! nothing of bodies or joints.
//!
//! Everything here is deterministic: transcendental functions come from `libm`, every sum has a fixed order,
//! nothing is fused, and nothing allocates unless its documentation says so.
#![forbid(unsafe_code)]

pub mod band;
pub mod boxqp;
mod cpu;
pub mod dense;
pub mod eig3;
pub mod field;
pub mod gather;
pub mod lagrange;
mod lane_trig;
mod lane_vec;
pub mod lanes;
pub mod lanes3;
pub mod lockstep;
pub mod misc;
pub mod precise;
pub mod qcqp;
pub mod real;
pub mod rot;
pub mod sincos;
pub mod sparse;
pub mod spatial;

pub use cpu::{UnsupportedCpu, check_cpu};
pub use lane_vec::LaneVec;

/// Column vector of three `f64`.
pub type Vec3 = nalgebra::Vector3<f64>;
/// Three-by-three matrix of `f64`.
pub type Mat3 = nalgebra::Matrix3<f64>;
/// Quaternion with the scalar part first: `[w, x, y, z]`.
pub type Quat = [f64; 4];
/// Smallest value that is used as a denominator.
pub const MINVAL: f64 = 1e-15;
