//! The simulator: worlds of one model on a device.

use super::built::{Basis, Built, Design};
use super::late::Late;
#[cfg(not(target_arch = "wasm32"))]
use super::pace::Pace;
use super::staging::{Flight, NeedsCopy, Staging};
use crate::device::gpu::Gpu;
use crate::device::watch::Watch;
use crate::error::GpuError;
use crate::features::capacity::{Capacity, Rooms};
use crate::features::contact_pairs::PairGroups;
use crate::features::coverage::not_covered;
use crate::features::parameters::Table;
use crate::features::sensors::Sensors;
use crate::options::GpuOptions;
use crate::precision::Precision;
use crate::shader::kernels::kernels;
use kinetree_model::{Data, Model};
use kinetree_sim::{mj_forward, static_pairs};
use std::collections::VecDeque;
use std::sync::Arc;
use web_time::Duration;

/// Worlds of one model that are stepped on a GPU.
#[derive(Debug)]
pub struct GpuSim {
    pub(crate) gpu: Gpu,
    pub(crate) basis: Basis,
    /// Layout, buffers and kernels.
    pub(crate) built: Built,
    /// Steps that every world has made or is to make.
    pub(super) goal: u32,
    /// Worlds that have not made all of them.
    pub(super) late: Option<Late>,
    /// Controls that were set last, as the device has them.
    pub(super) controls: Vec<u8>,
    /// Steps that were begun and not finished.
    pub(super) flights: VecDeque<Flight>,
    /// Memory for copies that is not used.
    pub(super) idle: Vec<Staging>,
    /// Where counters are read from after steps.
    pub(super) needs: NeedsCopy,
    /// Steps of crowded worlds, and of each world, when room was looked at last.
    pub(super) crowded: (u32, u32),
    /// Whether there was no memory for kernels that suit crowded worlds better.
    pub(super) has_rooms_for_good: bool,
    /// Whether a world has begun anew since failures were asked for.
    pub(super) failed: bool,
    /// How fast steps are.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) pace: Pace,
}

impl GpuSim {
    /// `worlds` worlds of a model in its first state, on a device.
    ///
    /// # Errors
    /// When the model has something that is not covered, or a sensor that is not and sensors are asked for,
    /// when the worlds do not fit, and when double precision is asked for and the device does not have it.
    pub async fn create(
        gpu: Gpu,
        model: Arc<Model>,
        worlds: usize,
        options: GpuOptions,
    ) -> Result<Self, GpuError> {
        Self::create_watched(gpu, model, worlds, options, &mut Watch::none()).await
    }

    /// As [`create`](Self::create), unless somebody stops it.
    pub(crate) async fn create_watched(
        gpu: Gpu,
        model: Arc<Model>,
        worlds: usize,
        options: GpuOptions,
        watch: &mut Watch<'_>,
    ) -> Result<Self, GpuError> {
        gpu.check_precision(options.precision)?;
        if options.sensors {
            let missing = Sensors::new(&model).missing;
            if !missing.is_empty() {
                return Err(GpuError::Unsupported(missing));
            }
        }
        // kernels follow indices without looking
        model.check_indices()?;
        check_first_state(&model)?;
        let mut data = Data::new(&model);
        let listed = static_pairs(&model, &data);
        let missing = not_covered(&model, &listed);
        if !missing.is_empty() {
            return Err(GpuError::Unsupported(missing));
        }
        let pairs = PairGroups::new(&model, &listed);
        // a state that cannot be computed is reported by the first step
        let _ = mj_forward(&model, &mut data);
        let rooms = Rooms { most: pairs.likely_capacity(&data), usual: None };
        let design = Design {
            simulated: Arc::clone(&model),
            rooms,
            first_active: None,
            varied: Vec::new(),
            shared: false,
        };
        let basis = Basis { model, pairs, options, worlds };
        let built = Built::new(&gpu, &basis, design, None, watch).await?;
        let needs = NeedsCopy::new(&gpu);
        let mut sim = Self {
            gpu,
            controls: vec![0; basis.model.nu * worlds * basis.options.precision.bytes() as usize],
            basis,
            built,
            goal: 0,
            late: None,
            flights: VecDeque::new(),
            idle: Vec::new(),
            needs,
            crowded: (0, 0),
            has_rooms_for_good: false,
            failed: false,
            #[cfg(not(target_arch = "wasm32"))]
            pace: Pace::default(),
        };
        sim.reset_all()?;
        Ok(sim)
    }

    /// Number of worlds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.basis.worlds
    }

    /// Whether there are no worlds.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.basis.worlds == 0
    }

    /// The model, without varied fields.
    #[must_use]
    pub fn model(&self) -> &Arc<Model> {
        &self.basis.model
    }

    /// The device.
    #[must_use]
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Precision of the numbers that the device computes with.
    #[must_use]
    pub fn precision(&self) -> Precision {
        self.basis.options.precision
    }

    /// How many contacts and rows a world may have now; it grows when a world needs more.
    #[must_use]
    pub fn capacity(&self) -> Capacity {
        self.built.design.rooms.most
    }

    /// How long the kernels took to compile.
    #[must_use]
    pub fn compilation(&self) -> Duration {
        self.built.program.compilation
    }

    /// The text of the kernels, for those who want to read what runs.
    #[must_use]
    pub fn kernel_texts(&self) -> Vec<String> {
        let Built { design, layout, .. } = &self.built;
        let kernels = kernels(&design.plan(&self.basis), &self.table(), design.rooms, self.gpu.lanes, layout);
        kernels.into_iter().map(|kernel| kernel.text).collect()
    }

    /// States of all worlds on the device, for kernels of your own: positions, velocities, activations and
    /// accelerations of the last step, [`state_size`](Self::state_size) numbers a world, in the simulator's
    /// [`precision`](Self::precision).
    #[must_use]
    pub fn state_buffer(&self) -> &wgpu::Buffer {
        &self.built.buffers.state
    }

    /// Numbers of a world in the [`state_buffer`](Self::state_buffer).
    #[must_use]
    pub fn state_size(&self) -> usize {
        self.built.layout.state
    }

    /// Controls of all worlds on the device, then the poses of mocap bodies,
    /// [`input_size`](Self::input_size) numbers a world, in the simulator's [`precision`](Self::precision).
    #[must_use]
    pub fn input_buffer(&self) -> &wgpu::Buffer {
        &self.built.buffers.inputs
    }

    /// Numbers of a world in the [`input_buffer`](Self::input_buffer).
    #[must_use]
    pub fn input_size(&self) -> usize {
        self.built.layout.input
    }

    /// Numbers of the model on the device, for kernels of your own, in the simulator's
    /// [`precision`](Self::precision): one row for all worlds, or a row for each once a field
    /// [varies](Self::vary). The buffer is another one after a field has been varied for the first time.
    #[must_use]
    pub fn model_buffer(&self) -> &wgpu::Buffer {
        &self.built.buffers.floats
    }

    /// WGSL constants for kernels of your own: where lists begin in a row of the
    /// [`model_buffer`](Self::model_buffer) (`BODY_MASS`, `DOF_DAMPING`, `GEOM_SIZE`…), `FLOATS_STRIDE` from
    /// the row of one world to that of the next, which is zero while all share one, and sizes and offsets of
    /// states (`STATE_SIZE`, `STATE_QVEL`…).
    #[must_use]
    pub fn model_constants(&self) -> String {
        self.table().constants
    }

    fn table(&self) -> Table {
        let Built { design, layout, .. } = &self.built;
        design.table(&design.plan(&self.basis), layout)
    }

    pub(super) fn check_length(&self, what: &'static str, got: usize, width: usize) -> Result<(), GpuError> {
        let expected = self.basis.worlds.saturating_mul(width);
        if got == expected {
            return Ok(());
        }
        let explanation = format!("{width} for each of {} worlds", self.basis.worlds);
        Err(GpuError::Length { what, expected, got, explanation })
    }
}

/// An error unless worlds that begin anew have finite states.
fn check_first_state(model: &Model) -> Result<(), GpuError> {
    match model.qpos0.iter().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(index) => Err(GpuError::FirstState { index, value: model.qpos0[index] }),
    }
}
