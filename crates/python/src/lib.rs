//! NumPy face of Kinetree: the extension module `kinetree._core`, on which the Python package `kinetree` is
//! built.

mod args;
mod batch;
mod batch_renderer;
mod batch_task;
mod call;
mod callbacks;
mod codec;
mod contact;
mod context;
mod control;
mod data;
mod dlpack;
mod errors;
mod fields;
mod formats;
mod functions;
mod gpu;
mod health;
mod ik;
mod lock;
mod memory;
mod metrics;
mod model;
mod panics;
mod plugin;
mod process;
mod provider;
mod renderer;
mod rollout;
mod scene;
mod signals;
mod soft;
mod soft_skinning;
mod spec;
mod stats;
mod table;
mod viewer;

use kinetree_model::enums::ENUMS;
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;

/// An error in an interpreter without the interpreter lock, on which views of arrays rely.
fn refuse_free_threading(py: Python<'_>) -> PyResult<()> {
    let variables = py.import("sysconfig")?;
    if variables.call_method1("get_config_var", ("Py_GIL_DISABLED",))?.is_truthy()? {
        return Err(PyImportError::new_err(
            "kinetree needs the interpreter lock; this is a free-threaded build of Python: use an ordinary one",
        ));
    }
    Ok(())
}

/// The extension module.
#[pymodule(gil_used = true)]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    kinetree_math::check_cpu().map_err(|unsupported| PyImportError::new_err(unsupported.message()))?;
    refuse_free_threading(module.py())?;
    register(module)
}

/// Adds everything to the module. Apart from the check, so that nothing of it runs on a CPU that lacks what
/// it uses.
#[inline(never)]
fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    panics::silence_panics();
    process::register(module)?;
    signals::register(module)?;
    module.add("NOT_NEGATIVE", kinetree_batch::NOT_NEGATIVE.to_vec())?;
    module.add("MAX_THREADS", kinetree_threads::MAX_THREADS)?;
    module.add_class::<model::CoreModel>()?;
    module.add_class::<model::Loaded>()?;
    module.add_class::<data::CoreData>()?;
    module.add_class::<rollout::Rollout>()?;
    module.add_class::<batch::CoreBatch>()?;
    module.add_class::<dlpack::CoreTensor>()?;
    module.add_class::<gpu::CoreGpu>()?;
    module.add_class::<spec::CoreSpec>()?;
    module.add_function(wrap_pyfunction!(spec::resolve_orientation, module)?)?;
    module.add_function(wrap_pyfunction!(model::load_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(model::load_xml_string, module)?)?;
    module.add_function(wrap_pyfunction!(model::load_xml_path, module)?)?;
    module.add_function(wrap_pyfunction!(model::load_sizes, module)?)?;
    module.add_function(wrap_pyfunction!(model::load_parts, module)?)?;
    module.add("DYNAMIC_ARRAYS", kinetree_model::Data::DYNAMIC.to_vec())?;
    let enums: Vec<_> = ENUMS
        .iter()
        .chain(kinetree_render::scene::ENUMS)
        .map(|e| (e.name, e.members.to_vec(), e.extra.to_vec()))
        .collect();
    module.add("ENUMS", enums)?;
    module.add("FatalError", module.py().get_type::<errors::FatalError>())?;
    module.add("UnexpectedError", module.py().get_type::<errors::UnexpectedError>())?;
    module.add_function(wrap_pyfunction!(table::field_table, module)?)?;
    callbacks::register(module)?;
    plugin::register(module)?;
    codec::register(module)?;
    provider::register(module)?;
    scene::register(module)?;
    renderer::register(module)?;
    context::register(module)?;
    viewer::register(module)?;
    health::register(module)?;
    control::register(module)?;
    ik::register(module)?;
    soft::register(module)?;
    soft_skinning::register(module)?;
    functions::register(module)
}
