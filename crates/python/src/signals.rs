//! Signals in long calls, and exceptions that end a program.
//!
//! Ctrl-C is an exception that a signal handler raises when the main thread asks the interpreter for signals.
//! Long calls ask every 10 ms, on the thread that called them ([`watched`]), and end at the next place where
//! what they change is consistent.
//!
//! An exception that Python code raises inside of a call (a plugin, a provider, a decoder, a distance field)
//! becomes text in the error of the call. Those that are no `Exception` (`KeyboardInterrupt`, `SystemExit`)
//! are meant for the program, not for handlers of errors: they are kept, and raised instead of what the
//! call says. A call of a model and a data keeps them with its callbacks' (`callbacks.rs`); where there is
//! none, as when threads load files, they are kept here.

use crate::callbacks;
use crate::errors::fatal;
use crate::lock::{Brief, Turns};
use crate::panics::guarded;
use kinetree_model::interruptible;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often a long call looks for signals.
pub(crate) const SIGNAL_INTERVAL: Duration = Duration::from_millis(10);

/// How long a piece of work should take that cannot be ended in the middle.
const PIECE_TIME: Duration = Duration::from_millis(50);

/// Stack of threads that compile kernels and draw: as much as main threads have.
const STACK: usize = 8 << 20;

/// What waits for threads whose work nobody waits for any more.
static ABANDONED: Brief<Vec<Box<dyn FnOnce() + Send>>> = Brief::new(Vec::new());

/// The exception that was kept first, and whether there is one.
static KEPT: Brief<Option<PyErr>> = Brief::new(None);
static IS_KEPT: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// What a signal handler has raised in the innermost call of this thread that is watched.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Runs signal handlers; whether none has raised an exception.
fn goes_on() -> bool {
    let raised = look_for_signals().err();
    let goes_on = raised.is_none();
    // what it replaces is dropped outside
    drop(RAISED.replace(raised));
    goes_on
}

/// Runs work that looks for signals at each `is_interrupted` and `checkpoint` on its way, and raises what a
/// handler has raised, whatever came of the work.
pub(crate) fn watched<R>(work: impl FnOnce() -> R) -> PyResult<R> {
    let result = interruptible(goes_on, work);
    match RAISED.take() {
        Some(raised) => Err(raised),
        None => result.map_err(|_| fatal("the call was interrupted")),
    }
}

/// Runs signal handlers, which may raise an exception; Ctrl-C does.
#[allow(clippy::redundant_closure_for_method_calls)] // the method itself is not general enough over lifetimes
pub(crate) fn look_for_signals() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
}

/// Sizes of the pieces in which work is done that cannot be ended in the middle, so that each takes some time
/// between two looks for signals, and not much more.
pub(crate) struct Pieces {
    size: usize,
    begin: Instant,
    rest: Range<usize>,
}

impl Pieces {
    /// Pieces of a count, the first of which has at most `first`.
    pub(crate) fn new(count: usize, first: usize) -> Self {
        Self { size: first.max(1), begin: Instant::now(), rest: 0..count }
    }
}

impl Iterator for Pieces {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let taken = self.begin.elapsed();
        if self.rest.start > 0 {
            self.size = match taken {
                short if short < PIECE_TIME / 2 => self.size.saturating_mul(2),
                long if long > PIECE_TIME * 2 => (self.size / 2).max(1),
                _ => self.size,
            };
        }
        self.begin = Instant::now();
        let piece = self.rest.start..self.rest.start.saturating_add(self.size).min(self.rest.end);
        self.rest.start = piece.end;
        (!piece.is_empty()).then_some(piece)
    }
}

/// Runs `work`, which cannot be ended early, on another thread, and looks for signals on this one. When a
/// handler raises an exception, that is raised at once, and what comes of the work is dropped when it is
/// done; the program ends after that.
pub(crate) fn abandonable<R: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> R + Send + 'static,
) -> PyResult<R> {
    let (done, mut results) = mpsc::sync_channel(1);
    let run = move || {
        // nobody listens any more when it was abandoned
        let _ = done.send(guarded(work));
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run).map_err(fatal)?;
    loop {
        let result;
        (result, results) = py.detach(move || (results.recv_timeout(SIGNAL_INTERVAL), results));
        match result {
            Ok(result) => {
                drop(thread.join());
                return result;
            }
            Err(RecvTimeoutError::Disconnected) => return Err(fatal("the work has ended without a result")),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(raised) = py.check_signals() {
            ABANDONED.with(|threads| threads.push(Box::new(move || drop(thread.join()))));
            return Err(raised);
        }
    }
}

/// Calls `f` with a value when it is free, as [`abandonable`] work: the call that asks for the value next
/// waits until `f` is done.
pub(crate) fn abandonable_turn<T: Send + 'static, R: Send + 'static>(
    py: Python<'_>,
    turns: &Turns<T>,
    f: impl FnOnce(&mut T) -> R + Send + 'static,
) -> PyResult<R> {
    let mut borrowed = turns.take_for_thread(py)?;
    abandonable(py, move || borrowed.with(f))?
}

/// Waits for work that was abandoned: libraries of drivers must not be unloaded under it.
#[pyfunction]
fn join_abandoned(py: Python<'_>) {
    let threads = ABANDONED.with(std::mem::take);
    // a panic is nobody's concern any more
    py.detach(|| {
        threads.into_iter().for_each(|wait| wait());
        kinetree_gpu::join_abandoned();
    });
}

/// Has the interpreter wait for abandoned work at its end.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let join = wrap_pyfunction!(join_abandoned, module)?;
    module.py().import("atexit")?.call_method1("register", (join,))?;
    Ok(())
}

/// Keeps an exception that is meant for the program.
pub(crate) fn keep(py: Python<'_>, error: &PyErr) {
    if error.is_instance_of::<PyException>(py) {
        return;
    }
    let Some(error) = callbacks::keep_error(error.clone_ref(py)) else { return };
    // what was kept before counts, and this one is dropped outside
    let _second = KEPT.with(|kept| match kept {
        Some(_) => Some(error),
        None => kept.replace(error),
    });
    IS_KEPT.store(true, Ordering::Relaxed);
}

/// Raises an exception that was kept here, whatever the result of the call.
pub(crate) fn raise_kept<R>(result: PyResult<R>) -> PyResult<R> {
    if !IS_KEPT.load(Ordering::Relaxed) {
        return result;
    }
    IS_KEPT.store(false, Ordering::Relaxed);
    KEPT.with(Option::take).map_or(result, Err)
}
