//! Sites: frames of interest on a body, for sensors, tendons and actuators.
//!
//! ```
//! use kinetree_spec::Spec;
//! use kinetree_spec::spec::Site;
//!
//! let text = "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='0.1'/><site name='s'/>
//!      </body></worldbody></mujoco>";
//! let mut spec: Spec = text.parse()?;
//! let body = spec.find_body("b").ok_or("no such body")?;
//! spec.add_site(body, Site { name: "tip".into(), pos: [0.0, 0.0, 0.2], ..Site::default() });
//! assert_eq!(spec.compile()?.nsite, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use kinetree_model::enums::GeomType;

use super::common::{GREY, IDENTITY, Orientation};
use super::element::{Origin, impl_element};
use super::{BodyId, FrameId};

/// A site.
#[derive(Clone, Debug, PartialEq)]
pub struct Site {
    /// Name; empty when not given.
    pub name: String,
    /// Where the element comes from.
    pub origin: Origin,
    /// Position in the body frame (m).
    pub pos: [f64; 3],
    /// Orientation in the body frame.
    pub quat: [f64; 4],
    /// Orientation in another form.
    pub alt: Orientation,
    /// End points of an elongated shape; the first entry is NaN when not given.
    pub fromto: [f64; 6],
    /// Sizes of the drawn shape, also the zone of touch sensors (m).
    pub size: [f64; 3],
    /// Kind of shape.
    pub r#type: GeomType,
    /// Material name.
    pub material: String,
    /// Visualization group.
    pub group: i32,
    /// Color when no material is named.
    pub rgba: [f32; 4],
    /// User data.
    pub userdata: Vec<f64>,
    /// Owning body.
    pub body: BodyId,
    /// Frame the pose is relative to.
    pub frame: Option<FrameId>,
}

impl Default for Site {
    fn default() -> Self {
        Site {
            name: String::new(),
            origin: Origin::default(),
            pos: [0.0; 3],
            quat: IDENTITY,
            alt: Orientation::Quat,
            fromto: [f64::NAN, 0.0, 0.0, 0.0, 0.0, 0.0],
            size: [0.005; 3],
            r#type: GeomType::Sphere,
            material: String::new(),
            group: 0,
            rgba: GREY,
            userdata: Vec::new(),
            body: BodyId::default(),
            frame: None,
        }
    }
}

impl_element!(Site => "site");
