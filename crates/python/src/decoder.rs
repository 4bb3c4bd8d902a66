//! Decoders of file formats that are Python objects.

use crate::plugin::words;
use crate::spec::CoreSpec;
use kinetree_spec::codec::{Decoder, FileFormat};
use kinetree_spec::{Spec, Vfs};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Arc, PoisonError, RwLock};

static DECODERS: RwLock<Vec<Arc<dyn Decoder>>> = RwLock::new(Vec::new());

/// An object with a method `decode` from a name and bytes to a description.
struct PyDecoder {
    format: FileFormat,
    object: Py<PyAny>,
}

impl Decoder for PyDecoder {
    fn format(&self) -> &FileFormat {
        &self.format
    }

    fn decode(&self, name: &str, bytes: &[u8], _: Option<&Vfs>) -> Result<Spec, String> {
        Python::attach(|py| {
            let result = self.object.bind(py).call_method1("decode", (name, PyBytes::new(py, bytes)));
            let result = result.map_err(|error| words(py, &error))?;
            let spec = result.cast::<CoreSpec>().map_err(|_| {
                let kind = result.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string());
                format!("'decode' must return an MjSpec, not an object of type '{kind}'")
            })?;
            Ok(spec.get().spec_now())
        })
    }
}

/// Lets an object read files of further formats: meshes, models that others attach, and models themselves.
///
/// It says which files by `content_type`, a text, and `extensions`, a list of texts with their dots; one of
/// the two may be missing. Its method `decode(name, data)` turns the bytes of a file into an `MjSpec`, of
/// which a mesh asset takes the first mesh.
#[pyfunction]
fn register_decoder(decoder: &Bound<'_, PyAny>) -> PyResult<()> {
    let attribute =
        |name: &str| decoder.getattr_opt(name).map(|found| found.filter(|value| !value.is_none()));
    let content_type = attribute("content_type")?.map(|text| text.extract::<String>()).transpose()?;
    let extensions = attribute("extensions")?.map(|list| list.extract::<Vec<String>>()).transpose()?;
    if !decoder.getattr_opt("decode")?.is_some_and(|method| method.is_callable()) {
        return Err(PyTypeError::new_err("a decoder needs a method 'decode(name, data)'"));
    }
    let format = FileFormat {
        content_type: content_type.unwrap_or_default().into(),
        extensions: extensions.unwrap_or_default().into_iter().map(Into::into).collect(),
    };
    let decoder: Arc<dyn Decoder> = Arc::new(PyDecoder { format, object: decoder.clone().unbind() });
    let mut decoders = DECODERS.write().unwrap_or_else(PoisonError::into_inner);
    // the rules for formats are those of virtual files
    let mut known = Vfs::new();
    add(&decoders, &mut known)?;
    known.add_decoder(Arc::clone(&decoder)).map_err(|e| PyValueError::new_err(e.to_string()))?;
    decoders.push(decoder);
    Ok(())
}

fn add(decoders: &[Arc<dyn Decoder>], vfs: &mut Vfs) -> PyResult<()> {
    let mut add = |decoder: &Arc<dyn Decoder>| vfs.add_decoder(Arc::clone(decoder));
    decoders.iter().try_for_each(|decoder| add(decoder).map_err(|e| PyValueError::new_err(e.to_string())))
}

/// Adds all decoders to virtual files.
pub(crate) fn add_all(vfs: &mut Vfs) -> PyResult<()> {
    add(&DECODERS.read().unwrap_or_else(PoisonError::into_inner), vfs)
}

/// Adds the function to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(register_decoder, module)?)
}
