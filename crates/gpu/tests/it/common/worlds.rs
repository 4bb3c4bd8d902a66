//! What all tests of worlds begin with: random states, and a simulator where there is a device for it.

use kinetree_gpu::{Gpu, GpuError, GpuOptions, GpuSim, Precision};
use kinetree_model::{Data, Model};
use kinetree_sim::mj_step;
use std::sync::Arc;

/// Numbers in −1..1 that are the same in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// A simulator, with sensors where the model has some; `None` on a machine without a GPU of that precision,
/// where the test says that it is skipped.
pub(crate) fn simulator(model: &Arc<Model>, worlds: usize, precision: Precision) -> Option<GpuSim> {
    let options = GpuOptions { precision, sensors: model.nsensor > 0 };
    let made = Gpu::new(None).and_then(|gpu| GpuSim::with_options(gpu, Arc::clone(model), worlds, options));
    match made {
        Err(error @ (GpuError::NoAdapter { .. } | GpuError::NoDouble { .. })) => {
            eprintln!("skipped: {error}");
            None
        }
        made => Some(made.unwrap()),
    }
}

/// A world after some random steps.
pub(crate) fn roam(model: &Model, random: &mut Random, steps: usize) -> Data {
    let mut data = Data::new(model);
    for step in 0..steps {
        if step % 8 == 0 {
            data.ctrl.iter_mut().for_each(|u| *u = random.next());
            data.qvel.iter_mut().for_each(|v| *v += 0.1 * random.next());
        }
        mj_step(model, &mut data).unwrap();
    }
    data
}
