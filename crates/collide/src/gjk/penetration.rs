//! Signed distance of one pair in one pose, and its contact points.
//!
//! Spheres and capsules are first measured by their medial axes, which is exact while those do not touch the
//! other shape; everything else, and what overlaps deeply, goes through GJK and EPA.

use super::gjk_epa::GjkEpa;
use super::medial_distance::{MedialDistance, MedialSearch};
use super::search::{Query, Search};
use super::settings::Work;
use super::support::{Convex, Core, Pair};
use super::vec::{V3, add, norm, normalized, scale, sub};
use crate::contact::ContactPoint;
use kinetree_math::Vec3;

/// Append the contacts of an overlapping pair.
pub(crate) fn penetration(
    pair: &mut Pair,
    query: &Query,
    limit: usize,
    margin: f64,
    work: &mut Work,
    out: &mut Vec<ContactPoint>,
) {
    let dist = distance_or_depth(pair, query, limit, work);
    if dist < 0.0 {
        let manifold = &work.manifold;
        for (x1, x2) in manifold.on1.iter().zip(&manifold.on2).take(manifold.count) {
            out.push(contact_between(x1, x2, margin + dist));
        }
    }
}

/// The contact of two points on the surfaces of overlapping shapes.
pub(crate) fn contact_between(x1: &V3, x2: &V3, dist: f64) -> ContactPoint {
    ContactPoint {
        dist,
        pos: Vec3::new(0.5 * (x1[0] + x2[0]), 0.5 * (x1[1] + x2[1]), 0.5 * (x1[2] + x2[2])),
        normal: Vec3::from(normalized(&sub(x1, x2))),
        tangent: Vec3::zeros(),
    }
}

/// Signed distance of a pair, `f64::MAX` if beyond the cutoff; the witness points are left in
/// `work.manifold`.
pub(crate) fn distance_or_depth(pair: &mut Pair, query: &Query, limit: usize, work: &mut Work) -> f64 {
    let Work { gjk_epa, manifold, medial, .. } = work;
    if !query.known_overlap
        && (is_round(&pair.a) || is_round(&pair.b))
        && let Some(dist) = round_distance(pair, query, &mut gjk_epa.search, medial)
    {
        manifold.set_single(&gjk_epa.search);
        return dist;
    }

    gjk_epa.run(pair, query);
    let GjkEpa { search, polytope, face, .. } = &*gjk_epa;
    manifold.set_single(search);
    if let Some(face) = *face
        && limit > 1
    {
        manifold.spread(polytope, face, search, pair, limit);
    }
    search.dist
}

/// Distance of a pair that need not be known once the shapes overlap: then it is zero, and there are no
/// witness points.
pub(crate) fn distance_only(pair: &mut Pair, query: &Query, work: &mut Work) -> f64 {
    let Work { gjk_epa: GjkEpa { search, .. }, manifold, medial, .. } = work;
    if is_round(&pair.a) || is_round(&pair.b) {
        let dist = round_distance(pair, query, search, medial);
        manifold.set_single(search);
        if dist.is_none() {
            manifold.count = 0;
        }
        return dist.unwrap_or(0.0);
    }
    search.run(pair, query);
    manifold.set_single(search);
    search.dist
}

/// Distance of a pair of which one shape is round, by the medial axes of such shapes; `None` if these touch.
fn round_distance(
    pair: &mut Pair,
    query: &Query,
    search: &mut Search,
    medial: &mut MedialSearch,
) -> Option<f64> {
    if query.is_exact() && (pair.a.is_discrete() || pair.b.is_discrete()) {
        let before = (pair.a.last_vertex(), pair.b.last_vertex());
        let known = distance_to_polytope(pair, query, search, medial);
        if let Known::Distance(dist) = known {
            return Some(dist);
        }
        pair.a.continue_from(before.0);
        pair.b.continue_from(before.1);
        // where the search over a mesh ends decides ties in the next one, so it is not left out
        if matches!(known, Known::Contact) && pair.a.mesh().is_none() && pair.b.mesh().is_none() {
            return None;
        }
    }
    let (inflate1, margin1) = pair.a.shrink_to_medial_axis();
    let (inflate2, margin2) = pair.b.shrink_to_medial_axis();
    search.run(pair, &Query { cutoff: query.cutoff + (inflate1 + inflate2), ..*query });
    pair.a.grow_from_medial_axis(margin1);
    pair.b.grow_from_medial_axis(margin2);
    if search.dist <= query.tolerance {
        return None;
    }
    inflate(search, inflate1, inflate2);
    Some(if search.dist > query.cutoff { f64::MAX } else { search.dist })
}

/// What the exact search says about a distance.
enum Known {
    Distance(f64),
    Contact,
    Nothing,
}

/// Distance of the medial axis of a round shape from a polytope, with the nearest points of the shapes left
/// in `search`.
fn distance_to_polytope(
    pair: &mut Pair,
    query: &Query,
    search: &mut Search,
    medial: &mut MedialSearch,
) -> Known {
    let round_first = is_round(&pair.a);
    let (round, polytope) = if round_first { (&mut pair.a, &mut pair.b) } else { (&mut pair.b, &mut pair.a) };
    let (radius, margin) = round.shrink_to_medial_axis();
    round.grow_from_medial_axis(margin);
    match medial.run(round, polytope, query.cutoff + radius, query.tolerance, query.warm_start) {
        MedialDistance::Unknown => Known::Nothing,
        MedialDistance::Inside => Known::Contact,
        // whether points that are too far apart are reported depends on how the search went
        MedialDistance::Separated if query.cutoff > 0.0 => Known::Nothing,
        MedialDistance::Separated => {
            search.has_witness = false;
            search.dist = f64::MAX;
            Known::Distance(f64::MAX)
        }
        MedialDistance::Near(on_round, on_polytope) => {
            search.dist = norm(&sub(&on_round, &on_polytope));
            search.has_witness = true;
            let (inflate1, inflate2) = if round_first {
                (search.x1, search.x2) = (on_round, on_polytope);
                (radius, 0.0)
            } else {
                (search.x1, search.x2) = (on_polytope, on_round);
                (0.0, radius)
            };
            inflate(search, inflate1, inflate2);
            Known::Distance(if search.dist > query.cutoff { f64::MAX } else { search.dist })
        }
    }
}

fn is_round(shape: &Convex) -> bool {
    matches!(shape.core, Core::Sphere(_) | Core::Capsule(..))
}

/// Move the witness points from the medial axes of round shapes to their surfaces.
fn inflate(search: &mut Search, inflate1: f64, inflate2: f64) {
    let normal: V3 = normalized(&sub(&search.x2, &search.x1));
    search.x1 = add(&search.x1, &scale(&normal, inflate1));
    search.x2 = sub(&search.x2, &scale(&normal, inflate2));
    search.dist -= inflate1 + inflate2;
}
