//! What can be wrong with a mesh.

use crate::assets::hull::HullError;
use thiserror::Error;

/// Why a mesh could not be decoded or compiled.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MeshError {
    /// The file has no bytes.
    #[error("the mesh file is empty")]
    EmptyFile,
    /// Neither the content type nor the file extension names a known format.
    #[error("no decoder found for mesh file '{0}' (known formats: stl, obj, msh, dae)")]
    UnknownFormat(String),
    /// A COLLADA file is damaged, or holds no triangles.
    #[error("COLLADA file: {0}")]
    Collada(String),
    /// The file ends inside its header.
    #[error("{format} file ends inside its header: {found} bytes, at least {needed} needed")]
    TruncatedHeader {
        /// Name of the format.
        format: &'static str,
        /// Bytes present.
        found: usize,
        /// Bytes of the header.
        needed: usize,
    },
    /// The face count of an STL file is implausible.
    #[error(
        "number of faces in the STL file should be between 1 and 200000, found {0}; perhaps this is an ASCII file?"
    )]
    StlFaceCount(i64),
    /// The length of an STL file does not fit its face count.
    #[error(
        "STL file has wrong size: {found} bytes of faces, {expected} expected; perhaps this is an ASCII file?"
    )]
    StlSize {
        /// Bytes after the header.
        found: usize,
        /// Bytes that the face count asks for.
        expected: usize,
    },
    /// A coordinate of an STL file exceeds 2^30.
    #[error("a vertex of face {face} in the STL file exceeds the maximum bounds")]
    StlBounds {
        /// Triangle with the offending vertex.
        face: usize,
    },
    /// The counts in an MSH header contradict each other.
    #[error(
        "invalid sizes in the MSH header: {nvert} vertices, {nnormal} normals, {ntexcoord} texture coordinates, {nface} faces"
    )]
    MshSizes {
        /// Vertex count.
        nvert: i32,
        /// Normal count.
        nnormal: i32,
        /// Texture coordinate count.
        ntexcoord: i32,
        /// Face count.
        nface: i32,
    },
    /// The length of an MSH file does not fit its header.
    #[error("unexpected file size in MSH file: {found} bytes, {expected} expected from the header")]
    MshSize {
        /// Bytes present.
        found: usize,
        /// Bytes that the header asks for.
        expected: u64,
    },
    /// An index of an OBJ statement is zero or not a number.
    #[error("line {line} of the OBJ file: index in `{statement}` statement is zero or not a number")]
    ObjIndex {
        /// Line in the file, from 1.
        line: usize,
        /// Statement keyword.
        statement: char,
    },
    /// Polygons with so many corners that triangulating them would take unreasonably long.
    #[error("polygons of the OBJ file are too large to triangulate")]
    ObjPolygon,
    /// A built-in shape got parameters it cannot use.
    #[error("built-in mesh: {0}")]
    Builtin(&'static str),
    /// Data is given both in the file and in the model.
    #[error("repeated {0} specification: given in the mesh file and in the model")]
    Repeated(&'static str),
    /// The length of a list is not a multiple of its element size.
    #[error("{what} data must be a multiple of {multiple}, found {found} numbers")]
    Length {
        /// Which list.
        what: &'static str,
        /// Element size.
        multiple: usize,
        /// Numbers given.
        found: usize,
    },
    /// Too few vertices for a solid.
    #[error("at least 4 vertices required, found {0}")]
    TooFewVertices(usize),
    /// A coordinate is infinite or NaN.
    #[error("vertex coordinate {0} is not finite")]
    NotFinite(usize),
    /// A face refers to a vertex that does not exist.
    #[error("in face {face}, vertex index {vertex} does not exist")]
    FaceIndex {
        /// Triangle number.
        face: usize,
        /// The index.
        vertex: i32,
    },
    /// Texture coordinates without indices must be one per vertex.
    #[error(
        "texcoord must be 2*nv, one entry per vertex, if there are no face texcoord indices: {found} entries for {nvert} vertices"
    )]
    TexcoordCount {
        /// Entries given.
        found: usize,
        /// Number of vertices.
        nvert: usize,
    },
    /// Normal indices do not match the faces.
    #[error("face data must have the same size as face normal data")]
    FaceNormalCount,
    /// Two neighbouring faces traverse their common edge in the same direction.
    #[error("faces have inconsistent orientation; check the faces containing the vertices {0} and {1}")]
    Orientation(i32, i32),
    /// The surface vanishes.
    #[error("mesh surface area is too small")]
    SmallArea,
    /// The volume vanishes.
    #[error("mesh volume is too small; try setting inertia to shell")]
    SmallVolume,
    /// The volume is negative.
    #[error("mesh volume is negative (misoriented triangles)")]
    NegativeVolume,
    /// The inertia has an eigenvalue that is not positive.
    #[error("eigenvalue of mesh inertia must be positive")]
    InertiaSign,
    /// The inertia does not belong to any mass distribution.
    #[error("eigenvalues of mesh inertia violate A + B >= C")]
    InertiaTriangle,
    /// The convex hull could not be built.
    #[error("no convex hull: {0}")]
    Hull(#[from] HullError),
}
