//! Chains, Jacobians and inverse kinematics: what `kinetree.ik` is built on.
// what Python passes is converted and handed over by value
#![allow(clippy::needless_pass_by_value)]

mod chain;
pub(crate) mod convert;
mod solver;
mod whole_body;

use crate::model::Loaded;
use crate::panics::guarded;
use kinetree_spec::Spec;
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
