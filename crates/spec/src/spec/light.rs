//! Lights.
//!
//! ```
//! use kinetree_spec::Spec;
//! use kinetree_spec::spec::Light;
//!
//! let text = "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='0.1'/><site name='s'/>
//!      </body></worldbody></mujoco>";
//! let mut spec: Spec = text.parse()?;
//! let body = spec.find_body("b").ok_or("no such body")?;
//! spec.add_light(body, Light { pos: [0.0, 0.0, 3.0], ..Light::default() });
//! assert_eq!(spec.compile()?.nlight, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use kinetree_model::enums::{CamLight, LightType};

use super::element::{Origin, impl_element};
use super::{BodyId, FrameId};

/// A light.
#[derive(Clone, Debug, PartialEq)]
pub struct Light {
    /// Name; empty when not given.
    pub name: String,
    /// Where the element comes from.
    pub origin: Origin,
    /// Position in the body frame (m).
    pub pos: [f64; 3],
    /// Direction in the body frame.
    pub dir: [f64; 3],
    /// How the light follows bodies.
    pub mode: CamLight,
    /// Body that is pointed at.
    pub targetbody: String,
    /// The light is on.
    pub active: bool,
    /// Kind of light.
    pub r#type: LightType,
    /// Texture of an image light.
    pub texture: String,
    /// Casts shadows.
    pub castshadow: bool,
    /// Radius of the bulb, for soft shadows (m).
    pub bulbradius: f32,
    /// Intensity (cd).
    pub intensity: f32,
    /// Range of effect (m).
    pub range: f32,
    /// Constant, linear and quadratic attenuation.
    pub attenuation: [f32; 3],
    /// Cone angle of a spot (degree).
    pub cutoff: f32,
    /// Softness of the spot's edge.
    pub exponent: f32,
    /// Ambient color.
    pub ambient: [f32; 3],
    /// Diffuse color.
    pub diffuse: [f32; 3],
    /// Specular color.
    pub specular: [f32; 3],
    /// Owning body.
    pub body: BodyId,
    /// Frame the pose is relative to.
    pub frame: Option<FrameId>,
}

impl Default for Light {
    fn default() -> Self {
        Light {
            name: String::new(),
            origin: Origin::default(),
            pos: [0.0; 3],
            dir: [0.0, 0.0, -1.0],
            mode: CamLight::Fixed,
            targetbody: String::new(),
            active: true,
            r#type: LightType::Spot,
            texture: String::new(),
            castshadow: true,
            bulbradius: 0.02,
            intensity: 0.0,
            range: 10.0,
            attenuation: [1.0, 0.0, 0.0],
            cutoff: 45.0,
            exponent: 10.0,
            ambient: [0.0; 3],
            diffuse: [0.7; 3],
            specular: [0.3; 3],
            body: BodyId::default(),
            frame: None,
        }
    }
}

impl_element!(Light => "light");
