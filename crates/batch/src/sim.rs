//! The batch: worlds in chunks, and the tables that they share with the caller.

use crate::device::Device;
use crate::error::BatchError;
use crate::functions::{ResetFn, RewardFn, TerminationFn};
use crate::lockstep::{Group, Memory, advance_one};
use crate::output::Output;
use crate::random::Random;
use crate::record::width;
use crate::result::BatchResult;
use crate::tables::{Columns, Places, Tables};
use crate::task::Task;
use crate::threads::{Helpers, Stop, Watch};
use crate::variation::Variation;
use crate::world::{Setup, Steps, TaskLayout, World};
use kinetree_model::{Data, Model, StepError};
use kinetree_sim::{LOCKSTEP_WORLDS, Lockstep};
use std::cell::RefCell;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Chunks that each thread has on average, and most worlds of a chunk. When one thread takes the last chunk,
/// the others wait for half of it on average, one in sixty of their time, unless the last steps of chunks are
/// left for the end.
const CHUNKS: (usize, usize) = (32, 16);
/// The same when fields vary: each chunk has a copy of the model then.
const VARIED_CHUNKS: (usize, usize) = (8, 32);
/// Worlds for each thread from which on they step four at a time: with fewer, threads would wait for each
/// other.
const LOCKSTEP_SHARE: usize = 2 * LOCKSTEP_WORLDS;

/// Many worlds that are stepped together.
///
/// Each step takes controls, and states where the caller has changed them, from tables with a row for each
/// world, and leaves states, sensors, rewards and ends of episodes in such tables. Threads take chunks of
/// worlds that follow each other, and take chunks from each other when they are done.
pub struct BatchSim {
    models: Vec<Arc<Model>>,
    /// Model of each world; empty when there is one for all.
    model_of: Vec<usize>,
    chunks: Vec<Chunk>,
    chunk_size: usize,
    /// Whether worlds step four at a time where that is possible.
    lockstep: bool,
    count: usize,
    variations: Vec<Variation>,
    pub(crate) setup: Setup,
    helpers: Helpers,
    /// One for each thread.
    memories: Vec<Mutex<Memory>>,
    pub(crate) tables: Tables,
    /// What makes the steps of physics, where that is not the worlds' own business.
    pub(crate) device: Option<Device>,
}

/// Worlds that follow each other.
struct Chunk {
    worlds: Vec<World>,
    /// A model whose varied fields are set before each world's step; none when nothing varies.
    varied: Option<Box<Model>>,
}

impl std::fmt::Debug for BatchSim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (worlds, models) = (self.count, self.models.len());
        f.debug_struct("BatchSim").field("worlds", &worlds).field("models", &models).finish_non_exhaustive()
    }
}

impl BatchSim {
    /// `n` worlds of one model, in its first state.
    #[must_use]
    pub fn new(model: Arc<Model>, n: usize) -> Self {
        Self::build(vec![model], Vec::new(), n, Vec::new(), None)
    }

    /// Worlds with a task, whose observations, rewards and metrics come with each step.
    ///
    /// # Errors
    /// When the task fails with the first state of the model, which shows what it observes.
    pub fn with_task(model: Arc<Model>, n: usize, task: Arc<dyn Task>) -> Result<Self, BatchError> {
        let layout = TaskLayout::new(task, &model).map_err(BatchError::Task)?;
        Ok(Self::build(vec![model], Vec::new(), n, Vec::new(), Some(layout)))
    }

    /// Like [`new`](Self::new), with arrays of the data that are shown after each step in
    /// [`outputs`](Self::outputs). Where one of them needs it (`cacc`, `cfrc_int`, `cfrc_ext`),
    /// `mj_rne_post_constraint` follows each step.
    ///
    /// # Errors
    /// When a name is not that of an array of floating-point numbers whose size the model fixes.
    pub fn with_outputs(model: Arc<Model>, n: usize, names: &[&str]) -> Result<Self, BatchError> {
        let outputs = Output::find_all(&model, names)?;
        Ok(Self::build(vec![model], Vec::new(), n, outputs, None))
    }

    /// A world for each model of a list; the same model may be there many times. Rows of tables are as long
    /// as the largest model needs.
    #[must_use]
    pub fn with_models(models: &[Arc<Model>]) -> Self {
        let mut distinct: Vec<Arc<Model>> = Vec::new();
        let model_of = models
            .iter()
            .map(|model| {
                distinct.iter().position(|known| Arc::ptr_eq(known, model)).unwrap_or_else(|| {
                    distinct.push(Arc::clone(model));
                    distinct.len() - 1
                })
            })
            .collect();
        Self::build(distinct, model_of, models.len(), Vec::new(), None)
    }

    fn build(
        models: Vec<Arc<Model>>,
        model_of: Vec<usize>,
        count: usize,
        outputs: Vec<Output>,
        task: Option<TaskLayout>,
    ) -> Self {
        let most = |size: fn(&Model) -> usize| models.iter().map(|model| size(model)).max().unwrap_or(0);
        let columns = Columns {
            controls: most(|m| m.nu),
            sensors: most(|m| m.nsensordata),
            states: most(|m| m.nq + m.nv),
            outputs: outputs.last().map_or(0, |output| output.columns.end),
            observations: task.as_ref().map_or(0, |task| width(&task.observation)),
            metrics: task.as_ref().map_or(0, |task| task.metric_columns()[1]),
        };
        let mut batch = Self {
            tables: Tables::new(count, columns),
            setup: Setup::new(outputs, task),
            variations: Vec::new(),
            helpers: Helpers::Shared,
            memories: Vec::new(),
            device: None,
            chunks: Vec::new(),
            chunk_size: 1,
            lockstep: true,
            models,
            model_of,
            count,
        };
        let world = |i| World::new(batch.model(i), Random::of_world(0, i), &batch.setup);
        let worlds = (0..count).map(world).collect();
        batch.divide(worlds);
        match batch.setup.task {
            Some(_) => batch.reset_all(),
            None => batch.show_all(),
        }
        batch
    }

    /// Divides worlds into chunks for the threads that there are.
    fn divide(&mut self, worlds: Vec<World>) {
        let model = self.models.first().filter(|_| !self.variations.is_empty());
        let (for_thread, largest) = if model.is_some() { VARIED_CHUNKS } else { CHUNKS };
        let pieces = if self.threads() == 1 { 1 } else { self.threads() * for_thread };
        self.chunk_size = self.count.div_ceil(pieces).clamp(1, largest);
        if self.lockstep && self.models.len() == 1 && self.count >= self.threads() * LOCKSTEP_SHARE {
            self.chunk_size = self.chunk_size.next_multiple_of(LOCKSTEP_WORLDS);
        }
        self.memories.resize_with(self.threads(), Mutex::default);
        let mut worlds = worlds.into_iter();
        self.chunks.clear();
        for _ in 0..self.count.div_ceil(self.chunk_size) {
            let worlds: Vec<_> = worlds.by_ref().take(self.chunk_size).collect();
            let varied = model.map(|model| Box::new(Model::clone(model)));
            self.chunks.push(Chunk { worlds, varied });
        }
    }

    /// Divides the worlds anew, for other threads or other variations.
    fn divide_again(&mut self) {
        let worlds = self.chunks.drain(..).flat_map(|chunk| chunk.worlds).collect();
        self.divide(worlds);
    }

    /// Number of threads that step worlds.
    fn threads(&self) -> usize {
        self.helpers.count() + 1
    }

    /// Writes first states into the tables.
    fn show_all(&mut self) {
        self.each(|_, world, places, (model, setup)| world.introduce(model, setup, places));
    }

    /// Number of worlds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are no worlds.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Model of a world, without its varied fields.
    ///
    /// # Panics
    /// When there is no such world.
    #[must_use]
    pub fn model(&self, world: usize) -> &Arc<Model> {
        &self.models[self.model_of.get(world).copied().unwrap_or(0)]
    }

    /// One world.
    ///
    /// # Errors
    /// When there is no such world.
    pub fn world(&self, world: usize) -> Result<&Data, BatchError> {
        let place = self.place(world)?;
        Ok(&self.chunks[place.0].worlds[place.1].data)
    }

    /// One world, to be changed. The next step takes positions and velocities from
    /// [`states_mut`](Self::states_mut), all else from here.
    ///
    /// # Errors
    /// When there is no such world.
    pub fn world_mut(&mut self, world: usize) -> Result<&mut Data, BatchError> {
        let place = self.place(world)?;
        let world = &mut self.chunks[place.0].worlds[place.1];
        (world.ahead, world.moved) = (false, true);
        Ok(&mut world.data)
    }

    fn place(&self, world: usize) -> Result<(usize, usize), BatchError> {
        if world >= self.count {
            return Err(BatchError::World { index: world, count: self.count });
        }
        Ok((world / self.chunk_size, world % self.chunk_size))
    }

    /// Sets the reward function.
    pub fn set_reward(&mut self, reward: impl RewardFn + 'static) {
        self.setup.reward = Some(Box::new(reward));
    }

    /// Sets the function that ends episodes.
    pub fn set_termination(&mut self, termination: impl TerminationFn + 'static) {
        self.setup.termination = Some(Box::new(termination));
    }

    /// Sets the function that makes first states. It is called at each reset.
    pub fn set_reset(&mut self, reset: impl ResetFn + 'static) {
        self.setup.reset = Some(Box::new(reset));
    }

    /// Sets the number of steps of an episode after which it is cut off; `None` for no limit.
    pub fn set_time_limit(&mut self, steps: Option<u64>) {
        self.setup.time_limit = steps;
    }

    /// Sets how many steps of physics a step of the batch makes with the same controls; at least one.
    pub fn set_frame_skip(&mut self, steps: usize) {
        self.setup.frame_skip = steps.max(1);
    }

    /// Says that controls are given in single precision, for tasks that compute with them in that.
    pub fn set_single_precision(&mut self, single: bool) {
        self.setup.single_precision = single;
    }

    /// Gives each world random numbers of its own that follow from this seed.
    pub fn set_seed(&mut self, seed: u64) {
        let worlds = self.chunks.iter_mut().flat_map(|chunk| &mut chunk.worlds);
        for (i, world) in worlds.enumerate() {
            world.random = Random::of_world(seed, i);
        }
    }

    /// Sets the number of threads; zero for one per processor, shared with the rest of the program.
    ///
    /// # Errors
    /// When the threads cannot be started.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), BatchError> {
        self.helpers = Helpers::new(threads)?;
        self.divide_again();
        Ok(())
    }

    /// Gives each world values of its own for an array of the model, such as `body_mass` or `geom_friction`:
    /// all values of the first world, then all of the second, and so on. As when a program writes to a model,
    /// quantities that the compiler derived from such values stay as they are.
    ///
    /// # Errors
    /// When the worlds have several models, the model has no such array of floating-point numbers, or the
    /// number of values is wrong.
    pub fn vary(&mut self, field: &str, values: &[f64]) -> Result<(), BatchError> {
        if self.models.len() > 1 {
            return Err(BatchError::SeveralModels(self.models.len()));
        }
        let Some(model) = self.models.first() else { return Ok(()) };
        let variation = Variation::new(model, field, values, self.count)?;
        if let Some(device) = &mut self.device {
            device.worlds.vary(field, values)?;
        }
        let first = self.variations.is_empty();
        self.variations.retain(|known| known.field() != variation.field());
        self.variations.push(variation);
        if first {
            self.divide_again();
        }
        self.forget_evaluations();
        Ok(())
    }

    /// Ends all variations: every world has the fields of its model again.
    ///
    /// # Errors
    /// When a device steps the worlds, and fails.
    pub fn end_variations(&mut self) -> Result<(), BatchError> {
        if let Some(device) = &mut self.device {
            device.worlds.end_variations()?;
        }
        self.variations.clear();
        self.divide_again();
        self.forget_evaluations();
        Ok(())
    }

    /// What was computed ahead of the next step does not belong to the model any more.
    fn forget_evaluations(&mut self) {
        self.chunks.iter_mut().flat_map(|chunk| &mut chunk.worlds).for_each(|world| world.ahead = false);
    }

    /// The model as one world has it, its varied fields included.
    ///
    /// # Errors
    /// When there is no such world.
    pub fn model_of(&self, world: usize) -> Result<Model, BatchError> {
        self.place(world)?;
        let mut model = Model::clone(self.model(world));
        self.variations.iter().for_each(|variation| variation.apply(world, &mut model));
        Ok(model)
    }

    /// Makes a step of all worlds and returns a copy of what came of it.
    pub fn step_all(&mut self) -> BatchResult {
        self.advance();
        BatchResult {
            states: self.tables.states.all().to_vec(),
            columns: self.tables.states.columns(),
            rewards: self.tables.rewards.to_vec(),
            terminated: self.tables.terminated.to_vec(),
            truncated: self.tables.truncated.to_vec(),
            errors: self.tables.errors.to_vec(),
        }
    }

    /// Makes a step of all worlds; what came of it is in the tables. After the first steps worlds allocate
    /// nothing; sharing them out to several threads takes a little memory.
    pub fn advance(&mut self) {
        self.advance_by(1);
    }

    /// Makes `count` steps of all worlds with the same controls, as one: rewards and ends of episodes are
    /// those of the last step, and a world that fails stays where it failed.
    ///
    /// Where a device steps the worlds and fails, all worlds fail with it.
    pub fn advance_by(&mut self, count: usize) {
        if self.device.is_some() {
            if let Err(error) = self.advance_on_device(count, &[], || true) {
                self.fail_all(&StepError::Device(error.to_string()));
            }
            return;
        }
        self.advance_worlds(count, &[], None);
    }

    /// Like [`advance_by`](Self::advance_by), but worlds whose entry in `fresh` is true begin an episode with
    /// the state in the table instead, and the calling thread calls `go_on` every `interval` meanwhile. When
    /// that returns false, worlds stop after the step of physics that they are at, or the one after it.
    ///
    /// # Errors
    /// When `fresh` is not empty and does not have an entry for each world, or when a device steps the worlds
    /// and fails.
    pub fn advance_watched(
        &mut self,
        count: usize,
        fresh: &[bool],
        interval: Duration,
        go_on: impl FnMut() -> bool,
    ) -> Result<(), BatchError> {
        if !fresh.is_empty() {
            self.check_mask(fresh)?;
        }
        if self.device.is_some() {
            return self.advance_on_device(count, fresh, go_on);
        }
        let go_on = RefCell::new(go_on);
        // who is asked does not ask in turn
        let ask = || go_on.try_borrow_mut().is_ok_and(|mut go_on| go_on());
        self.advance_worlds(count, fresh, Some(&Watch::new(interval, &ask)));
        Ok(())
    }

    /// Computes what follows from the states and controls in the tables without a step, like `mj_forward`,
    /// where `mask` is true: sensors and outputs of states that the caller has written. Rewards and ends of
    /// episodes stay.
    ///
    /// # Errors
    /// When the mask does not have an entry for each world.
    pub fn evaluate_where(&mut self, mask: &[bool]) -> Result<(), BatchError> {
        self.check_mask(mask)?;
        self.each_where(|i| mask[i], |_, world, places, (model, setup)| world.evaluate(model, setup, places));
        Ok(())
    }

    /// Resets one world.
    ///
    /// # Errors
    /// When there is no such world.
    pub fn reset(&mut self, world: usize) -> Result<(), BatchError> {
        self.place(world)?;
        self.begin_each(false, |i| i == world);
        Ok(())
    }

    /// Resets all worlds.
    pub fn reset_all(&mut self) {
        self.begin_each(false, |_| true);
    }

    /// Resets the worlds whose entry in `mask` is true.
    ///
    /// # Errors
    /// When the mask does not have an entry for each world.
    pub fn reset_where(&mut self, mask: &[bool]) -> Result<(), BatchError> {
        self.check_mask(mask)?;
        self.begin_each(false, |i| mask[i]);
        Ok(())
    }

    /// Begins episodes where `mask` is true, with the positions and velocities in the table; all else is as
    /// after a reset.
    ///
    /// # Errors
    /// When the mask does not have an entry for each world.
    pub fn begin_where(&mut self, mask: &[bool]) -> Result<(), BatchError> {
        self.check_mask(mask)?;
        self.begin_each(true, |i| mask[i]);
        Ok(())
    }

    /// Resets the selected worlds; their first states are in the table when `here`.
    fn begin_each(&mut self, here: bool, is_selected: impl Fn(usize) -> bool + Sync) {
        self.each_where(is_selected, |_, world, places, (model, setup)| {
            world.begin(here, model, setup, places);
        });
    }

    pub(crate) fn check_mask(&self, mask: &[bool]) -> Result<(), BatchError> {
        if mask.len() == self.count {
            return Ok(());
        }
        Err(BatchError::Length {
            what: "the mask",
            expected: self.count,
            got: mask.len(),
            explanation: "one for each world".to_owned(),
        })
    }

    /// All worlds, in order.
    pub(crate) fn worlds(&self) -> impl Iterator<Item = &World> {
        self.chunks.iter().flat_map(|chunk| &chunk.worlds)
    }

    /// All worlds, in order.
    pub(crate) fn worlds_mut(&mut self) -> impl Iterator<Item = &mut World> {
        self.chunks.iter_mut().flat_map(|chunk| &mut chunk.worlds)
    }

    /// Number of different models.
    pub(crate) fn model_count(&self) -> usize {
        self.models.len()
    }

    /// Fields that vary between worlds.
    pub(crate) fn variations(&self) -> &[Variation] {
        &self.variations
    }

    /// Makes steps of all worlds; those whose entry in `fresh` is true begin an episode with the state in the
    /// table instead.
    fn advance_worlds(&mut self, count: usize, fresh: &[bool], watch: Option<&Watch<'_>>) {
        if !self.steps_in_lockstep() {
            let all = |_| true;
            return self.each_watched(watch, all, |i, world, places, (model, setup), stop| {
                let steps = Steps { count, stop };
                advance_one(world, fresh.get(i) == Some(&true), steps, model, setup, places);
            });
        }
        let Self { models, chunks, setup, helpers, memories, tables, chunk_size: size, .. } = self;
        let (size, model) = (*size, &*models[0]);
        let all = chunks.iter_mut().zip(tables.chunks_mut(size)).enumerate();
        helpers.share_in_two(
            all,
            watch,
            memories,
            |memory, (c, (chunk, places)), leaves, stop| {
                let fresh = fresh.get(c * size..).unwrap_or_default();
                let group = Group { count, model, setup, fresh };
                group.advance(memory, &mut chunk.worlds, places.each(), leaves, stop)
            },
            |memory, four, stop| four.resume(memory, stop),
        );
    }

    /// Whether worlds step four at a time: those of one model, without fields that vary.
    fn steps_in_lockstep(&self) -> bool {
        self.lockstep
            && self.chunk_size >= LOCKSTEP_WORLDS
            && self.models.len() == 1
            && self.variations.is_empty()
            && Lockstep::supports(&self.models[0])
    }

    /// Sets whether worlds of one model step four at a time, a world a lane of SIMD numbers, which is the
    /// default where it is faster and possible. Results are the same.
    pub fn set_lockstep(&mut self, lockstep: bool) {
        self.lockstep = lockstep;
        self.divide_again();
    }

    /// Calls a function for each world, with its places in the tables, on all threads.
    pub(crate) fn each(
        &mut self,
        work: impl Fn(usize, &mut World, &mut Places<'_>, (&Model, &Setup)) + Sync,
    ) {
        self.each_where(|_| true, work);
    }

    /// The same for the selected worlds. Where all are in one chunk, nobody is called to help.
    pub(crate) fn each_where(
        &mut self,
        is_selected: impl Fn(usize) -> bool + Sync,
        work: impl Fn(usize, &mut World, &mut Places<'_>, (&Model, &Setup)) + Sync,
    ) {
        self.each_watched(None, is_selected, |i, world, places, common, _| work(i, world, places, common));
    }

    /// The same, with what tells when to stop.
    fn each_watched(
        &mut self,
        watch: Option<&Watch<'_>>,
        is_selected: impl Fn(usize) -> bool + Sync,
        work: impl Fn(usize, &mut World, &mut Places<'_>, (&Model, &Setup), Stop<'_>) + Sync,
    ) {
        let lends = self.steps_in_lockstep();
        let Self { models, model_of, chunks, variations, setup, helpers, memories, tables, .. } = self;
        let size = self.chunk_size;
        let all = chunks.iter_mut().zip(tables.chunks_mut(size)).enumerate();
        let selected = all.filter(|(c, (chunk, _))| (c * size..).take(chunk.worlds.len()).any(&is_selected));
        helpers.share(selected, watch, memories, |memory, (c, (chunk, places)), stop| {
            let worlds = (c * size..).zip(&mut chunk.worlds).zip(places.each());
            for ((i, world), mut places) in worlds.filter(|((i, _), _)| is_selected(*i)) {
                let model = match &mut chunk.varied {
                    Some(model) => {
                        variations.iter().for_each(|variation| variation.apply(i, model));
                        &**model
                    }
                    None => &*models[model_of.get(i).copied().unwrap_or(0)],
                };
                if lends {
                    memory.lend(world, |world| work(i, world, &mut places, (model, setup), stop));
                } else {
                    work(i, world, &mut places, (model, setup), stop);
                }
            }
        });
    }
}
