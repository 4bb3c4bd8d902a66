//! Python callbacks. They are stored once per process; every model calls them through hooks that are made
//! with it.
//!
//! While a call runs, a frame on a thread-local stack holds the Python objects it was given, so that a
//! callback gets the very same objects. During a callback the call lends its data, and functions of the
//! package may be used on it. An exception in a callback is kept in the frame and raised when the call
//! returns; until then no further callback is made.

use crate::lock::Brief;
use kinetree_model::enums::Warning;
use kinetree_model::{Callback, Callbacks, Data, Model, WarningStat};
use kinetree_spec::Diagnostic;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A Python function, with a flag that is read without a lock.
struct Slot {
    active: AtomicBool,
    function: Brief<Option<Arc<Py<PyAny>>>>,
}

impl Slot {
    const fn new() -> Self {
        Self { active: AtomicBool::new(false), function: Brief::new(None) }
    }

    fn is_active(&self) -> bool {
        self.active.load(Ordering::Relaxed)
    }

    fn get(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.function.with(|function| function.clone()).map(|function| function.clone_ref(py))
    }

    fn set(&self, function: Option<Py<PyAny>>) {
        self.active.store(function.is_some(), Ordering::Relaxed);
        let function = function.map(Arc::new);
        // dropped only afterwards: its finalizer may run Python code that sets a callback
        drop(self.function.with(|current| std::mem::replace(current, function)));
    }
}

static CONTROL: Slot = Slot::new();
static PASSIVE: Slot = Slot::new();
static SENSOR: Slot = Slot::new();
static CONTACTFILTER: Slot = Slot::new();
static ACT_DYN: Slot = Slot::new();
static ACT_GAIN: Slot = Slot::new();
static ACT_BIAS: Slot = Slot::new();
static TIME: Slot = Slot::new();
static WARNING: Slot = Slot::new();
static ALL: [&Slot; 8] = [&CONTROL, &PASSIVE, &SENSOR, &CONTACTFILTER, &ACT_DYN, &ACT_GAIN, &ACT_BIAS, &TIME];

/// Whether a plugin is written in Python.
static PLUGINS: AtomicBool = AtomicBool::new(false);

/// From now on plugins that are written in Python take part in calls.
pub(crate) fn plugins_take_part() {
    PLUGINS.store(true, Ordering::Relaxed);
}

/// The data object of a call in progress, through which a callback reaches what the call has borrowed.
pub(crate) trait DataObject: Send + Sync {
    /// The object itself.
    fn object(&self, py: Python<'_>) -> Py<PyAny>;

    /// Lets `f`, which runs Python code, use the object although the caller has borrowed its data.
    fn lend(&self, py: Python<'_>, data: &mut Data, f: &mut dyn FnMut() -> PyResult<()>) -> PyResult<()>;

    /// Like [`Self::lend`], for a caller that has only a shared reference at hand.
    fn lend_shared(&self, data: &Data, f: &mut dyn FnMut() -> PyResult<()>) -> PyResult<()>;
}

/// The objects of a call in progress.
struct Frame {
    model: Py<PyAny>,
    data: Arc<dyn DataObject>,
    error: Option<PyErr>,
}

thread_local! {
    static FRAMES: RefCell<Vec<Frame>> = const { RefCell::new(Vec::new()) };
}

/// A frame that leaves the stack at the latest when this is dropped.
#[must_use]
pub(crate) struct Entered(bool);

/// Puts the model and the data of a call on the stack when there are callbacks that may need them.
pub(crate) fn enter(objects: impl FnOnce() -> (Py<PyAny>, Arc<dyn DataObject>)) -> Entered {
    if !PLUGINS.load(Ordering::Relaxed) && !ALL.iter().any(|slot| slot.is_active()) {
        return Entered(false);
    }
    let (model, data) = objects();
    FRAMES.with_borrow_mut(|frames| frames.push(Frame { model, data, error: None }));
    Entered(true)
}

impl Entered {
    /// Leaves the call and raises the exception of a callback, if there was one.
    pub(crate) fn finish(mut self) -> PyResult<()> {
        match self.leave().and_then(|frame| frame.error) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    fn leave(&mut self) -> Option<Frame> {
        if std::mem::take(&mut self.0) { FRAMES.with_borrow_mut(Vec::pop) } else { None }
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        self.leave();
    }
}

/// Whether a callback of the innermost call has raised an exception.
pub(crate) fn pending_error() -> bool {
    FRAMES.with_borrow(|frames| frames.last().is_some_and(|frame| frame.error.is_some()))
}

/// Keeps an exception for the end of the innermost call, unless there is one already; returns it outside of
/// calls.
pub(crate) fn keep_error(error: PyErr) -> Option<PyErr> {
    // a second one is dropped outside: its finalizers may run Python code that makes a call
    let (_second, outside) = FRAMES.with_borrow_mut(|frames| match frames.last_mut() {
        Some(frame) if frame.error.is_none() => {
            frame.error = Some(error);
            (None, None)
        }
        Some(_) => (Some(error), None),
        None => (None, Some(error)),
    });
    outside
}

/// The data that a callback gets, and what it may do with it.
enum Lent<'a> {
    ToWrite(&'a mut Data),
    ToRead(&'a Data),
}

/// Calls `f` with the model and the data of the call in progress, which lends its data; `None` outside of a
/// call.
pub(crate) fn with_objects<R>(
    data: &Data,
    f: impl FnOnce(Python<'_>, &Bound<'_, PyAny>, &Bound<'_, PyAny>) -> PyResult<R>,
) -> Option<PyResult<R>> {
    Python::attach(|py| {
        let (m, d) = FRAMES.with_borrow(|frames| {
            frames.last().map(|frame| (frame.model.clone_ref(py), Arc::clone(&frame.data)))
        })?;
        let (mut f, mut result) = (Some(f), None);
        let lent = d.lend_shared(data, &mut || {
            if let Some(f) = f.take() {
                result = Some(f(py, m.bind(py), d.object(py).bind(py))?);
            }
            Ok(())
        });
        match (lent, result) {
            (Ok(()), Some(value)) => Some(Ok(value)),
            (Err(error), _) => Some(Err(error)),
            (Ok(()), None) => None,
        }
    })
}

/// Makes a callback with the objects of the call and further arguments; `None` when there is none or it
/// failed.
fn call<R>(
    slot: &Slot,
    data: Lent<'_>,
    extra: &[i64],
    read: impl Fn(&Bound<'_, PyAny>) -> PyResult<R>,
) -> Option<R> {
    if !slot.is_active() || pending_error() {
        return None;
    }
    Python::attach(|py| {
        let function = slot.get(py)?;
        let (m, d) = FRAMES.with_borrow(|frames| {
            frames.last().map(|frame| (frame.model.clone_ref(py), Arc::clone(&frame.data)))
        })?;
        let mut returned = None;
        let mut invoke = || {
            let mut arguments = vec![m.bind(py).clone(), d.object(py).into_bound(py)];
            for value in extra {
                arguments.push(value.into_pyobject(py)?.into_any());
            }
            let result = function.bind(py).call1(PyTuple::new(py, arguments)?)?;
            returned = Some(read(&result)?);
            Ok(())
        };
        let result = match data {
            Lent::ToWrite(data) => d.lend(py, data, &mut invoke),
            Lent::ToRead(data) => d.lend_shared(data, &mut invoke),
        };
        result.map_err(|error| drop(keep_error(error))).ok()?;
        returned
    })
}

fn nothing(_: &Bound<'_, PyAny>) -> PyResult<()> {
    Ok(())
}

fn number(name: &'static str) -> impl Fn(&Bound<'_, PyAny>) -> PyResult<f64> {
    move |value| {
        value.extract().map_err(|_| PyTypeError::new_err(format!("{name} callback did not return a number")))
    }
}

/// The hooks of a model: they look up the callback each time, and do what the engine does without one when
/// there is none.
pub(crate) fn hooks() -> Callbacks {
    fn act(slot: &'static Slot, name: &'static str, default: f64) -> Option<Callback<kinetree_model::ActFn>> {
        let hook = move |_: &Model, d: &Data, i: usize| {
            call(slot, Lent::ToRead(d), &[i as i64], number(name)).unwrap_or(default)
        };
        Some(Callback(Arc::new(hook)))
    }
    let act_dyn = |_: &Model, d: &mut Data, i: usize| {
        call(&ACT_DYN, Lent::ToWrite(d), &[i as i64], number("mjcb_act_dyn")).unwrap_or(0.0)
    };
    let data_hook = |slot: &'static Slot| -> Option<Callback<kinetree_model::DataFn>> {
        let hook = move |_: &Model, d: &mut Data| {
            call(slot, Lent::ToWrite(d), &[], nothing);
        };
        Some(Callback(Arc::new(hook)))
    };
    // the bits of the geoms decide when there is no callback
    let filter = |m: &Model, d: &Data, g1: usize, g2: usize| {
        call(&CONTACTFILTER, Lent::ToRead(d), &[g1 as i64, g2 as i64], |v| {
            Ok(number("mjcb_contactfilter")(v)? != 0.0)
        })
        .unwrap_or_else(|| {
            m.geom_contype[g1] & m.geom_conaffinity[g2] == 0
                && m.geom_contype[g2] & m.geom_conaffinity[g1] == 0
        })
    };
    let sensor = |_: &Model, d: &mut Data, stage: i32| {
        call(&SENSOR, Lent::ToWrite(d), &[i64::from(stage)], nothing);
    };
    Callbacks {
        control: data_hook(&CONTROL),
        passive: data_hook(&PASSIVE),
        contactfilter: Some(Callback(Arc::new(filter))),
        contactfilter_active: Some(|| CONTACTFILTER.is_active()),
        sensor: Some(Callback(Arc::new(sensor))),
        writers_active: Some(|| [&CONTROL, &PASSIVE, &SENSOR, &ACT_DYN].into_iter().any(Slot::is_active)),
        act_dyn: Some(Callback(Arc::new(act_dyn))),
        act_gain: act(&ACT_GAIN, "mjcb_act_gain", 1.0),
        act_bias: act(&ACT_BIAS, "mjcb_act_bias", 0.0),
    }
}

/// Whether a callback is set that takes part in the physics.
fn take_part() -> bool {
    ALL.iter().any(|slot| slot.is_active() && !std::ptr::eq(*slot, &raw const TIME))
}

/// Python callbacks need the interpreter lock, for which all threads of a batch would wait.
pub(crate) fn refuse_callbacks() -> PyResult<()> {
    if take_part() {
        return Err(PyRuntimeError::new_err(
            "a batch cannot call Python callbacks: remove them with mj_resetCallbacks(), or use kinetree.rollout",
        ));
    }
    Ok(())
}

/// What works on threads with datas of its own cannot call them either: they get the data of the call.
pub(crate) fn refuse_callbacks_on_threads() -> PyResult<()> {
    if take_part() {
        return Err(PyRuntimeError::new_err(
            "trajectories and their derivatives are computed on threads, which cannot call Python callbacks: \
             remove them with mj_resetCallbacks()",
        ));
    }
    Ok(())
}

/// Whether a callback tells the time.
pub(crate) fn has_clock() -> bool {
    TIME.is_active()
}

/// A clock for timers: the time callback, or the machine's clock in seconds.
pub(crate) fn clock(origin: Instant) -> f64 {
    if !has_clock() {
        return origin.elapsed().as_secs_f64();
    }
    if pending_error() {
        return 0.0;
    }
    Python::attach(|py| {
        let Some(function) = TIME.get(py) else { return 0.0 };
        let result = function.call0(py).and_then(|v| number("mjcb_time")(v.bind(py)));
        result.unwrap_or_else(|error| {
            keep_error(error);
            0.0
        })
    })
}

/// Tells about warnings that were raised between two states of the counters, for the first time since a
/// reset, by a call that began at `time`.
pub(crate) fn tell_warnings(
    py: Python<'_>,
    before: &[WarningStat],
    after: &[WarningStat],
    time: f64,
) -> PyResult<()> {
    for (kind, (old, new)) in before.iter().zip(after).enumerate() {
        let raised = Warning::try_from(kind as i32).ok().filter(|_| new.number > 0 && old.number == 0);
        if let Some(warning) = raised {
            tell(py, &format!("{}. Time = {time:.4}.", warning.text(new.lastinfo)))?;
        }
    }
    Ok(())
}

/// Gives a warning to the function that was set for it, or writes it to where Python writes errors.
fn tell(py: Python<'_>, text: &str) -> PyResult<()> {
    if WARNING.is_active()
        && let Some(function) = WARNING.get(py)
    {
        return function.call1(py, (text,)).map(|_| ());
    }
    let stream = py.import("sys")?.getattr("stderr")?;
    if stream.is_none() {
        return Ok(());
    }
    stream.call_method1("write", (format!("WARNING: {text}\n\n"),)).map(|_| ())
}

/// Findings that were told already, so that a program that loads a model again and again hears once.
static TOLD: Brief<BTreeSet<String>> = Brief::new(BTreeSet::new());
/// Most findings that are remembered.
const MAX_TOLD: usize = 1000;

/// Tells what was found in a model that can be used nevertheless, once for each text and place.
pub(crate) fn tell_findings(py: Python<'_>, findings: &[Diagnostic]) -> PyResult<()> {
    for finding in findings {
        let text = finding.to_string();
        let text = text.trim_start_matches("warning: ").to_owned();
        let known = text.clone();
        let is_new = TOLD.with(move |told| told.len() < MAX_TOLD && told.insert(known));
        if is_new {
            tell(py, &text)?;
        }
    }
    Ok(())
}

/// Tells a warning of the package.
#[pyfunction]
fn _warn(py: Python<'_>, text: &str) -> PyResult<()> {
    tell(py, text)
}

/// Sets a function `f(text)` that is called after a call that has raised warnings; None removes it.
#[pyfunction]
fn _set_warning_hook(callback: &Bound<'_, PyAny>) -> PyResult<()> {
    WARNING.set(callable(callback)?);
    Ok(())
}

/// Text of a warning.
///
/// Args:
///     warning: which one, an `mjtWarning`.
///     info: its detail, such as a dof or a size.
#[pyfunction(name = "mju_warningText")]
fn warning_text(warning: i32, info: i32) -> String {
    Warning::try_from(warning).map_or_else(|_| format!("unknown warning {warning}"), |known| known.text(info))
}

/// Checks that a value is None or callable.
fn callable(value: &Bound<'_, PyAny>) -> PyResult<Option<Py<PyAny>>> {
    if value.is_none() {
        return Ok(None);
    }
    if !value.is_callable() {
        return Err(PyTypeError::new_err("callback is not an Optional[Callable]"));
    }
    Ok(Some(value.clone().unbind()))
}

/// Removes all callbacks that `set_mjcb_…` functions have set.
#[pyfunction(name = "mj_resetCallbacks")]
fn reset_callbacks() {
    for slot in ALL {
        slot.set(None);
    }
}

macro_rules! accessors {
    ($( $slot:ident $set:ident $get:ident $what:literal; )*) => {
        $(
            #[doc = concat!(
                "Sets the callback that ", $what, ".\n\nThere is one for the whole process; all simulations call it ",
                "but batches, which refuse to run with callbacks. An exception that it raises ends the call.",
                "\n\nArgs:\n    callback: the function, or None to remove it."
            )]
            #[pyfunction]
            fn $set(callback: &Bound<'_, PyAny>) -> PyResult<()> {
                $slot.set(callable(callback)?);
                Ok(())
            }

            #[doc = concat!("The callback that ", $what, "; None when there is none.")]
            #[pyfunction]
            fn $get(py: Python<'_>) -> Option<Py<PyAny>> {
                $slot.get(py)
            }
        )*

        /// Adds setters and getters to the module.
        pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(
                module.add_function(wrap_pyfunction!($set, module)?)?;
                module.add_function(wrap_pyfunction!($get, module)?)?;
            )*
            module.add_function(wrap_pyfunction!(_set_warning_hook, module)?)?;
            module.add_function(wrap_pyfunction!(_warn, module)?)?;
            module.add_function(wrap_pyfunction!(warning_text, module)?)?;
            module.add_function(wrap_pyfunction!(reset_callbacks, module)?)
        }
    };
}

accessors! {
    CONTROL set_mjcb_control get_mjcb_control "sets controls in each evaluation of the dynamics, as `f(m, d)`: it writes `d.ctrl`";
    PASSIVE set_mjcb_passive get_mjcb_passive "adds passive forces, as `f(m, d)`: it adds to `d.qfrc_passive`";
    SENSOR set_mjcb_sensor get_mjcb_sensor "computes sensors of the type user, as `f(m, d, stage)`: it writes `d.sensordata` for the `mjtStage`";
    CONTACTFILTER set_mjcb_contactfilter get_mjcb_contactfilter "decides which pairs of geoms may collide, as `f(m, d, geom1, geom2)`: a result other than 0 rejects the pair";
    ACT_DYN set_mjcb_act_dyn get_mjcb_act_dyn "gives the time derivative of the activation of user actuators, as `f(m, d, id)`";
    ACT_GAIN set_mjcb_act_gain get_mjcb_act_gain "gives the gain of user actuators, as `f(m, d, id)`";
    ACT_BIAS set_mjcb_act_bias get_mjcb_act_bias "gives the bias force of user actuators, as `f(m, d, id)`";
    TIME set_mjcb_time get_mjcb_time "is the clock of the timers, as `f()`, which returns a time in seconds";
}
