//! Arrays of the data that are copied into a table after each step.

use crate::error::BatchError;
use kinetree_model::{Data, FieldSlice, Model};
use std::ops::Range;

/// An array of the data that a batch shows, such as `xpos` or `cfrc_ext`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Name of the array.
    pub name: &'static str,
    /// Its numbers in a row of the outputs.
    pub columns: Range<usize>,
    /// Rows and columns of the array in one world.
    pub shape: [usize; 2],
    /// Index of the field in the table of fields.
    field: usize,
}

/// What `mj_rne_post_constraint` computes, which a step does not need.
const AFTER_CONSTRAINTS: [&str; 3] = ["cacc", "cfrc_int", "cfrc_ext"];

impl Output {
    /// Looks up arrays by name, and gives each its columns in a row.
    pub(crate) fn find_all(model: &Model, names: &[&str]) -> Result<Vec<Self>, BatchError> {
        let data = Data::new(model);
        let fields = data.fields();
        let mut first = 0;
        let find = |name: &&str| {
            let known = |f: &kinetree_model::Field<'_>| matches!(f.data, FieldSlice::F64(_));
            let field = fields[..Data::FLOATS.len()].iter().position(|f| f.name == *name && known(f));
            let field = field.ok_or_else(|| BatchError::Output((*name).to_owned()))?;
            let [rows, width, depth] = fields[field].shape;
            let columns = first..first + rows * width * depth;
            first = columns.end;
            Ok(Self { name: fields[field].name, columns, shape: [rows, width * depth], field })
        };
        names.iter().map(find).collect()
    }

    /// Whether the array needs accelerations and forces of bodies, which a step leaves out.
    pub(crate) fn is_after_constraints(&self) -> bool {
        AFTER_CONSTRAINTS.contains(&self.name)
    }

    /// Copies the array of a world into its row.
    pub(crate) fn show(&self, data: &Data, row: &mut [f64]) {
        row[self.columns.clone()].copy_from_slice(Data::FLOATS[self.field](data));
    }
}
