//! The shapes that can collide, borrowed from the owner of their data.
//!
//! A shape is given in its own local frame, centred at the origin with its symmetry axis along z; a [`Pose`]
//! places it in the world. Mesh and height-field data are `f32`, as they are stored in a model.

use kinetree_math::{Mat3, Vec3};

/// Position and orientation of a shape in the world.
#[derive(Clone, Copy, Debug)]
pub struct Pose {
    /// World position of the shape's local origin (m).
    pub pos: Vec3,
    /// Rotation from the local frame to the world frame.
    pub mat: Mat3,
}

impl Pose {
    /// Direction of a local axis in the world.
    #[inline(always)]
    #[must_use]
    pub(crate) fn axis(&self, k: usize) -> Vec3 {
        let m = &self.mat;
        Vec3::new(m[(0, k)], m[(1, k)], m[(2, k)])
    }
}

/// Something that has a pose, which is made only where it is needed, and then only what is needed of it.
pub trait Placed {
    /// The pose.
    fn pose(&self) -> Pose;
}

impl Placed for Pose {
    #[inline(always)]
    fn pose(&self) -> Pose {
        *self
    }
}

/// A pose in the memory of its owner.
#[derive(Clone, Copy, Debug)]
pub struct PoseView<'a> {
    /// World position of the shape's local origin (m).
    pub pos: &'a [f64; 3],
    /// Rotation from the local frame to the world frame, row by row.
    pub mat: &'a [f64; 9],
}

impl Placed for PoseView<'_> {
    #[inline(always)]
    fn pose(&self) -> Pose {
        let [a, b, c, d, e, f, g, h, i] = *self.mat;
        Pose {
            pos: Vec3::new(self.pos[0], self.pos[1], self.pos[2]),
            mat: Mat3::new(a, b, c, d, e, f, g, h, i),
        }
    }
}

/// Kinds of shapes, in the order in which a contact names them: its first shape is always the one of the
/// lower kind. The numbers are those of a model's geom types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Infinite half-space.
    Plane,
    /// Height field.
    HeightField,
    /// Sphere.
    Sphere,
    /// Capsule.
    Capsule,
    /// Ellipsoid.
    Ellipsoid,
    /// Cylinder.
    Cylinder,
    /// Box.
    Box,
    /// Convex hull of a mesh.
    Mesh,
}

impl Kind {
    /// The kind with a number; `None` for other numbers.
    #[inline]
    #[must_use]
    pub fn of_geom_type(number: i32) -> Option<Self> {
        Some(match number {
            0 => Self::Plane,
            1 => Self::HeightField,
            2 => Self::Sphere,
            3 => Self::Capsule,
            4 => Self::Ellipsoid,
            5 => Self::Cylinder,
            6 => Self::Box,
            7 => Self::Mesh,
            _ => return None,
        })
    }
}

/// A collision shape in its local frame. Lengths are in metres, `half_*` are half sizes.
#[derive(Clone, Copy, Debug)]
pub enum Shape<'a> {
    /// Infinite half-space `z ≤ 0`; the normal is the local z axis.
    Plane,
    /// Height field over a rectangular grid.
    HeightField(HeightField<'a>),
    /// Sphere around the origin.
    Sphere {
        /// Radius (m).
        radius: f64,
    },
    /// Capsule along z: a segment of half length `half_length` swept by a sphere.
    Capsule {
        /// Radius (m).
        radius: f64,
        /// Half the distance between the two end-sphere centres (m).
        half_length: f64,
    },
    /// Ellipsoid with the given semi-axes.
    Ellipsoid {
        /// Semi-axes (m).
        semi_axes: Vec3,
    },
    /// Cylinder along z.
    Cylinder {
        /// Radius (m).
        radius: f64,
        /// Half the height (m).
        half_length: f64,
    },
    /// Box with the given half sizes.
    Box {
        /// Half sizes (m).
        half: Vec3,
    },
    /// Convex hull of a mesh.
    Mesh(MeshShape<'a>),
}

impl Shape<'_> {
    /// Radius of a sphere around the local origin that holds the shape (m); infinite for a plane.
    pub fn bound_radius(&self) -> f64 {
        match self {
            Shape::Plane => f64::INFINITY,
            Shape::HeightField(field) => {
                let [x, y, up, down] = field.size;
                (x * x + y * y + (up * up).max(down * down)).sqrt()
            }
            Shape::Sphere { radius } => *radius,
            Shape::Capsule { radius, half_length } => radius + half_length,
            Shape::Ellipsoid { semi_axes } => semi_axes.x.max(semi_axes.y).max(semi_axes.z),
            Shape::Cylinder { radius, half_length } => (radius * radius + half_length * half_length).sqrt(),
            Shape::Box { half } => half.norm(),
            Shape::Mesh(mesh) => mesh.bound_radius,
        }
    }
}

/// Convex polytope data of one mesh, with the layout of a compiled model (addresses are relative to this
/// mesh).
#[derive(Clone, Copy, Debug)]
pub struct MeshShape<'a> {
    /// Vertex positions.
    pub vert: &'a [[f32; 3]],
    /// Hull graph: `numvert, numface, vert_edgeadr[numvert], vert_globalid[numvert],
    /// edge_localid[numvert+3*numface], face_globalid[3*numface]`; empty when the mesh has no hull.
    pub graph: &'a [i32],
    /// Outward unit normal of each hull polygon.
    pub poly_normal: &'a [[f64; 3]],
    /// First entry of each polygon in `poly_vert`.
    pub poly_vert_adr: &'a [i32],
    /// Number of vertices of each polygon.
    pub poly_vert_num: &'a [i32],
    /// Vertex ids of all polygons, counter-clockwise.
    pub poly_vert: &'a [i32],
    /// First entry of each vertex in `poly_map`.
    pub poly_map_adr: &'a [i32],
    /// Number of polygons around each vertex.
    pub poly_map_num: &'a [i32],
    /// Polygon ids around each vertex.
    pub poly_map: &'a [i32],
    /// Radius of a sphere around the local origin that holds the mesh (m) (`geom_rbound` of a model).
    pub bound_radius: f64,
}

impl MeshShape<'_> {
    /// A mesh without vertices.
    pub const EMPTY: Self = Self {
        vert: &[],
        graph: &[],
        poly_normal: &[],
        poly_vert_adr: &[],
        poly_vert_num: &[],
        poly_vert: &[],
        poly_map_adr: &[],
        poly_map_num: &[],
        poly_map: &[],
        bound_radius: 0.0,
    };
}

/// Height-field data.
#[derive(Clone, Copy, Debug)]
pub struct HeightField<'a> {
    /// Number of rows (along local y).
    pub nrow: usize,
    /// Number of columns (along local x).
    pub ncol: usize,
    /// Half sizes along x and y, elevation scale, and thickness below zero elevation.
    pub size: [f64; 4],
    /// Normalized elevations in row-major order, `nrow * ncol` values in 0..=1.
    pub data: &'a [f32],
}
