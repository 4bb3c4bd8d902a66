//! Contact and distance between two convex shapes: GJK for distance, EPA for depth, and contact manifolds.
//!
//! Everything here works on support mappings, so any two convex shapes can be tested. Round shapes (spheres and
//! capsules) are first tested as the point or segment in their middle, which is exact and fast while the middles do
//! not overlap. Shapes are inflated by half of the margin each, so that a contact within the margin is an overlap.

mod clip;
mod epa;
mod feature;
pub(crate) mod few;
mod lanes;
mod local;
mod manifold;
mod perturb;
mod polytope;
mod search;
mod seed;
mod simplex;
pub(crate) mod solve;
pub(crate) mod support;
pub(crate) mod thin;
mod tilted;
mod trial;
pub(crate) mod vec;

pub use solve::{CcdScratch, CcdSettings, convex_convex};
