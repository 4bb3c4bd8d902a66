//! Convex hulls of point sets.
//!
//! Quickhull with merged facets (Barber, Dobkin and Huhdanpaa, "The quickhull algorithm for convex hulls",
//! 1996): the furthest point above some facet is added, the facets it sees are replaced by a cone, and facets
//! that are not clearly convex are merged, so that rounding never produces a dented surface. Which of many
//! nearly coplanar points become vertices depends on tolerances and on the order in which facets and points
//! are tried. Both follow the qhull library (2020.2, options `Qt` and `TA`), because collision geometry has
//! to have the same corners as the reference's.
//!
//! * [`tolerance`](self): thresholds; `facet`, `ridge`, `vertex`: elements of the polyhedron and their
//!   states; `arena`: storage; `plane`, `locate`, `partition`: geometry of points and facets;
//! * `simplex`, `cone`, `duplicate`: growing the polyhedron;
//! * `merge_set`, `premerge`, `merge`, `horizon_merge`, `rename`: merging;
//! * `triangulate`, `graph`: output.
//!
//! ```
//! use kinetree_spec::assets::hull::HullError;
//! use kinetree_spec::assets::mesh::{MeshError, MeshSettings, compile_mesh, decode_mesh};
//!
//! let settings = MeshSettings { needhull: true, ..MeshSettings::default() };
//! // a tetrahedron with a dent: its hull has four vertices of five
//! let solid = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv .1 .1 .1
//!              f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 5\nf 3 4 5\nf 4 2 5\n";
//! let mesh = compile_mesh(&decode_mesh(solid.as_bytes(), "solid.obj", "")?, &settings)?;
//! assert_eq!(mesh.graph[0], 4);
//!
//! // points in one plane have none
//! let flat = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n";
//! let refused = compile_mesh(&decode_mesh(flat.as_bytes(), "flat.obj", "")?, &settings);
//! assert!(matches!(refused, Err(MeshError::Hull(HullError::Flat))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arena;
mod cone;
mod duplicate;
mod error;
mod facet;
mod graph;
mod horizon_merge;
mod locate;
mod merge;
mod merge_set;
mod partition;
mod pending;
mod plane;
mod premerge;
mod rename;
mod ridge;
mod simplex;
mod tolerance;
mod triangulate;
mod vertex;

pub use error::HullError;
pub(crate) use error::Point;
pub(crate) use graph::HullGraph;

use arena::Builder;
use tolerance::Tolerances;

/// Builds the hull, stopping early when it has `max_vertices`.
pub(crate) fn convex_hull(points: &[Point], max_vertices: Option<u32>) -> Result<HullGraph, HullError> {
    if points.len() < 4 {
        return Err(HullError::Flat);
    }
    let (tol, extremes) = Tolerances::of(points)?;
    let mut builder = Builder::new(points, tol);
    builder.create_first_simplex(&extremes)?;
    builder.partition_all()?;
    builder.build(max_vertices.map(|n| n as usize))?;
    builder.triangulate()?;
    builder.build_vertex_neighbors();
    Ok(builder.graph())
}
