//! Keyframes of attached and replicated parts, by the elements that their numbers belong to.

use super::element::Origin;
use super::ids::{ActuatorId, BodyId, JointId};

/// A keyframe whose numbers are kept with the elements they belong to. Everything else takes the reference
/// pose, zero velocity, activation and control. `None` means that the keyframe does not speak about this
/// quantity at all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttachedKey {
    /// Name.
    pub name: String,
    /// Where the keyframe comes from.
    pub origin: Origin,
    /// Time (s).
    pub time: f64,
    /// Positions of joints.
    pub qpos: Option<Vec<(JointId, Vec<f64>)>>,
    /// Velocities of joints.
    pub qvel: Option<Vec<(JointId, Vec<f64>)>>,
    /// Activations of actuators.
    pub act: Option<Vec<(ActuatorId, Vec<f64>)>>,
    /// Controls of actuators.
    pub ctrl: Option<Vec<(ActuatorId, f64)>>,
    /// Positions of mocap bodies (m).
    pub mpos: Option<Vec<(BodyId, Vec<f64>)>>,
    /// Orientations of mocap bodies.
    pub mquat: Option<Vec<(BodyId, Vec<f64>)>>,
}
