//! Convex hulls of point sets.
//!
//! Quickhull with merged facets (Barber, Dobkin and Huhdanpaa, "The quickhull algorithm for convex hulls",
//! 1996): the furthest point above some facet is added, the facets it sees are replaced by a cone, and facets
//! that are not clearly convex are merged, so that rounding never produces a dented surface. Which of many
//! nearly coplanar points become vertices depends on tolerances and on the order in which facets and points
//! are tried. Both follow the qhull library (2020.2, options `Qt` and `TA`), because collision geometry has
//! to have the same corners as the reference's.
//!
//! * [`tolerance`](self): thresholds; `arena`: storage; `plane`, `locate`, `partition`: geometry of points
//!   and facets;
//! * `simplex`, `cone`, `duplicate`: growing the polyhedron;
//! * `merge_set`, `premerge`, `merge`, `horizon_merge`, `rename`: merging;
//! * `triangulate`, `graph`: output.

mod arena;
mod cone;

mod duplicate;
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
mod simplex;
mod tolerance;
mod triangulate;

use arena::Builder;
use thiserror::Error;
use tolerance::Tolerances;

/// Coordinates.
pub(crate) type Point = [f64; 3];

/// Why there is no hull.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum HullError {
    /// Fewer than four points, or all (nearly) in one plane.
    #[error("the points are (nearly) in one plane")]
    Flat,
    /// The points are too close together for double precision.
    #[error("the points are too degenerate: {0}")]
    Degenerate(&'static str),
    /// An invariant was broken; always a bug.
    #[error("internal error: {0}")]
    Internal(&'static str),
}

/// The hull as a graph of its vertices and triangles.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HullGraph {
    /// Point number of each vertex.
    pub(crate) vertices: Vec<i32>,
    /// Vertices (as positions in `vertices`) adjacent to each vertex.
    pub(crate) neighbors: Vec<Vec<i32>>,
    /// Point numbers of each triangle, anticlockwise seen from outside.
    pub(crate) faces: Vec<[i32; 3]>,
}

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
