//! Calls that wait for the device: each is the one that `…_async` makes, on a thread that has nothing else to
//! do. A browser has no such thread.

use crate::device::gpu::Gpu;
use crate::device::profile::StageTime;
use crate::device::watch::Watch;
use crate::error::GpuError;
use crate::options::GpuOptions;
use crate::precision::Number;
use crate::sim::{DeviceTensor, Functions, GpuSim, Results, SolverTotals, TensorPart};
use kinetree_model::Model;
use pollster::block_on;
use std::sync::Arc;

impl Gpu {
    /// Opens the fastest adapter of this machine, or the first whose name contains `wanted`. `WGPU_BACKEND`
    /// (`vulkan`, `metal`, `dx12`) narrows the choice.
    ///
    /// # Errors
    /// When there is no adapter, or its driver refuses.
    pub fn new(wanted: Option<&str>) -> Result<Self, GpuError> {
        block_on(Self::open(wanted))
    }
}

impl GpuSim {
    /// `worlds` worlds of a model in its first state, on the fastest GPU of this machine.
    ///
    /// # Errors
    /// Without a GPU, when the model has something that is not covered, or when the worlds do not fit.
    pub fn new(model: Arc<Model>, worlds: usize) -> Result<Self, GpuError> {
        Self::on(Gpu::new(None)?, model, worlds)
    }

    /// As [`new`](Self::new), on a given device.
    ///
    /// # Errors
    /// When the model has something that is not covered, or when the worlds do not fit.
    pub fn on(gpu: Gpu, model: Arc<Model>, worlds: usize) -> Result<Self, GpuError> {
        Self::with_options(gpu, model, worlds, GpuOptions::default())
    }

    /// As [`on`](Self::on), with [`sensordata`](Self::sensordata) computed in each step.
    ///
    /// # Errors
    /// As [`on`](Self::on), and when the model has a sensor that is not covered.
    pub fn with_sensors(gpu: Gpu, model: Arc<Model>, worlds: usize) -> Result<Self, GpuError> {
        Self::with_options(gpu, model, worlds, GpuOptions { sensors: true, ..GpuOptions::default() })
    }

    /// As [`on`](Self::on), with options.
    ///
    /// # Errors
    /// As [`on`](Self::on), when the model has a sensor that is not covered and sensors are asked for, and
    /// when double precision is asked for and the device does not have it.
    pub fn with_options(
        gpu: Gpu,
        model: Arc<Model>,
        worlds: usize,
        options: GpuOptions,
    ) -> Result<Self, GpuError> {
        block_on(Self::create(gpu, model, worlds, options))
    }

    /// As [`with_options`](Self::with_options), and asks `go_on` now and then, while kernels are compiled,
    /// whether to go on.
    ///
    /// # Errors
    /// As [`with_options`](Self::with_options), and when `go_on` says no.
    pub fn with_options_watched(
        gpu: Gpu,
        model: Arc<Model>,
        worlds: usize,
        options: GpuOptions,
        mut go_on: impl FnMut() -> bool,
    ) -> Result<Self, GpuError> {
        block_on(Self::create_watched(gpu, model, worlds, options, &mut Watch::new(&mut go_on)))
    }

    /// Makes a step of all worlds.
    ///
    /// # Errors
    /// When the device fails.
    pub fn step_all(&mut self) -> Result<(), GpuError> {
        self.steps(1)
    }

    /// Makes `count` steps of all worlds with the same controls. A world that needs more contacts or rows
    /// than there is room for waits; capacities grow then, and it catches up.
    ///
    /// # Errors
    /// When the device fails, or has no room for larger capacities.
    pub fn steps(&mut self, count: usize) -> Result<(), GpuError> {
        block_on(self.steps_async(count))
    }

    /// Makes up to `count` steps, and asks `go_on` ten times a second whether to go on: when it says no,
    /// worlds stop after the steps that the device is at, and have the states of these. Returns how many they
    /// made.
    ///
    /// # Errors
    /// As [`steps`](Self::steps), when it is stopped while kernels for larger capacities are compiled, and
    /// when its caller [interrupts](kinetree_model::interruptible) it while the device is at work: the next
    /// call that makes steps makes what is missing first, as [`settle`](Self::settle) does.
    pub fn steps_watched(
        &mut self,
        count: usize,
        mut go_on: impl FnMut() -> bool,
    ) -> Result<usize, GpuError> {
        block_on(self.steps_watched_async(count, &mut go_on))
    }

    /// Finishes steps that were [interrupted](kinetree_model::interruptible), also while the device was at
    /// work, and runs the functions that follow them. Until then nothing can be read from worlds; a call that
    /// makes steps does it by itself, but for the functions.
    ///
    /// # Errors
    /// When it is interrupted, too, or as [`steps`](Self::steps).
    pub fn settle(&mut self) -> Result<(), GpuError> {
        block_on(self.settle_async())
    }

    /// Gives each world values of its own for an array of the model, such as `body_mass` or `geom_friction`:
    /// all values of the first world, then all of the second, and so on. As when a program writes to a model,
    /// quantities that the compiler derived from such values stay as they are.
    ///
    /// # Errors
    /// When the model has no such array of floating-point numbers, the number of values is wrong, or the
    /// kernels would have to be others for these values.
    pub fn vary(&mut self, field: &str, values: &[f64]) -> Result<(), GpuError> {
        block_on(self.vary_async(field, values))
    }

    /// Activates and deactivates equalities: a row of `neq` for each world. They stay as they are until the
    /// world is reset, which brings those of the model back.
    ///
    /// The first call that differs from the model compiles kernels with rows for all equalities.
    ///
    /// # Errors
    /// When the number of values is wrong, while steps are under way, or when the device fails.
    pub fn set_equalities(&mut self, active: &[bool]) -> Result<(), GpuError> {
        block_on(self.set_equalities_async(active))
    }

    /// Poses of mocap bodies, as [`set_mocap`](Self::set_mocap) takes them.
    ///
    /// # Errors
    /// When the device fails.
    pub fn mocap<T: Number>(&self) -> Result<Vec<T>, GpuError> {
        block_on(self.mocap_async())
    }

    /// Which equalities are active, a row of `neq` for each world.
    ///
    /// # Errors
    /// When the device fails.
    pub fn equalities(&self) -> Result<Vec<bool>, GpuError> {
        block_on(self.equalities_async())
    }

    /// Gives all worlds the arrays of the model again.
    ///
    /// # Errors
    /// When the device fails.
    pub fn end_variations(&mut self) -> Result<(), GpuError> {
        block_on(self.end_variations_async())
    }

    /// Positions of all worlds, a row for each.
    ///
    /// # Errors
    /// When the device fails.
    pub fn positions(&self) -> Result<Vec<f32>, GpuError> {
        block_on(self.positions_async())
    }

    /// Velocities of all worlds, a row for each.
    ///
    /// # Errors
    /// When the device fails.
    pub fn velocities(&self) -> Result<Vec<f32>, GpuError> {
        block_on(self.velocities_async())
    }

    /// Accelerations at the beginning of the last step, a row for each world.
    ///
    /// # Errors
    /// When the device fails.
    pub fn accelerations(&self) -> Result<Vec<f32>, GpuError> {
        block_on(self.accelerations_async())
    }

    /// Activations of all worlds, a row for each.
    ///
    /// # Errors
    /// When the device fails.
    pub fn activations(&self) -> Result<Vec<f32>, GpuError> {
        block_on(self.activations_async())
    }

    /// Sensor values at the beginning of the last step, a row of `nsensordata` for each world; zero
    /// before the first.
    ///
    /// # Errors
    /// When the model has sensors that are not covered, with the names of all of them, when the simulator was
    /// not made [`with_sensors`](Self::with_sensors), or when the device fails.
    pub fn sensordata(&self) -> Result<Vec<f32>, GpuError> {
        block_on(self.sensordata_async())
    }

    /// As [`sensordata`](Self::sensordata), in either precision.
    ///
    /// # Errors
    /// As [`sensordata`](Self::sensordata).
    pub fn sensordata_as<T: Number>(&self) -> Result<Vec<T>, GpuError> {
        block_on(self.sensordata_async())
    }

    /// States of all worlds, as [`set_states`](Self::set_states) takes them.
    ///
    /// # Errors
    /// When the device fails.
    pub fn states(&self) -> Result<Vec<f32>, GpuError> {
        block_on(self.states_async())
    }

    /// As [`states`](Self::states), in either precision: rows of positions, velocities, activations and
    /// accelerations of the last step.
    ///
    /// # Errors
    /// When the device fails.
    pub fn states_as<T: Number>(&self) -> Result<Vec<T>, GpuError> {
        block_on(self.states_async())
    }

    /// Why worlds were reset since this was asked last: None, or what was wrong.
    ///
    /// # Errors
    /// When the device fails.
    pub fn take_errors(&mut self) -> Result<Vec<Option<&'static str>>, GpuError> {
        block_on(self.take_errors_async())
    }

    /// Number of contacts of each world at the beginning of the last step.
    ///
    /// # Errors
    /// When the device fails.
    pub fn contacts(&self) -> Result<Vec<usize>, GpuError> {
        block_on(self.contacts_async())
    }

    /// The two geoms of each contact that pushes, for each world, at the beginning of its last step. It
    /// copies all working memory, so it is for tests.
    ///
    /// Where capacities grew during the last call that made steps, worlds that had room before have lost
    /// theirs: the list of such a world is of no use unless the step is made again.
    ///
    /// # Errors
    /// When steps are under way, or when the device fails.
    pub fn contact_geoms(&self) -> Result<Vec<Vec<[usize; 2]>>, GpuError> {
        block_on(self.contact_geoms_async())
    }

    /// Numbers of all worlds as they are on the device: what is written there is where the next step begins,
    /// and after a step they are those of the new states.
    ///
    /// # Errors
    /// Where the device and CUDA have no memory in common, with what is missing; for sensor values that are
    /// not computed, results without functions, and while steps are under way.
    pub fn tensor(&mut self, part: TensorPart) -> Result<DeviceTensor, GpuError> {
        block_on(self.tensor_async(part))
    }

    /// What the solver did since the simulator was made.
    ///
    /// # Errors
    /// When the device fails.
    pub fn solver_totals(&self) -> Result<SolverTotals, GpuError> {
        block_on(self.solver_totals_async())
    }

    /// Makes steps as [`steps`](Self::steps) does and tells the time of each stage; empty where the device
    /// has no clock.
    ///
    /// # Errors
    /// As [`steps`](Self::steps).
    pub fn profile(&mut self, steps: usize) -> Result<Vec<StageTime>, GpuError> {
        block_on(self.profile_async(steps))
    }

    /// Waits for the steps that were [begun](Self::begin_steps) first, and returns the states after them, as
    /// [`states`](Self::states) does.
    ///
    /// # Errors
    /// When no steps were begun, or when the device fails.
    pub fn finish_steps(&mut self) -> Result<Vec<f32>, GpuError> {
        block_on(self.finish_steps_async())
    }

    /// As [`finish_steps`](Self::finish_steps), in either precision.
    ///
    /// # Errors
    /// As [`finish_steps`](Self::finish_steps).
    pub fn finish_steps_as<T: Number>(&mut self) -> Result<Vec<T>, GpuError> {
        block_on(self.finish_steps_async())
    }

    /// Gives the simulator functions that run on the device after [`steps`](Self::steps) and where worlds are
    /// reset; [`results`](Self::results) reads what they write. All worlds begin anew.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let model = std::sync::Arc::new(kinetree_spec::load_model_str("<mujoco/>")?);
    /// use kinetree_gpu::{Functions, GpuSim};
    ///
    /// let mut sim = GpuSim::new(model, 4096)?; let text = " fn observe(world: u32) { set_observation(world,
    /// 0u, qpos(world, 2u)); } fn reward(world: u32) -> f32 { return qvel(world, 0u); } fn terminated(world:
    /// u32) -> bool { return qpos(world, 2u) < 0.5; } fn reset(world: u32) { set_qvel(world, 0u, 0.1 *
    /// random(world)); }"; sim.set_functions(Functions { text: text.into(), observations: 1, autoreset: true,
    /// ..Functions::default() })?; sim.steps(5)?; let results = sim.results()?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When they do not compile, with the line of the text, or when their results do not fit on the device.
    pub fn set_functions(&mut self, functions: Functions) -> Result<(), GpuError> {
        block_on(self.set_functions_async(functions))
    }

    /// Rewards, ends of episodes and observations of the last steps: the only copy that functions need.
    ///
    /// # Errors
    /// Without functions, or when the device fails.
    pub fn results(&self) -> Result<Results, GpuError> {
        block_on(self.results_async())
    }
}
