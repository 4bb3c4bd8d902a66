//! Results, errors and frames of the engine as Python has them.

use kinetree_ik::{Frame, IkError};
use kinetree_model::Model;
use numpy::{Element, PyArray1, PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// An error of the engine as a `ValueError`.
pub(super) fn fault(error: IkError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// An array of the given shape from its values in row order.
pub(crate) fn array<'py, T: Element>(
    py: Python<'py>,
    values: Vec<T>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    PyArray1::from_vec(py, values).reshape(shape)
}

/// A frame by name, of one kind (`body`, `site` or `geom`) or of any.
pub(super) fn find_frame(model: &Model, name: &str, kind: Option<&str>) -> PyResult<Frame> {
    match kind {
        Some(kind) => Frame::find_kind(model, name, kind),
        None => Frame::find(model, name),
    }
    .map_err(fault)
}
