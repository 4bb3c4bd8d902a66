//! Exceptions of the package, and how results of the engine become Python results.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyIndexError};
use pyo3::prelude::*;
use std::fmt::Display;

create_exception!(mujoco, FatalError, PyException, "The engine cannot do what was asked.");
create_exception!(mujoco, UnexpectedError, PyException, "An internal error.");

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

/// A fatal error with the text of `problem`.
pub(crate) fn fatal(problem: impl Display) -> PyErr {
    FatalError::new_err(problem.to_string())
}

/// An index that must be below `count`.
pub(crate) fn index(what: &str, value: i64, count: usize) -> PyResult<usize> {
    usize::try_from(value)
        .ok()
        .filter(|&i| i < count)
        .ok_or_else(|| PyIndexError::new_err(format!("{what} {value} does not exist: the model has {count}")))
}
