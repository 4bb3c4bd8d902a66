//! The field table as Python sees it: names, types, shapes and documentation, for class attributes and type
//! stubs.

use kinetree_model::{Data, Field, FieldSlice, Model, Sizes};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Name, element type, extents (sizes by name, or numbers) and documentation of a field.
type Row = (String, &'static str, Vec<String>, String);

fn row(field: &Field<'_>) -> Row {
    let kind = match field.data {
        FieldSlice::F64(_) => "float64",
        FieldSlice::F32(_) => "float32",
        FieldSlice::I32(_) => "int32",
        FieldSlice::I64(_) => "int64",
        FieldSlice::U64(_) => "uint64",
        FieldSlice::U8(_) => "uint8",
    };
    let columns = field.shape[1] * field.shape[2];
    let mut extents = Vec::new();
    if !field.rows.is_empty() {
        extents.push(field.rows.to_owned());
    }
    if columns > 1 {
        extents.push(columns.to_string());
    }
    (field.name.to_owned(), kind, extents, field.doc.to_owned())
}

/// A list of fields for each struct: `MjModel`, `MjData`, `opt`, `stat` and the groups of `vis`; `sizes` and
/// `scalars` are the integers of a model and of a data.
#[pyfunction]
pub(crate) fn field_table(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let model = Model::with_sizes(Sizes::default());
    let data = Data::new(&model);
    let dict = PyDict::new(py);
    let rows = |fields: &[Field<'_>]| fields.iter().map(row).collect::<Vec<_>>();
    dict.set_item("MjModel", rows(&model.fields()))?;
    dict.set_item("MjData", rows(&data.fields()))?;
    dict.set_item("opt", rows(&model.opt.fields()))?;
    dict.set_item("stat", rows(&model.stat.fields()))?;
    for (group, fields) in model.vis.groups() {
        dict.set_item(group, rows(&fields))?;
    }
    let sizes: Vec<_> = Sizes::NAMES.iter().zip(Sizes::DOCS).collect();
    dict.set_item("sizes", sizes)?;
    let scalars: Vec<_> = Data::SCALARS.iter().map(|s| (s.name, s.doc)).collect();
    dict.set_item("scalars", scalars)?;
    Ok(dict)
}
