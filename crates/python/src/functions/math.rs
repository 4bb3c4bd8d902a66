//! Functions on numbers, vectors, rotations and matrices.

mod bands;
mod matrices;
mod rotations;
mod scalars;
mod sparse;
mod vectors;

use super::functions;
use pyo3::prelude::*;

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    bands::register(module)?;
    matrices::register(module)?;
    rotations::register(module)?;
    scalars::register(module)?;
    sparse::register(module)?;
    vectors::register(module)
}
