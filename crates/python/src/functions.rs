//! Module functions. Each pipeline stage is one line in a list.

#![allow(non_snake_case)] // the functions carry the names that Python users know

use crate::types::{CoreData, CoreModel};
use kinetree_model as model;
use pyo3::prelude::*;

/// Defines one Python function for each stage of the form `fn(&Model, &mut Data)` and registers them all.
macro_rules! stages {
    ($( $path:path => $name:ident; )*) => {
        $(
            #[pyfunction]
            fn $name(py: Python<'_>, model: &CoreModel, data: &CoreData) -> PyResult<()> {
                py.detach(|| data.data.with(|d| { let _ = $path(model.model.read(), d); }))
            }
        )*

        /// Adds all functions to the module.
        pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $( module.add_function(wrap_pyfunction!($name, module)?)?; )*
            Ok(())
        }
    };
}

stages! {
    model::mj_reset_data => mj_resetData;
}
