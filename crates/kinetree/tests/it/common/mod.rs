//! What several tests share: the project's models, and numbers as bits.
#![allow(dead_code)] // each test binary uses its own part

use kinetree::prelude::*;
use std::path::Path;

/// A model below `models/`.
pub(crate) fn load(path: &str) -> Model {
    load_model(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(path))
        .unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The bits of all numbers of some arrays.
pub(crate) fn bits_of<'a>(arrays: impl IntoIterator<Item = &'a [f64]>) -> Vec<u64> {
    arrays.into_iter().flatten().map(|x| x.to_bits()).collect()
}
