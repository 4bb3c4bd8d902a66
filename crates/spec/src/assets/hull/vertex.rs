//! Vertices of the growing polyhedron, and the states that they go through.

/// A point that became part of the hull. Its index in the arena is its id: later vertices have higher ids.
#[derive(Clone, Debug, Default)]
pub(super) struct Vertex {
    pub(super) point: u32,
    pub(super) previous: u32,
    pub(super) next: u32,
    pub(super) neighbors: Vec<u32>,
    /// Stamp of the last walk that came by.
    pub(super) visit: u32,
    /// Mark within a walk.
    pub(super) seen: bool,
    /// A ridge of the vertex was merged away, so that it may be on too few to stay.
    pub(super) lost_ridge: bool,
    pub(super) stage: VertexStage,
}

/// The life of a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum VertexStage {
    /// A corner of the hull since an earlier step.
    #[default]
    Old,
    /// A corner of the hull, created or changed in the current step.
    New,
    /// On no facet any more, to be deleted at the end of the step.
    Dropped {
        /// Whether its point has been assigned to a facet.
        partitioned: bool,
    },
}

impl Vertex {
    /// Whether the vertex is on no facet any more.
    pub(super) fn is_dropped(&self) -> bool {
        matches!(self.stage, VertexStage::Dropped { .. })
    }

    /// Dropped, with a point that has not been assigned to a facet yet.
    pub(super) fn awaits_partition(&self) -> bool {
        self.stage == VertexStage::Dropped { partitioned: false }
    }
}
