//! `CoreBatch`: many worlds of one model, which the Python class `BatchSim` wraps.
//!
//! The batch has a copy of the model, so that a program may go on to change its own. Its tables are
//! views; flags are copied, since a program could write something to their memory that is no flag.

#![allow(clippy::needless_pass_by_value)] // arguments are made for the call, errors for the exception

use crate::args::Values;
use crate::callbacks::refuse_callbacks;
use crate::errors::{claim, fatal, invalid};
use crate::memory::{Owner, Reader, Shared, view};
use crate::metrics::Metrics;
use crate::model::{CoreModel, away};
use crate::panics::guarded;
use crate::plugin::refuse_python;
use crate::process::{inherited, open_graphics};
use crate::signals::{SIGNAL_INTERVAL, abandonable, watched};
use kinetree_batch::{BatchError, BatchSim, Part, Random, Task, bytes_of_worlds};
use kinetree_gpu::{Gpu, GpuSim};
use kinetree_model::{Callbacks, Data, Model, is_interrupted};
use kinetree_threads::Process;
use numpy::{PyArray1, PyArrayDyn};
use pyo3::exceptions::{PyKeyError, PyMemoryError};
use pyo3::prelude::*;
use std::sync::Arc;

/// Many worlds of one model.
#[pyclass(frozen, module = "kinetree._core")]
pub(crate) struct CoreBatch {
    batch: Arc<Shared<BatchSim>>,
    owner: Py<Owner>,
    metrics: Metrics,
    /// The process that has opened the GPU, for worlds on one.
    device_of: Option<Process>,
}

/// Name, first and last column in a row of the outputs, rows and columns of an array in one world.
type OutputPlace = (&'static str, usize, usize, usize, usize);

/// Name of a task, and settings that differ from the usual ones.
type TaskChoice = (String, Vec<(String, Vec<f64>)>);

/// Name, first and last column of a part of a row.
type PartPlace = (&'static str, usize, usize);

/// What the user asked for is a `ValueError`, what a device did is fatal.
fn exception(error: BatchError) -> PyErr {
    match error {
        BatchError::Device(text) => fatal(text),
        other => invalid(other),
    }
}

/// Worlds on the GPU with this name, on the fastest one without a name.
fn gpu_worlds(py: Python<'_>, model: &Arc<Model>, worlds: usize, adapter: &str) -> PyResult<GpuSim> {
    open_graphics("a batch on a GPU")?;
    let (adapter, model) = (Some(adapter.to_owned()).filter(|name| !name.is_empty()), Arc::clone(model));
    let make = move || GpuSim::on(Gpu::new(adapter.as_deref())?, model, worlds);
    abandonable(py, make)?.map_err(crate::gpu::exception)
}

fn places(parts: &[Part]) -> Vec<PartPlace> {
    parts.iter().map(|part| (part.name, part.columns.start, part.columns.end)).collect()
}

/// A task with the settings of the user.
fn make_task(model: &Model, (name, settings): &TaskChoice) -> PyResult<Arc<dyn Task>> {
    let mut task = kinetree_tasks::make(name, model).map_err(invalid)?;
    for (name, values) in settings {
        task.set(name, values).map_err(invalid)?;
    }
    let task: Box<dyn Task> = task;
    Ok(Arc::from(task))
}

/// An error when the worlds would not fit into memory, where the system knows; making them would end the
/// process.
fn check_memory(model: &Model, worlds: usize, outputs: &[&str]) -> PyResult<()> {
    let bytes = bytes_of_worlds(model, worlds, outputs);
    if bytes.is_none_or(|bytes| claim("worlds", bytes).is_err()) {
        return Err(PyMemoryError::new_err(format!("{worlds} worlds of this model do not fit into memory")));
    }
    Ok(())
}

/// First states that differ from that of the model by up to `noise` in each number.
fn noisy(noise: f64) -> impl Fn(&Model, &mut Data, &mut Random) + Send + Sync {
    move |_: &Model, data: &mut Data, random: &mut Random| {
        for x in data.qpos.iter_mut().chain(data.qvel.iter_mut()) {
            *x += random.uniform(-noise, noise);
        }
    }
}

impl CoreBatch {
    /// Shared access, for pictures of the worlds.
    pub(crate) fn read(&self) -> PyResult<Reader<'_, BatchSim>> {
        self.check_process()?;
        self.batch.read()
    }

    /// An error in a child process that has inherited worlds on a GPU.
    fn check_process(&self) -> PyResult<()> {
        let own = self.device_of.is_none_or(Process::is_current);
        if own { Ok(()) } else { Err(inherited("a batch on a GPU")) }
    }

    /// Calls `f` with the batch.
    pub(crate) fn with<R>(&self, f: impl FnOnce(&mut BatchSim) -> R) -> PyResult<R> {
        self.check_process()?;
        self.batch.with(f)
    }

    /// The metrics of its task.
    pub(crate) fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Calls `f` with the batch, the interpreter lock released.
    fn run(&self, py: Python<'_>, f: impl FnOnce(&mut BatchSim) + Send) -> PyResult<()> {
        refuse_callbacks()?;
        self.with(|batch| py.detach(|| watched(|| guarded(|| f(batch)))))?.flatten()
    }

    /// Makes `count` steps of all worlds; those in the mask, which may be empty, begin an episode with the
    /// state in the table instead. Signal handlers run meanwhile, and what they raise ends the steps early.
    pub(crate) fn make_steps(
        &self,
        py: Python<'_>,
        count: usize,
        fresh: &[bool],
        single_precision: bool,
    ) -> PyResult<()> {
        self.read()?.check_controls().map_err(invalid)?;
        let mut result = Ok(());
        self.run(py, |batch| {
            batch.set_single_precision(single_precision);
            result = batch.advance_watched(count, fresh, SIGNAL_INTERVAL, || !is_interrupted());
        })?;
        result.map_err(exception)
    }

    /// One flag for each world; all of them when there is no mask.
    fn mask(&self, mask: Option<Values<u8>>) -> PyResult<Vec<bool>> {
        let worlds = self.read()?.len();
        let Some(mask) = mask else { return Ok(vec![true; worlds]) };
        mask.expect("mask", worlds)?;
        Ok(mask.values.iter().map(|flag| *flag != 0).collect())
    }
}

#[pymethods]
impl CoreBatch {
    #[new]
    fn new(
        model: &Bound<'_, CoreModel>,
        worlds: usize,
        outputs: Vec<String>,
        threads: usize,
        frame_skip: usize,
        time_limit: Option<u64>,
        reset_noise: f64,
        task: Option<TaskChoice>,
        gpu: Option<String>,
    ) -> PyResult<Self> {
        refuse_callbacks()?;
        model.get().check_indices()?;
        let mut copy = model.get().read()?.clone();
        copy.callbacks = Callbacks::default();
        refuse_python(&copy, "a batch")?;
        let names: Vec<_> = outputs.iter().map(String::as_str).collect();
        check_memory(&copy, worlds, &names)?;
        let task = task.map(|choice| make_task(&copy, &choice)).transpose()?;
        let copy = Arc::new(copy);
        let device_of = gpu.is_some().then(Process::current);
        let device = gpu.map(|adapter| gpu_worlds(model.py(), &copy, worlds, &adapter)).transpose()?;
        let made = away(model.py(), || {
            let mut batch = match task {
                Some(task) => BatchSim::with_task(copy, worlds, task)?,
                None => BatchSim::with_outputs(copy, worlds, &names)?,
            };
            if let Some(device) = device {
                batch.set_device(device)?;
            }
            batch.set_threads(threads)?;
            batch.set_frame_skip(frame_skip);
            batch.set_time_limit(time_limit);
            if reset_noise > 0.0 {
                batch.set_reset(noisy(reset_noise));
            }
            Ok::<_, BatchError>(batch)
        });
        let batch = made?.map_err(exception)?;
        let metrics = Metrics::of(model.py(), &batch);
        let batch = Shared::new(batch);
        let owner = if device_of.is_some() { Owner::of_process } else { Owner::of };
        Ok(Self { owner: owner(model.py(), &batch)?, batch, metrics, device_of })
    }

    /// A writable view of a table.
    fn table<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let owner = self.owner.bind(py);
        self.with(|batch| {
            let worlds = batch.len();
            let numbers = match name {
                "states" => batch.states_mut(),
                "ctrl" => batch.controls_mut(),
                "sensordata" => batch.sensors_mut(),
                "outputs" => batch.outputs_mut(),
                "observations" => batch.observations_mut(),
                "metrics" => batch.metrics_mut(),
                "rewards" => return Ok(view(batch.rewards_mut(), &[worlds], owner)),
                _ => return Err(PyKeyError::new_err(name.to_owned())),
            };
            let columns = numbers.len() / worlds.max(1);
            Ok(view(numbers, &[worlds, columns], owner))
        })?
    }

    /// Where the arrays of the data are in a row of the outputs.
    fn output_places(&self) -> PyResult<Vec<OutputPlace>> {
        let batch = self.read()?;
        let place =
            |o: &kinetree_batch::Output| (o.name, o.columns.start, o.columns.end, o.shape[0], o.shape[1]);
        Ok(batch.output_columns().iter().map(place).collect())
    }

    /// Parts of observations, of metrics of states, and of metrics of steps, which follow them in a row.
    fn task_parts(&self) -> PyResult<(Vec<PartPlace>, Vec<PartPlace>, Vec<PartPlace>)> {
        let batch = self.read()?;
        let [states, steps] = batch.metric_parts();
        Ok((places(batch.observation_parts()), places(states), places(steps)))
    }

    /// Makes `count` steps of all worlds; those in the mask begin an episode with the state in the table
    /// instead.
    fn step(
        &self,
        py: Python<'_>,
        count: usize,
        fresh: Option<Values<u8>>,
        single_precision: bool,
    ) -> PyResult<()> {
        let fresh = fresh.map_or_else(|| Ok(Vec::new()), |mask| self.mask(Some(mask)))?;
        self.make_steps(py, count, &fresh, single_precision)
    }

    /// Begins episodes with the states in the table.
    fn begin(&self, py: Python<'_>, mask: Option<Values<u8>>) -> PyResult<()> {
        let (mask, mut result) = (self.mask(mask)?, Ok(()));
        self.run(py, |batch| result = batch.begin_where(&mask))?;
        result.map_err(invalid)
    }

    /// Computes what follows from states and controls, without a step.
    fn forward(&self, py: Python<'_>, mask: Option<Values<u8>>) -> PyResult<()> {
        self.read()?.check_controls().map_err(invalid)?;
        let (mask, mut result) = (self.mask(mask)?, Ok(()));
        self.run(py, |batch| result = batch.evaluate_where(&mask))?;
        result.map_err(invalid)
    }

    /// Returns worlds to their first states.
    fn reset(&self, py: Python<'_>, mask: Option<Values<u8>>) -> PyResult<()> {
        let (mask, mut result) = (self.mask(mask)?, Ok(()));
        self.run(py, |batch| result = batch.reset_where(&mask))?;
        result.map_err(invalid)
    }

    /// Gives worlds values of their own for a field of the model, and then computes, if asked to, what the
    /// compiler derives from it.
    fn vary(
        &self,
        py: Python<'_>,
        field: &str,
        values: Values,
        worlds: Vec<usize>,
        recompute: bool,
    ) -> PyResult<()> {
        let mut result = Ok(());
        self.run(py, |batch| {
            result = batch.vary_worlds(field, &values.values, &worlds);
            if recompute && result.is_ok() {
                result = batch.recompute_constants(&worlds);
            }
        })?;
        result.map_err(exception)
    }

    /// Gives all worlds the fields of the model again.
    fn end_variations(&self) -> PyResult<()> {
        self.with(|batch| guarded(|| batch.end_variations()))??.map_err(exception)
    }

    /// Activates and deactivates equalities, a row for each world.
    fn set_equalities(&self, active: Values<u8>) -> PyResult<()> {
        let active: Vec<bool> = active.values.iter().map(|flag| *flag != 0).collect();
        self.with(|batch| batch.set_equalities(&active))?.map_err(exception)
    }

    /// Which equalities are active, one world after the other.
    fn equalities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        Ok(PyArray1::from_vec(py, self.read()?.equalities()))
    }

    /// Sets the poses of mocap bodies, a row for each world.
    fn set_mocap(&self, poses: Values) -> PyResult<()> {
        self.with(|batch| batch.set_mocap(&poses.values))?.map_err(exception)
    }

    /// Poses of mocap bodies, one world after the other.
    fn mocap<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_vec(py, self.read()?.mocap()))
    }

    /// Random numbers of the worlds begin anew.
    fn seed(&self, seed: u64) -> PyResult<()> {
        self.with(|batch| batch.set_seed(seed))
    }

    #[getter]
    fn terminated<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        Ok(PyArray1::from_slice(py, self.read()?.terminated()))
    }

    #[getter]
    fn truncated<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        Ok(PyArray1::from_slice(py, self.read()?.truncated()))
    }

    #[getter]
    fn failed<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray1<bool>>>> {
        let batch = self.read()?;
        let failed = batch.errors().iter().any(Option::is_some);
        Ok(failed.then(|| PyArray1::from_iter(py, batch.errors().iter().map(Option::is_some))))
    }

    #[getter]
    fn errors(&self) -> PyResult<Vec<Option<String>>> {
        Ok(self.read()?.errors().iter().map(|e| e.as_ref().map(ToString::to_string)).collect())
    }
}
