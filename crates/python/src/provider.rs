//! Resource providers that are Python functions.

use kinetree_spec::Vfs;
use kinetree_spec::provider::{Resource, ResourceProvider};
use pyo3::exceptions::{PyFileNotFoundError, PyValueError};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, PoisonError, RwLock};

static PROVIDERS: RwLock<BTreeMap<String, Arc<dyn ResourceProvider>>> = RwLock::new(BTreeMap::new());

/// A function from a name to bytes.
struct PyProvider(Py<PyAny>);

impl ResourceProvider for PyProvider {
    fn open(&self, name: &str) -> io::Result<Resource> {
        let bytes: PyResult<Vec<u8>> = Python::attach(|py| self.0.bind(py).call1((name,))?.extract());
        let missing = |error: &PyErr| Python::attach(|py| error.is_instance_of::<PyFileNotFoundError>(py));
        let bytes = bytes.map_err(|error| {
            let kind = if missing(&error) { io::ErrorKind::NotFound } else { io::ErrorKind::Other };
            io::Error::new(kind, error.to_string())
        })?;
        Ok(Resource::from_bytes(bytes.into()))
    }
}

/// Lets a function from names to bytes answer for all files whose names begin with a prefix, a colon and a
/// slash.
#[pyfunction]
fn register_resource_provider(prefix: &str, open: &Bound<'_, PyAny>) -> PyResult<()> {
    if !open.is_callable() {
        return Err(PyValueError::new_err("a provider must be a function from a name to bytes"));
    }
    let provider: Arc<dyn ResourceProvider> = Arc::new(PyProvider(open.clone().unbind()));
    let mut providers = PROVIDERS.write().unwrap_or_else(PoisonError::into_inner);
    // the rules for prefixes are those of virtual files
    let mut known = Vfs::new();
    for taken in providers.keys() {
        known.add_provider(taken, Arc::clone(&provider)).map_err(|e| PyValueError::new_err(e.to_string()))?;
    }
    known.add_provider(prefix, Arc::clone(&provider)).map_err(|e| PyValueError::new_err(e.to_string()))?;
    providers.insert(prefix.to_owned(), provider);
    Ok(())
}

/// Adds all providers to virtual files.
pub(crate) fn add_all(vfs: &mut Vfs) -> PyResult<()> {
    for (prefix, provider) in PROVIDERS.read().unwrap_or_else(PoisonError::into_inner).iter() {
        vfs.add_provider(prefix, Arc::clone(provider)).map_err(|e| PyValueError::new_err(e.to_string()))?;
    }
    Ok(())
}

/// Adds the functions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(register_resource_provider, module)?)
}
