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
