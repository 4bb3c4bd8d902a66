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

/// Face count allowed per iteration.
const FACES_PER_ITERATION: usize = 6;
/// Iterations are limited so that indices stay small.
const MAX_ITERATIONS: usize = 1000;

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
    let max_faces = FACES_PER_ITERATION * query.max_iterations;
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
        let foot = polytope.faces[face].foot;
        let tip = polytope.insert_support(pair, &foot, lower);
        let w = polytope.verts[usize::from(tip)];
        let reach = dot(&foot, &w.diff) / lower;
        if reach < upper {
            upper = reach;
            upper2 = upper * upper;
        }
        if upper - lower < tolerance {
            break;
        }
        // over finitely many vertices, one found twice means there is nothing beyond this face
        let known = &polytope.verts[..usize::from(tip)];
        if discrete && known.iter().any(|v| v.id1 == w.id1 && v.id2 == w.id2) {
            break;
        }

        polytope.carve(face, &w.diff);
        if polytope.horizon.len() < 3 {
            return None;
        }
        if polytope.faces.len() + polytope.horizon.len() > max_faces {
            break;
        }
        if !cap(polytope, tip, lower2, upper2) {
            return None;
        }
        if !polytope.has_open() {
            break;
        }
    }
    best
}

/// Close the hole inside the horizon with a fan of faces around `tip`; `false` if one of them has no plane.
fn cap(polytope: &mut Polytope, tip: u16, lower2: f64, upper2: f64) -> bool {
    let first = polytope.faces.len();
    let count = polytope.horizon.len();
    for i in 0..count {
        let edge = polytope.horizon[i];
        let this = (first + i) as u16;
        let next = (first + if i + 1 == count { 0 } else { i + 1 }) as u16;
        let previous = (first + if i == 0 { count - 1 } else { i - 1 }) as u16;
        let side = usize::from(edge.edge);
        let hidden = &mut polytope.faces[usize::from(edge.face)];
        hidden.adjacent[side] = this;
        let (v1, v2) = (hidden.verts[side], hidden.verts[if side == 2 { 0 } else { side + 1 }]);
        let dist2 = polytope.attach([tip, v2, v1], [previous, edge.face, next]);
        if dist2 == 0.0 {
            return false;
        }
        if dist2 >= lower2 && dist2 <= upper2 {
            polytope.open_last();
        }
    }
    true
}

fn store_witness(polytope: &Polytope, face: usize, search: &mut Search) {
    let face = &polytope.faces[face];
    let [a, b, c] = face.verts.map(|v| &polytope.verts[usize::from(v)]);
    let weights = Areas::new(&a.diff, &b.diff, &c.diff, &face.foot).coordinates();
    search.x1 = blend3(&weights, &a.on1, &b.on1, &c.on1);
    search.x2 = blend3(&weights, &a.on2, &b.on2, &c.on2);
    search.dist = -face.dist2.sqrt();
    search.has_witness = true;
}
