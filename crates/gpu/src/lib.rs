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
//!
//! ```no_run
//! use kinetree_gpu::GpuSim;
//! use std::sync::Arc;
//!
//! let model = kinetree_spec::load_model_str(
//!     "<mujoco><worldbody><body pos='0 0 1'><freejoint/><geom size='0.1'/></body></worldbody></mujoco>",
//! )?;
//! let nq = model.nq;
//! // needs a GPU, or a software driver for one
//! let mut worlds = GpuSim::new(Arc::new(model), 1024)?;
//! worlds.steps(100)?;
//! assert_eq!(worlds.positions()?.len(), 1024 * nq);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(unsafe_code)]

#[cfg(not(target_arch = "wasm32"))]
mod blocking;
mod device;
mod error;
mod features;
mod layout;
mod options;
mod precision;
mod shader;
mod sim;
#[cfg(not(target_arch = "wasm32"))]
mod worlds;

pub use device::gpu::Gpu;
pub use device::profile::StageTime;
#[cfg(not(target_arch = "wasm32"))]
pub use device::program::join_abandoned;
pub use error::GpuError;
pub use features::capacity::Capacity;
pub use options::GpuOptions;
pub use precision::{Number, Precision};
pub use shader::sources::{KernelSettings, KernelSources, kernel_sources};
pub use sim::{DeviceTensor, Functions, GpuSim, Results, SolverTotals, TensorPart};
