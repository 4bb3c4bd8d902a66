//! The simulator: how it is made, steps, grows, and what goes in and out.

mod built;
mod contact_list;
mod equalities;
mod flight;
mod functions;
mod growth;
mod late;
mod mocap;
#[cfg(not(target_arch = "wasm32"))]
mod pace;
mod simulator;
mod staging;
mod states;
mod steps;
mod tensors;
mod totals;
mod user_program;
#[cfg_attr(target_arch = "wasm32", path = "user_text_web.rs")]
mod user_text;
mod variation;
mod vary;

pub use functions::Results;
pub use simulator::GpuSim;
pub use tensors::{DeviceTensor, TensorPart};
pub use totals::SolverTotals;
pub use user_program::Functions;
