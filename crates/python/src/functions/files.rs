//! Model files and printed dumps.

use super::functions;
use crate::args::{Out, Text};
use crate::call::{PyData, PyModel};
use crate::errors::fatal;
use kinetree_model::{Field, FieldSlice};
use kinetree_spec::AssetCache;
use pyo3::prelude::*;
use std::fmt::Write;

/// Writes the model as a binary file, or into a buffer of `mj_sizeModel` bytes.
#[pyfunction]
#[pyo3(signature = (m, filename=None, buffer=None))]
fn mj_saveModel(m: PyModel<'_, '_>, filename: Option<Text>, buffer: Option<Out<'_, u8>>) -> PyResult<()> {
    let bytes = m.get().read()?.to_bytes();
    if let Some(Text(name)) = filename {
        std::fs::write(&name, &bytes).map_err(|e| fatal(format!("cannot write '{name}': {e}")))?;
    }
    if let Some(buffer) = buffer {
        let mut image = buffer.read();
        let room = image.len();
        let target = image.get_mut(..bytes.len()).ok_or_else(|| {
            fatal(format!("the buffer has {room} bytes, but the model needs {}", bytes.len()))
        })?;
        target.copy_from_slice(&bytes);
        buffer.write(&image)?;
    }
    Ok(())
}

/// Number of bytes of the model's binary file.
#[pyfunction]
fn mj_sizeModel(m: PyModel<'_, '_>) -> PyResult<usize> {
    Ok(m.get().read()?.image_len())
}

/// Appends the rows of a field to a text.
fn print_field(text: &mut String, field: &Field<'_>) {
    let columns = (field.shape[1] * field.shape[2]).max(1);
    let values: Vec<String> = match field.data {
        FieldSlice::F64(v) => v.iter().map(|x| format!("{x:.6}")).collect(),
        FieldSlice::F32(v) => v.iter().map(|x| format!("{x:.6}")).collect(),
        FieldSlice::I32(v) => v.iter().map(ToString::to_string).collect(),
        FieldSlice::I64(v) => v.iter().map(ToString::to_string).collect(),
        FieldSlice::U64(v) => v.iter().map(ToString::to_string).collect(),
        FieldSlice::U8(v) => v.iter().map(ToString::to_string).collect(),
    };
    if values.is_empty() {
        return;
    }
    let _ = writeln!(text, "{}", field.name.to_uppercase());
    for row in values.chunks(columns) {
        let _ = writeln!(text, "  {}", row.join(" "));
    }
    text.push('\n');
}

fn save(filename: &str, text: &str) -> PyResult<()> {
    std::fs::write(filename, text).map_err(|e| fatal(format!("cannot write '{filename}': {e}")))
}

/// Writes sizes and arrays of a model to a text file.
#[pyfunction]
fn mj_printModel(m: PyModel<'_, '_>, filename: Text) -> PyResult<()> {
    let model = &*m.get().read()?;
    let mut text = String::new();
    for (name, value) in model.sizes().iter() {
        let _ = writeln!(text, "{name:<20} {value}");
    }
    text.push('\n');
    for field in model.opt.fields().iter().chain(&model.stat.fields()).chain(&model.fields()) {
        print_field(&mut text, field);
    }
    save(&filename.0, &text)
}

/// Writes all arrays of a data to a text file.
#[pyfunction]
fn mj_printData(m: PyModel<'_, '_>, d: PyData<'_, '_>, filename: Text) -> PyResult<()> {
    let text = d.get().with(m.py(), |d| {
        let mut text = format!("TIME\n  {}\n\n", d.time);
        let _ = writeln!(text, "NCON {}\nNEFC {}\n", d.ncon, d.nefc);
        for field in &d.fields() {
            print_field(&mut text, field);
        }
        text
    })?;
    save(&filename.0, &text)
}

/// The elements and attributes of MJCF as text, or as HTML with `flg_html`; `flg_pad` indents by level.
#[pyfunction]
fn mj_printSchema(flg_html: bool, flg_pad: bool) -> String {
    kinetree_spec::schema_text(flg_html, flg_pad)
}

/// The asset cache of the process.
#[pyclass(frozen, module = "kinetree")]
struct MjCache;

/// The asset cache that the compiler uses.
#[pyfunction]
fn mj_getCache() -> MjCache {
    MjCache
}

/// Size of the assets in the cache, in bytes.
#[pyfunction]
fn mj_getCacheSize(cache: PyRef<'_, MjCache>) -> usize {
    let _ = cache;
    AssetCache::global().size()
}

/// Bound on the size of the cache, in bytes.
#[pyfunction]
fn mj_getCacheCapacity(cache: PyRef<'_, MjCache>) -> usize {
    let _ = cache;
    AssetCache::global().capacity()
}

/// Changes the bound on the size of the cache (0: no caching) and returns it.
#[pyfunction]
fn mj_setCacheCapacity(cache: PyRef<'_, MjCache>, size: usize) -> usize {
    let _ = cache;
    AssetCache::global().set_capacity(size);
    AssetCache::global().capacity()
}

/// Empties the cache.
#[pyfunction]
fn mj_clearCache(cache: PyRef<'_, MjCache>) {
    let _ = cache;
    AssetCache::global().clear();
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    functions!(module; mj_getCache mj_getCacheSize mj_getCacheCapacity mj_setCacheCapacity mj_clearCache);
    functions!(module; mj_saveModel mj_sizeModel mj_printModel mj_printData mj_printSchema);
    Ok(())
}
