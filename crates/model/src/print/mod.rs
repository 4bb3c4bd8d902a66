//! Models and data as text to read and compare: each element of a model with its fields, each array of a data
//! as a table, sparse matrices also as pictures. The layout is the reference's, so that the texts of both
//! engines can be compared line by line.

mod data_text;
mod float_format;
mod model_text;
mod page;

pub use data_text::data_text;
pub use float_format::{FloatFormat, FloatFormatError};
pub use model_text::model_text;
