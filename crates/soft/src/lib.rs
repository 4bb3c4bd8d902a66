//! Deformable bodies by extended position-based dynamics, and skinning.
//!
//! [`Cloth`] is a sheet of triangles, [`SoftBody`] a solid of tetrahedra and [`CapsuleChain`] a rope or rod.
//! Each is made of a [`Material`], whose elastic constants give the compliances: stiffness does not depend on
//! how finely a body is divided or how many substeps are made. [`XpbdSolver`] advances them. [`skinning`]
//! moves the vertices of a mesh with the bones of a skeleton. [`SoftWorld`] steps bodies beside a model.
//!
//! ```
//! use kinetree_soft::{DeformableBody, MaterialPreset, SoftBody, Vec3, XpbdSolver};
//!
//! // a block of gelatin falls for a hundredth of a second
//! let mut block = SoftBody::block([2, 2, 2], [0.1, 0.1, 0.1], MaterialPreset::Gelatin)?;
//! let mut solver = XpbdSolver::default();
//! for _ in 0..10 {
//!     solver.step(&mut block, Vec3::new(0.0, 0.0, -9.81), 0.001)?;
//! }
//! let particles = block.particles();
//! let speed = particles.momentum().z / particles.mass().iter().sum::<f64>();
//! assert!((speed + 0.0981).abs() < 1e-12);
//! # Ok::<(), kinetree_soft::SoftError>(())
//! ```
#![forbid(unsafe_code)]

#[macro_use]
mod elastic_body;

mod body;
mod chain;
mod cloth;
mod cluster;
mod color;
mod coloring;
mod contact;
mod coupling;
mod description;
mod displacement;
mod distance_field;
mod elastic;
mod element;
mod error;
mod features;
mod geom_feature;
mod group;
mod lane;
mod material;
mod member;
mod mesh;
mod mutual;
mod nearest;
mod network;
mod particles;
mod place;
mod point_contact;
mod polyhedron;
pub mod skinning;
mod soft_body;
mod solver;
mod surface;
mod vertex_array;
mod world;

pub use body::DeformableBody;
pub use chain::{CapsuleChain, ChainPreset, ChainSection};
pub use cloth::{Cloth, ClothPreset};
pub use error::SoftError;
pub use kinetree_math::{Quat, Vec3};
pub use material::{Material, MaterialPreset};
pub use mesh::{TetrahedralMesh, TriangleMesh};
pub use network::{Constraint, Network};
pub use particles::Particles;
pub use soft_body::{SoftBody, SoftBodyPreset};
pub use solver::{SleepSettings, Substeps, XpbdSettings, XpbdSolver};
pub use vertex_array::VertexArray;
pub use world::SoftWorld;
