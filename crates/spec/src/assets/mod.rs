//! From asset files and inline data to the arrays of a compiled model.
//!
//! Everything here is a pure function of bytes and settings: no file is opened and no model is touched.
//! The reader finds the bytes, the compiler concatenates the results, and this module does what lies between:
//!
//! * [`mesh`] has decoders (STL, OBJ, MSH), built-in shapes, and the mesh compiler with inertia frame,
//!   normals, convex hull and hull polygons;
//! * [`hull`] builds convex hulls;
//! * [`gmsh`] reads points and simplices of flexes;
//! * [`texture`] reads image files, cube layouts and generated patterns;
//! * [`hfield`] reads elevations;
//! * [`cache`] keeps compiled assets that several models share.
//!
//! ```
//! use kinetree_spec::assets::mesh::{MeshSettings, compile_mesh, decode_mesh};
//!
//! let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
//! let mesh = compile_mesh(&decode_mesh(text.as_bytes(), "part.obj", "")?, &MeshSettings::default())?;
//! assert_eq!(mesh.vert.len(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod cache;
pub mod gmsh;
pub mod hfield;
pub mod hull;
pub mod mesh;
pub mod texture;

mod hash;
pub(crate) mod linalg;
mod png_image;

pub use png_image::PngError;
