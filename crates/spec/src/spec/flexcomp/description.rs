//! What a flex composite says, before it is made.

use crate::assets::linalg::V3;
use crate::spec::common::{self, Orientation};
use crate::spec::{Flex, PluginRef};

/// Most points or nodes of a flex composite.
pub(super) const MAX_POINTS: usize = 1 << 22;

/// Where points and elements come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum FlexcompKind {
    /// A grid of lines, triangles or tetrahedra.
    #[default]
    Grid,
    /// The surface of a box, or the pyramids from its centre to its surface.
    Box,
    /// The same for a cylinder.
    Cylinder,
    /// The same for an ellipsoid.
    Ellipsoid,
    /// A grid of triangles.
    Square,
    /// A grid of triangles projected onto a disc.
    Disc,
    /// A closed ring of lines.
    Circle,
    /// The surface in a mesh file, or pyramids from a point to it.
    Mesh,
    /// A GMSH file.
    Gmsh,
    /// Lists.
    Direct,
}

/// What moves the points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum FlexcompDof {
    /// Three sliders each.
    #[default]
    Full,
    /// One slider each, away from the parent's origin.
    Radial,
    /// The corners of cells, trilinear between them.
    Trilinear,
    /// Corners and midpoints of cells, quadratic between them.
    Quadratic,
    /// Two sliders each, along x and y.
    Planar,
}

/// Equality constraints of a flex composite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum FlexcompEquality {
    /// None.
    #[default]
    None,
    /// Lengths of edges.
    Edge,
    /// Strains at vertices.
    Vertex,
    /// Strains of cells.
    Strain,
}

/// Points and elements of a flex composite.
#[derive(Clone, Debug, Default)]
pub(crate) struct FlexMesh {
    /// Points (m).
    pub point: Vec<V3>,
    /// Points of each element, `dim + 1` of them.
    pub element: Vec<i32>,
    /// Texture coordinates, two for each point.
    pub texcoord: Vec<f32>,
    /// Texture coordinates of each element where they are not those of its points.
    pub elemtexcoord: Vec<i32>,
}

/// A flex composite before it is made.
#[derive(Clone, Debug)]
pub(crate) struct Flexcomp {
    /// The flex with all attributes that it shares with the composite; its name is the composite's.
    pub flex: Flex,
    /// Where points and elements come from.
    pub kind: FlexcompKind,
    /// What moves the points.
    pub dof: FlexcompDof,
    /// Points of a generated shape along each axis.
    pub count: [i32; 3],
    /// Cells of an interpolated flex along each axis, if given.
    pub cellcount: Option<[i32; 3]>,
    /// Distance between generated points (m).
    pub spacing: V3,
    /// Factor for given points.
    pub scale: V3,
    /// Total mass (kg).
    pub mass: f64,
    /// Half size of the boxes whose inertia the bodies have (m).
    pub inertiabox: f64,
    /// Position in the parent body (m).
    pub pos: V3,
    /// Orientation in the parent body.
    pub quat: [f64; 4],
    /// Orientation in another form.
    pub alt: Orientation,
    /// Apex of the tetrahedra over a surface mesh (m).
    pub apex: V3,
    /// All points belong to the parent body.
    pub rigid: bool,
    /// Points and elements that were given.
    pub mesh: FlexMesh,
    /// Pinned points.
    pub pins: Pins,
    /// Equality constraints.
    pub equality: FlexcompEquality,
    /// Solver reference of the constraints.
    pub solref: [f64; 2],
    /// Solver impedance of the constraints.
    pub solimp: [f64; 5],
    /// Plugin of the bodies.
    pub plugin: PluginRef,
}

impl Default for Flexcomp {
    fn default() -> Self {
        Flexcomp {
            flex: Flex::default(),
            kind: FlexcompKind::Grid,
            dof: FlexcompDof::Full,
            count: [10; 3],
            cellcount: None,
            spacing: [0.02; 3],
            scale: [1.0; 3],
            mass: 1.0,
            inertiabox: 0.005,
            pos: [0.0; 3],
            quat: common::IDENTITY,
            alt: Orientation::Quat,
            apex: [0.0; 3],
            rigid: false,
            mesh: FlexMesh::default(),
            pins: Pins::default(),
            equality: FlexcompEquality::None,
            solref: common::SOLREF,
            solimp: common::SOLIMP,
            plugin: PluginRef::default(),
        }
    }
}

impl FlexcompKind {
    /// Whether points and elements are given rather than generated.
    pub(super) fn is_direct(self) -> bool {
        matches!(self, FlexcompKind::Mesh | FlexcompKind::Gmsh | FlexcompKind::Direct)
    }
}

impl FlexcompDof {
    /// Order of interpolation; 0: none.
    pub(super) fn order(self) -> i32 {
        match self {
            FlexcompDof::Trilinear => 1,
            FlexcompDof::Quadratic => 2,
            _ => 0,
        }
    }
}

/// Which points of a flex composite are pinned to the parent body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pins {
    /// Numbers of points.
    pub id: Vec<i32>,
    /// First and last numbers.
    pub range: Vec<i32>,
    /// Grid coordinates.
    pub grid: Vec<i32>,
    /// First and last grid coordinates.
    pub gridrange: Vec<i32>,
}
