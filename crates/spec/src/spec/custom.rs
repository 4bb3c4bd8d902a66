//! Custom numbers, texts and tuples, keyframes and plugin instances.
//!
//! ```
//! use kinetree_spec::Spec;
//! use kinetree_spec::spec::Numeric;
//!
//! let text = "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='0.1'/><site name='s'/>
//!      </body></worldbody></mujoco>";
//! let mut spec: Spec = text.parse()?;
//! spec.add_numeric(Numeric { name: "gains".into(), data: vec![1.0, 2.0], ..Numeric::default() });
//! assert_eq!(spec.compile()?.numeric_data, [1.0, 2.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use kinetree_model::enums::ObjType;

use super::element::{Origin, impl_element};

/// A custom array of numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numeric {
    /// Name.
    pub name: String,
    /// Where the element comes from.
    pub origin: Origin,
    /// The numbers that were given.
    pub data: Vec<f64>,
    /// Size of the array; zeros follow the given numbers.
    pub size: i32,
}

/// A custom text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Text {
    /// Name.
    pub name: String,
    /// Where the element comes from.
    pub origin: Origin,
    /// The text.
    pub data: String,
}

/// An entry of a [`Tuple`].
#[derive(Clone, Debug, PartialEq)]
pub struct TupleEntry {
    /// Kind of the object.
    pub objtype: ObjType,
    /// Name of the object.
    pub objname: String,
    /// Number attached to it.
    pub objprm: f64,
}

/// A custom list of objects.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tuple {
    /// Name.
    pub name: String,
    /// Where the element comes from.
    pub origin: Origin,
    /// The objects.
    pub entries: Vec<TupleEntry>,
}

/// A keyframe. Empty vectors mean "as in the reference pose".
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Key {
    /// Name.
    pub name: String,
    /// Where the element comes from.
    pub origin: Origin,
    /// Time (s).
    pub time: f64,
    /// Joint positions.
    pub qpos: Vec<f64>,
    /// Joint velocities.
    pub qvel: Vec<f64>,
    /// Activations.
    pub act: Vec<f64>,
    /// Mocap positions, three numbers each (m).
    pub mpos: Vec<f64>,
    /// Mocap orientations, four numbers each.
    pub mquat: Vec<f64>,
    /// Controls.
    pub ctrl: Vec<f64>,
}

/// A named instance of a plugin.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plugin {
    /// Name of the instance.
    pub name: String,
    /// Where the element comes from.
    pub origin: Origin,
    /// Name of the plugin.
    pub plugin_name: String,
    /// The instance is in use.
    pub active: bool,
    /// It was made for the bodies of a composite, and comes behind those of other elements.
    pub composite: bool,
    /// Configuration, in the order of the text.
    pub config: Vec<(String, String)>,
}

impl_element!(Numeric => "numeric", Text => "text", Tuple => "tuple", Key => "key", Plugin => "plugin");
