//! Meshes of triangles and tetrahedra, checked when they are made.

mod inside;
mod lattice;
mod tetrahedral;
mod triangle;

pub use tetrahedral::TetrahedralMesh;
pub use triangle::TriangleMesh;
