//! EPA: the penetration depth of two overlapping shapes.
//!
//! The closest face of a polytope inside the Minkowski difference bounds the depth from below, the support
//! plane along its normal from above. The polytope grows by that support point until the bounds meet (van den
//! Bergen, 2001).

use super::polytope::{Polytope, unit};
use super::search::{Query, Search};
use super::simplex::Areas;
use super::support::Vertex;
use super::vec::Point;
use kinetree_math::MINVAL;

/// Iterations are limited so that indices stay small.
pub(crate) const MAX_ITERATIONS: usize = 1000;

/// An expansion under way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expansion {
    /// Largest possible depth.
    upper: f64,
    /// Closest face so far.
    best: Option<usize>,
    /// Its distance from the origin.
    lower: f64,
    iterations: usize,
}

impl Expansion {
    /// Before the first step.
    pub(crate) fn new() -> Self {
        Self { upper: f64::MAX, best: None, lower: 0.0, iterations: 0 }
    }

    /// The direction of the next support point, that of the closest face; `None` if there is nothing more to
    /// find.
    #[inline(always)]
    pub(crate) fn next_direction(&mut self, polytope: &Polytope, query: &Query) -> Option<Point> {
        if self.iterations >= query.max_iterations.min(MAX_ITERATIONS) {
            return None;
        }
        self.iterations += 1;
        let (face, lower2) = polytope.closest()?;
        if lower2 > self.upper * self.upper {
            return None;
        }
        self.best = Some(face);
        if lower2 <= 0.0 {
            return None;
        }
        self.lower = lower2.sqrt();
        Some(unit(polytope.face(face).foot, self.lower))
    }

    /// Replace the closest face of the polytope by the support point along its normal, unless that is not
    /// farther out; `false` if that was the last step.
    #[inline(always)]
    pub(crate) fn add_support(
        &mut self,
        vertex: &Vertex,
        polytope: &mut Polytope,
        discrete: bool,
        query: &Query,
    ) -> bool {
        let Some(face) = self.best else { return false };
        let (lower, lower2) = (self.lower, polytope.face(face).dist2);
        let (tip, w) = (polytope.insert_vertex(vertex), vertex.diff);
        let reach = polytope.face(face).foot.dot(w) / lower;
        if reach < self.upper {
            self.upper = reach;
        }
        let tolerance = if discrete { MINVAL } else { query.tolerance };
        if self.upper - lower < tolerance {
            return false;
        }
        // over finitely many vertices, one found twice means there is nothing beyond this face
        if discrete && polytope.last_is_known() {
            return false;
        }

        let edges = polytope.carve(face, w);
        if edges >= 3 && !polytope.has_room(edges, query.max_iterations) {
            return false;
        }
        if edges < 3 || !polytope.cap(tip, w, lower2, self.upper * self.upper) {
            // the polytope broke
            self.best = None;
            return false;
        }
        polytope.has_open()
    }

    /// Steps that were begun.
    pub(crate) fn iterations(&self) -> usize {
        self.iterations
    }

    /// The closest face, if there is one.
    pub(crate) fn face(&self) -> Option<usize> {
        self.best
    }
}

/// Store depth and witness points of the closest face in `search`.
pub(crate) fn store_witness(polytope: &Polytope, face: usize, search: &mut Search) {
    let [a, b, c] = polytope.corners(face);
    let face = polytope.face(face);
    let [wa, wb, wc] = Areas::new(a.diff, b.diff, c.diff, face.foot).coordinates().array();
    search.x1 = (a.on1 * wa + b.on1 * wb + c.on1 * wc).array();
    search.x2 = (a.on2 * wa + b.on2 * wb + c.on2 * wc).array();
    search.dist = -face.dist2.sqrt();
    search.has_witness = true;
}
