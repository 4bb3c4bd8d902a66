//! Joints: the degrees of freedom between a body and its parent.
//!
//! ```
//! use kinetree_spec::Spec;
//! use kinetree_spec::spec::Joint;
//!
//! let text = "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='0.1'/><site name='s'/>
//!      </body></worldbody></mujoco>";
//! let mut spec: Spec = text.parse()?;
//! let body = spec.find_body("b").ok_or("no such body")?;
//! spec.add_joint(body, Joint { name: "yaw".into(), axis: [0.0, 0.0, 1.0], ..Joint::default() });
//! assert_eq!(spec.compile()?.nv, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use kinetree_model::enums::JointType;

use super::common::{AlignFree, Limited, SOLIMP, SOLREF};
use super::element::{Origin, impl_element};
use super::{BodyId, FrameId};

/// A joint. Angles are in the unit of the compiler settings the joint came with.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Name; empty when not given.
    pub name: String,
    /// Where the element comes from.
    pub origin: Origin,
    /// Kind of motion.
    pub r#type: JointType,
    /// Anchor in the body frame (m).
    pub pos: [f64; 3],
    /// Axis of hinge and slide joints.
    pub axis: [f64; 3],
    /// Joint value in the reference pose.
    pub r#ref: f64,
    /// Alignment of a free joint with the inertial frame.
    pub align: AlignFree,
    /// Stiffness: linear coefficient and the higher orders.
    pub stiffness: [f64; 3],
    /// Joint value at which the spring is at rest.
    pub springref: f64,
    /// Time constant (s) and damping ratio from which stiffness and damping are derived; used when positive.
    pub springdamper: [f64; 2],
    /// Whether `range` is enforced.
    pub limited: Limited,
    /// Joint limits.
    pub range: [f64; 2],
    /// Distance to the limit at which the constraint becomes active.
    pub margin: f64,
    /// Solver reference of the limit.
    pub solref_limit: [f64; 2],
    /// Solver impedance of the limit.
    pub solimp_limit: [f64; 5],
    /// Whether `actfrcrange` is enforced.
    pub actfrclimited: Limited,
    /// Bounds on the total actuator force at the joint.
    pub actfrcrange: [f64; 2],
    /// Added inertia of the rotor (kg m² or kg).
    pub armature: f64,
    /// Damping: linear coefficient and the higher orders.
    pub damping: [f64; 3],
    /// Dry friction (N m or N).
    pub frictionloss: f64,
    /// Solver reference of dry friction.
    pub solref_friction: [f64; 2],
    /// Solver impedance of dry friction.
    pub solimp_friction: [f64; 5],
    /// Visualization group.
    pub group: i32,
    /// Gravity compensation is counted as actuator force.
    pub actgravcomp: bool,
    /// User data.
    pub userdata: Vec<f64>,
    /// Owning body.
    pub body: BodyId,
    /// Frame the pose is relative to.
    pub frame: Option<FrameId>,
}

impl Default for Joint {
    fn default() -> Self {
        Joint {
            name: String::new(),
            origin: Origin::default(),
            r#type: JointType::Hinge,
            pos: [0.0; 3],
            axis: [0.0, 0.0, 1.0],
            r#ref: 0.0,
            align: AlignFree::Auto,
            stiffness: [0.0; 3],
            springref: 0.0,
            springdamper: [0.0; 2],
            limited: Limited::Auto,
            range: [0.0; 2],
            margin: 0.0,
            solref_limit: SOLREF,
            solimp_limit: SOLIMP,
            actfrclimited: Limited::Auto,
            actfrcrange: [0.0; 2],
            armature: 0.0,
            damping: [0.0; 3],
            frictionloss: 0.0,
            solref_friction: SOLREF,
            solimp_friction: SOLIMP,
            group: 0,
            actgravcomp: false,
            userdata: Vec::new(),
            body: BodyId::default(),
            frame: None,
        }
    }
}

impl_element!(Joint => "joint");
