//! From asset files and inline data to the arrays of a compiled model.
//!
//! Everything here is a pure function of bytes and settings: no file is opened and no model is touched.
//! The reader finds the bytes, the compiler concatenates the results, and this module does what lies between:
//!
//! * [`mesh`]: decoders (STL, OBJ, MSH), built-in shapes, and the mesh compiler with inertia frame, normals,
//!   convex hull and hull polygons.

pub mod hull;
pub mod mesh;

mod hash;
pub(crate) mod linalg;
