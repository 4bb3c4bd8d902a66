//! Height field assets.
//!
//! ```
//! use kinetree_spec::Spec;
//! use kinetree_spec::spec::HField;
//!
//! let text = "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='0.1'/><site name='s'/>
//!      </body></worldbody></mujoco>";
//! let mut spec: Spec = text.parse()?;
//! spec.add_hfield(HField {
//!     name: "hill".into(),
//!     size: [1.0, 1.0, 0.5, 0.1],
//!     nrow: 2,
//!     ncol: 2,
//!     userdata: vec![0.0, 1.0, 0.0, 1.0],
//!     ..HField::default()
//! });
//! assert_eq!(spec.compile()?.nhfield, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
