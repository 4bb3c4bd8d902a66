//! Device buffers: parameters, states, inputs and working memory of all worlds, and their bindings.

use super::gpu::Gpu;
use super::shared_memory::SharedBuffer;
use crate::error::GpuError;
use crate::layout::buffer_layout::{Layout, STATUS_SIZE};
use crate::precision::to_device;

/// Buffers of all worlds, in the order of their bindings.
#[derive(Debug)]
pub(crate) struct Buffers {
    pub(crate) floats: wgpu::Buffer,
    pub(crate) ints: wgpu::Buffer,
    pub(crate) state: wgpu::Buffer,
    pub(crate) inputs: wgpu::Buffer,
    pub(crate) scratch: wgpu::Buffer,
    pub(crate) status: wgpu::Buffer,
    pub(crate) needed: wgpu::Buffer,
    pub(crate) submission: wgpu::Buffer,
    pub(crate) sensordata: wgpu::Buffer,
    /// Those of them that other libraries see.
    pub(crate) shared: Option<Shared>,
}

/// Buffers in memory that other libraries see.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    pub(crate) state: SharedBuffer,
    pub(crate) inputs: SharedBuffer,
    pub(crate) sensordata: SharedBuffer,
    /// Numbers in a row of each of them.
    widths: [usize; 3],
}

impl Shared {
    /// Buffers of so many bytes; those of `last`, which others see, as long as they have these rows.
    fn new(
        gpu: &Gpu,
        last: Option<&Self>,
        widths: [usize; 3],
        [state, inputs, sensordata]: [u64; 3],
    ) -> Result<Self, GpuError> {
        let Some(last) = last else {
            return Ok(Self {
                widths,
                state: SharedBuffer::new(gpu, "states", state)?,
                inputs: SharedBuffer::new(gpu, "controls", inputs)?,
                sensordata: SharedBuffer::new(gpu, "sensordata", sensordata)?,
            });
        };
        if widths == last.widths {
            return Ok(last.clone());
        }
        let what = "activation of equalities while there are tensors without copies; activate them before the first tensor";
        Err(GpuError::Unsupported(vec![what.to_owned()]))
    }
}

/// Size of what a submission tells the kernels: six words, up to a whole group of four.
const SUBMISSION_BYTES: u64 = 32;
/// Needed capacities, of contacts, rows and candidates, failures, four lengths of lists, and steps of crowded
/// worlds.
const NEEDED_BYTES: u64 = 48;

/// What a buffer must hold at least: bindings cannot be empty.
const LEAST_BYTES: u64 = 16;

impl Buffers {
    /// Buffers for some worlds; tables are filled, everything else is zero.
    pub(crate) fn new(
        gpu: &Gpu,
        layout: &Layout,
        (floats, ints): (&[f64], &[i32]),
        worlds: usize,
        (is_shared, last): (bool, Option<&Self>),
    ) -> Result<Self, GpuError> {
        let make = |what: &'static str, bytes: u64| {
            let (size, limit) = (bytes.max(LEAST_BYTES), gpu.largest_buffer());
            if size > limit {
                return Err(GpuError::TooLarge { what, worlds, needed: size, limit });
            }
            let usage =
                wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
            let descriptor =
                wgpu::BufferDescriptor { label: Some(what), size, usage, mapped_at_creation: false };
            Ok(gpu.device.create_buffer(&descriptor))
        };
        // too many to count are too many
        let per_world = |size: usize| (4 * size as u64).saturating_mul(worlds as u64);
        let numbers = |size: usize| per_world(size).saturating_mul(layout.precision.bytes() / 4);
        let floats = to_device(layout.precision, floats);
        let widths = [layout.state, layout.input, layout.sensordata];
        let sizes = widths.map(|size| numbers(size).max(LEAST_BYTES));
        let shared = match is_shared {
            true => Some(Shared::new(gpu, last.and_then(|last| last.shared.as_ref()), widths, sizes)?),
            false => None,
        };
        let of_worlds = |what, part: fn(&Shared) -> &SharedBuffer, size| match &shared {
            Some(shared) => Ok(part(shared).buffer.clone()),
            None => make(what, size),
        };
        let buffers = Self {
            floats: make("numbers of the model", floats.len() as u64)?,
            ints: make("indices of the model", size_of_val(ints) as u64)?,
            state: of_worlds("states", |shared| &shared.state, sizes[0])?,
            inputs: of_worlds("controls", |shared| &shared.inputs, sizes[1])?,
            scratch: make("working memory", numbers(4 * layout.scratch))?,
            status: make("counters", per_world(STATUS_SIZE + layout.listed))?,
            needed: make("capacities", NEEDED_BYTES)?,
            submission: gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("submission"),
                size: SUBMISSION_BYTES,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            sensordata: of_worlds("sensordata", |shared| &shared.sensordata, sizes[2])?,
            shared,
        };
        gpu.queue.write_buffer(&buffers.floats, 0, &floats);
        gpu.queue.write_buffer(&buffers.ints, 0, bytemuck::cast_slice(ints));
        gpu.check()?;
        Ok(buffers)
    }

    /// Submits a copy of what worlds have: states, inputs, counters and sensor values. Buffers of another
    /// size are left to the program that has made them so.
    pub(crate) fn copy_to(&self, gpu: &Gpu, other: &Self) {
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for (from, to) in [
            (&self.state, &other.state),
            (&self.inputs, &other.inputs),
            (&self.sensordata, &other.sensordata),
        ] {
            if from != to && from.size() == to.size() {
                encoder.copy_buffer_to_buffer(from, 0, to, 0, from.size());
            }
        }
        // behind the counters are lists, whose length is another with other capacities
        let counters = self.status.size().min(other.status.size());
        encoder.copy_buffer_to_buffer(&self.status, 0, &other.status, 0, counters);
        gpu.queue.submit([encoder.finish()]);
    }

    /// All of them in the order of their bindings.
    pub(super) fn all(&self) -> [&wgpu::Buffer; 9] {
        let Self { floats, ints, state, inputs, scratch, status, needed, submission, sensordata, .. } = self;
        [floats, ints, state, inputs, scratch, status, needed, submission, sensordata]
    }
}

/// Binds whole buffers in their order.
pub(crate) fn bind(gpu: &Gpu, layout: &wgpu::BindGroupLayout, buffers: &[&wgpu::Buffer]) -> wgpu::BindGroup {
    let entries: Vec<_> = (0..)
        .zip(buffers)
        .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
        .collect();
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
}
