//! Thousands of worlds of one model on a GPU of any vendor.
//!
//! A [`GpuSim`] steps all worlds with kernels that are generated for the model: its sizes are constants, and
//! what pays is unrolled. A world is one workgroup, and a step is three dispatches: unconstrained dynamics,
//! contacts, and the constraint solver with the integrator, before which clusters of trees are solved one by
//! one where a model has several. Convex pairs are searched by kernels of their own, over lists of pairs of
//! all worlds. Numbers are in single precision, or in double precision where the device
//! has it. A model with something that the kernels do not cover is refused when a simulator is made, with the
//! names of all such elements. Sensors that need no more than states, poses and contact forces are read by a
//! fourth dispatch.
//!
//! Everything that waits for the device is an `async` function (`steps_async`, `positions_async`…), which a
//! browser needs; natively each has a blocking one beside it (`steps`, `positions`…).

#![deny(unsafe_code)]

mod adhesion;
mod ball_limit;
#[cfg(not(target_arch = "wasm32"))]
mod blocking;
mod body_equality;
mod branches;
mod clusters;
mod contact_list;
mod convex;
mod coverage;
mod curved_maps;
mod device;
mod double;
mod error;
mod flight;
mod fluid;
mod functions;
mod kernel;
mod lanes;
mod layout;
mod linear_rows;
mod lone_bodies;
mod mocap;
mod motor;
mod muscle;
mod numbers;
mod options;
mod pairs;
mod precision;
mod profile;
mod program;
mod readback;
mod row_numbers;
mod sensor_contacts;
mod sensor_rays;
mod sensors;
mod signal;
mod sim;
mod switches;
mod table;
mod tendon_armature;
mod trusted;
#[cfg_attr(target_arch = "wasm32", path = "user_text_web.rs")]
mod user_text;
mod varied;
#[cfg(not(target_arch = "wasm32"))]
mod worlds;

pub use device::Gpu;
pub use error::GpuError;
pub use functions::{Functions, Results};
pub use layout::Capacity;
pub use options::GpuOptions;
pub use precision::{Number, Precision};
pub use profile::StageTime;
pub use sim::{GpuSim, SolverTotals};
