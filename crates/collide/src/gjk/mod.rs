//! Contact and distance between two convex shapes: GJK for distance, EPA for depth, and contact manifolds.
//!
//! Everything here works on support mappings, so any two convex shapes can be tested. Round shapes (spheres
//! and capsules) are first tested by their medial axes, a point or a segment, which is exact and fast while
//! those do not overlap the other shape. Shapes are inflated by half of the margin each, so that a contact
//! within the margin is an overlap.
//!
//! | file | what is in it |
//! |---|---|
//! | `convex` | the public entry: single contact, manifold or tilted poses |
//! | `penetration` | signed distance and contacts of a pair in one pose |
//! | `gjk_epa` | GJK, then EPA where it finds an overlap; can ask for one support point at a time |
//! | `search`, `simplex` | GJK, and the point of a simplex closest to the origin |
//! | `initial_polytope`, `epa`, `polytope` | EPA, from the last simplex of GJK |
//! | `medial_distance`, `local_polytope` | exact distance of a point or segment to a polytope, in the polytope's frame |
//! | `manifold`, `feature`, `clip` | faces and edges that lie on each other, clipped into several contacts |
//! | `tilted_contacts`, `tilted_pair` | more contacts of one pair by tilting it, four poses at once |
//! | `probe` | one pair with limits of its own, and what the searches did; support mappings of the caller |
//! | `support`, `vertex_lanes` | support mappings of all shapes; those of small meshes eight vertices at a time |
//! | `hull_graph`, `hull_lanes` | walks over the hulls of larger meshes; four neighbours at a time |

pub(crate) mod clip;
mod convex;
mod epa;
pub(crate) mod feature;
mod gjk_epa;
pub(crate) mod hull_graph;
mod hull_lanes;
mod initial_polytope;
mod lanes;
mod local_polytope;
mod manifold;
pub(crate) mod medial_distance;
pub(crate) mod penetration;
mod polytope;
mod probe;
mod search;
mod settings;
mod simplex;
pub(crate) mod support;
mod tilted_contacts;
mod tilted_pair;
pub(crate) mod vec;
mod vertex_lanes;

pub use convex::convex_convex;
pub use gjk_epa::EpaOutcome;
pub use probe::{
    Probe, ProbeBody, ProbeLimits, ProbeSide, ProbeVertex, SupportMapping, probe_convex, support_point,
};
pub(crate) use search::Query;
pub(crate) use settings::Work;
pub use settings::{CcdScratch, CcdSettings};
