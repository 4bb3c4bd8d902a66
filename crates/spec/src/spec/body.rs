//! Bodies: the nodes of the kinematic tree, with their inertial frame.
//!
//! ```
//! use kinetree_spec::Spec;
//! use kinetree_spec::spec::Body;
//!
//! let text = "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='0.1'/><site name='s'/>
//!      </body></worldbody></mujoco>";
//! let mut spec: Spec = text.parse()?;
//! let body = spec.find_body("b").ok_or("no such body")?;
//! spec.add_body(body, Body { name: "child".into(), mass: 1.0, ..Body::default() });
//! assert!(spec.find_body("child").is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use kinetree_model::enums::SleepPolicy;

use super::common::{IDENTITY, Orientation, PluginRef};
use super::element::{Origin, impl_element};
use super::{BodyId, CameraId, FrameId, GeomId, JointId, LightId, SiteId};

/// A body. Fields carry the names of the schema; the lists at the end hold its children in document order.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Name; empty when not given.
    pub name: String,
    /// Where the element comes from.
    pub origin: Origin,
    /// Default class for the children, when the body sets one.
    pub childclass: String,
    /// Position in the parent frame (m).
    pub pos: [f64; 3],
    /// Orientation in the parent frame.
    pub quat: [f64; 4],
    /// Orientation in another form.
    pub alt: Orientation,
    /// Mass (kg).
    pub mass: f64,
    /// Center of mass in the body frame (m); the first entry is NaN when no inertial frame was given.
    pub ipos: [f64; 3],
    /// Orientation of the inertial frame.
    pub iquat: [f64; 4],
    /// Principal moments (kg m²).
    pub inertia: [f64; 3],
    /// Orientation of the inertial frame in another form.
    pub ialt: Orientation,
    /// Full inertia matrix as xx, yy, zz, xy, xz, yz (kg m²); the first entry is NaN when not given.
    pub fullinertia: [f64; 6],
    /// The body is moved by the user, not by physics.
    pub mocap: bool,
    /// Share of the weight that is compensated.
    pub gravcomp: f64,
    /// When the tree below this body may sleep.
    pub sleep: SleepPolicy,
    /// User data.
    pub userdata: Vec<f64>,
    /// The inertial frame was written out in the text.
    pub explicitinertial: bool,
    /// Passive force plugin.
    pub plugin: PluginRef,
    /// Parent body; `None` for the world.
    pub parent: Option<BodyId>,
    /// Frame of the parent body that the pose is relative to.
    pub frame: Option<FrameId>,
    /// Child bodies.
    pub bodies: Vec<BodyId>,
    /// Frames that belong to the body, nested ones included.
    pub frames: Vec<FrameId>,
    /// Joints.
    pub joints: Vec<JointId>,
    /// Geoms.
    pub geoms: Vec<GeomId>,
    /// Sites.
    pub sites: Vec<SiteId>,
    /// Cameras.
    pub cameras: Vec<CameraId>,
    /// Lights.
    pub lights: Vec<LightId>,
}

impl Default for Body {
    fn default() -> Self {
        Body {
            name: String::new(),
            origin: Origin::default(),
            childclass: String::new(),
            pos: [0.0; 3],
            quat: IDENTITY,
            alt: Orientation::Quat,
            mass: 0.0,
            ipos: [f64::NAN, 0.0, 0.0],
            iquat: IDENTITY,
            inertia: [0.0; 3],
            ialt: Orientation::Quat,
            fullinertia: [f64::NAN, 0.0, 0.0, 0.0, 0.0, 0.0],
            mocap: false,
            gravcomp: 0.0,
            sleep: SleepPolicy::Auto,
            userdata: Vec::new(),
            explicitinertial: false,
            plugin: PluginRef::default(),
            parent: None,
            frame: None,
            bodies: Vec::new(),
            frames: Vec::new(),
            joints: Vec::new(),
            geoms: Vec::new(),
            sites: Vec::new(),
            cameras: Vec::new(),
            lights: Vec::new(),
        }
    }
}

impl Body {
    /// A copy with empty lists of children.
    pub(crate) fn without_content(&self) -> Self {
        Body {
            name: self.name.clone(),
            origin: self.origin.clone(),
            childclass: self.childclass.clone(),
            userdata: self.userdata.clone(),
            plugin: self.plugin.clone(),
            bodies: Vec::new(),
            frames: Vec::new(),
            joints: Vec::new(),
            geoms: Vec::new(),
            sites: Vec::new(),
            cameras: Vec::new(),
            lights: Vec::new(),
            ..*self
        }
    }
}

impl_element!(Body => "body");
