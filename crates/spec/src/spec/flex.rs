//! Flexes: deformable meshes of edges, triangles or tetrahedra.
//!
//! ```
//! use kinetree_spec::spec::Flex;
//!
//! let mut rope = Flex::default();
//! (rope.name, rope.dim, rope.radius) = ("rope".into(), 1, 0.01);
//! assert_eq!(rope.vertbody.len(), 0, "its vertices have no bodies yet");
//! ```

use kinetree_model::enums::FlexSelf;

use super::common::{GREY, SOLIMP, SOLREF};
use super::element::{Origin, impl_element};

/// A flex.
#[derive(Clone, Debug, PartialEq)]
pub struct Flex {
    /// Name.
    pub name: String,
    /// Where the element comes from.
    pub origin: Origin,
    /// Bits that say what the flex is for others.
    pub contype: i32,
    /// Bits that say what the flex collides with.
    pub conaffinity: i32,
    /// Dimension of the contact friction cone.
    pub condim: i32,
    /// Contact priority.
    pub priority: i32,
    /// Sliding, torsional and rolling friction.
    pub friction: [f64; 3],
    /// Weight when solver parameters are mixed.
    pub solmix: f64,
    /// Solver reference of contacts.
    pub solref: [f64; 2],
    /// Solver impedance of contacts.
    pub solimp: [f64; 5],
    /// Contact detection distance (m).
    pub margin: f64,
    /// A contact carries force below `margin - gap` (m).
    pub gap: f64,
    /// 1: lines, 2: triangles, 3: tetrahedra.
    pub dim: i32,
    /// Radius around the elements (m).
    pub radius: f64,
    /// Half sizes of the box around the vertices (m).
    pub size: [f64; 3],
    /// Collisions between vertices and their own elements.
    pub internal: bool,
    /// Flat shading.
    pub flatskin: bool,
    /// Self-collision mode.
    pub selfcollide: FlexSelf,
    /// Contacts act as passive forces.
    pub passive: bool,
    /// Layers of elements that collide, in three dimensions.
    pub activelayers: i32,
    /// Visualization group.
    pub group: i32,
    /// Edge stiffness.
    pub edgestiffness: f64,
    /// Edge damping.
    pub edgedamping: f64,
    /// Color when no material is named.
    pub rgba: [f32; 4],
    /// Material name.
    pub material: String,
    /// Young's modulus (Pa).
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Rayleigh damping (s).
    pub damping: f64,
    /// Thickness of a surface (m); -1: not set.
    pub thickness: f64,
    /// Passive forces of a surface: 0 none, 1 bending, 2 stretching, 3 both.
    pub elastic2d: i32,
    /// Cells of the interpolation grid.
    pub cellcount: [i32; 3],
    /// Interpolation order: 0 none, 1 trilinear, 2 quadratic.
    pub order: i32,
    /// Bodies of the nodes.
    pub nodebody: Vec<String>,
    /// Bodies of the vertices.
    pub vertbody: Vec<String>,
    /// Node positions, three numbers each (m).
    pub node: Vec<f64>,
    /// Vertex positions, three numbers each (m).
    pub vert: Vec<f64>,
    /// Vertex numbers of the elements.
    pub elem: Vec<i32>,
    /// Texture coordinates, two numbers each.
    pub texcoord: Vec<f32>,
    /// Texture coordinate numbers of the elements.
    pub elemtexcoord: Vec<i32>,
    /// Cells of the interpolation grid that no part of the flex is in; empty: none is known to be.
    pub(crate) empty_cells: Vec<bool>,
    /// The flex was made with constraints on the strains of its cells, which have no stiffness then.
    pub(crate) strain_constrained: bool,
}

impl Default for Flex {
    fn default() -> Self {
        Flex {
            name: String::new(),
            origin: Origin::default(),
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
            dim: 2,
            radius: 0.005,
            size: [0.0; 3],
            internal: false,
            flatskin: false,
            selfcollide: FlexSelf::Auto,
            passive: false,
            activelayers: 1,
            group: 0,
            edgestiffness: 0.0,
            edgedamping: 0.0,
            rgba: GREY,
            material: String::new(),
            young: 0.0,
            poisson: 0.0,
            damping: 0.0,
            thickness: -1.0,
            elastic2d: 0,
            cellcount: [1, 1, 1],
            order: 0,
            nodebody: Vec::new(),
            vertbody: Vec::new(),
            node: Vec::new(),
            vert: Vec::new(),
            elem: Vec::new(),
            texcoord: Vec::new(),
            elemtexcoord: Vec::new(),
            empty_cells: Vec::new(),
            strain_constrained: false,
        }
    }
}

impl_element!(Flex => "flex");
