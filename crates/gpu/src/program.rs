//! Compiled kernels and the buffers that they work on.

use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::{Grid, Kernel};
use crate::layout::{Layout, STATUS_SIZE};
use crate::precision::to_device;
use crate::trusted::compile_trusted;
#[cfg(not(target_arch = "wasm32"))]
use std::thread;
use web_time::{Duration, Instant};
#[cfg(not(target_arch = "wasm32"))]
use wgpu::naga;

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
    pub(crate) readings: wgpu::Buffer,
}

/// Size of what a submission tells the kernels: six words, up to a whole group of four.
const SUBMISSION_BYTES: u64 = 32;
/// Needed capacities, of contacts, rows and candidates, and from the fifth word on lengths of lists.
const NEEDED_BYTES: u64 = 32;

/// Most workgroups of a kernel that takes pairs from a list: more than run at the same time on large devices.
const LIST_WORKGROUPS: u32 = 2048;

/// What a buffer must hold at least: bindings cannot be empty.
const LEAST_BYTES: u64 = 16;

impl Buffers {
    /// Buffers for some worlds; tables are filled, everything else is zero.
    pub(crate) fn new(
        gpu: &Gpu,
        layout: &Layout,
        (floats, ints): (&[f64], &[i32]),
        worlds: usize,
    ) -> Result<Self, GpuError> {
        let limits = gpu.device.limits();
        let make = |what: &'static str, bytes: u64| {
            let (size, limit) = (bytes.max(LEAST_BYTES), limits.max_storage_buffer_binding_size);
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
        let buffers = Self {
            floats: make("numbers of the model", floats.len() as u64)?,
            ints: make("indices of the model", size_of_val(ints) as u64)?,
            state: make("states", numbers(layout.state))?,
            inputs: make("controls", numbers(layout.input))?,
            scratch: make("working memory", numbers(4 * layout.scratch))?,
            status: make("counters", per_world(STATUS_SIZE + layout.listed))?,
            needed: make("capacities", NEEDED_BYTES)?,
            submission: gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("submission"),
                size: SUBMISSION_BYTES,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            readings: make("readings of sensors", numbers(layout.readings))?,
        };
        gpu.queue.write_buffer(&buffers.floats, 0, &floats);
        gpu.queue.write_buffer(&buffers.ints, 0, bytemuck::cast_slice(ints));
        gpu.check()?;
        Ok(buffers)
    }

    fn all(&self) -> [&wgpu::Buffer; 9] {
        let Self { floats, ints, state, inputs, scratch, status, needed, submission, readings } = self;
        [floats, ints, state, inputs, scratch, status, needed, submission, readings]
    }
}

/// Kernels of a step, bound to buffers.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) stages: Vec<Stage>,
    pub(crate) bindings: wgpu::BindGroup,
    /// Time that compilation took.
    pub(crate) compilation: Duration,
}

impl Program {
    /// Compiles kernels, but for those that are among the `last` ones with the same text.
    pub(crate) async fn new(
        gpu: &Gpu,
        kernels: Vec<Kernel>,
        buffers: &Buffers,
        last: &[Stage],
        layout: &Layout,
    ) -> Result<Self, GpuError> {
        let start = Instant::now();
        let switches = layout.switches.is_some();
        let entry = |binding: usize| wgpu::BindGroupLayoutEntry {
            binding: binding as u32,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: match binding {
                    7 => wgpu::BufferBindingType::Uniform,
                    0 | 1 => wgpu::BufferBindingType::Storage { read_only: true },
                    3 => wgpu::BufferBindingType::Storage { read_only: !switches },
                    _ => wgpu::BufferBindingType::Storage { read_only: false },
                },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        };
        let entries: Vec<_> = (0..9).map(entry).collect();
        let descriptor = wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries };
        let groups = gpu.device.create_bind_group_layout(&descriptor);
        let layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&groups)],
            immediate_size: 0,
        });
        let stages = compile_all(gpu, &layout, kernels, last).await?;
        let bindings = bind(gpu, &groups, &buffers.all());
        gpu.check()?;
        Ok(Self { stages, bindings, compilation: start.elapsed() })
    }
}

/// Compiles each kernel on a thread of its own, where there are threads: drivers take seconds for large ones.
#[cfg(not(target_arch = "wasm32"))]
async fn compile_all(
    gpu: &Gpu,
    layout: &wgpu::PipelineLayout,
    kernels: Vec<Kernel>,
    last: &[Stage],
) -> Result<Vec<Stage>, GpuError> {
    thread::scope(|scope| {
        let compile = |kernel| move || pollster::block_on(Stage::new(gpu, layout, kernel, last));
        let begin = |kernel: Kernel| {
            let thread = thread::Builder::new().spawn_scoped(scope, compile(kernel.clone()));
            thread.map_err(|_| kernel)
        };
        let begun: Vec<_> = kernels.into_iter().map(begin).collect();
        let end = |stage: Result<thread::ScopedJoinHandle<'_, _>, _>| match stage {
            Ok(thread) => thread
                .join()
                .unwrap_or_else(|_| Err(GpuError::Device("a kernel does not compile".to_owned()))),
            Err(kernel) => compile(kernel)(),
        };
        begun.into_iter().map(end).collect()
    })
}

/// Compiles one kernel after the other: the browser does it elsewhere, and this only waits.
#[cfg(target_arch = "wasm32")]
async fn compile_all(
    gpu: &Gpu,
    layout: &wgpu::PipelineLayout,
    kernels: Vec<Kernel>,
    last: &[Stage],
) -> Result<Vec<Stage>, GpuError> {
    let mut stages = Vec::with_capacity(kernels.len());
    for kernel in kernels {
        stages.push(Stage::new(gpu, layout, kernel, last).await?);
    }
    Ok(stages)
}

/// An error when a kernel needs more workgroup memory than there is, as with very many contacts: drivers do
/// not all say so. Browsers do.
#[cfg(not(target_arch = "wasm32"))]
fn check_workgroup_memory(gpu: &Gpu, kernel: &Kernel) -> Result<(), GpuError> {
    let failed = |error: &dyn std::fmt::Display| GpuError::Device(format!("a kernel is not right: {error}"));
    let module = naga::front::wgsl::parse_str(&kernel.text).map_err(|error| failed(&error))?;
    let mut layouter = naga::proc::Layouter::default();
    layouter.update(module.to_ctx()).map_err(|error| failed(&error))?;
    let shared = module.global_variables.iter().filter(|(_, v)| v.space == naga::AddressSpace::WorkGroup);
    let needed: u64 = shared.map(|(_, variable)| u64::from(layouter[variable.ty].to_stride())).sum();
    let limit = u64::from(gpu.device.limits().max_compute_workgroup_storage_size);
    if needed <= limit {
        return Ok(());
    }
    Err(GpuError::WorkgroupMemory { kernel: kernel.stage, needed, limit })
}

/// Binds whole buffers in their order.
pub(crate) fn bind(gpu: &Gpu, layout: &wgpu::BindGroupLayout, buffers: &[&wgpu::Buffer]) -> wgpu::BindGroup {
    let entries: Vec<_> = (0..)
        .zip(buffers)
        .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
        .collect();
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
}

/// A compiled kernel.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub(crate) kernel: Kernel,
    pipeline: wgpu::ComputePipeline,
}

impl Stage {
    async fn new(
        gpu: &Gpu,
        layout: &wgpu::PipelineLayout,
        kernel: Kernel,
        last: &[Self],
    ) -> Result<Self, GpuError> {
        if let Some(same) = last.iter().find(|stage| stage.kernel.text == kernel.text) {
            return Ok(same.clone());
        }
        #[cfg(not(target_arch = "wasm32"))]
        check_workgroup_memory(gpu, &kernel)?;
        let entry = kernel.entry;
        let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let descriptor = wgpu::ShaderModuleDescriptor {
            label: Some(entry),
            source: wgpu::ShaderSource::Wgsl(kernel.text.as_str().into()),
        };
        let module = compile_trusted(&gpu.device, descriptor);
        let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry),
            layout: Some(layout),
            module: &module,
            entry_point: Some(entry),
            // every stage writes workgroup memory before it reads it
            compilation_options: wgpu::PipelineCompilationOptions {
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        });
        if let Some(error) = scope.pop().await {
            return Err(GpuError::Device(format!("the kernel '{}' does not compile: {error}", kernel.stage)));
        }
        #[cfg(not(target_arch = "wasm32"))]
        gpu.blame(kernel.stage);
        Ok(Self { kernel, pipeline })
    }

    /// Runs the kernel for worlds in rows and columns of a grid, or for what they have listed.
    pub(crate) fn dispatch(&self, pass: &mut wgpu::ComputePass<'_>, [columns, rows]: [u32; 2]) {
        pass.set_pipeline(&self.pipeline);
        match self.kernel.grid {
            Grid::Worlds(workgroups) => pass.dispatch_workgroups(columns, rows, workgroups),
            Grid::List => pass.dispatch_workgroups(columns.saturating_mul(rows).min(LIST_WORKGROUPS), 1, 1),
        }
    }
}
