//! Many trajectories at once: each thread has its own data and takes the next chunk of trajectories when it
//! is free.
//!
//! Every trajectory starts from its own state and gets its own controls, so that results do not depend on
//! which thread computes it. When a step warns about a bad state, the rest of the trajectory repeats the last
//! result.
//!
//! Threads write results where the caller wants them, so that nothing but the start and the end is done by
//! one thread alone: the pages of new arrays are touched by the threads that fill them. Chunks are small, so
//! that no thread waits long for the last one.

use crate::args::{Out, Values, filled};
use crate::call::check_pair;
use crate::callbacks::{self, DataObject, pending_error};
use crate::data::CoreData;
use crate::errors::fatal;
use crate::health;
use crate::model::CoreModel;
use crate::signals::{SIGNAL_INTERVAL, watched};
use kinetree_model::{
    Data, Model, STATE_FULLPHYSICS, STATE_USER, SharedWatch, begin_trajectory, is_interrupted, mj_get_state,
    mj_set_state, mj_state_size,
};
use kinetree_threads::Pool;
use numpy::{PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn, PyUntypedArray};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};

/// Threads that roll out trajectories.
#[pyclass(frozen, module = "kinetree._core")]
pub(crate) struct Rollout {
    pool: Option<Pool>,
}

/// Without a choice of the caller, a chunk has at most so many steps, but at least one trajectory.
const CHUNK_STEPS: usize = 64;

/// Everything that the trajectories share.
struct Plan {
    models: Vec<Py<CoreModel>>,
    nstep: usize,
    control_spec: u32,
    nstate: usize,
    ncontrol: usize,
    nsensordata: usize,
    initial: Vec<f64>,
    warmstart: Option<Vec<f64>>,
    control: Option<Vec<f64>>,
    /// whether a trajectory has failed
    stop: AtomicBool,
}

/// Places for the results of some trajectories that follow each other.
struct Chunk<'a> {
    first: usize,
    state: &'a mut [f64],
    sensordata: &'a mut [f64],
}

impl Plan {
    fn model(&self, roll: usize) -> &Py<CoreModel> {
        &self.models[if self.models.len() == 1 { 0 } else { roll }]
    }

    /// Computes one trajectory.
    fn roll(
        &self,
        roll: usize,
        m: &Model,
        d: &mut Data,
        state: &mut [f64],
        sensors: &mut [f64],
    ) -> PyResult<()> {
        self.prepare(roll, m, d)?;
        for t in 0..self.nstep {
            let warned = d.warning.iter().any(|w| w.number > 0);
            if !warned {
                if let Some(control) = &self.control {
                    let at = (roll * self.nstep + t) * self.ncontrol;
                    mj_set_state(m, d, &control[at..at + self.ncontrol], self.control_spec).map_err(fatal)?;
                }
                kinetree_sim::mj_step(m, d).map_err(fatal)?;
            }
            let out = &mut state[t * self.nstate..][..self.nstate];
            mj_get_state(m, d, out, STATE_FULLPHYSICS).map_err(fatal)?;
            sensors[t * self.nsensordata..][..self.nsensordata].copy_from_slice(&d.sensordata);
            if self.is_over() || pending_error() {
                break;
            }
        }
        Ok(())
    }

    /// Whether nobody wants further steps: one has failed, or a signal handler has raised an exception.
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || is_interrupted()
    }

    /// Sets the initial state, and inputs that the controls do not set.
    fn prepare(&self, roll: usize, m: &Model, d: &mut Data) -> PyResult<()> {
        let first = &self.initial[roll * self.nstate..][..self.nstate];
        let warmstart = self.warmstart.as_ref().map(|values| &values[roll * m.nv..][..m.nv]);
        begin_trajectory(m, d, first, warmstart, self.control_spec).map_err(fatal)
    }

    /// Computes the trajectories of one chunk.
    fn run_chunk(&self, data: &Py<CoreData>, chunk: &mut Chunk<'_>) -> PyResult<()> {
        let states = chunk.state.chunks_exact_mut((self.nstep * self.nstate).max(1));
        let width = self.nstep * self.nsensordata;
        for (i, state) in states.enumerate() {
            let sensors = &mut chunk.sensordata[i * width..(i + 1) * width];
            let model = self.model(chunk.first + i);
            let frame = callbacks::enter(|| {
                Python::attach(|py| {
                    let data: Arc<dyn DataObject> = Arc::new(data.clone_ref(py));
                    (model.clone_ref(py).into_any(), data)
                })
            });
            let result = data.get().exclusive(|d| {
                let m = &*model.get().read()?;
                let result = data.get().unbroken(|| self.roll(chunk.first + i, m, d, state, sensors));
                data.get().set_diverged(!health::is_finite(d));
                result
            });
            frame.finish()?;
            result???;
            if self.is_over() {
                break;
            }
        }
        Ok(())
    }

    /// Takes chunks until there are none or something fails.
    fn work<'a>(&self, data: &Py<CoreData>, queue: &Mutex<impl Iterator<Item = Chunk<'a>>>) -> PyResult<()> {
        while !self.is_over() {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(mut chunk) = next else { break };
            if let Err(error) = self.run_chunk(data, &mut chunk) {
                self.stop.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
        Ok(())
    }
}

#[pymethods]
#[allow(clippy::needless_pass_by_value)] // arguments are made for the call
impl Rollout {
    #[new]
    #[pyo3(signature = (*, nthread=0))]
    fn new(nthread: usize) -> PyResult<Self> {
        if nthread == 0 {
            return Ok(Self { pool: None });
        }
        Ok(Self { pool: Some(Pool::new(nthread).map_err(PyValueError::new_err)?) })
    }

    /// Rolls out trajectories; all arrays have their full size.
    #[pyo3(signature = (model, data, nstep, control_spec, initial_state, initial_warmstart=None, control=None, state=None,
        sensordata=None, chunk_size=None))]
    fn rollout(
        &self,
        py: Python<'_>,
        model: Vec<Py<CoreModel>>,
        data: Vec<Py<CoreData>>,
        nstep: usize,
        control_spec: u32,
        initial_state: Values,
        initial_warmstart: Option<Values>,
        control: Option<Values>,
        state: Option<Out<'_>>,
        sensordata: Option<Out<'_>>,
        chunk_size: Option<usize>,
    ) -> PyResult<()> {
        let plan = make_plan(model, &data, nstep, control_spec, initial_state, initial_warmstart, control)?;
        let nbatch = plan.initial.len() / plan.nstate;
        let mut states = Results::new("state", state, nbatch * nstep * plan.nstate)?;
        let mut sensors = Results::new("sensordata", sensordata, nbatch * nstep * plan.nsensordata)?;
        for d in &data {
            // what Python wrote to copies of dynamic arrays must be in the data before threads use it
            d.get().with(py, |_| ())?;
        }
        let threads = if self.pool.is_some() { data.len() } else { 1 };
        let small = || (nbatch / (10 * threads)).min(CHUNK_STEPS / nstep.max(1));
        let size = chunk_size.unwrap_or_else(small).min(nbatch).max(1);
        let chunks = chunks(&plan, states.slice()?, sensors.slice()?, size);
        py.detach(|| watched(|| self.run(&plan, &data[..threads], chunks)))??;
        states.finish()?;
        sensors.finish()
    }
}

impl Rollout {
    /// Runs all chunks, on the pool or on this thread, and raises the first failure.
    fn run<'a>(
        &self,
        plan: &Plan,
        data: &[Py<CoreData>],
        chunks: impl Iterator<Item = Chunk<'a>> + Send,
    ) -> PyResult<()> {
        let queue = Mutex::new(chunks);
        let Some(pool) = &self.pool else {
            return plan.work(&data[0], &queue);
        };
        let pool = pool.get().map_err(PyRuntimeError::new_err)?;
        let (sender, receiver) = mpsc::channel();
        let watch = &SharedWatch::of_this_thread();
        pool.in_place_scope(|scope| {
            // each thread is woken by itself, and has the same data in every call, so that it finds it in its
            // cache
            let (queue, sender) = (&queue, sender);
            scope.spawn_broadcast(move |_, thread| {
                if let Some(d) = data.get(thread.index()) {
                    let done = watch.continued(|| plan.work(d, queue));
                    let _ = sender.send(done.unwrap_or(Ok(())));
                }
            });
            wait(watch, &receiver)
        })
    }
}

/// Waits for all workers, looking for signals meanwhile; returns the first failure.
fn wait(watch: &SharedWatch, receiver: &mpsc::Receiver<PyResult<()>>) -> PyResult<()> {
    let mut outcome = Ok(());
    loop {
        match receiver.recv_timeout(SIGNAL_INTERVAL) {
            Ok(result) => outcome = outcome.and(result),
            Err(mpsc::RecvTimeoutError::Disconnected) => return outcome,
            Err(mpsc::RecvTimeoutError::Timeout) => watch.tell(),
        }
    }
}

/// The results' memory in chunks of `size` trajectories.
fn chunks<'a>(
    plan: &Plan,
    states: &'a mut [f64],
    sensors: &'a mut [f64],
    size: usize,
) -> impl Iterator<Item = Chunk<'a>> + Send {
    let (state_width, sensor_width) = (plan.nstep * plan.nstate, plan.nstep * plan.nsensordata);
    let mut rest = sensors;
    states.chunks_mut((size * state_width).max(1)).enumerate().map(move |(i, state)| {
        let rolls = state.len().checked_div(state_width).unwrap_or(0);
        let (sensordata, tail) = std::mem::take(&mut rest).split_at_mut(rolls * sensor_width);
        rest = tail;
        Chunk { first: i * size, state, sensordata }
    })
}

/// Where results go.
enum Results<'py> {
    /// Into the caller's array.
    Direct(PyReadwriteArrayDyn<'py, f64>),
    /// Into memory that is copied to the caller's array at the end, if there is one: the array may lie in
    /// memory that threads use.
    Copied(Vec<f64>, Option<Out<'py>>),
}

impl<'py> Results<'py> {
    fn new(name: &str, out: Option<Out<'py>>, count: usize) -> PyResult<Self> {
        let Some(out) = out else { return Ok(Self::Copied(filled(0.0, count)?, None)) };
        out.expect(name, count)?;
        if owns_memory(out.array())?
            && let Ok(array) = out.array().try_readwrite()
        {
            return Ok(Self::Direct(array));
        }
        Ok(Self::Copied(filled(0.0, count)?, Some(out)))
    }

    fn slice(&mut self) -> PyResult<&mut [f64]> {
        match self {
            Self::Direct(array) => Ok(array.as_slice_mut()?),
            Self::Copied(values, _) => Ok(values),
        }
    }

    fn finish(self) -> PyResult<()> {
        match self {
            Self::Copied(values, Some(out)) => out.write(&values),
            _ => Ok(()),
        }
    }
}

/// Whether the memory of an array is its own, or that of an array it is a view of: not that of a model or
/// data.
fn owns_memory(array: &Bound<'_, PyArrayDyn<f64>>) -> PyResult<bool> {
    let mut base = array.getattr("base")?;
    while base.cast::<PyUntypedArray>().is_ok() {
        base = base.getattr("base")?;
    }
    Ok(base.is_none())
}

/// Checks that a program has given finite states; their layout is time, positions, velocities, activations,
/// the rest.
fn check_initial(m: &Model, initial: &[f64], nstate: usize) -> PyResult<()> {
    let dynamic = 1 + m.nq + m.nv + m.na;
    for (roll, state) in initial.chunks_exact(nstate.max(1)).enumerate() {
        if let Some(i) = state.iter().take(dynamic).position(|x| !x.is_finite()) {
            return Err(PyValueError::new_err(health::message(
                &format!("initial_state[{roll}, {i}]"),
                state[i],
            )));
        }
    }
    Ok(())
}

/// Checks sizes and gathers what the trajectories share.
fn make_plan(
    models: Vec<Py<CoreModel>>,
    data: &[Py<CoreData>],
    nstep: usize,
    control_spec: u32,
    initial: Values,
    warmstart: Option<Values>,
    control: Option<Values>,
) -> PyResult<Plan> {
    let Some(first) = models.first().map(|m| Python::attach(|py| m.clone_ref(py))) else {
        return Err(PyValueError::new_err("there is no model"));
    };
    if data.is_empty() {
        return Err(PyValueError::new_err("The list of data instances is empty"));
    }
    if control_spec & !STATE_USER != 0 {
        return Err(PyValueError::new_err("control_spec can only contain bits in mjSTATE_USER"));
    }
    for m in &models {
        for d in data {
            check_pair(m.get(), d.get())?;
        }
    }
    let m = &*first.get().read()?;
    let nstate = mj_state_size(m, STATE_FULLPHYSICS).map_err(fatal)?;
    let ncontrol = mj_state_size(m, control_spec).map_err(fatal)?;
    if initial.len() % nstate != 0 {
        return Err(PyTypeError::new_err(format!("initial_state should have rows of {nstate} values")));
    }
    check_initial(m, &initial.values, nstate)?;
    let nbatch = initial.len() / nstate;
    if models.len() != 1 && models.len() < nbatch {
        let count = models.len();
        return Err(PyValueError::new_err(format!("{count} models for {nbatch} trajectories")));
    }
    if let Some(values) = &warmstart {
        values.expect("initial_warmstart", nbatch * m.nv)?;
    }
    if let Some(values) = &control {
        values.expect("control", nbatch * nstep * ncontrol)?;
    }
    let nsensordata = m.nsensordata;
    Ok(Plan {
        models,
        nstep,
        control_spec,
        nstate,
        ncontrol,
        nsensordata,
        initial: initial.values,
        warmstart: warmstart.map(|v| v.values),
        control: control.map(|v| v.values),
        stop: AtomicBool::new(false),
    })
}
