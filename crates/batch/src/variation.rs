//! Model fields that differ from world to world.
//!
//! A varied field is kept as a table with a row for each world. Each chunk of worlds has one copy of the
//! model, into which the rows of a world are written before it steps; so the rest of the model is there once
//! a chunk and not once a world.

use crate::error::BatchError;
use kinetree_model::Model;

/// A field with values of its own for each world.
#[derive(Clone, Debug)]
pub(crate) struct Variation {
    /// Place of the field in the table of fields.
    field: usize,
    width: usize,
    values: Vec<f64>,
}

impl Variation {
    /// Values of a field for each of `worlds` worlds, one world after the other.
    pub(crate) fn new(model: &Model, name: &str, values: &[f64], worlds: usize) -> Result<Self, BatchError> {
        let (field, width) = find(model, name)?;
        if values.len() != worlds * width {
            return Err(BatchError::Length {
                what: "the values of a varied field",
                expected: worlds * width,
                got: values.len(),
                explanation: format!("{width} of '{name}' for each of {worlds} worlds"),
            });
        }
        if let Some(place) = values.iter().position(|value| !value.is_finite()) {
            return Err(BatchError::NotFinite {
                what: "a varied field",
                world: place / width,
                place: place % width,
                value: values[place],
            });
        }
        Ok(Self { field, width, values: values.to_vec() })
    }

    pub(crate) fn field(&self) -> usize {
        self.field
    }

    /// Values of all worlds.
    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    /// Writes the values of a world into a model.
    pub(crate) fn apply(&self, world: usize, model: &mut Model) {
        let row = &self.values[world * self.width..(world + 1) * self.width];
        Model::FLOATS_MUT[self.field](model).copy_from_slice(row);
    }
}

/// Place and length of an array of floating-point numbers.
fn find(model: &Model, name: &str) -> Result<(usize, usize), BatchError> {
    let fields = model.fields();
    let floats = |f: &&kinetree_model::Field<'_>| matches!(f.data, kinetree_model::FieldSlice::F64(_));
    match fields.iter().position(|f| f.name == name && floats(&f)) {
        Some(place) => Ok((place, fields[place].data.len())),
        None => {
            let part = name.trim_start_matches(|c: char| c != '_');
            let similar = fields.iter().filter(floats).find(|f| !part.is_empty() && f.name.ends_with(part));
            let suggestion = similar.map(|f| format!("; did you mean '{}'?", f.name)).unwrap_or_default();
            Err(BatchError::Field { name: name.to_owned(), suggestion })
        }
    }
}
