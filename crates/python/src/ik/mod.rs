//! Chains, Jacobians and inverse kinematics: what `kinetree.ik` is built on.
// what Python passes is converted and handed over by value
#![allow(clippy::needless_pass_by_value)]

mod chain;
mod solver;
mod whole_body;

use crate::call::guarded;
use crate::model::Loaded;
use kinetree_ik::{Frame, IkError};
use kinetree_model::Model;
use kinetree_spec::Spec;
use numpy::{Element, PyArray1, PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Adds the classes to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<chain::CoreChain>()?;
    module.add_class::<solver::CoreSolver>()?;
    module.add_class::<whole_body::CoreConfiguration>()?;
    module.add_class::<whole_body::CoreTask>()?;
    module.add_class::<whole_body::CoreLimit>()?;
    module.add_function(wrap_pyfunction!(load_all_links, module)?)
}

/// Compiles an MJCF or URDF file with links that no joint moves as bodies of their own.
#[pyfunction]
fn load_all_links(py: Python<'_>, path: &str) -> PyResult<Loaded> {
    let compile = || {
        let mut spec = Spec::from_xml_file(path)?;
        spec.compiler_mut().fusestatic = false;
        spec.compile()
    };
    let model = guarded(|| py.detach(compile))?;
    model.map(Loaded::new).map_err(|e| PyValueError::new_err(e.to_string()))
}

/// An error of the engine as a `ValueError`.
fn fault(error: IkError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// An array of the given shape from its values in row order.
fn array<'py, T: Element>(
    py: Python<'py>,
    values: Vec<T>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    PyArray1::from_vec(py, values).reshape(shape)
}

/// A frame by name, of one kind (`body`, `site` or `geom`) or of any.
fn find_frame(model: &Model, name: &str, kind: Option<&str>) -> PyResult<Frame> {
    match kind {
        Some(kind) => Frame::find_kind(model, name, kind),
        None => Frame::find(model, name),
    }
    .map_err(fault)
}
