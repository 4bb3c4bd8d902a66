//! Chains, Jacobians and inverse kinematics: what `kinetree.ik` is built on.
// what Python passes is converted and handed over by value
#![allow(clippy::needless_pass_by_value)]

mod chain;
pub(crate) mod convert;
mod solver;
mod whole_body;

use crate::errors::diagnosed;
use crate::model::{Loaded, assets_vfs, away};
use pyo3::prelude::*;

/// Adds the classes to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<chain::CoreChain>()?;
    module.add_class::<solver::CoreSolver>()?;
    module.add_class::<whole_body::CoreConfiguration>()?;
    module.add_class::<whole_body::CoreTask>()?;
    module.add_class::<whole_body::CoreLimit>()?;
    module.add_function(wrap_pyfunction!(chain::convert_jacobian, module)?)?;
    module.add_function(wrap_pyfunction!(load_kinematics, module)?)
}

/// Reads an MJCF or URDF file for kinematics, with links that no joint moves as bodies of their own; also one
/// line about what had to be left out.
#[pyfunction]
fn load_kinematics(py: Python<'_>, path: &str) -> PyResult<(Loaded, Option<String>)> {
    let vfs = assets_vfs(None)?;
    let read = away(py, || kinetree_spec::load_kinematics(path, Some(&vfs)))?;
    let loaded = read.map_err(|found| diagnosed(&found))?;
    let summary = loaded.summary();
    Ok((Loaded::new(loaded.model), summary))
}
