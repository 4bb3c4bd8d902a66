//! Cameras.
//!
//! ```
//! use kinetree_spec::Spec;
//! use kinetree_spec::spec::Camera;
//!
//! let text = "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='0.1'/><site name='s'/>
//!      </body></worldbody></mujoco>";
//! let mut spec: Spec = text.parse()?;
//! let body = spec.find_body("b").ok_or("no such body")?;
//! spec.add_camera(body, Camera { name: "eye".into(), fovy: 60.0, ..Camera::default() });
//! assert_eq!(spec.compile()?.cam_fovy, [60.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use kinetree_model::enums::{CamLight, Projection};

use super::common::{IDENTITY, Orientation};
use super::element::{Origin, impl_element};
use super::{BodyId, FrameId};

/// A camera.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
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
    /// How the camera follows bodies.
    pub mode: CamLight,
    /// Body that is looked at.
    pub targetbody: String,
    /// Perspective or orthographic.
    pub proj: Projection,
    /// Width and height (pixel).
    pub resolution: [i32; 2],
    /// Bits of the image kinds the camera produces.
    pub output: i32,
    /// Vertical field of view [degree, or m when orthographic].
    pub fovy: f64,
    /// Distance between the eyes of a stereo pair (m).
    pub ipd: f64,
    /// Focal lengths and principal point (m); set by the compiler.
    pub intrinsic: [f32; 4],
    /// Sensor width and height (m).
    pub sensor_size: [f32; 2],
    /// Focal length (m).
    pub focal_length: [f32; 2],
    /// Focal length (pixel).
    pub focal_pixel: [f32; 2],
    /// Principal point (m).
    pub principal_length: [f32; 2],
    /// Principal point (pixel).
    pub principal_pixel: [f32; 2],
    /// User data.
    pub userdata: Vec<f64>,
    /// Owning body.
    pub body: BodyId,
    /// Frame the pose is relative to.
    pub frame: Option<FrameId>,
}

impl Default for Camera {
    fn default() -> Self {
        Camera {
            name: String::new(),
            origin: Origin::default(),
            pos: [0.0; 3],
            quat: IDENTITY,
            alt: Orientation::Quat,
            mode: CamLight::Fixed,
            targetbody: String::new(),
            proj: Projection::Perspective,
            resolution: [1, 1],
            output: 1,
            fovy: 45.0,
            ipd: 0.068,
            intrinsic: [0.0; 4],
            sensor_size: [0.0; 2],
            focal_length: [0.0; 2],
            focal_pixel: [0.0; 2],
            principal_length: [0.0; 2],
            principal_pixel: [0.0; 2],
            userdata: Vec::new(),
            body: BodyId::default(),
            frame: None,
        }
    }
}

impl_element!(Camera => "camera");
