//! EPA: the penetration depth of two overlapping shapes.
//!
//! The closest face of a polytope inside the Minkowski difference bounds the depth from below, the support plane
//! along its normal from above. The polytope grows by that support point until the bounds meet (van den Bergen,
//! 2001).

use super::polytope::Polytope;
use super::search::{Query, Search};
use super::simplex::Areas;
use super::support::Pair;
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
    iterations: usize,
}

/// What came of a step.
pub(crate) enum Progress {
    Continues,
    /// The closest face is known.
    Found(usize),
    /// The polytope broke.
    Failed,
}

impl Expansion {
    /// Before the first step.
    pub(crate) fn new() -> Self {
        Self { upper: f64::MAX, best: None, iterations: 0 }
    }

    /// Replace the closest face of the polytope by the support point along its normal, unless that is not farther out.
    pub(crate) fn advance(&mut self, polytope: &mut Polytope, pair: &mut Pair, query: &Query) -> Progress {
        let finished = self.best.map_or(Progress::Failed, Progress::Found);
        if self.iterations >= query.max_iterations.min(MAX_ITERATIONS) {
            return finished;
        }
        self.iterations += 1;
        let Some((face, lower2)) = polytope.closest() else { return finished };
        let upper2 = self.upper * self.upper;
        if lower2 > upper2 {
            return finished;
        }
        self.best = Some(face);
        if lower2 <= 0.0 {
            return Progress::Found(face);
        }

        let lower = lower2.sqrt();
        let foot = polytope.face(face).foot;
        let tip = polytope.insert_support(pair, foot, lower);
        let w = polytope.point(tip);
        let reach = foot.dot(w) / lower;
        if reach < self.upper {
            self.upper = reach;
        }
        let discrete = pair.is_discrete();
        let tolerance = if discrete { MINVAL } else { query.tolerance };
        if self.upper - lower < tolerance {
            return Progress::Found(face);
        }
        // over finitely many vertices, one found twice means there is nothing beyond this face
        if discrete && polytope.last_is_known() {
            return Progress::Found(face);
        }

        let edges = polytope.carve(face, w);
        if edges < 3 {
            return Progress::Failed;
        }
        if !polytope.has_room(edges, query.max_iterations) {
            return Progress::Found(face);
        }
        if !polytope.cap(tip, w, lower2, self.upper * self.upper) {
            return Progress::Failed;
        }
        if polytope.has_open() { Progress::Continues } else { Progress::Found(face) }
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
