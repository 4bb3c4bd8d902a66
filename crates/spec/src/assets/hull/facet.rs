//! Facets of the growing polyhedron, and the states that they go through.

use super::error::Point;

/// No element; also the open end of a list.
pub(super) const NONE: u32 = u32::MAX;

/// A plane polygon of the hull. Triangles have three vertices, and `neighbors[i]` lies across from
/// `vertices[i]`; polygons keep explicit ridges.
#[derive(Clone, Debug, Default)]
pub(super) struct Facet {
    /// Order of creation.
    pub(super) id: u32,
    pub(super) previous: u32,
    pub(super) next: u32,
    pub(super) normal: Point,
    pub(super) offset: f64,
    /// What `normal` and `offset` are worth.
    pub(super) plane: PlaneState,
    /// Mean of the vertices projected onto the plane, when it is current.
    pub(super) center: Option<Point>,
    /// Whether the centre stays when the facet grows.
    pub(super) keep_center: bool,
    /// Distance of the last point of `outside`.
    pub(super) furthest: f64,
    /// Largest known distance of a point above the plane.
    pub(super) max_outside: f64,
    /// Vertices by decreasing id.
    pub(super) vertices: Vec<u32>,
    pub(super) neighbors: Vec<u32>,
    pub(super) ridges: Vec<u32>,
    /// Whether the facet ever had a ridge, which makes it a polygon for the cone builder.
    pub(super) had_ridges: bool,
    /// Points above the facet, the furthest one last.
    pub(super) outside: Vec<u32>,
    /// Points within the tolerance of the facet, the furthest one last.
    pub(super) coplanar: Vec<u32>,
    pub(super) stage: Stage,
    pub(super) shape: Shape,
    /// Orientation of the vertex order.
    pub(super) top: bool,
    pub(super) horizon: Horizon,
    /// Ring of new facets that will merge into the same horizon facet.
    pub(super) same_cycle: u32,
    /// Whether the ring of this facet was closed.
    pub(super) cycle_done: bool,
    /// For a horizon facet, the latest new facet of such a ring.
    pub(super) new_cycle: u32,
    pub(super) duplicate: Duplicate,
    pub(super) pending: Pending,
    pub(super) merges: u32,
    /// Merged since its vertices were last reduced.
    pub(super) new_merge: bool,
    /// Convexity with its neighbours was tested since it last changed.
    pub(super) tested: bool,
    /// Stamp of the last walk that came by.
    pub(super) visit: u32,
    /// Mark within a walk.
    pub(super) seen: bool,
}

/// The life of a facet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stage {
    /// Part of the hull since an earlier step.
    #[default]
    Old,
    /// Part of the hull, created or changed in the current step.
    New,
    /// Visible from the point being added, or merged into another facet: on the list of those to be deleted.
    /// The replacement is the facet that took its place, if there is one. It may have been new before.
    Removed { replacement: u32, was_new: bool },
}

/// What is known of a facet's plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum PlaneState {
    /// Nothing: it will merge into its horizon facet.
    #[default]
    Missing,
    /// The interior point is below it.
    Outward,
    /// The interior point is not clearly below it.
    Flipped,
}

/// How a facet lists its edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Shape {
    /// Three vertices with the neighbours across from them.
    #[default]
    Triangle,
    /// The same, cut from a polygon at the end.
    FanTriangle,
    /// Explicit ridges.
    Polygon,
}

/// Part of a facet in the cone of the point being added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Horizon {
    /// The point is clearly below its plane, or it is not on the horizon.
    #[default]
    Below,
    /// A horizon facet that has the point in its plane.
    Coplanar,
    /// A new facet across from such a facet, into which it will merge.
    MergesInto,
}

/// How far an edge that more than two new facets share has been resolved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Duplicate {
    /// The facet has no such edge.
    #[default]
    None,
    /// It has one.
    Found,
    /// Other facets of that edge will merge.
    Waits,
    /// The facet itself will merge with another one of that edge.
    Merges,
}

/// Why a facet waits to be merged away, whatever its neighbours' planes. A redundant facet stays redundant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Pending {
    /// It does not.
    #[default]
    No,
    /// It has too few neighbours.
    Degenerate,
    /// Its vertices are all vertices of one neighbour.
    Redundant,
}

impl Facet {
    /// Clears everything for reuse, keeping the buffers.
    pub(super) fn reset(&mut self) {
        let mut sets = [
            std::mem::take(&mut self.vertices),
            std::mem::take(&mut self.neighbors),
            std::mem::take(&mut self.ridges),
            std::mem::take(&mut self.outside),
            std::mem::take(&mut self.coplanar),
        ];
        sets.iter_mut().for_each(Vec::clear);
        let [vertices, neighbors, ridges, outside, coplanar] = sets;
        *self = Self { vertices, neighbors, ridges, outside, coplanar, ..Self::default() };
    }

    pub(super) fn is_removed(&self) -> bool {
        matches!(self.stage, Stage::Removed { .. })
    }

    /// For a removed facet, the one that took its place; `NONE` for others.
    pub(super) fn replacement(&self) -> u32 {
        match self.stage {
            Stage::Old | Stage::New => NONE,
            Stage::Removed { replacement, .. } => replacement,
        }
    }

    /// Created or changed in the current step, also when it was removed since.
    pub(super) fn is_new(&self) -> bool {
        matches!(self.stage, Stage::New | Stage::Removed { was_new: true, .. })
    }

    /// A change of a facet makes it new, the end of a step makes it old.
    pub(super) fn set_new(&mut self, is_new: bool) {
        match &mut self.stage {
            Stage::Removed { was_new, .. } => *was_new = is_new,
            stage => *stage = if is_new { Stage::New } else { Stage::Old },
        }
    }

    /// Marks the facet as one to be deleted, with the facet that takes its place.
    pub(super) fn mark_removed(&mut self, replacement: u32) {
        self.stage = Stage::Removed { replacement, was_new: self.is_new() };
    }

    pub(super) fn is_triangle(&self) -> bool {
        self.shape != Shape::Polygon
    }

    pub(super) fn has_plane(&self) -> bool {
        self.plane != PlaneState::Missing
    }

    pub(super) fn is_flipped(&self) -> bool {
        self.plane == PlaneState::Flipped
    }

    pub(super) fn has_duplicate_ridge(&self) -> bool {
        self.duplicate != Duplicate::None
    }

    pub(super) fn is_redundant(&self) -> bool {
        self.pending == Pending::Redundant
    }
}
