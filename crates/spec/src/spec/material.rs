//! Materials.
//!
//! ```
//! use kinetree_spec::Spec;
//! use kinetree_spec::spec::Material;
//!
//! let text = "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='0.1'/><site name='s'/>
//!      </body></worldbody></mujoco>";
//! let mut spec: Spec = text.parse()?;
//! spec.add_material(Material { name: "red".into(), rgba: [1.0, 0.0, 0.0, 1.0], ..Material::default() });
//! assert_eq!(spec.compile()?.nmat, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::element::{Origin, impl_element};

/// Number of roles a texture can play in a material.
pub const TEXTURE_ROLES: usize = 10;

/// A material.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name.
    pub name: String,
    /// Where the element comes from.
    pub origin: Origin,
    /// Texture names by role (user, rgb, occlusion, roughness, metallic, normal, opacity, emissive, rgba,
    /// orm).
    pub textures: [String; TEXTURE_ROLES],
    /// Repetition counts per unit length instead of per face.
    pub texuniform: bool,
    /// Repetitions of a flat texture.
    pub texrepeat: [f32; 2],
    /// Emission.
    pub emission: f32,
    /// Specularity.
    pub specular: f32,
    /// Shininess.
    pub shininess: f32,
    /// Reflectance.
    pub reflectance: f32,
    /// Metallicity; -1: not set.
    pub metallic: f32,
    /// Roughness; -1: not set.
    pub roughness: f32,
    /// Color.
    pub rgba: [f32; 4],
}

impl Default for Material {
    fn default() -> Self {
        Material {
            name: String::new(),
            origin: Origin::default(),
            textures: Default::default(),
            texuniform: false,
            texrepeat: [1.0, 1.0],
            emission: 0.0,
            specular: 0.5,
            shininess: 0.5,
            reflectance: 0.0,
            metallic: -1.0,
            roughness: -1.0,
            rgba: [1.0; 4],
        }
    }
}

impl_element!(Material => "material");
