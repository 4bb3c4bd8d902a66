//! Tables of numbers and indices that the kernels read, and the constants that say where each begins.

use std::fmt::Write;

/// Numbers and indices of a model, each list under a name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) floats: Vec<f32>,
    pub(crate) ints: Vec<i32>,
    /// WGSL constants: where lists begin, sizes and settings.
    pub(crate) constants: String,
}

impl Table {
    /// Appends a list of numbers; `name` becomes the place of its first.
    pub(crate) fn floats(&mut self, name: &str, values: impl IntoIterator<Item = f64>) {
        self.size(name, self.floats.len());
        self.floats.extend(values.into_iter().map(single));
    }

    /// Appends a list of indices; `name` becomes the place of its first.
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
        let _ = writeln!(self.constants, "const {name} = f32({:e});", single(value));
    }

    /// A constant that switches something on.
    pub(crate) fn flag(&mut self, name: &str, value: bool) {
        let _ = writeln!(self.constants, "const {name} = {value};");
    }
}

/// A number in single precision; what is beyond its range becomes its largest.
fn single(x: f64) -> f32 {
    (x as f32).clamp(-f32::MAX, f32::MAX)
}
