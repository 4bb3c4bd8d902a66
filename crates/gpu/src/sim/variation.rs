//! Numbers of the model that differ from world to world.
//!
//! Kernels are made for one model: which rows, springs or bodies there are is the same in all worlds. A
//! varied field may take something away, as a spring of no stiffness, but may not add what the kernels do not
//! look for.

use crate::error::GpuError;
use crate::features::contact_pairs::PairGroups;
use crate::features::parameters::Table;
use crate::features::plan::Plan;
use crate::layout::buffer_layout::Layout;
use crate::layout::model_parameters::write_model;
use kinetree_model::{Data, Model};
use kinetree_sim::static_pairs;
use std::sync::Arc;

/// A field: its name, its index in the table of fields, values of a world, and values of all worlds.
#[derive(Clone, Debug)]
pub(crate) struct VariedField {
    pub(crate) name: String,
    pub(crate) index: usize,
    pub(crate) width: usize,
    pub(crate) values: Arc<[f64]>,
}

/// What the numbers of all worlds are made from.
pub(crate) struct Variation<'a> {
    pub(crate) model: &'a Model,
    /// Whether sensors are computed.
    pub(crate) sensors: bool,
    pub(crate) first_active: Option<&'a Vec<bool>>,
    pub(crate) layout: &'a Layout,
    pub(crate) fields: &'a [VariedField],
    pub(crate) worlds: usize,
}

impl Variation<'_> {
    /// Numbers of the model for each world, one after the other, made by as many threads as there are.
    pub(crate) fn numbers(&self) -> Result<Vec<f64>, GpuError> {
        let base = self.table(self.model);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        if threads == 1 {
            // a browser has no others
            return self.part(&base, 0, self.worlds);
        }
        let share = self.worlds.div_ceil(threads).max(1);
        let firsts: Vec<usize> = (0..self.worlds).step_by(share).collect();
        let parts: Vec<Result<Vec<f64>, GpuError>> = std::thread::scope(|scope| {
            let part = |first: usize| {
                let base = &base;
                scope.spawn(move || self.part(base, first, share.min(self.worlds - first)))
            };
            let running: Vec<_> = firsts.iter().map(|&first| part(first)).collect();
            let stopped = || Err(GpuError::Device("a thread stopped".to_owned()));
            running.into_iter().map(|thread| thread.join().unwrap_or_else(|_| stopped())).collect()
        });
        let mut all = Vec::with_capacity(base.floats.len() * self.worlds);
        for part in parts {
            all.extend(part?);
        }
        Ok(all)
    }

    /// Numbers of some worlds.
    fn part(&self, base: &Table, first: usize, count: usize) -> Result<Vec<f64>, GpuError> {
        let mut model = Model::clone(self.model);
        let mut numbers = Vec::with_capacity(base.floats.len() * count);
        for world in first..first + count {
            for VariedField { index, width, values, .. } in self.fields {
                Model::FLOATS_MUT[*index](&mut model).copy_from_slice(&values[world * width..][..*width]);
            }
            let table = self.table(&model);
            if !fits(base, &table) {
                return Err(GpuError::VariedShape { field: self.field_that_differs(base, world), world });
            }
            numbers.extend(table.floats);
        }
        Ok(numbers)
    }

    /// The first field that by itself makes a world one for other kernels; the last one set where none does.
    fn field_that_differs(&self, base: &Table, world: usize) -> String {
        let differs = |field: &&VariedField| {
            let mut model = Model::clone(self.model);
            let VariedField { index, width, values, .. } = field;
            Model::FLOATS_MUT[*index](&mut model).copy_from_slice(&values[world * width..][..*width]);
            !fits(base, &self.table(&model))
        };
        let found = self.fields.iter().find(differs).or(self.fields.last());
        found.map_or(String::new(), |field| field.name.clone())
    }

    fn table(&self, model: &Model) -> Table {
        let data = Data::new(model);
        let pairs = PairGroups::new(model, &static_pairs(model, &data));
        let plan = Plan::new(model, pairs, self.sensors, self.first_active.cloned());
        write_model(&plan, self.layout, false)
    }
}

/// Whether kernels for one table are right for the numbers of another: sizes and indices are the same, but
/// that something may be missing.
fn fits(base: &Table, other: &Table) -> bool {
    let missing = |base: &str, other: &str| {
        base.strip_suffix("true;").is_some_and(|name| other.strip_suffix("false;") == Some(name))
    };
    let mut lines = base.constants.lines().zip(other.constants.lines());
    base.floats.len() == other.floats.len()
        && base.ints.len() == other.ints.len()
        && lines.all(|(base, other)| base == other || missing(base, other))
        && base.ints.iter().zip(&other.ints).all(|(base, other)| base == other || *other == -1)
}
