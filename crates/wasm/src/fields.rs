//! The field tables of model and data for JavaScript: names and types once, places on demand.

use kinetree_model::{Field, FieldSlice};
use std::fmt::Write;

/// Name of the type of numbers that a field holds.
fn type_name(data: &FieldSlice<'_>) -> &'static str {
    match data {
        FieldSlice::F64(_) => "f64",
        FieldSlice::F32(_) => "f32",
        FieldSlice::I32(_) => "i32",
        FieldSlice::I64(_) => "i64",
        FieldSlice::U64(_) => "u64",
        FieldSlice::U8(_) => "u8",
    }
}

/// A line for each field: name, type of its numbers, size that gives its rows, documentation.
pub(crate) fn table(fields: &[Field<'_>]) -> String {
    let mut text = String::new();
    for field in fields {
        let _ = writeln!(text, "{}\t{}\t{}\t{}", field.name, type_name(&field.data), field.rows, field.doc);
    }
    text
}

/// Address and number of scalars of a field, then its shape.
pub(crate) fn place(field: &Field<'_>) -> Vec<u32> {
    let address = match field.data {
        FieldSlice::F64(s) => s.as_ptr().addr(),
        FieldSlice::F32(s) => s.as_ptr().addr(),
        FieldSlice::I32(s) => s.as_ptr().addr(),
        FieldSlice::I64(s) => s.as_ptr().addr(),
        FieldSlice::U64(s) => s.as_ptr().addr(),
        FieldSlice::U8(s) => s.as_ptr().addr(),
    };
    let [rows, columns, inner] = field.shape;
    [address, field.data.len(), rows, columns, inner].map(|number| number as u32).to_vec()
}
