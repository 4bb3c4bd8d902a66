//! Pure geometry: shapes, narrow phase, GJK and EPA, bounding volumes, broad phase and rays. Knows nothing of `Model` and `Data`.
#![forbid(unsafe_code)]

mod contact;
mod shape;

pub use contact::ContactPoint;
pub use shape::{HeightField, MeshShape, Pose, Shape};
