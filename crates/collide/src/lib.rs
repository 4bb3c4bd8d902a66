//! Pure geometry: shapes, narrow phase, GJK and EPA, bounding volumes, broad phase and rays. Knows nothing of `Model` and `Data`.
#![forbid(unsafe_code)]

pub mod bvh;
pub mod pairs;
pub mod ray;

mod contact;
mod shape;
mod vector;

pub use contact::ContactPoint;
pub use shape::{HeightField, MeshShape, Pose, Shape};
