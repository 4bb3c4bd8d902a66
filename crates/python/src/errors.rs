//! Exceptions of the package, and how results of the engine become Python results.

use kinetree_spec::Diagnostics;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyIndexError, PyMemoryError, PyValueError};
use pyo3::prelude::*;
use std::fmt::Display;

create_exception!(kinetree, FatalError, PyException, "The engine cannot do what was asked.");
create_exception!(kinetree, UnexpectedError, PyException, "An internal error.");

/// What an engine function returns, seen as success or a message.
pub(crate) trait Outcome {
    /// `Err` with the message of a failure.
    fn outcome(self) -> Result<(), String>;
}

impl Outcome for () {
    fn outcome(self) -> Result<(), String> {
        Ok(())
    }
}

impl<T, E: Display> Outcome for Result<T, E> {
    fn outcome(self) -> Result<(), String> {
        self.map(|_| ()).map_err(|e| e.to_string())
    }
}

/// The text of a problem, with what the engine calls by its Rust name as Python calls it.
fn text(problem: impl Display) -> String {
    problem.to_string().replace("`Data::new`", "MjData(model)")
}

/// A fatal error with the text of `problem`.
pub(crate) fn fatal(problem: impl Display) -> PyErr {
    FatalError::new_err(text(problem))
}

/// A `ValueError` with the text of `problem`.
pub(crate) fn invalid(problem: impl Display) -> PyErr {
    PyValueError::new_err(text(problem))
}

/// What is wrong with a description; a `MemoryError` where memory is what it lacks.
pub(crate) fn diagnosed(found: &Diagnostics) -> PyErr {
    if found.lack_memory() { PyMemoryError::new_err(found.to_string()) } else { invalid(found) }
}

/// An error when there is no memory for something that takes about so many bytes.
pub(crate) fn claim(what: &'static str, bytes: usize) -> PyResult<()> {
    kinetree_model::claim(what, bytes).map_err(|lack| PyMemoryError::new_err(lack.to_string()))
}

/// An index that must be below `count`.
pub(crate) fn index(what: &str, value: i64, count: usize) -> PyResult<usize> {
    usize::try_from(value)
        .ok()
        .filter(|&i| i < count)
        .ok_or_else(|| PyIndexError::new_err(format!("{what} {value} does not exist: the model has {count}")))
}
