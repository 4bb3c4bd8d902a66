//! Triangle meshes: raw data in, every per-mesh array of the compiled model out.
//!
//! A [`MeshSource`] comes from a decoder ([`decode_mesh`]), from inline attributes or from a built-in shape;
//! [`compile_mesh`] turns it into a [`CompiledMesh`] whose vertices are expressed in the principal inertia
//! frame of the mesh.
//!
//! ```
//! use kinetree_spec::assets::mesh::decode_mesh;
//!
//! let source = decode_mesh(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "triangle.obj", "")?;
//! assert_eq!((source.vert.len(), source.face.len()), (9, 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod builtin;
mod collada;
mod error;
mod fit;
mod format;
mod inertia;
mod marching_cubes;
mod msh;
mod normals;
mod obj;
mod obj_number;
mod obj_polygon;
mod octree;
mod polygon_order;
mod polygons;
mod process;
mod source;
mod stl;
mod triangle_distance;

use kinetree_model::Reference;

pub use builtin::{BuiltinMesh, builtin_mesh};
pub use error::MeshError;
pub use fit::{FitShape, PrimitiveFit};
pub use format::{MeshFormat, decode_mesh};
pub use marching_cubes::field_mesh;
pub use octree::Octree;
pub use process::compile_mesh;
pub use source::{MeshOrigin, MeshSource};

/// How mass properties are computed from the triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MeshInertia {
    /// Volume enclosed by the convex hull.
    Convex,
    /// Signed volume; requires a consistently oriented surface.
    Exact,
    /// Sum of absolute pyramid volumes, tolerant of bad orientation but biased for non-convex meshes.
    #[default]
    Legacy,
    /// Mass spread over the surface.
    Shell,
}

/// The attributes of one mesh asset that change its compiled arrays.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshSettings {
    /// Scale along the axes of the file; an odd number of negative entries mirrors the mesh.
    pub scale: [f64; 3],
    /// Translation subtracted from the vertices before rotation and scaling.
    pub refpos: [f64; 3],
    /// Rotation (w first) whose inverse is applied to the vertices.
    pub refquat: [f64; 4],
    /// Mass model.
    pub inertia: MeshInertia,
    /// Keep the contributions of faces at large angles in computed vertex normals.
    pub smoothnormal: bool,
    /// Upper bound on the number of hull vertices; `None` for all.
    pub maxhullvert: Option<u32>,
    /// Whether collision needs the convex hull of this mesh.
    pub needhull: bool,
    /// Whether the distance from the surface is needed.
    pub needsdf: bool,
    /// The version of MuJoCo whose meaning the mesh has.
    pub reference: Reference,
}

impl Default for MeshSettings {
    fn default() -> Self {
        Self {
            scale: [1.0; 3],
            refpos: [0.0; 3],
            refquat: [1.0, 0.0, 0.0, 0.0],
            inertia: MeshInertia::Legacy,
            smoothnormal: false,
            maxhullvert: None,
            needhull: false,
            needsdf: false,
            reference: Reference::default(),
        }
    }
}

/// Every array of one compiled mesh, named like the model's `mesh_…` fields; addresses are local to the mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompiledMesh {
    /// Vertices in the inertia frame.
    pub vert: Vec<[f32; 3]>,
    /// Unit normals in the inertia frame.
    pub normal: Vec<[f32; 3]>,
    /// Texture coordinates; empty when the mesh has none.
    pub texcoord: Vec<[f32; 2]>,
    /// Vertex indices of each triangle.
    pub face: Vec<[i32; 3]>,
    /// Normal indices of each triangle.
    pub facenormal: Vec<[i32; 3]>,
    /// Texture coordinate indices of each triangle; empty when the mesh has no texture coordinates.
    pub facetexcoord: Vec<[i32; 3]>,
    /// Convex hull graph: vertex count, face count, `vert_edgeadr`, `vert_globalid`, `edge_localid`,
    /// `face_globalid`; empty when there is no hull.
    pub graph: Vec<i32>,
    /// Unit normals of the hull polygons.
    pub polynormal: Vec<[f64; 3]>,
    /// First entry of each polygon in `polyvert`.
    pub polyvertadr: Vec<i32>,
    /// Number of vertices of each polygon.
    pub polyvertnum: Vec<i32>,
    /// Vertex indices of the polygons, in order around each.
    pub polyvert: Vec<i32>,
    /// First entry of each mesh vertex in `polymap`.
    pub polymapadr: Vec<i32>,
    /// Number of polygons at each mesh vertex.
    pub polymapnum: Vec<i32>,
    /// Polygons at each mesh vertex.
    pub polymap: Vec<i32>,
    /// Scale that was applied.
    pub scale: [f64; 3],
    /// Centre of mass of the mesh in the frame of the file.
    pub pos: [f64; 3],
    /// Orientation of the inertia frame in the frame of the file.
    pub quat: [f64; 4],
    /// Half-sizes of the box with the same inertia.
    pub boxsz: [f64; 3],
    /// Axis-aligned bounds in the inertia frame: minimum, then maximum.
    pub aamm: [f64; 6],
    /// Volume, or surface area with [`MeshInertia::Shell`].
    pub volume: f64,
    /// Diagonal inertia per unit density, decreasing.
    pub inertia: [f64; 3],
    /// Circumcentre of each triangle: sorting key of the bounding volume hierarchy.
    pub face_center: Vec<[f64; 3]>,
    /// Bounding box of each triangle: centre, then half-sizes.
    pub face_aabb: Vec<[f64; 6]>,
    /// Vertices in double precision, where the distance from the surface is needed; else empty.
    pub exact_vert: Vec<[f64; 3]>,
}
