//! Contact pairs that are always checked, and body pairs that never are.
//!
//! ```
//! use kinetree_spec::Spec;
//! use kinetree_spec::spec::{Body, Exclude};
//!
//! let text = "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='0.1'/><site name='s'/>
//!      </body></worldbody></mujoco>";
//! let mut spec: Spec = text.parse()?;
//! let body = spec.find_body("b").ok_or("no such body")?;
//! spec.add_body(body, Body { name: "c".into(), mass: 1.0, inertia: [1.0; 3], ..Body::default() });
//! spec.add_exclude(Exclude { bodyname1: "b".into(), bodyname2: "c".into(), ..Exclude::default() });
//! assert_eq!(spec.excludes.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::common::{SOLIMP, SOLREF};
use super::element::{Origin, impl_element};

/// A pair of geoms that is always checked for contact.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// Name.
    pub name: String,
    /// Where the element comes from.
    pub origin: Origin,
    /// First geom.
    pub geomname1: String,
    /// Second geom.
    pub geomname2: String,
    /// Dimension of the friction cone.
    pub condim: i32,
    /// Solver reference of the normal direction.
    pub solref: [f64; 2],
    /// Solver reference of the friction directions.
    pub solreffriction: [f64; 2],
    /// Solver impedance.
    pub solimp: [f64; 5],
    /// Contact detection distance (m).
    pub margin: f64,
    /// A contact carries force below `margin - gap` (m).
    pub gap: f64,
    /// Two sliding, one torsional and two rolling friction coefficients.
    pub friction: [f64; 5],
}

impl Default for Pair {
    fn default() -> Self {
        Pair {
            name: String::new(),
            origin: Origin::default(),
            geomname1: String::new(),
            geomname2: String::new(),
            condim: 3,
            solref: SOLREF,
            solreffriction: [0.0; 2],
            solimp: SOLIMP,
            margin: 0.0,
            gap: 0.0,
            friction: [1.0, 1.0, 0.005, 0.0001, 0.0001],
        }
    }
}

/// A pair of bodies that never collide.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exclude {
    /// Name.
    pub name: String,
    /// Where the element comes from.
    pub origin: Origin,
    /// First body.
    pub bodyname1: String,
    /// Second body.
    pub bodyname2: String,
}

impl_element!(Pair => "pair", Exclude => "exclude");
