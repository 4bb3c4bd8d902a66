//! The simulator: worlds of one model on a device.

use crate::coverage::not_covered;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::flight::{Flight, Staging};
use crate::fluid::same_shapes;
use crate::functions::UserProgram;
use crate::kernel::kernels;
use crate::layout::{
    Capacity, FLAG_BAD_STATE, FLAGS_SEEN, Layout, STATUS_CONTACTS, STATUS_FLAGS, STATUS_FRESH,
    STATUS_ITERATIONS, STATUS_POINTS, STATUS_ROWS, STATUS_SIZE, STATUS_STEPS, evaluations,
};
use crate::numbers::{Tree, write_model};
use crate::options::GpuOptions;
use crate::pairs::PairGroups;
use crate::precision::{Number, Precision, to_device};
use crate::profile::{StageTime, profile};
use crate::program::{Buffers, Program};
use crate::readback::{read, read_numbers};
use crate::sensors::Sensors;
use crate::table::Table;
use crate::varied::{Variation, VariedField};
use kinetree_model::{Data, FieldSlice, Model};
use kinetree_sim::{mj_forward, static_pairs};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use web_time::Duration;

/// Quantities that a world is reset for.
const BAD_STATE: &str = "positions or velocities";
const BAD_ACCELERATION: &str = "accelerations";
/// Workgroups in a row of the dispatch grid.
const PER_ROW: u32 = 32768;
/// Steps of one submission: few, so that the device begins while the next are prepared.
const SUBMITTED_STEPS: usize = 8;

/// Sums over all worlds and steps since the simulator was made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolverTotals {
    /// Steps of worlds.
    pub steps: u64,
    /// Iterations of the solver.
    pub iterations: u64,
    /// Rows of the Jacobian: a contact has as many as its dimension.
    pub rows: u64,
    /// Contacts.
    pub contacts: u64,
}

/// Worlds of one model that are stepped on a GPU.
#[derive(Debug)]
pub struct GpuSim {
    pub(crate) gpu: Gpu,
    pub(crate) model: Arc<Model>,
    /// The model as kernels have it: with all equalities active where these are switched.
    pub(crate) simulated: Arc<Model>,
    tree: Tree,
    pub(crate) pairs: PairGroups,
    capacity: Capacity,
    pub(crate) layout: Layout,
    pub(crate) buffers: Buffers,
    program: Program,
    /// Functions of the user.
    pub(crate) user: Option<UserProgram>,
    pub(crate) worlds: usize,
    /// Steps that every world has made or is to make.
    pub(crate) goal: u32,
    /// Controls that were set last.
    pub(crate) controls: Vec<f64>,
    /// Steps that were begun and not finished.
    pub(crate) flights: VecDeque<Flight>,
    /// Memory for copies that is not used.
    pub(crate) idle: Vec<Staging>,
    options: GpuOptions,
    /// Fields that differ from world to world.
    varied: Vec<VariedField>,
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
        gpu.check_precision(options.precision)?;
        if options.sensors {
            let missing = Sensors::new(&model).missing;
            if !missing.is_empty() {
                return Err(GpuError::Unsupported(missing));
            }
        }
        // kernels follow indices without looking
        model.check_indices()?;
        let mut data = Data::new(&model);
        let listed = static_pairs(&model, &data);
        let missing = not_covered(&model, &listed);
        if !missing.is_empty() {
            return Err(GpuError::Unsupported(missing));
        }
        let pairs = PairGroups::new(&model, &listed);
        // a state that cannot be computed is reported by the first step
        let _ = mj_forward(&model, &mut data);
        let capacity = pairs.likely_capacity(&data);
        let tree = Tree::new(&model);
        let layout = Layout::new(&model, tree.roots.len().max(1), capacity, options, None);
        let table = write_model(&model, &tree, &pairs, &layout, true);
        let buffers = Buffers::new(&gpu, &layout, (&table.floats, &table.ints), worlds)?;
        let texts = kernels(&model, &table, &pairs, capacity, gpu.lanes, &layout);
        let program = Program::new(&gpu, texts, &buffers, &[], &layout).await?;
        let mut sim = Self {
            gpu,
            simulated: Arc::clone(&model),
            model,
            tree,
            pairs,
            capacity,
            layout,
            buffers,
            program,
            user: None,
            worlds,
            goal: 0,
            controls: Vec::new(),
            flights: VecDeque::new(),
            idle: Vec::new(),
            options,
            varied: Vec::new(),
        };
        sim.controls = vec![0.0; sim.model.nu * worlds];
        sim.reset_all()?;
        Ok(sim)
    }

    /// Number of worlds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.worlds
    }

    /// Whether there are no worlds.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.worlds == 0
    }

    /// The model, without varied fields.
    #[must_use]
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The device.
    #[must_use]
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Precision of the numbers that the device computes with.
    #[must_use]
    pub fn precision(&self) -> Precision {
        self.options.precision
    }

    /// How many contacts and rows a world may have now; it grows when a world needs more.
    #[must_use]
    pub fn capacity(&self) -> Capacity {
        self.capacity
    }

    /// How long the kernels took to compile.
    #[must_use]
    pub fn compilation(&self) -> Duration {
        self.program.compilation
    }

    /// The text of the kernels, for those who want to read what runs.
    #[must_use]
    pub fn kernel_texts(&self) -> Vec<String> {
        let table = self.table();
        let kernels =
            kernels(&self.simulated, &table, &self.pairs, self.capacity, self.gpu.lanes, &self.layout);
        kernels.into_iter().map(|kernel| kernel.text).collect()
    }

    /// States of all worlds on the device, for kernels of your own: positions, velocities, activations and
    /// accelerations of the last step, [`state_size`](Self::state_size) numbers a world, in the simulator's
    /// [`precision`](Self::precision).
    #[must_use]
    pub fn state_buffer(&self) -> &wgpu::Buffer {
        &self.buffers.state
    }

    /// Numbers of a world in the [`state_buffer`](Self::state_buffer).
    #[must_use]
    pub fn state_size(&self) -> usize {
        self.layout.state
    }

    /// Controls of all worlds on the device, then the poses of mocap bodies,
    /// [`input_size`](Self::input_size) numbers a world, in the simulator's [`precision`](Self::precision).
    #[must_use]
    pub fn input_buffer(&self) -> &wgpu::Buffer {
        &self.buffers.inputs
    }

    /// Numbers of a world in the [`input_buffer`](Self::input_buffer).
    #[must_use]
    pub fn input_size(&self) -> usize {
        self.layout.input
    }

    /// Numbers of the model on the device, for kernels of your own, in the simulator's
    /// [`precision`](Self::precision): one row for all worlds, or a row for each once a field
    /// [varies](Self::vary). The buffer is another one after a field has been varied for the first time.
    #[must_use]
    pub fn model_buffer(&self) -> &wgpu::Buffer {
        &self.buffers.floats
    }

    /// WGSL constants for kernels of your own: where lists begin in a row of the
    /// [`model_buffer`](Self::model_buffer) (`BODY_MASS`, `DOF_DAMPING`, `GEOM_SIZE`…), `FLOATS_STRIDE` from
    /// the row of one world to that of the next, which is zero while all share one, and sizes and places of
    /// states (`STATE_SIZE`, `STATE_QVEL`…).
    #[must_use]
    pub fn model_constants(&self) -> String {
        self.table().constants
    }

    fn table(&self) -> Table {
        let shared = self.varied.is_empty();
        write_model(&self.simulated, &self.tree, &self.pairs, &self.layout, shared)
    }

    /// Makes `count` steps of all worlds with the same controls. A world that needs more contacts or rows
    /// than there is room for waits; capacities grow then, and it catches up.
    ///
    /// # Errors
    /// When the device fails, or has no room for larger capacities.
    pub async fn steps_async(&mut self, count: usize) -> Result<(), GpuError> {
        if self.worlds == 0 {
            return Ok(());
        }
        self.check_landed()?;
        self.check_steps(count)?;
        self.submit_all(count);
        while self.grow_if_needed().await? {
            self.submit_again(count);
        }
        if let Some(user) = &self.user {
            user.run_after_steps(&self.gpu, self.worlds);
        }
        Ok(())
    }

    /// Submits so many more steps.
    pub(crate) fn submit_all(&mut self, count: usize) {
        let mut left = count;
        while left > 0 {
            let part = left.min(SUBMITTED_STEPS);
            self.goal += part as u32;
            self.submit(part);
            left -= part;
        }
    }

    /// Submits as many steps again for worlds that have not made them.
    pub(crate) fn submit_again(&self, count: usize) {
        (0..count.div_ceil(SUBMITTED_STEPS)).for_each(|_| self.submit(SUBMITTED_STEPS));
    }

    /// Whether so many more steps can be counted.
    pub(crate) fn check_steps(&self, count: usize) -> Result<(), GpuError> {
        match u32::try_from(count).ok().and_then(|count| self.goal.checked_add(count)) {
            Some(_) => Ok(()),
            None => Err(GpuError::Steps),
        }
    }

    /// Makes steps without waiting for the device to find out whether a world needed more room.
    fn submit(&self, steps: usize) {
        if self.worlds == 0 {
            return;
        }
        self.announce();
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_bind_group(0, &self.program.bindings, &[]);
        let grid = self.grid();
        for _ in 0..steps * evaluations(&self.model) {
            self.program.stages.iter().for_each(|stage| stage.dispatch(&mut pass, grid));
        }
        drop(pass);
        self.gpu.queue.submit([encoder.finish()]);
    }

    /// Tells the kernels how many steps there are to make.
    fn announce(&self) {
        let Capacity { contacts, candidates, .. } = self.capacity;
        let [scratch, contacts, candidates] =
            [self.layout.scratch, contacts, candidates].map(|size| size as u32);
        let words = [self.goal, self.worlds as u32, self.grid()[0], scratch, contacts, candidates];
        self.gpu.queue.write_buffer(&self.buffers.submission, 0, bytemuck::cast_slice(&words));
    }

    fn grid(&self) -> [u32; 2] {
        let worlds = self.worlds as u32;
        [worlds.min(PER_ROW), worlds.div_ceil(PER_ROW)]
    }

    /// Grows capacities if a world waits for it.
    pub(crate) async fn grow_if_needed(&mut self) -> Result<bool, GpuError> {
        let needed: Vec<u32> = read(&self.gpu, &self.buffers.needed, 4).await?;
        let [contacts, rows, candidates] = [0, 1, 2].map(|k| needed[k] as usize);
        if !self.capacity.is_exceeded([contacts, rows, candidates]) {
            return Ok(false);
        }
        let dimension = self.pairs.largest_dimension().min(3);
        let contacts = contacts.max(self.capacity.contacts).next_multiple_of(8);
        let rows = rows.max(self.capacity.rows).max(contacts * dimension).next_multiple_of(8);
        let candidates = match candidates.max(self.capacity.candidates) {
            // no more than there were
            most if most == self.capacity.candidates => most,
            most => most.next_multiple_of(8),
        };
        self.capacity = Capacity { contacts, rows, candidates };
        self.rebuild().await?;
        Ok(true)
    }

    /// Makes buffers and kernels anew, with the states, controls and counters that there are.
    pub(crate) async fn rebuild(&mut self) -> Result<(), GpuError> {
        let (roots, lanes) = (self.tree.roots.len().max(1), self.gpu.lanes);
        let switches = self.layout.switches.take();
        self.layout = Layout::new(&self.simulated, roots, self.capacity, self.options, switches);
        let mut table = self.table();
        if !self.varied.is_empty() {
            table.floats = self.varied_numbers()?;
        }
        let buffers = Buffers::new(&self.gpu, &self.layout, (&table.floats, &table.ints), self.worlds)?;
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for (from, to) in [
            (&self.buffers.state, &buffers.state),
            (&self.buffers.inputs, &buffers.inputs),
            (&self.buffers.status, &buffers.status),
            (&self.buffers.readings, &buffers.readings),
        ] {
            // inputs that have become longer are written by whoever wants that
            if from.size() == to.size() {
                encoder.copy_buffer_to_buffer(from, 0, to, 0, from.size());
            }
        }
        self.gpu.queue.submit([encoder.finish()]);
        let texts = kernels(&self.simulated, &table, &self.pairs, self.capacity, lanes, &self.layout);
        self.program = Program::new(&self.gpu, texts, &buffers, &self.program.stages, &self.layout).await?;
        self.buffers = buffers;
        if let Some(user) = &self.user {
            self.user = Some(user.rebind(&self.gpu, &self.model, (&self.layout, &self.buffers)).await?);
        }
        Ok(())
    }

    /// Gives each world values of its own for an array of the model, such as `body_mass` or `geom_friction`:
    /// all values of the first world, then all of the second, and so on. As when a program writes to a model,
    /// quantities that the compiler derived from such values stay as they are.
    ///
    /// # Errors
    /// When the model has no such array of floating-point numbers, the number of values is wrong, or the
    /// kernels would have to be others for these values.
    pub async fn vary_async(&mut self, field: &str, values: &[f64]) -> Result<(), GpuError> {
        let fields = self.model.fields();
        let is_field =
            |f: &kinetree_model::Field<'_>| f.name == field && matches!(f.data, FieldSlice::F64(_));
        let place = fields.iter().position(is_field).ok_or_else(|| GpuError::Field(field.to_owned()))?;
        let width = fields[place].data.len();
        self.check_length("the values of a varied field", values.len(), width)?;
        self.check_landed()?;
        self.check_fluid(field, place, values)?;
        let before = self.varied.clone();
        self.varied.retain(|known| known.place != place);
        self.varied.push(VariedField { name: field.to_owned(), place, width, values: values.to_vec() });
        let set = if before.is_empty() { self.rebuild().await } else { self.write_varied() };
        if set.is_err() {
            self.varied = before;
        }
        set
    }

    /// Kernels that read numbers of each world already are the same for any numbers.
    fn write_varied(&self) -> Result<(), GpuError> {
        self.write(&self.buffers.floats, 0, &self.varied_numbers()?);
        self.gpu.check()
    }

    /// The kernels know which shapes a fluid acts on: a varied field may not change that.
    fn check_fluid(&self, field: &str, place: usize, values: &[f64]) -> Result<(), GpuError> {
        if !matches!(field, "geom_fluid" | "body_mass") || values.is_empty() {
            return Ok(());
        }
        let mut model = Model::clone(&self.model);
        for (world, values) in values.chunks_exact(values.len() / self.worlds).enumerate() {
            Model::FLOATS_MUT[place](&mut model).copy_from_slice(values);
            if !same_shapes(&self.model, &model) {
                return Err(GpuError::FluidShapes { field: field.to_owned(), world });
            }
        }
        Ok(())
    }

    /// Gives all worlds the arrays of the model again.
    ///
    /// # Errors
    /// When the device fails.
    pub async fn end_variations_async(&mut self) -> Result<(), GpuError> {
        if self.varied.is_empty() {
            return Ok(());
        }
        self.check_landed()?;
        self.varied.clear();
        self.rebuild().await
    }

    /// Numbers of the model for each world, one after the other.
    fn varied_numbers(&self) -> Result<Vec<f64>, GpuError> {
        let Self { simulated: model, tree, layout, varied, worlds, .. } = self;
        Variation { model, tree, layout, fields: varied, worlds: *worlds }.numbers()
    }

    pub(crate) fn check_length(&self, what: &'static str, got: usize, width: usize) -> Result<(), GpuError> {
        let expected = self.worlds * width;
        if got == expected {
            return Ok(());
        }
        let explanation = format!("{width} for each of {} worlds", self.worlds);
        Err(GpuError::Length { what, expected, got, explanation })
    }

    /// Sets the controls of all worlds, a row for each.
    ///
    /// # Errors
    /// When the number of controls is wrong.
    pub fn set_controls<T: Number>(&mut self, controls: &[T]) -> Result<(), GpuError> {
        let (nu, size) = (self.model.nu, self.layout.input);
        self.check_length("the controls", controls.len(), nu)?;
        self.controls.clear();
        self.controls.extend(controls.iter().map(|x| x.wide()));
        if nu == size {
            self.write(&self.buffers.inputs, 0, controls);
            return Ok(());
        }
        for (world, row) in controls.chunks_exact(nu.max(1)).enumerate() {
            self.write(&self.buffers.inputs, world * size, row);
        }
        Ok(())
    }

    /// Positions of all worlds, a row for each.
    ///
    /// # Errors
    /// When the device fails.
    pub async fn positions_async(&self) -> Result<Vec<f32>, GpuError> {
        self.columns(self.layout.qpos, self.model.nq).await
    }

    /// Velocities of all worlds, a row for each.
    ///
    /// # Errors
    /// When the device fails.
    pub async fn velocities_async(&self) -> Result<Vec<f32>, GpuError> {
        self.columns(self.layout.qvel, self.model.nv).await
    }

    /// Accelerations at the beginning of the last step, a row for each world.
    ///
    /// # Errors
    /// When the device fails.
    pub async fn accelerations_async(&self) -> Result<Vec<f32>, GpuError> {
        self.columns(self.layout.warm, self.model.nv).await
    }

    /// Activations of all worlds, a row for each.
    ///
    /// # Errors
    /// When the device fails.
    pub async fn activations_async(&self) -> Result<Vec<f32>, GpuError> {
        self.columns(self.layout.act, self.model.na).await
    }

    /// Readings of sensors at the beginning of the last step, a row of `nsensordata` for each world; zero
    /// before the first.
    ///
    /// # Errors
    /// When the model has sensors that are not covered, with the names of all of them, when the simulator was
    /// made without sensors, or when the device fails.
    pub async fn sensordata_async<T: Number>(&self) -> Result<Vec<T>, GpuError> {
        let missing = Sensors::new(&self.model).missing;
        if !missing.is_empty() {
            return Err(GpuError::Unsupported(missing));
        }
        if !self.options.sensors && self.model.nsensordata > 0 {
            return Err(GpuError::Sensors);
        }
        if self.layout.readings == 0 {
            return Ok(vec![T::narrow(0.0); self.worlds * self.model.nsensordata]);
        }
        self.read(&self.buffers.readings, self.worlds * self.layout.readings).await
    }

    /// States of all worlds, as [`set_states`](Self::set_states) takes them: rows of positions, velocities,
    /// activations and accelerations of the last step.
    ///
    /// # Errors
    /// When the device fails.
    pub async fn states_async<T: Number>(&self) -> Result<Vec<T>, GpuError> {
        self.read(&self.buffers.state, self.layout.state * self.worlds).await
    }

    /// Copies numbers from the device.
    pub(crate) async fn read<T: Number>(
        &self,
        buffer: &wgpu::Buffer,
        count: usize,
    ) -> Result<Vec<T>, GpuError> {
        read_numbers(&self.gpu, buffer, count, self.options.precision).await
    }

    /// Copies numbers to the device, behind so many others.
    pub(crate) fn write<T: Number>(&self, buffer: &wgpu::Buffer, place: usize, values: &[T]) {
        let precision = self.options.precision;
        self.gpu.queue.write_buffer(buffer, place as u64 * precision.bytes(), &to_device(precision, values));
    }

    async fn columns(&self, first: usize, count: usize) -> Result<Vec<f32>, GpuError> {
        let (size, all) = (self.layout.state, self.states_async::<f32>().await?);
        Ok(all.chunks_exact(size).flat_map(|row| row[first..first + count].iter().copied()).collect())
    }

    /// Sets states of all worlds: positions, velocities, activations and accelerations to start the solver
    /// from, a row for each.
    ///
    /// # Errors
    /// When the number of values is wrong.
    pub fn set_states<T: Number>(&mut self, states: &[T]) -> Result<(), GpuError> {
        self.check_length("the states", states.len(), self.layout.state)?;
        self.check_landed()?;
        self.write(&self.buffers.state, 0, states);
        Ok(())
    }

    /// Sets states of worlds where `mask` is true; there are rows for all of them, as
    /// [`set_states`](Self::set_states) takes them.
    ///
    /// # Errors
    /// When the number of values is wrong, or the mask does not have an entry for each world.
    pub fn set_states_where<T: Number>(&mut self, mask: &[bool], states: &[T]) -> Result<(), GpuError> {
        self.check_length("the mask", mask.len(), 1)?;
        let width = self.layout.state;
        self.check_length("the states", states.len(), width)?;
        self.check_landed()?;
        for worlds in runs(mask) {
            let rows = &states[worlds.start * width..worlds.end * width];
            self.write(&self.buffers.state, worlds.start * width, rows);
        }
        self.gpu.check()
    }

    /// Puts all worlds into the first state of the model.
    ///
    /// # Errors
    /// When the device fails.
    pub fn reset_all(&mut self) -> Result<(), GpuError> {
        self.reset(&vec![true; self.worlds])
    }

    /// Puts worlds into the first state of the model where `mask` is true.
    ///
    /// # Errors
    /// When the mask does not have an entry for each world.
    pub fn reset(&mut self, mask: &[bool]) -> Result<(), GpuError> {
        self.check_length("the mask", mask.len(), 1)?;
        self.check_landed()?;
        let model = &self.model;
        let state = first_state(model, &self.layout);
        let mocap_bodies = (0..model.nbody).filter(|&b| model.body_mocapid[b] >= 0);
        let mut input = vec![0.0; model.nu];
        for b in mocap_bodies {
            input.extend(model.body_pos[b].iter().chain(&model.body_quat[b]));
        }
        let first = self.layout.switches.iter().flatten();
        input.extend(first.map(|&active| f64::from(u8::from(active))));
        for worlds in runs(mask) {
            self.controls[worlds.start * model.nu..worlds.end * model.nu].fill(0.0);
            let write = |buffer: &wgpu::Buffer, row: &[f64]| {
                self.write(buffer, worlds.start * row.len(), &row.repeat(worlds.len()));
            };
            write(&self.buffers.state, &state);
            if !input.is_empty() {
                write(&self.buffers.inputs, &input);
            }
            if self.layout.readings > 0 {
                write(&self.buffers.readings, &vec![0.0; self.layout.readings]);
            }
        }
        if self.options.sensors && Sensors::new(model).needs().clock {
            // clocks begin anew
            for world in (0..self.worlds).filter(|&world| mask[world]) {
                let place = 4 * (world * STATUS_SIZE + STATUS_FRESH) as u64;
                self.gpu.queue.write_buffer(&self.buffers.status, place, &[0; 4]);
            }
        }
        if let Some(user) = &self.user {
            user.run_begin(&self.gpu, mask);
        }
        self.gpu.check()
    }

    /// Why worlds were reset since this was asked last: None, or what was wrong.
    ///
    /// # Errors
    /// When the device fails.
    pub async fn take_errors_async(&mut self) -> Result<Vec<Option<&'static str>>, GpuError> {
        let describe = |quantity: Option<&str>| match quantity {
            None => None,
            Some(BAD_STATE) => Some("positions or velocities were not finite or too large"),
            Some(_) => Some("accelerations were not finite or too large"),
        };
        Ok(self.take_failed().await?.into_iter().map(describe).collect())
    }

    /// Which quantity of a world was of no use, for each world that was reset since this was asked last.
    pub(crate) async fn take_failed(&mut self) -> Result<Vec<Option<&'static str>>, GpuError> {
        self.check_landed()?;
        let mut status = self.status().await?;
        let quantity = |row: &[u32]| match row[STATUS_FLAGS] {
            0 => None,
            flags if (flags | flags >> FLAGS_SEEN) & FLAG_BAD_STATE != 0 => Some(BAD_STATE),
            _ => Some(BAD_ACCELERATION),
        };
        let failed: Vec<_> = status.chunks_exact(STATUS_SIZE).map(quantity).collect();
        if failed.iter().any(Option::is_some) {
            status.chunks_exact_mut(STATUS_SIZE).for_each(|row| row[STATUS_FLAGS] = 0);
            self.gpu.queue.write_buffer(&self.buffers.status, 0, bytemuck::cast_slice(&status));
        }
        Ok(failed)
    }

    async fn status(&self) -> Result<Vec<u32>, GpuError> {
        read(&self.gpu, &self.buffers.status, STATUS_SIZE * self.worlds).await
    }

    /// Number of contacts of each world at the beginning of the last step.
    ///
    /// # Errors
    /// When the device fails.
    pub async fn contacts_async(&self) -> Result<Vec<usize>, GpuError> {
        Ok(self.status().await?.chunks_exact(STATUS_SIZE).map(|row| row[STATUS_CONTACTS] as usize).collect())
    }

    /// What the solver did since the simulator was made.
    ///
    /// # Errors
    /// When the device fails.
    pub async fn solver_totals_async(&self) -> Result<SolverTotals, GpuError> {
        let mut totals = SolverTotals::default();
        for row in self.status().await?.chunks_exact(STATUS_SIZE) {
            totals.steps += u64::from(row[STATUS_STEPS]);
            totals.iterations += u64::from(row[STATUS_ITERATIONS]);
            totals.rows += u64::from(row[STATUS_ROWS]);
            totals.contacts += u64::from(row[STATUS_POINTS]);
        }
        Ok(totals)
    }

    /// Makes steps as [`steps_async`](Self::steps_async) does and tells the time of each stage; empty where
    /// the device has no clock.
    ///
    /// # Errors
    /// As [`steps_async`](Self::steps_async).
    pub async fn profile_async(&mut self, steps: usize) -> Result<Vec<StageTime>, GpuError> {
        if self.worlds == 0 {
            return Ok(Vec::new());
        }
        self.check_landed()?;
        self.check_steps(steps)?;
        self.goal += steps as u32;
        self.announce();
        let times = profile(&self.gpu, &self.program, self.grid(), steps * evaluations(&self.model)).await?;
        while self.grow_if_needed().await? {
            self.submit(steps);
        }
        Ok(times)
    }
}

/// A world's row of numbers at the first state of the model.
pub(crate) fn first_state(model: &Model, layout: &Layout) -> Vec<f64> {
    let mut state = model.qpos0.to_vec();
    state.resize(layout.state, 0.0);
    state
}

/// Worlds that follow each other and are in the mask: one write to the device will do for each.
fn runs(mask: &[bool]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut next = 0;
    std::iter::from_fn(move || {
        let first = next + mask[next..].iter().position(|&chosen| chosen)?;
        next = first + mask[first..].iter().take_while(|&&chosen| chosen).count();
        Some(first..next)
    })
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn neighbours_in_a_mask_are_written_together() {
        let found: Vec<_> = runs(&[true, false, true, true, false, false, true]).collect();
        assert_eq!(found, [0..1, 2..4, 6..7]);
        assert_eq!(runs(&[false; 3]).count() + runs(&[]).count(), 0);
    }
}
