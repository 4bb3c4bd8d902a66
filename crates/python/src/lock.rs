//! The locks of the extension, and the rule that they keep: no lock is held while Python may run.
//!
//! Whatever makes or drops a Python object may run the garbage collector, with it any finalizer, and may hand
//! the interpreter lock to another thread. If that code asks for a lock that its caller holds, the process
//! stands still for ever. The rule is held by types:
//!
//! - A [`Brief`] lends its value to a closure that is `Send`. Tokens and references of the interpreter are
//!   not, so such a closure can neither make a Python object nor look into one: it copies plain values out,
//!   or moves values that hold Python objects in and out, and objects are made and dropped before or after.
//!   Those that several calls use are in an `Arc`, which is cloned without the interpreter. Calls take it
//!   with the interpreter lock held, so that nobody can fork meanwhile.
//! - A [`Turns`] is for calls of any length that take turns. A call takes the value out, works with the
//!   interpreter lock released and puts it back; others wait without a lock, and look for signals meanwhile.
//!   Work that cannot be ended early may take it to another thread, which puts it back.
//! - A [`Shared`](crate::memory::Shared) has no lock that is held in a call: concurrent access gets an
//!   exception. It is for calls in which Python may run: callbacks, plugins, distance fields.
//!
//! | type | values |
//! |---|---|
//! | `Brief` | copies of dynamic arrays of a data, model on its way, callbacks, decoders, encoders, providers, plugins, exceptions on their way, descriptions, tasks of inverse kinematics, memory of chains, the window's model, its thread |
//! | `Turns` | renderers, solvers of inverse kinematics |
//! | `Shared` | models, data, batches, GPU simulators, deformable bodies, scenes, configurations, the runner of an active window |
//!
//! Besides, `memory.rs` has a mutex for the state of a `Shared`, and `rollout.rs` one for the next chunk,
//! both around a few lines without Python. The two thread-local cells (`callbacks.rs`, `panics.rs`) are
//! borrowed in closures that run no Python either; what they drop is dropped outside.

use crate::errors::fatal;
use crate::panics::guarded;
use kinetree_threads::Process;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::ThreadId;
use std::time::Duration;

/// How long a call that waits for its turn sleeps before it looks again.
const PATIENCE: Duration = Duration::from_millis(1);

/// A value that is used for a moment at a time, and never while Python may run.
#[derive(Default)]
pub(crate) struct Brief<T>(Mutex<T>);

impl<T> Brief<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self(Mutex::new(value))
    }

    /// Calls `f` with the value. What `f` takes out of it and does not need, it returns, to be dropped here.
    pub(crate) fn with<R>(&self, f: impl FnOnce(&mut T) -> R + Send) -> R {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The value itself.
    pub(crate) fn into_inner(self) -> T {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A value that calls use one after the other, without the interpreter lock.
pub(crate) struct Turns<T> {
    value: Arc<Brief<Turn<T>>>,
    process: Process,
}

/// Whose turn it is.
enum Turn<T> {
    Free(T),
    /// A call has the value, on this thread if it stays there.
    Taken(Option<ThreadId>),
}

/// The value of a [`Turns`], which gets it back when this is dropped, on whatever thread.
pub(crate) struct Borrowed<T: Send> {
    value: Option<T>,
    owner: Arc<Brief<Turn<T>>>,
}

impl<T: Send> Borrowed<T> {
    /// Calls `f` with the value; a panic becomes an exception.
    pub(crate) fn with<R>(&mut self, f: impl FnOnce(&mut T) -> R) -> PyResult<R> {
        let value = self.value.as_mut().ok_or_else(|| fatal("the value was given back"))?;
        guarded(|| f(value))
    }
}

impl<T: Send> Drop for Borrowed<T> {
    fn drop(&mut self) {
        if let Some(value) = self.value.take() {
            self.owner.with(|turn| *turn = Turn::Free(value));
        }
    }
}

impl<T: Send> Turns<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { value: Arc::new(Brief::new(Turn::Free(value))), process: Process::current() }
    }

    /// Calls `f` with the value when it is free; a panic becomes an exception. A signal handler or a
    /// finalizer that runs inside such a call gets an exception when it asks for the same value.
    pub(crate) fn with<R: Send>(&self, py: Python<'_>, f: impl FnOnce(&mut T) -> R + Send) -> PyResult<R> {
        let mut borrowed = self.take(py, Some(std::thread::current().id()))?;
        py.detach(|| borrowed.with(f))
    }

    /// Takes the value when it is free, to work with it on another thread. A signal handler that asks for it
    /// meanwhile waits.
    pub(crate) fn take_for_thread(&self, py: Python<'_>) -> PyResult<Borrowed<T>> {
        self.take(py, None)
    }

    fn take(&self, py: Python<'_>, user: Option<ThreadId>) -> PyResult<Borrowed<T>> {
        let this = std::thread::current().id();
        loop {
            let turn = self.value.with(|turn| match turn {
                Turn::Free(_) => std::mem::replace(turn, Turn::Taken(user)),
                Turn::Taken(user) => Turn::Taken(*user),
            });
            match turn {
                Turn::Free(value) => {
                    return Ok(Borrowed { value: Some(value), owner: Arc::clone(&self.value) });
                }
                Turn::Taken(user) if user == Some(this) => {
                    return Err(fatal("this object is in use by the call inside of which this one is made"));
                }
                Turn::Taken(_) => py.detach(|| std::thread::sleep(PATIENCE)),
            }
            if !self.process.is_current() {
                // the thread that used it is not there any more
                return Err(fatal("this object was in use when the process was forked: make another one"));
            }
            py.check_signals()?;
        }
    }
}
