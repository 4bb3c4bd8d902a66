//! How programs use a simulator on a GPU: as a batch, with functions of their own, with steps that overlap,
//! and what they are told when something goes wrong.

mod batches;
mod flights;
mod functions;
mod own_kernels;
mod robustness;

use kinetree_gpu::{Gpu, GpuError, GpuSim};
use kinetree_model::Model;
use std::sync::Arc;

fn text(xml: &str) -> Arc<Model> {
    Arc::new(kinetree_spec::load_model_str(xml).unwrap())
}

/// A simulator with sensors; `None` on a machine without a GPU, where the test says that it is skipped.
fn simulator(model: Arc<Model>, worlds: usize) -> Option<GpuSim> {
    match Gpu::new(None).and_then(|gpu| GpuSim::with_sensors(gpu, model, worlds)) {
        Err(error @ GpuError::NoAdapter { .. }) => {
            eprintln!("skipped: {error}");
            None
        }
        made => Some(made.unwrap()),
    }
}
