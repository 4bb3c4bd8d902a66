//! Processes that fork, as `os.fork` and `multiprocessing` do by default on Linux.
//!
//! The interpreter tells the child that it is one (`kinetree_threads::note_fork`), and thread pools are made
//! anew there. Graphics devices and windows cannot be inherited: their drivers have threads and connections
//! that only the parent has. A child gets an exception for those of its parent, and for new ones when the
//! parent has used a device: the driver's library is in the state that the parent has left it in.

use crate::errors::fatal;
use kinetree_threads::{OfProcess, Process};
use pyo3::prelude::*;
use std::sync::OnceLock;

/// The process that has used a graphics device first.
static GRAPHICS: OnceLock<Process> = OnceLock::new();

/// The exception for what a child process has inherited.
pub(crate) fn inherited(what: &str) -> PyErr {
    fatal(format!(
        "{what} cannot be used in a forked process: its driver belongs to the parent. Start processes with \
         multiprocessing.set_start_method(\"spawn\"), or make it in the child alone"
    ))
}

/// To be called before a graphics device is opened: an error in a child of a process that has opened one.
pub(crate) fn open_graphics(what: &str) -> PyResult<()> {
    let owner = GRAPHICS.get_or_init(Process::current);
    if owner.is_current() { Ok(()) } else { Err(inherited(what)) }
}

/// The value, to use it; an error in a child of the process that has made it.
pub(crate) fn own<'a, T>(value: &'a mut OfProcess<T>, what: &str) -> PyResult<&'a mut T> {
    value.get_mut().ok_or_else(|| inherited(what))
}

#[pyfunction]
fn note_fork() {
    kinetree_threads::note_fork();
}

/// Asks the interpreter to tell child processes that they are some, where there are any.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let os = module.py().import("os")?;
    if let Some(register) = os.getattr_opt("register_at_fork")? {
        let arguments = pyo3::types::PyDict::new(module.py());
        arguments.set_item("after_in_child", wrap_pyfunction!(note_fork, module)?)?;
        register.call((), Some(&arguments))?;
    }
    Ok(())
}
