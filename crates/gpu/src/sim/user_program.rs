//! Observations, rewards, ends of episodes and first states as WGSL of the user, which runs on the device.

use super::user_text::{Defined, compile_user_text};
use crate::device::buffers::{Buffers, bind};
use crate::device::gpu::Gpu;
#[cfg(not(target_arch = "wasm32"))]
use crate::device::memory::check_user_memory;
#[cfg(not(target_arch = "wasm32"))]
use crate::device::program::compile_on_thread;
use crate::device::shared_memory::SharedBuffer;
#[cfg(not(target_arch = "wasm32"))]
use crate::device::watch::Watch;
use crate::error::GpuError;
use crate::features::parameters::Table;
use crate::layout::buffer_layout::{FLAGS_SEEN as SEEN, Layout, STATUS_FRESH, first_state};
use crate::precision::{Precision, to_device};
use crate::shader::double::in_double;
use crate::shader::user_functions::{first_switches, user_prelude};
use kinetree_model::Model;
use std::fmt::Write;

/// Invocations of a workgroup; each is a world.
const LANES: u32 = 64;
/// Workgroups in a row of the dispatch grid.
const PER_ROW: u32 = 32768;
/// Numbers of a row of results before the observation: reward, and whether the episode has ended.
pub(super) const HEAD: usize = 2;

/// Functions of the user for worlds on a device, in WGSL.
///
/// The text defines some of these functions, each called once for each world:
///
/// | function | is called |
/// |---|---|
/// | `fn observe(world: u32)` | after steps and resets; writes with `set_observation(world, i, x)` |
/// | `fn reward(world: u32) -> f32` | after steps |
/// | `fn terminated(world: u32) -> bool` | after steps |
/// | `fn reset(world: u32)` | after a world was put into the first state of the model; changes it |
///
/// They may call `qpos`, `qvel`, `act`, `qacc`, `ctrl`, `field` (numbers of the user), `xpos` and `xquat` (of
/// a body), `sensor`, each as `qpos(world, i)`; `ncon(world)`; `random(world)`, from 0 to 1; and in `reset`
/// `set_qpos`, `set_qvel` and `set_act`. Constants are `NQ`, `NV`, `NA`, `NU`, `NBODY`, `NSENSORDATA`,
/// `NFIELDS`, `NOBSERVATIONS` and `TIMESTEP`. As on the processor, `xpos`, `xquat`, `qacc`, `ncon` and
/// `sensor` are those of the beginning of the last step.
///
/// In a simulator of double precision `f32` in the text means numbers of 64 bits; results are rounded when
/// they are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Functions {
    /// The text.
    pub text: String,
    /// Numbers of an observation.
    pub observations: usize,
    /// Numbers of the user for each world, which [`GpuSim::set_fields`](crate::GpuSim::set_fields) sets.
    pub fields: usize,
    /// Whether worlds whose episode has ended begin anew at once. Their observation is that of the new
    /// episode.
    pub autoreset: bool,
    /// Seed of the random numbers.
    pub seed: u32,
}

/// Functions of the user, compiled and bound.
#[derive(Debug)]
pub(crate) struct UserProgram {
    pub(super) functions: Functions,
    after_steps: wgpu::ComputePipeline,
    begin: wgpu::ComputePipeline,
    bindings: wgpu::BindGroup,
    pub(super) memory: Memory,
}

/// Buffers that belong to the functions.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    /// The first state, then rows of the user's numbers.
    pub(super) fields: wgpu::Buffer,
    pub(super) results: wgpu::Buffer,
    /// The same, where other libraries see them.
    pub(super) shared_results: Option<SharedBuffer>,
    /// Which worlds to begin anew, then how many random numbers each has drawn.
    marks: wgpu::Buffer,
    call: wgpu::Buffer,
}

impl Memory {
    fn new(
        gpu: &Gpu,
        model: &Model,
        layout: &Layout,
        functions: &Functions,
        worlds: usize,
    ) -> Result<Self, GpuError> {
        let limit = gpu.largest_buffer();
        let make = |what: &'static str, numbers: usize, usage: wgpu::BufferUsages| {
            let size = (layout.precision.bytes() * numbers as u64).max(16);
            if size > limit {
                return Err(GpuError::TooLarge { what, worlds, needed: size, limit });
            }
            let usage = usage | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
            Ok(gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(what),
                size,
                usage,
                mapped_at_creation: false,
            }))
        };
        let storage = wgpu::BufferUsages::STORAGE;
        let memory = Self {
            fields: make("your fields", layout.state + worlds.saturating_mul(functions.fields), storage)?,
            results: make("results", worlds.saturating_mul(HEAD + functions.observations), storage)?,
            shared_results: None,
            marks: make("marks", worlds.saturating_mul(2), storage)?,
            call: make("call", 4, wgpu::BufferUsages::UNIFORM)?,
        };
        let first = first_state(model, layout);
        gpu.queue.write_buffer(&memory.fields, 0, &to_device(layout.precision, &first));
        let call = [worlds as u32, PER_ROW * LANES, functions.seed, 0];
        gpu.queue.write_buffer(&memory.call, 0, bytemuck::cast_slice(&call));
        gpu.check()?;
        Ok(memory)
    }

    /// The same with results where other libraries see them.
    fn shared(mut self, gpu: &Gpu) -> Result<Self, GpuError> {
        if self.shared_results.is_none() {
            let shared = SharedBuffer::new(gpu, "results", self.results.size())?;
            let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            encoder.copy_buffer_to_buffer(&self.results, 0, &shared.buffer, 0, self.results.size());
            gpu.queue.submit([encoder.finish()]);
            self.results = shared.buffer.clone();
            self.shared_results = Some(shared);
        }
        Ok(self)
    }
}

/// Constants and functions that come before the text.
fn prelude(model: &Model, layout: &Layout, functions: &Functions) -> String {
    let mut table = Table::new(layout.precision);
    layout.write(&mut table);
    let sizes = [
        ("SCRATCH_SIZE", layout.scratch),
        ("NQ", model.nq),
        ("NV", model.nv),
        ("NA", model.na),
        ("NU", model.nu),
        ("NBODY", model.nbody),
        ("NSENSORDATA", layout.sensordata),
        ("NFIELDS", functions.fields),
        ("NOBSERVATIONS", functions.observations),
        ("RESULT_SIZE", HEAD + functions.observations),
    ];
    sizes.into_iter().for_each(|(name, value)| table.size(name, value));
    table.quantity("TIMESTEP", model.opt.timestep);
    table.constants + &user_prelude(layout)
}

/// Entry points that call the functions.
fn entries(defined: Defined, autoreset: bool, layout: &Layout) -> String {
    let call = |there: bool, text: &'static str| if there { text } else { "" };
    let [observe, reset] = [call(defined.observe, "observe(world);"), call(defined.reset, "reset(world);")];
    let reward = if defined.reward { "reward(world)" } else { "0.0" };
    let terminated = if defined.terminated { "terminated(world)" } else { "false" };
    let first = format!(
        "for (var i = 0u; i < STATE_SIZE; i += 1u) {{ state[world * STATE_SIZE + i] = fields[i]; }} status[world * STATUS_SIZE + {STATUS_FRESH}u] = 0u; {}",
        first_switches(layout)
    );
    let again = if autoreset { format!("if (ended) {{ {first} {reset} }}") } else { String::new() };
    let mut text = String::new();
    let find = "let world = id.y * kinetree_call.per_row + id.x;
    if (world >= kinetree_call.worlds) { return; }
    let row = world * RESULT_SIZE;";
    let _ = write!(
        text,
        "
@compute @workgroup_size({LANES})
fn kinetree_after_steps(@builtin(global_invocation_id) id: vec3<u32>) {{
    {find}
    let flags = status[world * STATUS_SIZE + STATUS_FLAGS];
    let failed = (flags & 255u) != 0u;
    // a failure ends one episode, and can still be asked for
    if (failed) {{ status[world * STATUS_SIZE + STATUS_FLAGS] = ((flags & 255u) << {SEEN}u) | (flags & ~255u); }}
    var worth = 0.0;
    var ended = true;
    if (!failed) {{
        worth = {reward};
        ended = {terminated};
    }}
    results[row] = worth;
    results[row + 1u] = select(0.0, 1.0, ended);
    {again}
    {observe}
}}

@compute @workgroup_size({LANES})
fn kinetree_begin(@builtin(global_invocation_id) id: vec3<u32>) {{
    {find}
    if (marks[world] == 0u) {{ return; }}
    results[row] = 0.0;
    results[row + 1u] = 0.0;
    {reset}
    {observe}
}}
"
    );
    text
}

impl UserProgram {
    pub(crate) async fn new(
        gpu: &Gpu,
        model: &Model,
        (layout, buffers): (&Layout, &Buffers),
        functions: Functions,
        worlds: usize,
    ) -> Result<Self, GpuError> {
        let mut memory = Memory::new(gpu, model, layout, &functions, worlds)?;
        if buffers.shared.is_some() {
            memory = memory.shared(gpu)?;
        }
        Self::compile(gpu, model, (layout, buffers), functions, memory).await
    }

    /// The same functions, results and numbers for other buffers of the simulator.
    pub(crate) async fn rebind(
        &self,
        gpu: &Gpu,
        model: &Model,
        (layout, buffers): (&Layout, &Buffers),
    ) -> Result<Self, GpuError> {
        let mut memory = self.memory.clone();
        if buffers.shared.is_some() {
            memory = memory.shared(gpu)?;
        }
        Self::compile(gpu, model, (layout, buffers), self.functions.clone(), memory).await
    }

    async fn compile(
        gpu: &Gpu,
        model: &Model,
        (layout, buffers): (&Layout, &Buffers),
        functions: Functions,
        memory: Memory,
    ) -> Result<Self, GpuError> {
        let prelude = prelude(model, layout, &functions);
        let defined = compile_user_text(&prelude, &functions.text)?;
        let mut text =
            format!("{prelude}{}\n{}", functions.text, entries(defined, functions.autoreset, layout));
        if layout.precision == Precision::Double {
            text = in_double(&text);
        }
        #[cfg(not(target_arch = "wasm32"))]
        check_user_memory(gpu, &text)?;
        let groups = group_layout(gpu, layout.first_active.is_some());
        #[cfg(not(target_arch = "wasm32"))]
        let [after_steps, begin] = {
            let (gpu, groups) = (gpu.clone(), groups.clone());
            let compile = move || pollster::block_on(pipelines(&gpu, &groups, text));
            compile_on_thread(compile, &mut Watch::none())?
        };
        // a browser compiles elsewhere
        #[cfg(target_arch = "wasm32")]
        let [after_steps, begin] = pipelines(gpu, &groups, text).await?;
        let all = [
            &buffers.state,
            &buffers.inputs,
            &buffers.scratch,
            &buffers.sensordata,
            &buffers.status,
            &memory.fields,
            &memory.results,
            &memory.marks,
            &memory.call,
        ];
        let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let bindings = bind(gpu, &groups, &all);
        if let Some(error) = scope.pop().await {
            return Err(GpuError::Kernel { line: None, reason: error.to_string() });
        }
        gpu.check()?;
        Ok(Self { functions, after_steps, begin, bindings, memory })
    }

    /// Runs the functions after steps.
    pub(crate) fn run_after_steps(&self, gpu: &Gpu, worlds: usize) {
        self.dispatch(gpu, &self.after_steps, worlds);
    }

    /// Runs the functions where worlds begin anew.
    pub(crate) fn run_begin(&self, gpu: &Gpu, mask: &[bool]) {
        let chosen: Vec<u32> = mask.iter().map(|&chosen| u32::from(chosen)).collect();
        gpu.queue.write_buffer(&self.memory.marks, 0, bytemuck::cast_slice(&chosen));
        self.dispatch(gpu, &self.begin, mask.len());
    }

    fn dispatch(&self, gpu: &Gpu, pipeline: &wgpu::ComputePipeline, worlds: usize) {
        let groups = (worlds as u32).div_ceil(LANES);
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &self.bindings, &[]);
        pass.dispatch_workgroups(groups.min(PER_ROW), groups.div_ceil(PER_ROW), 1);
        drop(pass);
        gpu.queue.submit([encoder.finish()]);
    }
}

/// Compiles the functions of the user: what runs after steps, and where worlds begin anew.
async fn pipelines(
    gpu: &Gpu,
    groups: &wgpu::BindGroupLayout,
    text: String,
) -> Result<[wgpu::ComputePipeline; 2], GpuError> {
    let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
    // with the checks that `wgpu` adds: an index of the user may be anything
    let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("functions"),
        source: wgpu::ShaderSource::Wgsl(text.into()),
    });
    let layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: None,
        bind_group_layouts: &[Some(groups)],
        immediate_size: 0,
    });
    let pipeline = |entry| {
        gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry),
            layout: Some(&layout),
            module: &module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        })
    };
    let compiled = [pipeline("kinetree_after_steps"), pipeline("kinetree_begin")];
    match scope.pop().await {
        Some(error) => Err(GpuError::Kernel { line: None, reason: error.to_string() }),
        None => Ok(compiled),
    }
}

/// Bindings, in the order of `functions.wgsl`.
fn group_layout(gpu: &Gpu, with_activation: bool) -> wgpu::BindGroupLayout {
    let entry = |binding: u32| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty: match binding {
                8 => wgpu::BufferBindingType::Uniform,
                0 | 4 | 6 | 7 => wgpu::BufferBindingType::Storage { read_only: false },
                1 => wgpu::BufferBindingType::Storage { read_only: !with_activation },
                _ => wgpu::BufferBindingType::Storage { read_only: true },
            },
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    };
    let entries: Vec<_> = (0..9).map(entry).collect();
    gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries })
}
