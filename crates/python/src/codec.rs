//! Decoders and encoders of file formats that are Python objects.

use crate::call::PyModel;
use crate::errors::invalid;
use crate::formats;
use crate::lock::Brief;
use crate::plugin::words;
use crate::signals::raise_kept;
use crate::spec::CoreSpec;
use kinetree_model::Model;
use kinetree_spec::codec::{Decoder, Encoder, FileFormat, encode};
use kinetree_spec::{Spec, Vfs};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};
use std::path::PathBuf;
use std::sync::Arc;

static ENCODERS: Brief<Vec<Arc<PyEncoder>>> = Brief::new(Vec::new());

/// The name of the type of an object.
fn kind_of(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string())
}

/// An object with a method `decode` from a name and bytes to a description, and perhaps `can_decode`.
struct PyDecoder {
    format: FileFormat,
    object: Py<PyAny>,
    looks: bool,
}

impl Decoder for PyDecoder {
    fn format(&self) -> &FileFormat {
        &self.format
    }

    fn can_decode(&self, name: &str, bytes: &[u8]) -> bool {
        // a look that fails is a claim: the same call fails again where its failure is told
        !self.looks || Python::attach(|py| self.look(py, name, &PyBytes::new(py, bytes)).unwrap_or(true))
    }

    fn decode(&self, name: &str, bytes: &[u8], _: Option<&Vfs>) -> Result<Spec, String> {
        Python::attach(|py| {
            let bytes = PyBytes::new(py, bytes);
            if self.looks {
                self.look(py, name, &bytes)?;
            }
            let result = self.object.bind(py).call_method1("decode", (name, bytes));
            let result = result.map_err(|error| words(py, &error))?;
            let spec = result.cast::<CoreSpec>().map_err(|_| {
                format!("'decode' must return an MjSpec, not an object of type '{}'", kind_of(&result))
            })?;
            Ok(spec.get().spec_now())
        })
    }
}

impl PyDecoder {
    /// What the object says about whether it reads a file.
    fn look(&self, py: Python<'_>, name: &str, bytes: &Bound<'_, PyBytes>) -> Result<bool, String> {
        let answer = self.object.bind(py).call_method1("can_decode", (name, bytes));
        answer.and_then(|answer| answer.is_truthy()).map_err(|error| words(py, &error))
    }
}

/// An object with a method `encode` from a name, a description and a model to bytes.
struct PyEncoder {
    format: FileFormat,
    object: Py<PyAny>,
}

/// An encoder with the description and the model of one call, which it gets as the objects that they are.
struct EncoderCall {
    encoder: Arc<PyEncoder>,
    spec: Option<Py<PyAny>>,
    model: Option<Py<PyAny>>,
}

impl Encoder for EncoderCall {
    fn format(&self) -> &FileFormat {
        &self.encoder.format
    }

    fn encode(&self, name: &str, _: &Spec, _: Option<&Model>, _: &Vfs) -> Result<Vec<u8>, String> {
        Python::attach(|py| {
            let arguments = (name, &self.spec, &self.model);
            let result = self.encoder.object.bind(py).call_method1("encode", arguments);
            let result = result.map_err(|error| words(py, &error))?;
            if let Ok(bytes) = result.cast::<PyBytes>() {
                return Ok(bytes.as_bytes().to_vec());
            }
            if let Ok(bytes) = result.cast::<PyByteArray>() {
                return Ok(bytes.to_vec());
            }
            Err(format!("'encode' must return bytes, not an object of type '{}'", kind_of(&result)))
        })
    }
}

/// The format that an object says, and whether it has the method that makes it a decoder or an encoder.
fn format_of(object: &Bound<'_, PyAny>, what: &str, method: &str, call: &str) -> PyResult<FileFormat> {
    let attribute = |name: &str| object.getattr_opt(name).map(|found| found.filter(|value| !value.is_none()));
    let wrong = |name: &str, should: &str, value: &Bound<'_, PyAny>| {
        let kind = kind_of(value);
        PyTypeError::new_err(format!("'{name}' of {what} must be {should}, not an object of type '{kind}'"))
    };
    let content_type: Option<String> = attribute("content_type")?
        .map(|text| text.extract().map_err(|_| wrong("content_type", "a str", &text)))
        .transpose()?;
    let extensions: Option<Vec<String>> = attribute("extensions")?
        .map(|list| list.extract().map_err(|_| wrong("extensions", "a list of str", &list)))
        .transpose()?;
    if !object.getattr_opt(method)?.is_some_and(|method| method.is_callable()) {
        return Err(PyTypeError::new_err(format!("{what} needs a method '{call}'")));
    }
    Ok(FileFormat {
        content_type: content_type.unwrap_or_default().into(),
        extensions: extensions.unwrap_or_default().into_iter().map(Into::into).collect(),
    })
}

/// Lets an object read files of further formats: meshes, models that others attach, and models themselves.
///
/// It says which files by `content_type`, a text, and `extensions`, a list of texts with their dots; one of
/// the two may be missing. Its method `decode(name, data)` turns the bytes of a file into an `MjSpec`, of
/// which a mesh asset takes the first mesh. A method `can_decode(name, data)`, where there is one, says
/// whether it reads a file of its format.
///
/// Args:
///     decoder: the object.
#[pyfunction]
fn register_decoder(decoder: &Bound<'_, PyAny>) -> PyResult<()> {
    let format = format_of(decoder, "a decoder", "decode", "decode(name, data)")?;
    let looks = match decoder.getattr_opt("can_decode")? {
        Some(method) if !method.is_callable() => {
            return Err(PyTypeError::new_err("'can_decode' of a decoder must be a method"));
        }
        found => found.is_some(),
    };
    let decoder: Arc<dyn Decoder> = Arc::new(PyDecoder { format, object: decoder.clone().unbind(), looks });
    formats::add_decoder(decoder)
}

/// Lets an object write files of a further format with `mj_encode`.
///
/// It says which files by `content_type` and `extensions`, like a decoder. Its method
/// `encode(name, spec, model)` returns the bytes of the file; the model is None where the caller gives none.
///
/// Args:
///     encoder: the object.
#[pyfunction]
fn register_encoder(encoder: &Bound<'_, PyAny>) -> PyResult<()> {
    let format = format_of(encoder, "an encoder", "encode", "encode(name, spec, model)")?;
    let encoder = Arc::new(PyEncoder { format, object: encoder.clone().unbind() });
    // the rules for formats are those of virtual files
    let mut known = Vfs::new();
    for encoder in ENCODERS.with(|encoders| encoders.clone()).iter().chain([&encoder]) {
        let call = EncoderCall { encoder: Arc::clone(encoder), spec: None, model: None };
        known.add_encoder(Arc::new(call)).map_err(invalid)?;
    }
    ENCODERS.with(|encoders| encoders.push(encoder));
    Ok(())
}

/// Writes a description, or the model it compiles to, as a file of a further format; returns the number of
/// bytes.
///
/// Args:
///     s: the `MjSpec`.
///     m: its compiled `MjModel`, or None.
///     filename: path of the file; its extension chooses the encoder when there is no content type.
///     content_type: content type of the format, or "".
///
/// Raises:
///     ValueError: no encoder is registered for the format, or it fails.
#[pyfunction]
#[pyo3(signature = (s, m, filename, content_type=""))]
fn mj_encode(
    s: &Bound<'_, CoreSpec>,
    m: Option<PyModel<'_, '_>>,
    filename: PathBuf,
    content_type: &str,
) -> PyResult<usize> {
    let mut files = Vfs::new();
    for encoder in ENCODERS.with(|encoders| encoders.clone()) {
        let (spec, model) = (Some(s.clone().into_any().unbind()), m.map(|m| m.clone().into_any().unbind()));
        files.add_encoder(Arc::new(EncoderCall { encoder, spec, model })).map_err(invalid)?;
    }
    let written = encode(&s.get().spec_now(), None, filename, content_type, &files);
    raise_kept(written.map_err(invalid))
}

/// Adds the functions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(register_decoder, module)?)?;
    module.add_function(wrap_pyfunction!(register_encoder, module)?)?;
    module.add_function(wrap_pyfunction!(mj_encode, module)?)
}
