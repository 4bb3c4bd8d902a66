//! Resource providers that are Python functions.

use crate::lock::Brief;
use crate::signals;
use kinetree_spec::Vfs;
use kinetree_spec::provider::{Resource, ResourceProvider};
use pyo3::exceptions::{PyFileNotFoundError, PyValueError};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

static PROVIDERS: Brief<BTreeMap<String, Arc<dyn ResourceProvider>>> = Brief::new(BTreeMap::new());

/// A function from a name to bytes.
struct PyProvider(Py<PyAny>);

impl ResourceProvider for PyProvider {
    fn open(&self, name: &str) -> io::Result<Resource> {
        let failure = |py: Python<'_>, error: PyErr| {
            signals::keep(py, &error);
            let missing = error.is_instance_of::<PyFileNotFoundError>(py);
            let kind = if missing { io::ErrorKind::NotFound } else { io::ErrorKind::Other };
            io::Error::new(kind, error.to_string())
        };
        let bytes: io::Result<Vec<u8>> = Python::attach(|py| {
            let called = self.0.bind(py).call1((name,)).and_then(|bytes| bytes.extract());
            called.map_err(|error| failure(py, error))
        });
        Ok(Resource::from_bytes(bytes?.into()))
    }
}

/// Serves files from memory, a database or anything else: all names that begin with `prefix:` are given to a
/// function.
///
/// Args:
///     prefix: the letters before the colon.
///     open: function from the name of a file to its bytes; it raises an exception for files that do not
///         exist.
#[pyfunction]
fn register_resource_provider(prefix: &str, open: &Bound<'_, PyAny>) -> PyResult<()> {
    if !open.is_callable() {
        return Err(PyValueError::new_err("a provider must be a function from a name to bytes"));
    }
    let provider: Arc<dyn ResourceProvider> = Arc::new(PyProvider(open.clone().unbind()));
    // the rules for prefixes are those of virtual files
    let mut known = Vfs::new();
    add_all(&mut known)?;
    known.add_provider(prefix, Arc::clone(&provider)).map_err(|e| PyValueError::new_err(e.to_string()))?;
    PROVIDERS.with(|providers| providers.insert(prefix.to_owned(), provider));
    Ok(())
}

/// Adds all providers to virtual files.
pub(crate) fn add_all(vfs: &mut Vfs) -> PyResult<()> {
    for (prefix, provider) in PROVIDERS.with(|providers| providers.clone()) {
        vfs.add_provider(&prefix, provider).map_err(|e| PyValueError::new_err(e.to_string()))?;
    }
    Ok(())
}

/// Adds the functions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(register_resource_provider, module)?)
}
