//! The one field table: every size and array of `Model` and `Data`, written once.

pub(crate) mod data_fields;
pub(crate) mod model_arrays;
pub(crate) mod model_indices;
pub(crate) mod model_sizes;
