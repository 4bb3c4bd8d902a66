//! What a device gets for a model, without a device: for those who want to read what runs, and for tests.

use super::kernels::kernels;
use crate::error::GpuError;
use crate::features::capacity::Rooms;
use crate::features::contact_pairs::PairGroups;
use crate::features::coverage::not_covered;
use crate::features::plan::Plan;
use crate::features::sensors::Sensors;
use crate::layout::buffer_layout::Layout;
use crate::layout::lanes::Lanes;
use crate::layout::model_parameters::write_model;
use crate::options::GpuOptions;
use kinetree_model::{Data, Model};
use kinetree_sim::static_pairs;

/// How kernels of a model are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelSettings {
    /// Options of the simulator.
    pub options: GpuOptions,
    /// Whether lanes communicate by subgroups of 32, as on devices that have them.
    pub subgroups: bool,
    /// Whether worlds activate equalities of their own.
    pub equality_activation: bool,
    /// Whether worlds have parameters of their own.
    pub varied: bool,
}

/// Kernels of a model and what they read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KernelSources {
    /// Name of the stage and text of each kernel, in order.
    pub kernels: Vec<(&'static str, String)>,
    /// Floating-point parameters of the model.
    pub parameters: Vec<f64>,
    /// Indices of the model.
    pub indices: Vec<i32>,
}

/// Kernels of a model in its first state, with the room for contacts that a simulator begins with.
///
/// # Errors
/// When the model has something that the kernels do not cover.
pub fn kernel_sources(model: &Model, settings: KernelSettings) -> Result<KernelSources, GpuError> {
    let KernelSettings { options, subgroups, equality_activation, varied } = settings;
    model.check_indices()?;
    let data = Data::new(model);
    let listed = static_pairs(model, &data);
    let mut missing = not_covered(model, &listed);
    if options.sensors {
        missing.extend(Sensors::new(model).missing);
    }
    if !missing.is_empty() {
        return Err(GpuError::Unsupported(missing));
    }
    let pairs = PairGroups::new(model, &listed);
    let mut simulated = model.clone();
    let first_active = (equality_activation && model.neq > 0).then(|| {
        simulated.eq_active0.fill(1);
        model.eq_active0.iter().map(|&active| active != 0).collect()
    });
    let rooms = Rooms { most: pairs.likely_capacity(&data), usual: None };
    let plan = Plan::new(&simulated, pairs, options.sensors, first_active);
    let layout = Layout::new(&plan, rooms.most, options.precision);
    let table = write_model(&plan, &layout, !varied);
    let lanes = if subgroups { Lanes::Subgroups } else { Lanes::Workgroup };
    let kernels = kernels(&plan, &table, rooms, lanes, &layout);
    let kernels = kernels.into_iter().map(|kernel| (kernel.stage, kernel.text)).collect();
    Ok(KernelSources { kernels, parameters: table.floats, indices: table.ints })
}
