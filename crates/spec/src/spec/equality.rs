//! Equality constraints.
//!
//! ```
//! use kinetree_spec::Spec;
//! use kinetree_model::enums::EqType;
//! use kinetree_spec::spec::Equality;
//!
//! let text = "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='0.1'/><site name='s'/>
//!      </body></worldbody></mujoco>";
//! let mut spec: Spec = text.parse()?;
//! spec.add_equality(Equality { r#type: EqType::Joint, name1: "j".into(), ..Equality::default() });
//! assert_eq!(spec.compile()?.neq, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use kinetree_model::enums::{EqType, ObjType};

use super::common::{SOLIMP, SOLREF};
use super::element::{Origin, impl_element};

/// An equality constraint.
#[derive(Clone, Debug, PartialEq)]
pub struct Equality {
    /// Name.
    pub name: String,
    /// Where the element comes from.
    pub origin: Origin,
    /// Kind of constraint.
    pub r#type: EqType,
    /// Numbers whose meaning depends on the kind: anchor, relative pose, polynomial coefficients, torque
    /// scale.
    pub data: [f64; 11],
    /// Active at the start.
    pub active: bool,
    /// First object.
    pub name1: String,
    /// Second object; empty: the world, or a constant.
    pub name2: String,
    /// Kind of both objects where a choice exists (body or site).
    pub objtype: ObjType,
    /// Solver reference.
    pub solref: [f64; 2],
    /// Solver impedance.
    pub solimp: [f64; 5],
}

impl Default for Equality {
    fn default() -> Self {
        let mut data = [0.0; 11];
        data[1] = 1.0;
        // torque to force ratio of a weld
        data[10] = 1.0;
        Equality {
            name: String::new(),
            origin: Origin::default(),
            r#type: EqType::Connect,
            data,
            active: true,
            name1: String::new(),
            name2: String::new(),
            objtype: ObjType::Unknown,
            solref: SOLREF,
            solimp: SOLIMP,
        }
    }
}

impl_element!(Equality => "equality");
