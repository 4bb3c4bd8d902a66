//! The batch: worlds, the tables that they share with the caller, and what makes their steps.

use crate::device::Device;
use crate::error::BatchError;
use crate::functions::{ResetFn, RewardFn, TerminationFn};
use crate::output::Output;
use crate::pool::Pool;
use crate::random::Random;
use crate::record::width;
use crate::result::BatchResult;
use crate::stepper::{Stepper, Watcher};
use crate::tables::{Columns, Tables};
use crate::task::Task;
use crate::threads::Helpers;
use crate::variation::{Variation, derived};
use crate::world::{Setup, TaskLayout, World};
use crate::worlds::Worlds;
use kinetree_model::{Data, Model, StepError};
use std::sync::Arc;
use std::time::Duration;

/// Many worlds that are stepped together.
///
/// Each step takes controls, and states where the caller has changed them, from tables with a row for each
/// world, and leaves states, sensors, rewards and ends of episodes in such tables. Threads take chunks of
/// worlds that follow each other, and take chunks from each other when they are done.
pub struct BatchSim {
    pub(crate) pool: Pool,
    pub(crate) tables: Tables,
    pub(crate) setup: Setup,
    stepper: Stepper,
}

impl std::fmt::Debug for BatchSim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (worlds, models) = (self.len(), self.pool.models.len());
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
        let setup = Setup::new(outputs, task);
        let make = |model: &Model, i: usize| World::new(model, Random::of_world(0, i), &setup);
        let mut batch = Self {
            pool: Pool::new(models, model_of, count, make),
            tables: Tables::new(count, columns),
            setup,
            stepper: Stepper::Threads,
        };
        match batch.setup.task {
            Some(_) => batch.reset_all(),
            None => batch.show_all(),
        }
        batch
    }

    /// Writes first states into the tables.
    fn show_all(&mut self) {
        let Self { pool, tables, setup, .. } = self;
        pool.each((tables, setup), |_, world, rows, (model, setup)| world.introduce(model, setup, rows));
    }

    /// Number of worlds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pool.count
    }

    /// Whether there are no worlds.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pool.count == 0
    }

    /// Model of a world, without its varied fields.
    ///
    /// # Panics
    /// When there is no such world.
    #[must_use]
    pub fn model(&self, world: usize) -> &Arc<Model> {
        self.pool.model(world)
    }

    /// One world.
    ///
    /// # Errors
    /// When there is no such world.
    pub fn world(&self, world: usize) -> Result<&Data, BatchError> {
        let at = self.pool.locate(world)?;
        Ok(&self.pool.chunks[at.0].worlds[at.1].data)
    }

    /// One world, to be changed. The next step takes positions and velocities from
    /// [`states_mut`](Self::states_mut), all else from here.
    ///
    /// # Errors
    /// When there is no such world.
    pub fn world_mut(&mut self, world: usize) -> Result<&mut Data, BatchError> {
        let at = self.pool.locate(world)?;
        let world = &mut self.pool.chunks[at.0].worlds[at.1];
        (world.ahead, world.moved) = (false, true);
        Ok(&mut world.data)
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
        for (i, world) in self.pool.worlds_mut().enumerate() {
            world.random = Random::of_world(seed, i);
        }
    }

    /// Sets the number of threads; zero for one per processor, shared with the rest of the program.
    ///
    /// # Errors
    /// When the threads cannot be started.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), BatchError> {
        self.pool.helpers = Helpers::new(threads)?;
        self.pool.divide_again();
        Ok(())
    }

    /// Gives each world values of its own for an array of the model, such as `body_mass` or `geom_friction`,
    /// or for `gravity` or `timestep`: all values of the first world, then all of the second, and so on. As
    /// when a program writes to a model, quantities that the compiler derived from such values stay as they
    /// are, until [`Self::recompute_constants`].
    ///
    /// # Errors
    /// When the worlds have several models, the model has no such array of floating-point numbers, the number
    /// of values is wrong, or one is not finite, or negative where it cannot be.
    pub fn vary(&mut self, field: &str, values: &[f64]) -> Result<(), BatchError> {
        self.vary_worlds(field, values, &(0..self.len()).collect::<Vec<_>>())
    }

    /// As [`Self::vary`], for some of the worlds: the others keep what they have.
    ///
    /// # Errors
    /// As [`Self::vary`], and when there is no such world.
    pub fn vary_worlds(&mut self, field: &str, values: &[f64], worlds: &[usize]) -> Result<(), BatchError> {
        if self.check_variable(worlds)? {
            let fresh = Variation::of(&self.pool.models[0], field, self.pool.count)?;
            let known = self.pool.variations.iter().find(|known| known.name() == fresh.name());
            let mut variation = known.cloned().unwrap_or(fresh);
            variation.set(worlds, values)?;
            self.keep_variation(variation)?;
        }
        Ok(())
    }

    /// Computes for some worlds what the compiler derives from fields that vary, such as `body_subtreemass`
    /// and `dof_invweight0` from masses, as `mj_set_const` does: these fields vary, too, from now on.
    ///
    /// # Errors
    /// When the worlds have several models, there is no such world, or the fields of a world make no sense.
    pub fn recompute_constants(&mut self, worlds: &[usize]) -> Result<(), BatchError> {
        if self.check_variable(worlds)? {
            let Pool { models, variations, count, .. } = &self.pool;
            for variation in derived(&models[0], variations, worlds, *count)? {
                self.keep_variation(variation)?;
            }
        }
        Ok(())
    }

    /// Whether there are worlds at all; an error when they cannot have fields of their own.
    fn check_variable(&self, worlds: &[usize]) -> Result<bool, BatchError> {
        let (models, count) = (self.pool.models.len(), self.pool.count);
        if models > 1 {
            return Err(BatchError::SeveralModels(models));
        }
        if let Some(&index) = worlds.iter().find(|world| **world >= count) {
            return Err(BatchError::World { index, count });
        }
        Ok(models == 1)
    }

    fn keep_variation(&mut self, variation: Variation) -> Result<(), BatchError> {
        self.stepper.vary(&variation)?;
        let first = self.pool.variations.is_empty();
        self.pool.variations.retain(|known| known.name() != variation.name());
        self.pool.variations.push(variation);
        if first {
            self.pool.divide_again();
        }
        self.forget_evaluations();
        Ok(())
    }

    /// Ends all variations: every world has the fields of its model again.
    ///
    /// # Errors
    /// When a device steps the worlds, and fails.
    pub fn end_variations(&mut self) -> Result<(), BatchError> {
        self.stepper.end_variations()?;
        self.pool.variations.clear();
        self.pool.divide_again();
        self.forget_evaluations();
        Ok(())
    }

    /// What was computed ahead of the next step does not belong to the model any more.
    fn forget_evaluations(&mut self) {
        self.pool.worlds_mut().for_each(|world| world.ahead = false);
    }

    /// The model as one world has it, its varied fields included.
    ///
    /// # Errors
    /// When there is no such world.
    pub fn model_of(&self, world: usize) -> Result<Model, BatchError> {
        self.pool.locate(world)?;
        let mut model = Model::clone(self.model(world));
        self.pool.variations.iter().for_each(|variation| variation.apply(world, &mut model));
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
        if let Err(error) = self.make_steps(count, &[], None) {
            self.fail_all(&StepError::Device(error.to_string()));
        }
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
        mut go_on: impl FnMut() -> bool,
    ) -> Result<(), BatchError> {
        if !fresh.is_empty() {
            self.check_mask(fresh)?;
        }
        self.make_steps(count, fresh, Some(Watcher { interval, go_on: &mut go_on }))
    }

    fn make_steps(
        &mut self,
        count: usize,
        fresh: &[bool],
        watcher: Option<Watcher<'_>>,
    ) -> Result<(), BatchError> {
        let Self { pool, tables, setup, stepper } = self;
        stepper.advance(pool, (tables, setup), count, fresh, watcher)
    }

    /// Marks all worlds as failed.
    fn fail_all(&mut self, error: &StepError) {
        self.pool.worlds_mut().for_each(|world| world.failed = true);
        self.tables.rewards.fill(0.0);
        self.tables.terminated.fill(true);
        self.tables.truncated.fill(false);
        self.tables.errors.fill(Some(error.clone()));
    }

    /// Computes what follows from the states and controls in the tables without a step, like `mj_forward`,
    /// where `mask` is true: sensors and outputs of states that the caller has written. Rewards and ends of
    /// episodes stay.
    ///
    /// # Errors
    /// When the mask does not have an entry for each world.
    pub fn evaluate_where(&mut self, mask: &[bool]) -> Result<(), BatchError> {
        self.check_mask(mask)?;
        let Self { pool, tables, setup, .. } = self;
        pool.each_where(
            (tables, setup),
            |i| mask[i],
            |_, world, rows, (model, setup)| world.evaluate(model, setup, rows),
        );
        Ok(())
    }

    /// Resets one world.
    ///
    /// # Errors
    /// When there is no such world.
    pub fn reset(&mut self, world: usize) -> Result<(), BatchError> {
        self.pool.locate(world)?;
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
        let Self { pool, tables, setup, .. } = self;
        pool.each_where((tables, setup), is_selected, |_, world, rows, (model, setup)| {
            world.begin(here, model, setup, rows);
        });
    }

    pub(crate) fn check_mask(&self, mask: &[bool]) -> Result<(), BatchError> {
        if mask.len() == self.len() {
            return Ok(());
        }
        Err(BatchError::Length {
            what: "the mask",
            expected: self.len(),
            got: mask.len(),
            explanation: "one for each world".to_owned(),
        })
    }

    /// Sets whether worlds of one model step four at a time, a world a lane of SIMD numbers, which is the
    /// default where it is faster and possible. Results are the same.
    pub fn set_lockstep(&mut self, lockstep: bool) {
        self.pool.lockstep = lockstep;
        self.pool.divide_again();
    }

    /// Lets a device make the steps of physics, such as `kinetree_gpu::GpuSim` with this model and as many
    /// worlds. Tasks, rewards, ends of episodes, outputs and sensors are computed here as before, from states
    /// that are read back.
    ///
    /// What they read decides what a step costs here ([`Reads`](crate::Reads)): where that is more than
    /// states, worlds make the last step of physics on the processor as well, to have what its evaluation
    /// leaves. Otherwise sensor values that nothing has computed are not numbers.
    ///
    /// # Errors
    /// When the worlds have several models, or the device has other worlds.
    pub fn set_device(&mut self, worlds: impl Worlds + 'static) -> Result<(), BatchError> {
        self.stepper = Stepper::Device(Box::new(Device::new(Box::new(worlds), &self.pool)?));
        self.pool.worlds_mut().for_each(|world| world.moved = true);
        Ok(())
    }
}
