//! Parameter buffers that the kernels read, numbers and indices, and the constants that say where each
//! begins.

use crate::precision::Precision;
use std::fmt::Write;

/// Beyond all numbers that occur: the bound of what has none.
pub(crate) const UNBOUNDED: f64 = 1e30;

/// Names and sizes of arrays in working memory, in groups of four numbers.
pub(crate) type ScratchSizes = Vec<(&'static str, usize)>;

/// Numbers and indices of a model, each list under a name.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// Precision of the kernels that read it.
    pub(crate) precision: Precision,
    /// Numbers, rounded to that precision.
    pub(crate) floats: Vec<f64>,
    pub(crate) ints: Vec<i32>,
    /// WGSL constants: where lists begin, sizes and settings.
    pub(crate) constants: String,
}

impl Table {
    /// An empty table.
    pub(crate) fn new(precision: Precision) -> Self {
        Self { precision, floats: Vec::new(), ints: Vec::new(), constants: String::new() }
    }

    /// Appends a list of numbers; `name` becomes the offset of its first.
    pub(crate) fn floats(&mut self, name: &str, values: impl IntoIterator<Item = f64>) {
        self.size(name, self.floats.len());
        let precision = self.precision;
        self.floats.extend(values.into_iter().map(|x| rounded(precision, x)));
    }

    /// Appends a list of indices; `name` becomes the offset of its first.
    pub(crate) fn ints(&mut self, name: &str, values: impl IntoIterator<Item = i32>) {
        self.size(name, self.ints.len());
        self.ints.extend(values);
    }

    /// A constant that is a number of things.
    pub(crate) fn size(&mut self, name: &str, value: usize) {
        let _ = writeln!(self.constants, "const {name} = {value}u;");
    }

    /// A constant that is a quantity.
    pub(crate) fn quantity(&mut self, name: &str, value: f64) {
        let value = rounded(self.precision, value);
        let _ = match self.precision {
            Precision::Single => writeln!(self.constants, "const {name} = f32({:e});", value as f32),
            Precision::Double => writeln!(self.constants, "const {name} = f32({value:e});"),
        };
    }

    /// A constant that switches something on.
    pub(crate) fn flag(&mut self, name: &str, value: bool) {
        let _ = writeln!(self.constants, "const {name} = {value};");
    }
}

/// A number in some precision; what is beyond its range becomes its largest.
fn rounded(precision: Precision, x: f64) -> f64 {
    match precision {
        Precision::Single => f64::from((x as f32).clamp(-f32::MAX, f32::MAX)),
        Precision::Double => x.clamp(-f64::MAX, f64::MAX),
    }
}
