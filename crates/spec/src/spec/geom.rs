//! Geoms: the shapes that collide, weigh and are seen.
//!
//! ```
//! use kinetree_spec::Spec;
//! use kinetree_model::enums::GeomType;
//! use kinetree_spec::spec::Geom;
//!
//! let text = "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='0.1'/><site name='s'/>
//!      </body></worldbody></mujoco>";
//! let mut spec: Spec = text.parse()?;
//! let body = spec.find_body("b").ok_or("no such body")?;
//! spec.add_geom(body, Geom { r#type: GeomType::Box, size: [0.1, 0.2, 0.3], ..Geom::default() });
//! assert_eq!(spec.compile()?.ngeom, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use kinetree_model::enums::GeomType;

use super::common::{GREY, IDENTITY, Orientation, PluginRef, SOLIMP, SOLREF};
use super::element::{Origin, impl_element};
use super::{BodyId, FrameId};

/// Where the mass of a geom sits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GeomInertia {
    /// In the volume.
    #[default]
    Volume,
    /// On the surface.
    Shell,
}

/// A geom.
#[derive(Clone, Debug, PartialEq)]
pub struct Geom {
    /// Name; empty when not given.
    pub name: String,
    /// Where the element comes from.
    pub origin: Origin,
    /// Kind of shape.
    pub r#type: GeomType,
    /// Position in the body frame (m).
    pub pos: [f64; 3],
    /// Orientation in the body frame.
    pub quat: [f64; 4],
    /// Orientation in another form.
    pub alt: Orientation,
    /// End points of an elongated shape; the first entry is NaN when not given.
    pub fromto: [f64; 6],
    /// Sizes whose meaning depends on the shape (m).
    pub size: [f64; 3],
    /// Bits that say what the geom is for others.
    pub contype: i32,
    /// Bits that say what the geom collides with.
    pub conaffinity: i32,
    /// Dimension of the contact friction cone: 1, 3, 4 or 6.
    pub condim: i32,
    /// The geom with the higher priority dictates the contact parameters.
    pub priority: i32,
    /// Sliding, torsional and rolling friction.
    pub friction: [f64; 3],
    /// Weight when solver parameters of two geoms are mixed.
    pub solmix: f64,
    /// Solver reference of contacts.
    pub solref: [f64; 2],
    /// Solver impedance of contacts.
    pub solimp: [f64; 5],
    /// Distance at which a contact is detected (m).
    pub margin: f64,
    /// A contact carries force below `margin - gap` (m).
    pub gap: f64,
    /// Mass (kg); NaN: derived from the density.
    pub mass: f64,
    /// Density [kg/m³, or kg/m² for a shell].
    pub density: f64,
    /// Where the mass sits.
    pub typeinertia: GeomInertia,
    /// The ellipsoid fluid model is active.
    pub fluid_ellipsoid: bool,
    /// Coefficients of the ellipsoid fluid model: blunt, slender and angular drag, Kutta lift, Magnus lift.
    pub fluid_coefs: [f64; 5],
    /// Material name.
    pub material: String,
    /// Color when no material is named.
    pub rgba: [f32; 4],
    /// Visualization group.
    pub group: i32,
    /// Name of the height field.
    pub hfieldname: String,
    /// Name of the mesh.
    pub meshname: String,
    /// Uniform scale of a primitive that is fitted to a mesh.
    pub fitscale: f64,
    /// User data.
    pub userdata: Vec<f64>,
    /// Signed distance field plugin.
    pub plugin: PluginRef,
    /// Owning body.
    pub body: BodyId,
    /// Frame the pose is relative to.
    pub frame: Option<FrameId>,
}

impl Default for Geom {
    fn default() -> Self {
        Geom {
            name: String::new(),
            origin: Origin::default(),
            r#type: GeomType::Sphere,
            pos: [0.0; 3],
            quat: IDENTITY,
            alt: Orientation::Quat,
            fromto: [f64::NAN, 0.0, 0.0, 0.0, 0.0, 0.0],
            size: [0.0; 3],
            contype: 1,
            conaffinity: 1,
            condim: 3,
            priority: 0,
            friction: [1.0, 0.005, 0.0001],
            solmix: 1.0,
            solref: SOLREF,
            solimp: SOLIMP,
            margin: 0.0,
            gap: 0.0,
            mass: f64::NAN,
            density: 1000.0,
            typeinertia: GeomInertia::Volume,
            fluid_ellipsoid: false,
            fluid_coefs: [0.5, 0.25, 1.5, 1.0, 1.0],
            material: String::new(),
            rgba: GREY,
            group: 0,
            hfieldname: String::new(),
            meshname: String::new(),
            fitscale: 1.0,
            userdata: Vec::new(),
            plugin: PluginRef::default(),
            body: BodyId::default(),
            frame: None,
        }
    }
}

impl_element!(Geom => "geom");
