//! Model files and printed dumps.

use super::functions;
use crate::args::{Out, Text};
use crate::call::{PyData, PyModel, peek};
use crate::errors::{fatal, invalid};
use crate::panics::guarded;
use crate::signals::raise_kept;
use kinetree_model::{FloatFormat, data_text, model_text};
use kinetree_sim as sim;
use kinetree_spec::AssetCache;
use pyo3::prelude::*;
use std::path::PathBuf;

/// Writes a model in MuJoCo's binary format (MJB), which loads faster than MJCF; `MjModel.from_binary_path`
/// reads it.
///
/// Args:
///     m: the model, an `MjModel`.
///     filename: path of a file to write, or None.
///     buffer: uint8 array of at least `mj_sizeModel(m)` bytes to write to, or None.
///
/// Raises:
///     FatalError: the file cannot be written, or the buffer is too small.
#[pyfunction]
#[pyo3(signature = (m, filename=None, buffer=None))]
fn mj_saveModel(m: PyModel<'_, '_>, filename: Option<Text>, buffer: Option<Out<'_, u8>>) -> PyResult<()> {
    let bytes = m.get().read()?.to_bytes();
    if let Some(Text(name)) = filename {
        std::fs::write(&name, &bytes).map_err(|e| fatal(format!("cannot write '{name}': {e}")))?;
    }
    if let Some(buffer) = buffer {
        let mut image = buffer.read()?;
        let room = image.len();
        let target = image.get_mut(..bytes.len()).ok_or_else(|| {
            fatal(format!("the buffer has {room} bytes, but the model needs {}", bytes.len()))
        })?;
        target.copy_from_slice(&bytes);
        buffer.write(&image)?;
    }
    Ok(())
}

/// Size of a model in MuJoCo's binary format, in bytes.
///
/// Args:
///     m: the model, an `MjModel`.
#[pyfunction]
fn mj_sizeModel(m: PyModel<'_, '_>) -> PyResult<usize> {
    Ok(m.get().read()?.image_len())
}

fn save(filename: &str, text: &str) -> PyResult<()> {
    std::fs::write(filename, text).map_err(|e| fatal(format!("cannot write '{filename}': {e}")))
}

/// The format of numbers that a text asks for.
fn number_format(float_format: Option<Text>) -> PyResult<FloatFormat> {
    float_format.map_or_else(|| Ok(FloatFormat::default()), |Text(text)| text.parse().map_err(invalid))
}

fn print_model(m: PyModel<'_, '_>, filename: &str, format: &FloatFormat) -> PyResult<()> {
    let text = raise_kept(guarded(|| m.get().read().map(|model| model_text(&model, format))))??;
    save(filename, &text)
}

fn print_data(m: PyModel<'_, '_>, d: PyData<'_, '_>, filename: &str, format: &FloatFormat) -> PyResult<()> {
    let text = peek(m, d, |m, d| {
        data_text(m, d, format, |contact| sim::mj_contact_force(m, d, contact).unwrap_or_default())
    })?;
    save(filename, &text)
}

/// Writes sizes, options and all elements of a model to a text file.
///
/// Args:
///     m: the model, an `MjModel`.
///     filename: path of the file.
#[pyfunction]
fn mj_printModel(m: PyModel<'_, '_>, filename: Text) -> PyResult<()> {
    print_model(m, &filename.0, &FloatFormat::default())
}

/// Writes a model to a text file as `mj_printModel` does, with numbers in a given format.
///
/// Args:
///     m: the model, an `MjModel`.
///     filename: path of the file.
///     float_format: format of numbers as in C, such as `"%.6g"`.
///
/// Raises:
///     ValueError: the format is not understood.
#[pyfunction]
#[pyo3(signature = (m, filename, float_format=None))]
fn mj_printFormattedModel(m: PyModel<'_, '_>, filename: Text, float_format: Option<Text>) -> PyResult<()> {
    print_model(m, &filename.0, &number_format(float_format)?)
}

/// Writes all arrays of a world to a text file.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     filename: path of the file.
#[pyfunction]
fn mj_printData(m: PyModel<'_, '_>, d: PyData<'_, '_>, filename: Text) -> PyResult<()> {
    print_data(m, d, &filename.0, &FloatFormat::default())
}

/// Writes a world to a text file as `mj_printData` does, with numbers in a given format.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     filename: path of the file.
///     float_format: format of numbers as in C, such as `"%.6g"`.
///
/// Raises:
///     ValueError: the format is not understood.
#[pyfunction]
#[pyo3(signature = (m, d, filename, float_format=None))]
fn mj_printFormattedData(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    filename: Text,
    float_format: Option<Text>,
) -> PyResult<()> {
    print_data(m, d, &filename.0, &number_format(float_format)?)
}

/// All files that a model needs: itself, what it includes or attaches, meshes, textures and height fields.
///
/// Args:
///     filename: path of an MJCF or URDF file.
#[pyfunction]
fn mju_getXMLDependencies(filename: PathBuf) -> PyResult<Vec<String>> {
    raise_kept(guarded(|| kinetree_spec::dependencies(&filename, None)))?.map_err(fatal)
}

/// The elements and attributes of MJCF that are understood, as text.
///
/// Args:
///     flg_html: as HTML instead of plain text.
///     flg_pad: indent by level.
#[pyfunction]
fn mj_printSchema(flg_html: bool, flg_pad: bool) -> String {
    kinetree_spec::schema_text(flg_html, flg_pad)
}

/// The asset cache of the process.
#[pyclass(frozen, module = "kinetree")]
struct MjCache;

/// The cache in which the compiler keeps decoded meshes and textures, for `mj_getCacheSize`,
/// `mj_setCacheCapacity` and `mj_clearCache`.
#[pyfunction]
fn mj_getCache() -> MjCache {
    MjCache
}

/// Size of the assets in the cache, in bytes.
///
/// Args:
///     cache: the cache, from `mj_getCache`.
#[pyfunction]
fn mj_getCacheSize(cache: PyRef<'_, MjCache>) -> usize {
    let _ = cache;
    AssetCache::global().size()
}

/// Largest size of the cache, in bytes.
///
/// Args:
///     cache: the cache, from `mj_getCache`.
#[pyfunction]
fn mj_getCacheCapacity(cache: PyRef<'_, MjCache>) -> usize {
    let _ = cache;
    AssetCache::global().capacity()
}

/// Changes the largest size of the cache and returns it.
///
/// Args:
///     cache: the cache, from `mj_getCache`.
///     size: the size in bytes; 0 turns caching off.
#[pyfunction]
fn mj_setCacheCapacity(cache: PyRef<'_, MjCache>, size: usize) -> usize {
    let _ = cache;
    AssetCache::global().set_capacity(size);
    AssetCache::global().capacity()
}

/// Removes all assets from the cache.
///
/// Args:
///     cache: the cache, from `mj_getCache`.
#[pyfunction]
fn mj_clearCache(cache: PyRef<'_, MjCache>) {
    let _ = cache;
    AssetCache::global().clear();
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    functions!(module; mj_getCache mj_getCacheSize mj_getCacheCapacity mj_setCacheCapacity mj_clearCache);
    functions!(module; mj_saveModel mj_sizeModel mj_printModel mj_printFormattedModel mj_printData mj_printFormattedData);
    functions!(module; mj_printSchema mju_getXMLDependencies);
    Ok(())
}
