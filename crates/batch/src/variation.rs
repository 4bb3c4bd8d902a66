//! Model fields that differ from world to world.
//!
//! A varied field is kept as a table with a row for each world. Each chunk of worlds has one copy of the
//! model, into which the rows of a world are written before it steps; so the rest of the model is there once
//! a chunk and not once a world. Gravity and time step can be varied like fields.

use crate::error::BatchError;
use kinetree_model::{Data, FieldSlice, Model};
use kinetree_sim::mj_set_const;

/// Which numbers of a model vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    /// An array, by its index in the table of fields.
    Array(usize),
    Timestep,
    Gravity,
    /// Statistic that solvers scale their tolerance by.
    MeanInertia,
}

/// Options that can be varied by their names, and a statistic that follows from the masses.
const OPTIONS: [(&str, Target, usize); 3] = [
    ("timestep", Target::Timestep, 1),
    ("gravity", Target::Gravity, 3),
    ("meaninertia", Target::MeanInertia, 1),
];

/// Fields of which no number may be negative, where they are varied.
pub const NOT_NEGATIVE: [&str; 8] = [
    "body_mass",
    "body_inertia",
    "body_subtreemass",
    "dof_armature",
    "dof_frictionloss",
    "geom_friction",
    "pair_friction",
    "tendon_frictionloss",
];

impl Target {
    fn numbers(self, model: &mut Model) -> &mut [f64] {
        match self {
            Self::Array(field) => Model::FLOATS_MUT[field](model),
            Self::Timestep => std::slice::from_mut(&mut model.opt.timestep),
            Self::Gravity => &mut model.opt.gravity,
            Self::MeanInertia => std::slice::from_mut(&mut model.stat.meaninertia),
        }
    }
}

/// A field with values of its own for each world.
#[derive(Clone, Debug)]
pub(crate) struct Variation {
    name: &'static str,
    target: Target,
    width: usize,
    values: Vec<f64>,
}

impl Variation {
    /// A field that has the values of the model in each of so many worlds.
    pub(crate) fn of(model: &Model, name: &str, worlds: usize) -> Result<Self, BatchError> {
        let (name, target, width) = find(model, name)?;
        let own = match target {
            Target::Array(field) => match model.fields().swap_remove(field).data {
                FieldSlice::F64(numbers) => numbers.to_vec(),
                _ => Vec::new(),
            },
            Target::Timestep => vec![model.opt.timestep],
            Target::Gravity => model.opt.gravity.to_vec(),
            Target::MeanInertia => vec![model.stat.meaninertia],
        };
        Ok(Self { name, target, width, values: own.repeat(worlds) })
    }

    /// Replaces the values of some worlds: `values` has a row for each of them.
    pub(crate) fn set(&mut self, worlds: &[usize], values: &[f64]) -> Result<(), BatchError> {
        let (name, width) = (self.name, self.width);
        if values.len() != worlds.len() * width {
            return Err(BatchError::Length {
                what: "the values of a varied field",
                expected: worlds.len() * width,
                got: values.len(),
                explanation: format!("{width} of '{name}' for each of {} worlds", worlds.len()),
            });
        }
        for (&world, row) in worlds.iter().zip(values.chunks(width.max(1))) {
            if let Some(index) = row.iter().position(|value| !value.is_finite()) {
                return Err(BatchError::NotFinite {
                    what: "a varied field",
                    world,
                    index,
                    value: row[index],
                });
            }
            let wrong = |value: &f64| {
                *value < 0.0 && NOT_NEGATIVE.contains(&name)
                    || *value <= 0.0 && self.target == Target::Timestep
            };
            if let Some(index) = row.iter().position(wrong) {
                return Err(BatchError::Negative { field: name, world, index, value: row[index] });
            }
        }
        for (&world, row) in worlds.iter().zip(values.chunks(width.max(1))) {
            self.values[world * width..(world + 1) * width].copy_from_slice(row);
        }
        Ok(())
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// Whether it is an array of the model, and no option.
    pub(crate) fn is_array(&self) -> bool {
        matches!(self.target, Target::Array(_))
    }

    /// Values of all worlds.
    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    /// Writes the values of a world into a model.
    pub(crate) fn apply(&self, world: usize, model: &mut Model) {
        let row = &self.values[world * self.width..(world + 1) * self.width];
        self.target.numbers(model).copy_from_slice(row);
    }
}

/// Variations of all that the compiler derives from other fields, for the selected worlds: where such a field
/// is not that of the model, or varies already.
pub(crate) fn derived(
    model: &Model,
    variations: &[Variation],
    worlds: &[usize],
    count: usize,
) -> Result<Vec<Variation>, BatchError> {
    let mut found: Vec<Variation> = Vec::new();
    let mut scratch = model.clone();
    let mut data = Data::new(model);
    for &world in worlds {
        variations.iter().for_each(|variation| variation.apply(world, &mut scratch));
        mj_set_const(&mut scratch, &mut data)
            .map_err(|error| BatchError::Constants { world, reason: error.to_string() })?;
        let mut keep = |name: &'static str, new: &[f64], own: &[f64]| -> Result<(), BatchError> {
            let index = match found.iter().position(|variation| variation.name == name) {
                Some(index) => index,
                None => {
                    let known = variations.iter().find(|variation| variation.name == name);
                    let same = || new.iter().zip(own).all(|(a, b)| a.to_bits() == b.to_bits());
                    if known.is_none() && same() {
                        return Ok(());
                    }
                    found.push(
                        known.map_or_else(|| Variation::of(model, name, count), |known| Ok(known.clone()))?,
                    );
                    found.len() - 1
                }
            };
            found[index].set(&[world], new)
        };
        for (new, own) in scratch.fields().iter().zip(&model.fields()) {
            if let (FieldSlice::F64(new_numbers), FieldSlice::F64(own_numbers)) = (new.data, own.data) {
                keep(new.name, new_numbers, own_numbers)?;
            }
        }
        keep("meaninertia", &[scratch.stat.meaninertia], &[model.stat.meaninertia])?;
    }
    Ok(found)
}

/// Name, target and length of an option or of an array of floating-point numbers.
fn find(model: &Model, name: &str) -> Result<(&'static str, Target, usize), BatchError> {
    let option = name.strip_prefix("opt.").unwrap_or(name);
    if let Some(&known) = OPTIONS.iter().find(|(known, _, _)| *known == option) {
        return Ok(known);
    }
    let fields = model.fields();
    let floats = |f: &&kinetree_model::Field<'_>| matches!(f.data, FieldSlice::F64(_));
    match fields.iter().position(|f| f.name == name && floats(&f)) {
        Some(index) => Ok((fields[index].name, Target::Array(index), fields[index].data.len())),
        None => {
            let part = name.trim_start_matches(|c: char| c != '_');
            let similar = fields.iter().filter(floats).find(|f| !part.is_empty() && f.name.ends_with(part));
            let suggestion = similar.map(|f| format!("; did you mean '{}'?", f.name)).unwrap_or_default();
            Err(BatchError::Field { name: name.to_owned(), suggestion })
        }
    }
}
