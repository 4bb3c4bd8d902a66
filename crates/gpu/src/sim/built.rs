//! What belongs together on a device: a layout, buffers with it, and kernels that are compiled for both.
//!
//! Kernels are compiled without bounds checks, so sizes of one layout over buffers of another would read and
//! write other worlds. A [`Built`] is made completely before it takes the place of the last one: when a
//! buffer is refused or a kernel does not compile, the last one is still whole.

use super::user_program::UserProgram;
use super::variation::{Variation, VariedField};
use crate::device::buffers::Buffers;
use crate::device::gpu::Gpu;
use crate::device::program::Program;
use crate::device::watch::Watch;
use crate::error::GpuError;
use crate::features::capacity::Rooms;
use crate::features::contact_pairs::PairGroups;
use crate::features::parameters::Table;
use crate::features::plan::Plan;
use crate::layout::buffer_layout::Layout;
use crate::layout::model_parameters::write_model;
use crate::options::GpuOptions;
use crate::shader::kernels::kernels;
use kinetree_model::Model;
use std::sync::Arc;

/// What stays the same as long as a simulator lives.
#[derive(Debug)]
pub(crate) struct Basis {
    pub(crate) model: Arc<Model>,
    pub(crate) pairs: PairGroups,
    pub(crate) options: GpuOptions,
    pub(crate) worlds: usize,
}

/// What buffers and kernels are made for, and may become another.
#[derive(Clone, Debug)]
pub(crate) struct Design {
    /// The model as kernels have it: with all equalities active where worlds activate them.
    pub(crate) simulated: Arc<Model>,
    pub(crate) rooms: Rooms,
    /// Which equalities are active at the start, where worlds activate them one by one.
    pub(crate) first_active: Option<Vec<bool>>,
    /// Fields that differ from world to world.
    pub(crate) varied: Vec<VariedField>,
    /// Whether other libraries see what worlds have.
    pub(crate) shared: bool,
}

impl Design {
    /// What the kernels have to do.
    pub(crate) fn plan(&self, basis: &Basis) -> Plan<'_> {
        Plan::new(&self.simulated, basis.pairs.clone(), basis.options.sensors, self.first_active.clone())
    }

    /// Parameters that the kernels read, of one model for all worlds.
    pub(crate) fn table(&self, plan: &Plan<'_>, layout: &Layout) -> Table {
        write_model(plan, layout, self.varied.is_empty())
    }

    /// Parameters of each world, one after the other.
    pub(crate) fn varied_numbers(&self, basis: &Basis, layout: &Layout) -> Result<Vec<f64>, GpuError> {
        let Basis { worlds, options, .. } = basis;
        let (fields, sensors, first_active) = (&self.varied[..], options.sensors, self.first_active.as_ref());
        Variation { model: &self.simulated, sensors, first_active, layout, fields, worlds: *worlds }.numbers()
    }
}

/// A layout with its buffers and kernels.
///
/// Invariant: `buffers` have the sizes of `layout`, `program` and `user` are compiled for `layout` and bound
/// to `buffers`.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) design: Design,
    pub(crate) layout: Layout,
    pub(crate) buffers: Buffers,
    pub(crate) program: Program,
    /// Functions of the user.
    pub(crate) user: Option<UserProgram>,
}

impl Built {
    /// Makes everything anew; kernels that are the same as in `last`, its functions of the user, and its
    /// states, controls, counters and sensor values are taken over.
    pub(crate) async fn new(
        gpu: &Gpu,
        basis: &Basis,
        design: Design,
        last: Option<&Self>,
        watch: &mut Watch<'_>,
    ) -> Result<Self, GpuError> {
        let plan = design.plan(basis);
        let layout = Layout::new(&plan, design.rooms.most, basis.options.precision);
        let mut table = design.table(&plan, &layout);
        if !design.varied.is_empty() {
            table.floats = design.varied_numbers(basis, &layout)?;
        }
        let shared = (design.shared, last.map(|last| &last.buffers));
        let buffers = Buffers::new(gpu, &layout, (&table.floats, &table.ints), basis.worlds, shared)?;
        let texts = kernels(&plan, &table, design.rooms, gpu.lanes, &layout);
        let compiled = last.map_or(&[][..], |last| &last.program.stages);
        let program = Program::new(gpu, texts, &buffers, compiled, &layout, watch).await?;
        let user = match last.and_then(|last| last.user.as_ref()) {
            Some(user) => Some(user.rebind(gpu, &basis.model, (&layout, &buffers)).await?),
            None => None,
        };
        if let Some(last) = last {
            last.buffers.copy_to(gpu, &buffers);
        }
        gpu.check()?;
        Ok(Self { design, layout, buffers, program, user })
    }
}
