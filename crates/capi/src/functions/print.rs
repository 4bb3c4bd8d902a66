//! Models and data as text.

use kinetree_model::{Data, Field, FieldSlice, Model};
use std::fmt::Write;

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

/// Sizes, options and arrays of a model.
pub fn model_text(model: &Model) -> String {
    let mut text = String::new();
    for (name, value) in model.sizes().iter() {
        let _ = writeln!(text, "{name:<20} {value}");
    }
    text.push('\n');
    for field in model.opt.fields().iter().chain(&model.stat.fields()).chain(&model.fields()) {
        print_field(&mut text, field);
    }
    text
}

/// All arrays of a data.
pub fn data_text(data: &Data) -> String {
    let mut text = format!("TIME\n  {}\n\nNCON {}\nNEFC {}\n\n", data.time, data.ncon, data.nefc);
    data.fields().iter().for_each(|field| print_field(&mut text, field));
    text
}
