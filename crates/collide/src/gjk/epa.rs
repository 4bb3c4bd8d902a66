//! EPA: the penetration depth of two overlapping shapes.
//!
//! The closest face of a polytope inside the Minkowski difference bounds the depth from below, the support plane
//! along its normal from above. The polytope grows by that support point until the bounds meet (van den Bergen,
//! 2001).

use super::polytope::Polytope;
use super::search::{Query, Search};
use super::simplex::Areas;
use super::support::Pair;
use super::vec::{blend3, dot};
use kinetree_math::MINVAL;

/// Iterations are limited so that indices stay small.
pub(crate) const MAX_ITERATIONS: usize = 1000;

/// Expand `polytope`; on success store depth and witness points in `search` and return the closest face.
pub(crate) fn expand(
    polytope: &mut Polytope,
    search: &mut Search,
    pair: &mut Pair,
    query: &Query,
) -> Option<usize> {
    let face = closest_face(polytope, pair, query);
    match face {
        Some(face) => store_witness(polytope, face, search),
        None => {
            search.has_witness = false;
            search.dist = 0.0;
        }
    }
    face
}

fn closest_face(polytope: &mut Polytope, pair: &mut Pair, query: &Query) -> Option<usize> {
    let discrete = pair.is_discrete();
    let tolerance = if discrete { MINVAL } else { query.tolerance };
    let (mut upper, mut upper2) = (f64::MAX, f64::MAX);
    let mut best = None;
    for _ in 0..query.max_iterations.min(MAX_ITERATIONS) {
        let Some((face, lower2)) = polytope.closest() else { break };
        if lower2 > upper2 {
            break;
        }
        best = Some(face);
        if lower2 <= 0.0 {
            break;
        }

        let lower = lower2.sqrt();
        let foot = polytope.face(face).foot;
        let tip = polytope.insert_support(pair, &foot, lower);
        let w = *polytope.point(tip);
        let reach = dot(&foot, &w) / lower;
        if reach < upper {
            upper = reach;
            upper2 = upper * upper;
        }
        if upper - lower < tolerance {
            break;
        }
        // over finitely many vertices, one found twice means there is nothing beyond this face
        if discrete && polytope.last_is_known() {
            break;
        }

        let edges = polytope.carve(face, &w);
        if edges < 3 {
            return None;
        }
        if !polytope.has_room(edges, query.max_iterations) {
            break;
        }
        if !polytope.cap(tip, &w, lower2, upper2) {
            return None;
        }
        if !polytope.has_open() {
            break;
        }
    }
    best
}

fn store_witness(polytope: &Polytope, face: usize, search: &mut Search) {
    let [a, b, c] = polytope.corners(face);
    let face = polytope.face(face);
    let weights = Areas::new(&a.diff, &b.diff, &c.diff, &face.foot).coordinates();
    search.x1 = blend3(&weights, &a.on1, &b.on1, &c.on1);
    search.x2 = blend3(&weights, &a.on2, &b.on2, &c.on2);
    search.dist = -face.dist2.sqrt();
    search.has_witness = true;
}
