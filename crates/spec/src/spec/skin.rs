//! Skins: visual surfaces that follow bones.
//!
//! ```
//! use kinetree_spec::spec::{Bone, Skin};
//!
//! let (vertid, vertweight) = (vec![0, 1, 2], vec![1.0; 3]);
//! let bone = Bone { bodyname: "arm".into(), vertid, vertweight, ..Bone::default() };
//! let skin = Skin { vert: vec![0.0; 9], face: vec![0, 1, 2], bones: vec![bone], ..Skin::default() };
//! assert_eq!(skin.bones[0].vertid.len(), 3);
//! ```

use super::common::GREY;
use super::element::{Origin, impl_element};

/// A bone of a skin.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bone {
    /// Body that moves the bone.
    pub bodyname: String,
    /// Position of the body when the skin was bound (m).
    pub bindpos: [f32; 3],
    /// Orientation of the body when the skin was bound.
    pub bindquat: [f32; 4],
    /// Vertices that follow the bone.
    pub vertid: Vec<i32>,
    /// Their weights.
    pub vertweight: Vec<f32>,
}

/// A skin.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    /// Name.
    pub name: String,
    /// Where the element comes from.
    pub origin: Origin,
    /// Skin file.
    pub file: String,
    /// Material name.
    pub material: String,
    /// Color when no material is named.
    pub rgba: [f32; 4],
    /// Offset along the normals (m).
    pub inflate: f32,
    /// Visualization group.
    pub group: i32,
    /// Vertices, three numbers each (m).
    pub vert: Vec<f32>,
    /// Texture coordinates, two numbers each.
    pub texcoord: Vec<f32>,
    /// Faces, three vertex numbers each.
    pub face: Vec<i32>,
    /// Bones.
    pub bones: Vec<Bone>,
}

impl Default for Skin {
    fn default() -> Self {
        Skin {
            name: String::new(),
            origin: Origin::default(),
            file: String::new(),
            material: String::new(),
            rgba: GREY,
            inflate: 0.0,
            group: 0,
            vert: Vec::new(),
            texcoord: Vec::new(),
            face: Vec::new(),
            bones: Vec::new(),
        }
    }
}

impl_element!(Skin => "skin");
