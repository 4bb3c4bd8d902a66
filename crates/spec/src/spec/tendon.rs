//! Tendons and the objects on their path.
//!
//! ```
//! use kinetree_spec::Spec;
//! use kinetree_spec::spec::{Tendon, Wrap, WrapTarget};
//!
//! let text = "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='0.1'/><site name='s'/>
//!      </body></worldbody></mujoco>";
//! let mut spec: Spec = text.parse()?;
//! let target = WrapTarget::Joint { name: "j".into(), coef: 2.0 };
//! spec.add_tendon(Tendon { path: vec![Wrap { target, pos: Default::default() }], ..Tendon::default() });
//! assert_eq!(spec.compile()?.ntendon, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::common::{GREY, Limited, SOLIMP, SOLREF};
use super::element::{Origin, impl_element};
use crate::diagnostics::SourcePos;

/// What a tendon passes on its way.
#[derive(Clone, Debug, PartialEq)]
pub enum WrapTarget {
    /// A joint with a constant coefficient.
    Joint {
        /// Joint name.
        name: String,
        /// Coefficient of the joint value.
        coef: f64,
    },
    /// A site that the tendon runs through.
    Site {
        /// Site name.
        name: String,
    },
    /// A sphere or cylinder that the tendon wraps around.
    Geom {
        /// Geom name.
        name: String,
        /// Site that marks the side; empty: none.
        sidesite: String,
    },
    /// A pulley that splits the path.
    Pulley {
        /// Divisor of the length that follows.
        divisor: f64,
    },
}

/// One step on the path of a tendon.
#[derive(Clone, Debug, PartialEq)]
pub struct Wrap {
    /// What is passed.
    pub target: WrapTarget,
    /// Position in the source text.
    pub pos: SourcePos,
}

/// A tendon, fixed or spatial.
#[derive(Clone, Debug, PartialEq)]
pub struct Tendon {
    /// Name.
    pub name: String,
    /// Where the element comes from.
    pub origin: Origin,
    /// Stiffness: linear coefficient and the higher orders.
    pub stiffness: [f64; 3],
    /// Dead band of the spring (m); both -1: the length in the spring pose.
    pub springlength: [f64; 2],
    /// Damping: linear coefficient and the higher orders.
    pub damping: [f64; 3],
    /// Dry friction (N).
    pub frictionloss: f64,
    /// Solver reference of dry friction.
    pub solref_friction: [f64; 2],
    /// Solver impedance of dry friction.
    pub solimp_friction: [f64; 5],
    /// Inertia that moves with the tendon (kg).
    pub armature: f64,
    /// Whether `range` is enforced.
    pub limited: Limited,
    /// Whether `actfrcrange` is enforced.
    pub actfrclimited: Limited,
    /// Length limits (m).
    pub range: [f64; 2],
    /// Bounds on the total actuator force at the tendon (N).
    pub actfrcrange: [f64; 2],
    /// Distance to the limit at which the constraint becomes active (m).
    pub margin: f64,
    /// Solver reference of the limit.
    pub solref_limit: [f64; 2],
    /// Solver impedance of the limit.
    pub solimp_limit: [f64; 5],
    /// Material name.
    pub material: String,
    /// Drawn width (m).
    pub width: f64,
    /// Color when no material is named.
    pub rgba: [f32; 4],
    /// Visualization group.
    pub group: i32,
    /// User data.
    pub userdata: Vec<f64>,
    /// The path.
    pub path: Vec<Wrap>,
}

impl Default for Tendon {
    fn default() -> Self {
        Tendon {
            name: String::new(),
            origin: Origin::default(),
            stiffness: [0.0; 3],
            springlength: [-1.0, -1.0],
            damping: [0.0; 3],
            frictionloss: 0.0,
            solref_friction: SOLREF,
            solimp_friction: SOLIMP,
            armature: 0.0,
            limited: Limited::Auto,
            // unlike the other switches this one starts at "false" in the reference
            actfrclimited: Limited::False,
            range: [0.0; 2],
            actfrcrange: [0.0; 2],
            margin: 0.0,
            solref_limit: SOLREF,
            solimp_limit: SOLIMP,
            material: String::new(),
            width: 0.003,
            rgba: GREY,
            group: 0,
            userdata: Vec::new(),
            path: Vec::new(),
        }
    }
}

impl_element!(Tendon => "tendon");
