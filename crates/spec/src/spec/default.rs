//! Default classes: a tree of prototypes that new elements are copied from.
//!
//! ```
//! use kinetree_spec::Spec;
//! use kinetree_spec::spec::DefaultId;
//!
//! let text = "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='0.1'/><site name='s'/>
//!      </body></worldbody></mujoco>";
//! let mut spec: Spec = text.parse()?;
//! let soft = spec.add_default("soft", DefaultId(0)).ok_or("the name is taken")?;
//! assert_eq!(spec.default_class(soft).name, "soft");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use kinetree_model::Reference;

use super::actuator::Actuator;
use super::camera::Camera;
use super::common::Limited;
use super::contact::Pair;
use super::element::Origin;
use super::equality::Equality;
use super::flex::Flex;
use super::geom::Geom;
use super::joint::Joint;
use super::light::Light;
use super::material::Material;
use super::mesh::Mesh;
use super::site::Site;
use super::tendon::Tendon;

/// Index of a class in [`Spec::defaults`](super::Spec::defaults).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DefaultId(pub usize);

/// A default class. A nested class starts as a copy of its parent, so every prototype is complete.
#[derive(Clone, Debug, PartialEq)]
pub struct DefaultClass {
    /// Name.
    pub name: String,
    /// Enclosing class; `None` for a root.
    pub parent: Option<DefaultId>,
    /// Nested classes.
    pub children: Vec<DefaultId>,
    /// Prototype of joints.
    pub joint: Joint,
    /// Prototype of geoms.
    pub geom: Geom,
    /// Prototype of sites.
    pub site: Site,
    /// Prototype of cameras.
    pub camera: Camera,
    /// Prototype of lights.
    pub light: Light,
    /// Prototype of flexes.
    pub flex: Flex,
    /// Prototype of meshes.
    pub mesh: Mesh,
    /// Prototype of materials.
    pub material: Material,
    /// Prototype of contact pairs.
    pub pair: Pair,
    /// Prototype of equality constraints.
    pub equality: Equality,
    /// Prototype of tendons.
    pub tendon: Tendon,
    /// Prototype of actuators.
    pub actuator: Actuator,
}

impl Default for DefaultClass {
    fn default() -> Self {
        DefaultClass {
            name: MAIN_CLASS.to_owned(),
            parent: None,
            children: Vec::new(),
            joint: Joint::default(),
            geom: Geom::default(),
            site: Site::default(),
            camera: Camera::default(),
            light: Light::default(),
            flex: Flex::default(),
            mesh: Mesh::default(),
            material: Material::default(),
            pair: Pair::default(),
            equality: Equality::default(),
            tendon: Tendon::default(),
            actuator: Actuator::default(),
        }
    }
}

impl DefaultClass {
    /// The main class of a description of a reference level.
    #[must_use]
    pub fn at(reference: Reference) -> Self {
        let mut class = Self::default();
        if reference.tendon_force_limits() {
            class.tendon.actfrclimited = Limited::Auto;
        }
        class
    }

    /// Where the prototypes come from, for editing.
    pub(crate) fn origins_mut(&mut self) -> [&mut Origin; 12] {
        [
            &mut self.joint.origin,
            &mut self.geom.origin,
            &mut self.site.origin,
            &mut self.camera.origin,
            &mut self.light.origin,
            &mut self.flex.origin,
            &mut self.mesh.origin,
            &mut self.material.origin,
            &mut self.pair.origin,
            &mut self.equality.origin,
            &mut self.tendon.origin,
            &mut self.actuator.origin,
        ]
    }
}

/// Name of the class at the root.
pub const MAIN_CLASS: &str = "main";
