//! NumPy face of Kinetree: the extension module `kinetree._core`, on which the Python package `kinetree` is built.

mod fields;
mod functions;
mod memory;
mod types;

use pyo3::prelude::*;

/// The extension module.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<types::CoreModel>()?;
    module.add_class::<types::CoreData>()?;
    module.add("DYNAMIC_ARRAYS", kinetree_model::Data::DYNAMIC.to_vec())?;
    functions::register(module)
}
