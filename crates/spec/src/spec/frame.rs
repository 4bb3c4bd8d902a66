//! Frames: coordinate transforms that dissolve into the poses of their children when the model is compiled.
//!
//! ```
//! use kinetree_spec::Spec;
//! use kinetree_spec::spec::{Frame, Geom};
//!
//! let text = "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='0.1'/><site name='s'/>
//!      </body></worldbody></mujoco>";
//! let mut spec: Spec = text.parse()?;
//! let body = spec.find_body("b").ok_or("no such body")?;
//! let frame = spec.add_frame(body, Frame { pos: [0.0, 0.0, 0.5], ..Frame::default() });
//! spec.add_geom(body, Geom { frame: Some(frame), size: [0.1, 0.0, 0.0], ..Geom::default() });
//! assert_eq!(spec.compile()?.geom_pos[1], [0.0, 0.0, 0.5]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::common::{IDENTITY, Orientation};
use super::element::{Origin, impl_element};
use super::{BodyId, FrameId};

/// A frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Name; empty when not given.
    pub name: String,
    /// Where the element comes from.
    pub origin: Origin,
    /// Default class for the children, when the frame sets one.
    pub childclass: String,
    /// Position (m).
    pub pos: [f64; 3],
    /// Orientation.
    pub quat: [f64; 4],
    /// Orientation in another form.
    pub alt: Orientation,
    /// Body that owns the frame.
    pub body: BodyId,
    /// Enclosing frame in the same body.
    pub parent: Option<FrameId>,
}

impl Default for Frame {
    fn default() -> Self {
        Frame {
            name: String::new(),
            origin: Origin::default(),
            childclass: String::new(),
            pos: [0.0; 3],
            quat: IDENTITY,
            alt: Orientation::Quat,
            body: BodyId::default(),
            parent: None,
        }
    }
}

impl_element!(Frame => "frame");
