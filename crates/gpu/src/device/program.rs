//! Compiled kernels, bound to buffers.

use super::buffers::{Buffers, bind};
use crate::device::gpu::Gpu;
#[cfg(not(target_arch = "wasm32"))]
use crate::device::memory::check_workgroup_memory;
use crate::device::trusted::compile_trusted;
use crate::device::watch::Watch;
use crate::error::GpuError;
use crate::layout::buffer_layout::Layout;
use crate::shader::kernels::{Grid, Kernel};
#[cfg(not(target_arch = "wasm32"))]
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
#[cfg(not(target_arch = "wasm32"))]
use std::thread;
use web_time::{Duration, Instant};

/// Time between checks whether the caller stops compilation.
#[cfg(not(target_arch = "wasm32"))]
const LOOK: Duration = Duration::from_millis(50);

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
        watch: &mut Watch<'_>,
    ) -> Result<Self, GpuError> {
        let start = Instant::now();
        let activates = layout.first_active.is_some();
        let entry = |binding: usize| wgpu::BindGroupLayoutEntry {
            binding: binding as u32,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: match binding {
                    7 => wgpu::BufferBindingType::Uniform,
                    0 | 1 => wgpu::BufferBindingType::Storage { read_only: true },
                    3 => wgpu::BufferBindingType::Storage { read_only: !activates },
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
        let stages = compile_all(gpu, &layout, kernels, last, watch).await?;
        let bindings = bind(gpu, &groups, &buffers.all());
        gpu.check()?;
        Ok(Self { stages, bindings, compilation: start.elapsed() })
    }
}

/// Compiles something on a thread of its own, where there are threads: drivers take seconds. When somebody
/// stops it, the thread goes on until [`join_abandoned`].
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn compile_on_thread<R: Send + 'static>(
    compile: impl FnOnce() -> Result<R, GpuError> + Send + 'static,
    watch: &mut Watch<'_>,
) -> Result<R, GpuError> {
    let (done, results) = mpsc::channel();
    let work = move || {
        // nobody listens any more when it was stopped
        let _ = done.send(compile());
    };
    let lost = |problem: std::io::Error| GpuError::Device(format!("no thread can be started: {problem}"));
    let thread = thread::Builder::new().spawn(work).map_err(lost)?;
    match next_result(&results, watch) {
        Ok(Some(compiled)) => compiled,
        Ok(None) => Err(GpuError::Device("a kernel does not compile".to_owned())),
        Err(error) => {
            abandoned().push(thread);
            Err(error)
        }
    }
}

/// Compiles each kernel on a thread of its own, where there are threads: drivers take seconds for large ones.
/// When somebody stops it, the threads go on until [`join_abandoned`].
#[cfg(not(target_arch = "wasm32"))]
async fn compile_all(
    gpu: &Gpu,
    layout: &wgpu::PipelineLayout,
    kernels: Vec<Kernel>,
    last: &[Stage],
    watch: &mut Watch<'_>,
) -> Result<Vec<Stage>, GpuError> {
    let mut stages: Vec<Option<Stage>> = Vec::with_capacity(kernels.len());
    let (done, results) = mpsc::channel();
    let mut threads = Vec::new();
    for (index, kernel) in kernels.into_iter().enumerate() {
        stages.push(last.iter().find(|stage| stage.kernel.text == kernel.text).cloned());
        if stages[index].is_some() {
            continue;
        }
        let compile = {
            let (gpu, layout, kernel, done) = (gpu.clone(), layout.clone(), kernel.clone(), done.clone());
            move || {
                // nobody listens any more when it was stopped
                let _ = done.send((index, pollster::block_on(Stage::new(&gpu, &layout, kernel))));
            }
        };
        match thread::Builder::new().spawn(compile) {
            Ok(thread) => threads.push(thread),
            Err(_) => stages[index] = Some(Stage::new(gpu, layout, kernel).await?),
        }
    }
    drop(done);
    loop {
        match next_result(&results, watch) {
            Ok(Some((index, stage))) => stages[index] = Some(stage?),
            Ok(None) => break,
            Err(error) => {
                abandoned().extend(threads);
                return Err(error);
            }
        }
    }
    let lost = || GpuError::Device("a kernel does not compile".to_owned());
    stages.into_iter().map(|stage| stage.ok_or_else(lost)).collect()
}

/// Threads that compile kernels for which nobody waits any more.
#[cfg(not(target_arch = "wasm32"))]
static ABANDONED: Mutex<Vec<thread::JoinHandle<()>>> = Mutex::new(Vec::new());

#[cfg(not(target_arch = "wasm32"))]
fn abandoned() -> MutexGuard<'static, Vec<thread::JoinHandle<()>>> {
    ABANDONED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for the compilation of kernels that was stopped, as by
/// [`GpuSim::steps_watched`](crate::GpuSim::steps_watched). A program that stops it does so before it ends:
/// drivers must not be unloaded while they compile.
#[cfg(not(target_arch = "wasm32"))]
pub fn join_abandoned() {
    let threads = std::mem::take(&mut *abandoned());
    // what comes of them is nobody's concern any more
    threads.into_iter().for_each(|thread| drop(thread.join()));
}

/// Waits for the next result; none where there are no more.
#[cfg(not(target_arch = "wasm32"))]
fn next_result<T>(results: &mpsc::Receiver<T>, watch: &mut Watch<'_>) -> Result<Option<T>, GpuError> {
    loop {
        match results.recv_timeout(LOOK) {
            Ok(result) => return Ok(Some(result)),
            Err(mpsc::RecvTimeoutError::Disconnected) => return Ok(None),
            Err(mpsc::RecvTimeoutError::Timeout) if watch.go_on() => {}
            Err(mpsc::RecvTimeoutError::Timeout) => return Err(GpuError::Interrupted),
        }
    }
}

/// Compiles one kernel after the other: the browser does it elsewhere, and this only waits.
#[cfg(target_arch = "wasm32")]
async fn compile_all(
    gpu: &Gpu,
    layout: &wgpu::PipelineLayout,
    kernels: Vec<Kernel>,
    last: &[Stage],
    watch: &mut Watch<'_>,
) -> Result<Vec<Stage>, GpuError> {
    let mut stages = Vec::with_capacity(kernels.len());
    for kernel in kernels {
        if !watch.go_on() {
            return Err(GpuError::Interrupted);
        }
        stages.push(match last.iter().find(|stage| stage.kernel.text == kernel.text) {
            Some(same) => same.clone(),
            None => Stage::new(gpu, layout, kernel).await?,
        });
    }
    Ok(stages)
}

/// A compiled kernel.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub(crate) kernel: Kernel,
    pipeline: wgpu::ComputePipeline,
}

impl Stage {
    async fn new(gpu: &Gpu, layout: &wgpu::PipelineLayout, kernel: Kernel) -> Result<Self, GpuError> {
        #[cfg(not(target_arch = "wasm32"))]
        check_workgroup_memory(gpu, kernel.stage, &kernel.text)?;
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
            Grid::Crowds => {
                let groups = columns.saturating_mul(rows).div_ceil(32);
                pass.dispatch_workgroups(groups.min(columns), groups.div_ceil(columns.max(1)), 1);
            }
            Grid::List(most) => pass.dispatch_workgroups(columns.saturating_mul(rows).min(most), 1, 1),
        }
    }
}
