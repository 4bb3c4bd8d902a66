//! Ridges of the growing polyhedron: the edges between facets, and what is known of their convexity.

/// An edge between two facets, at least one of which is not simplicial. Its vertices are by decreasing id.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ridge {
    pub(super) vertices: [u32; 2],
    pub(super) top: u32,
    pub(super) bottom: u32,
    pub(super) convexity: Convexity,
}

/// What is known of the angle at a ridge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Convexity {
    /// Nothing, or nothing any more: one of its facets has changed.
    #[default]
    Untested,
    /// Clearly convex, or tested at another ridge between the same facets.
    Convex,
    /// Not clearly convex. This stays until the next test, also when one of its facets changes.
    Nonconvex,
}

impl Ridge {
    /// Notes a test, which has not changed the mark of a ridge that is not convex.
    pub(super) fn set_tested(&mut self) {
        if self.convexity == Convexity::Untested {
            self.convexity = Convexity::Convex;
        }
    }

    /// Forgets that the ridge was tested as one of its facets has changed.
    pub(super) fn set_untested(&mut self) {
        if self.convexity == Convexity::Convex {
            self.convexity = Convexity::Untested;
        }
    }

    /// Whether the last test found it not clearly convex.
    pub(super) fn is_nonconvex(&self) -> bool {
        self.convexity == Convexity::Nonconvex
    }

    /// The facet on the other side.
    pub(super) fn other(&self, facet: u32) -> u32 {
        if self.top == facet { self.bottom } else { self.top }
    }

    /// Whether the vertex is an end of the ridge.
    pub(super) fn has(&self, vertex: u32) -> bool {
        self.vertices[0] == vertex || self.vertices[1] == vertex
    }

    /// The end that is not the given one.
    pub(super) fn end_opposite(&self, vertex: u32) -> u32 {
        if self.vertices[0] == vertex { self.vertices[1] } else { self.vertices[0] }
    }
}
