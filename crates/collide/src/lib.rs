//! Pure geometry: shapes, narrow phase, GJK and EPA, signed distance fields, bounding volumes, broad phase
//! and rays. Knows nothing of `Model` and `Data`.
#![forbid(unsafe_code)]

pub mod broadphase;
pub mod bvh;
pub mod pairs;
pub mod ray;
pub mod sdf;

mod contact;
mod dispatch;
mod distance;
mod gjk;
mod hfield;
mod shape;
mod simplex;
mod surface_normal;
mod vector;

pub use contact::ContactPoint;
pub use dispatch::{
    collide, collide_plane_mesh, collide_plane_mesh_4, collide_searched, collide_simple, collide_simple_4,
};
pub use distance::{geom_distance, simple_distance};
pub use gjk::{
    CcdScratch, CcdSettings, EpaOutcome, Probe, ProbeBody, ProbeLimits, ProbeSide, ProbeVertex,
    SupportMapping, convex_convex, probe_convex, support_point,
};
pub use hfield::{hfield_convex, hfield_simplex};
pub use shape::{HeightField, Kind, MeshShape, Placed, Pose, PoseView, Shape};
pub use simplex::{Simplex, convex_simplex, simplex_simplex};
pub use surface_normal::surface_normal;
