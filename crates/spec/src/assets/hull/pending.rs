//! Merges of facets and vertices that are waiting, and their priority.

/// Why two facets should become one. The order is the priority: lower kinds are merged first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cause {
    /// The centre of one facet is in the plane of the other.
    Coplanar,
    /// The centre of one facet is above the other.
    Concave,
    /// One side concave, the other coplanar.
    ConcaveCoplanar,
    /// The facet has the interior point above it.
    Flip,
    /// The facets share an edge with a third one.
    DuplicateEdge,
    /// The facet has too few neighbours.
    Degenerate,
    /// The facet's vertices are all vertices of its neighbour.
    Redundant,
    /// Two triangles with the same vertices, back to back.
    Mirror,
    /// New facet in the plane of its horizon facet.
    CoplanarHorizon,
}

/// A pair of facets to be merged.
#[derive(Clone, Copy, Debug)]
pub(super) struct FacetMerge {
    pub(super) facet: u32,
    pub(super) neighbor: u32,
    pub(super) cause: Cause,
    pub(super) distance: f64,
}

/// Two vertices so close that two ridges coincide.
#[derive(Clone, Copy, Debug)]
pub(super) struct VertexMerge {
    pub(super) vertex: u32,
    pub(super) destination: u32,
    pub(super) distance: f64,
    pub(super) ridges: [u32; 2],
}

/// Pending merges.
#[derive(Clone, Debug, Default)]
pub(super) struct MergeSets {
    pub(super) facets: Vec<FacetMerge>,
    /// Degenerate and redundant facets; taken from the end.
    pub(super) degenerate: Vec<FacetMerge>,
    pub(super) vertices: Vec<VertexMerge>,
}
