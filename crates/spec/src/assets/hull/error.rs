//! Points, and why they have no hull.

use thiserror::Error;

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
