//! `CoreGpu`: many worlds of one model on a GPU, which the Python class `GpuSim` wraps.
//!
//! The simulator has a copy of the model. Numbers go to the device and come back as copies.

#![allow(clippy::needless_pass_by_value)] // arguments are made for the call, errors for the exception

use crate::args::Values;
use crate::callbacks::refuse_callbacks;
use crate::dlpack::CoreTensor;
use crate::errors::fatal;
use crate::memory::Shared;
use crate::model::CoreModel;
use crate::panics::guarded;
use crate::plugin::refuse_python;
use crate::process::{inherited, open_graphics, own};
use crate::signals::{abandonable, watched};
use kinetree_gpu::{Functions, Gpu, GpuError, GpuOptions, GpuSim, Number, Precision, TensorPart};
use kinetree_model::{Callbacks, is_interrupted};
use kinetree_threads::OfProcess;
use numpy::{Element, PyArray1, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArray};
use pyo3::exceptions::{PyNotImplementedError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// What child processes are told that they cannot use.
const GPU_SIM: &str = "a simulator on a GPU";

/// How long a call that a signal has ended waits for the device, so that what it has done is seen at once.
const GRACE: Duration = Duration::from_millis(100);

/// Many worlds of one model on a GPU.
#[pyclass(frozen, module = "kinetree._core")]
pub(crate) struct CoreGpu {
    sim: Arc<Shared<OfProcess<GpuSim>>>,
}

/// Rewards, ends of episodes, observations.
type ResultArrays<'py> = (Bound<'py, PyArray1<f32>>, Bound<'py, PyArray1<bool>>, Bound<'py, PyArray1<f32>>);

/// What the user asked for is a `ValueError`, what the device did is a `RuntimeError`.
pub(crate) fn exception(error: GpuError) -> PyErr {
    let text = error.to_string();
    match error {
        GpuError::NoAdapter { .. } | GpuError::NoDevice { .. } => PyRuntimeError::new_err(text),
        GpuError::Device(_) => fatal(text),
        _ => PyValueError::new_err(text),
    }
}

/// Calls `f` with the simulator, the interpreter lock released. Signals are looked for while it waits for the
/// device or a compiler; steps that one has ended early are finished before anything else is done.
fn on_device<R: Send>(
    py: Python<'_>,
    sim: &mut GpuSim,
    f: impl FnOnce(&mut GpuSim) -> Result<R, GpuError> + Send,
) -> PyResult<R> {
    let work = || sim.settle().and_then(|()| f(sim));
    py.detach(|| guarded(|| watched(work)))??.map_err(exception)
}

impl CoreGpu {
    /// Calls `f` as [`on_device`] does.
    fn run<R: Send>(
        &self,
        py: Python<'_>,
        f: impl FnOnce(&mut GpuSim) -> Result<R, GpuError> + Send,
    ) -> PyResult<R> {
        self.sim.with(|sim| on_device(py, own(sim, GPU_SIM)?, f))?
    }

    /// Calls `f` with the simulator, the interpreter lock released: what cannot be ended in the middle.
    fn run_through<R: Send>(
        &self,
        py: Python<'_>,
        f: impl FnOnce(&mut GpuSim) -> Result<R, GpuError> + Send,
    ) -> PyResult<R> {
        self.run(py, |_| Ok(()))?;
        self.sim.with(|sim| {
            let sim = own(sim, GPU_SIM)?;
            py.detach(|| guarded(|| f(sim)))?.map_err(exception)
        })?
    }

    /// Asks the simulator for something that it knows by itself.
    fn ask<R>(&self, f: impl FnOnce(&GpuSim) -> R) -> PyResult<R> {
        self.sim.read()?.get().map(f).ok_or_else(|| inherited(GPU_SIM))
    }

    fn precision(&self) -> PyResult<Precision> {
        self.ask(GpuSim::precision)
    }

    /// Sends controls in the precision of the device, as tables of `GpuSim` have them: nothing has to be
    /// converted. Then calls `f` as [`run`](Self::run) does, and no other thread comes between.
    fn run_with<T: Number + Element + Send, R: Send>(
        &self,
        controls: &Bound<'_, PyAny>,
        f: impl FnOnce(&mut GpuSim) -> Result<R, GpuError> + Send,
    ) -> PyResult<R> {
        let py = controls.py();
        let controls: PyReadonlyArrayDyn<'_, T> = controls.extract()?;
        let values = controls.as_slice().map_err(|error| PyValueError::new_err(error.to_string()))?;
        self.sim.with(|sim| {
            let sim = own(sim, GPU_SIM)?;
            if sim.is_shared() {
                // waits for other libraries, whose work may wait for the interpreter
                let values = values.to_vec();
                return on_device(py, sim, |sim| sim.set_controls(&values).and_then(|()| f(sim)));
            }
            if !sim.is_settled() {
                on_device(py, sim, |_| Ok(()))?;
            }
            // the lock is held: nobody changes the array meanwhile
            guarded(|| sim.set_controls(values))?.map_err(exception)?;
            on_device(py, sim, f)
        })?
    }

    /// As [`run`](Self::run), with the given controls, or with those that a tensor has.
    fn run_controlled<R: Send>(
        &self,
        py: Python<'_>,
        controls: Option<&Bound<'_, PyAny>>,
        f: impl FnOnce(&mut GpuSim) -> Result<R, GpuError> + Send,
    ) -> PyResult<R> {
        match (controls, self.precision()?) {
            (None, _) => self.run(py, f),
            (Some(controls), Precision::Single) => self.run_with::<f32, R>(controls, f),
            (Some(controls), Precision::Double) => self.run_with::<f64, R>(controls, f),
        }
    }

    /// Sensor values; those that are not computed are an error of this attribute alone.
    fn sensor_values<T: Number + Send>(&self, py: Python<'_>) -> PyResult<Vec<T>> {
        let sensordata = self.run(py, |sim| match sim.sensordata_as() {
            Err(error @ (GpuError::Unsupported(_) | GpuError::Sensors)) => Ok(Err(error.to_string())),
            sensordata => sensordata.map(Ok),
        })?;
        sensordata.map_err(PyNotImplementedError::new_err)
    }
}

/// A list as a NumPy array.
fn array<T: Element>(py: Python<'_>, values: Vec<T>) -> Bound<'_, PyUntypedArray> {
    PyArray1::from_vec(py, values).as_untyped().clone()
}

#[pymethods]
impl CoreGpu {
    #[new]
    fn new(
        model: &Bound<'_, CoreModel>,
        worlds: usize,
        adapter: Option<String>,
        sensors: bool,
        double: bool,
    ) -> PyResult<Self> {
        refuse_callbacks()?;
        open_graphics(GPU_SIM)?;
        model.get().check_indices()?;
        let mut copy = model.get().read()?.clone();
        copy.callbacks = Callbacks::default();
        refuse_python(&copy, "a GPU")?;
        let make = move || {
            let (gpu, model) = (Gpu::new(adapter.as_deref())?, Arc::new(copy));
            let precision = if double { Precision::Double } else { Precision::Single };
            let options = GpuOptions { precision, sensors };
            if sensors {
                // sensors that are not covered are named when they are read
                match GpuSim::with_options(gpu.clone(), Arc::clone(&model), worlds, options) {
                    Err(GpuError::Unsupported(_)) => {}
                    made => return made,
                }
            }
            GpuSim::with_options(gpu, model, worlds, GpuOptions { sensors: false, ..options })
        };
        // kernels are compiled for many seconds
        let sim = abandonable(model.py(), make)?.map_err(exception)?;
        Ok(Self { sim: Shared::new(OfProcess::new(sim)) })
    }

    /// Name of the adapter and its interface.
    #[getter]
    fn adapter(&self) -> PyResult<String> {
        self.ask(|sim| sim.gpu().adapter().to_owned())
    }

    /// Numbers of a world's state: positions, velocities, activations, accelerations of the last step.
    #[getter]
    fn state_size(&self) -> PyResult<usize> {
        self.ask(GpuSim::state_size)
    }

    /// How long the kernels took to compile (s).
    #[getter]
    fn compilation(&self) -> PyResult<f64> {
        self.ask(|sim| sim.compilation().as_secs_f64())
    }

    /// Makes `count` steps of all worlds with the given controls, or with those that a tensor has.
    fn step(&self, py: Python<'_>, controls: Option<&Bound<'_, PyAny>>, count: usize) -> PyResult<()> {
        refuse_callbacks()?;
        self.run_controlled(py, controls, |sim| sim.steps_watched(count, || !is_interrupted()).map(drop))
    }

    /// Whether nothing is left of steps that a signal has ended early. It waits a little for the device.
    fn is_idle(&self, py: Python<'_>) -> PyResult<bool> {
        self.sim.with(|sim| {
            let sim = own(sim, GPU_SIM)?;
            Ok(sim.is_settled() && py.detach(|| sim.gpu().is_idle_within(GRACE)))
        })?
    }

    /// Begins `count` steps of all worlds with the given controls, and returns at once.
    fn begin_step(&self, py: Python<'_>, controls: &Bound<'_, PyAny>, count: usize) -> PyResult<()> {
        refuse_callbacks()?;
        if self.ask(GpuSim::is_shared)? {
            // before controls are written where a program has its tensor
            return self.run(py, |sim| sim.begin_steps(count));
        }
        self.run_controlled(py, Some(controls), |sim| sim.begin_steps(count))
    }

    /// Waits for the steps that were begun first; returns the states after them, one world after the other.
    fn finish_step<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyUntypedArray>> {
        self.run(py, |sim| sim.await_steps())?;
        Ok(match self.precision()? {
            Precision::Single => array(py, self.run_through(py, GpuSim::finish_steps)?),
            Precision::Double => array(py, self.run_through(py, GpuSim::finish_steps_as::<f64>)?),
        })
    }

    /// States of all worlds, one after the other.
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyUntypedArray>> {
        Ok(match self.precision()? {
            Precision::Single => array(py, self.run(py, |sim| sim.states())?),
            Precision::Double => array(py, self.run(py, |sim| sim.states_as::<f64>())?),
        })
    }

    /// Sensor values at the beginning of the last step, one world after the other.
    fn sensordata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyUntypedArray>> {
        Ok(match self.precision()? {
            Precision::Single => array(py, self.sensor_values::<f32>(py)?),
            Precision::Double => array(py, self.sensor_values::<f64>(py)?),
        })
    }

    /// Sets the states of all worlds.
    fn set_states(&self, py: Python<'_>, states: Values) -> PyResult<()> {
        self.run(py, |sim| sim.set_states(&states.values))
    }

    /// Returns worlds to the first state of the model where the mask is not zero.
    fn reset(&self, py: Python<'_>, mask: Values<u8>) -> PyResult<()> {
        let mask: Vec<bool> = mask.values.iter().map(|flag| *flag != 0).collect();
        self.run(py, |sim| sim.reset(&mask))
    }

    /// Gives each world values of its own for a field of the model.
    fn vary(&self, py: Python<'_>, field: &str, values: Values) -> PyResult<()> {
        self.run(py, |sim| sim.vary(field, &values.values))
    }

    /// Gives all worlds the fields of the model again.
    fn end_variations(&self, py: Python<'_>) -> PyResult<()> {
        self.run(py, GpuSim::end_variations)
    }

    /// Activates and deactivates equalities, a row for each world.
    fn set_equalities(&self, py: Python<'_>, active: Values<u8>) -> PyResult<()> {
        let active: Vec<bool> = active.values.iter().map(|flag| *flag != 0).collect();
        self.run(py, |sim| sim.set_equalities(&active))
    }

    /// Which equalities are active, one world after the other.
    fn equalities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        Ok(PyArray1::from_vec(py, self.run(py, |sim| sim.equalities())?))
    }

    /// Sets the poses of mocap bodies, a row for each world.
    fn set_mocap(&self, py: Python<'_>, poses: Values) -> PyResult<()> {
        self.run(py, |sim| sim.set_mocap(&poses.values))
    }

    /// Poses of mocap bodies, one world after the other.
    fn mocap<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_vec(py, self.run(py, |sim| sim.mocap())?))
    }

    /// Gives the simulator functions in WGSL that run on the device; all worlds begin anew.
    fn set_functions(
        &self,
        py: Python<'_>,
        text: String,
        observations: usize,
        fields: usize,
        autoreset: bool,
        seed: u32,
    ) -> PyResult<()> {
        let functions = Functions { text, observations, fields, autoreset, seed };
        self.run(py, |sim| sim.set_functions(functions))
    }

    /// Rewards, ends of episodes and observations that the functions have written.
    fn results<'py>(&self, py: Python<'py>) -> PyResult<ResultArrays<'py>> {
        let results = self.run(py, |sim| sim.results())?;
        Ok((
            PyArray1::from_vec(py, results.rewards),
            PyArray1::from_vec(py, results.terminated),
            PyArray1::from_vec(py, results.observations),
        ))
    }

    /// Sets the numbers that functions read.
    fn set_fields(&self, py: Python<'_>, values: Values) -> PyResult<()> {
        self.run(py, |sim| sim.set_fields(&values.values))
    }

    /// Why worlds were reset since this was asked last: a text for each world, or None; None where none was.
    fn take_errors(&self, py: Python<'_>) -> PyResult<Option<Vec<Option<&'static str>>>> {
        if !self.ask(GpuSim::has_errors)? {
            return Ok(None);
        }
        let errors = self.run(py, GpuSim::take_errors)?;
        Ok(errors.iter().any(Option::is_some).then_some(errors))
    }

    /// Sets the controls of all worlds.
    fn set_controls(&self, controls: &Bound<'_, PyAny>) -> PyResult<()> {
        self.run_controlled(controls.py(), Some(controls), |_| Ok(()))
    }

    /// Numbers of all worlds as they are on the device, by their name.
    fn tensor(&self, py: Python<'_>, name: &str) -> PyResult<CoreTensor> {
        let part = match name {
            "states" => TensorPart::States,
            "qpos" => TensorPart::Positions,
            "qvel" => TensorPart::Velocities,
            "act" => TensorPart::Activations,
            "ctrl" => TensorPart::Controls,
            "sensordata" => TensorPart::Sensordata,
            "rewards" => TensorPart::Rewards,
            "terminated" => TensorPart::Terminated,
            "observations" => TensorPart::Observations,
            _ => return Err(PyValueError::new_err(format!("there is no tensor of '{name}'"))),
        };
        Ok(CoreTensor::new(self.run(py, |sim| sim.tensor(part))?))
    }

    /// Makes steps, and tells how long each kernel took (s), by the clock of the device.
    fn kernel_times(&self, py: Python<'_>, count: usize) -> PyResult<Vec<(&'static str, f64)>> {
        let times = self.run_through(py, |sim| sim.profile(count))?;
        Ok(times.into_iter().map(|time| (time.stage, time.time.as_secs_f64())).collect())
    }

    /// Steps of all worlds so far, and iterations, rows and contacts of their solvers.
    fn solver_totals(&self, py: Python<'_>) -> PyResult<(u64, u64, u64, u64)> {
        let totals = self.run(py, |sim| sim.solver_totals())?;
        Ok((totals.steps, totals.iterations, totals.rows, totals.contacts))
    }

    /// Number of contacts of each world at the beginning of the last step.
    fn contacts(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        self.run(py, |sim| sim.contacts())
    }
}
