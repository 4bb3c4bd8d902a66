//! Height field assets.

use super::element::{Origin, impl_element};

/// A height field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HField {
    /// Name; empty: taken from the file name.
    pub name: String,
    /// Where the element comes from.
    pub origin: Origin,
    /// MIME type of the file, when the extension does not say it.
    pub content_type: String,
    /// File with the elevations.
    pub file: String,
    /// Half extents in x and y, elevation scale, thickness of the base (m).
    pub size: [f64; 4],
    /// Number of rows.
    pub nrow: i32,
    /// Number of columns.
    pub ncol: i32,
    /// Inline elevations, lowest row (smallest y) first.
    pub userdata: Vec<f32>,
}

impl_element!(HField => "hfield");
