//! How searches end.

use crate::errors::{fatal, invalid};
use kinetree_control::ControlError;
use pyo3::prelude::*;

/// What a search gives to Python: its solution, or the exception that ended it, as Ctrl-C raises one, with
/// the solution until then as `solution`.
pub(super) fn outcome<'py, T, L: IntoPyObject<'py>>(
    py: Python<'py>,
    ended: PyResult<()>,
    result: Option<Result<T, ControlError>>,
    lists: impl FnOnce(Python<'py>, T) -> L,
) -> PyResult<L> {
    match (ended, result) {
        (Ok(()), Some(result)) => Ok(lists(py, result.map_err(invalid)?)),
        (Ok(()), None) => Err(fatal("the search has ended without a result")),
        (Err(raised), Some(Ok(solution))) => {
            // exceptions that take no attributes are raised as they are
            let _ = raised.value(py).setattr("solution", lists(py, solution));
            Err(raised)
        }
        (Err(raised), _) => Err(raised),
    }
}
