//! Smallest signed distance between two shapes, with the segment that realizes it.
//!
//! Pairs that are solved by GJK and EPA give the distance itself. For all others the contact function is
//! asked for contacts within the largest distance of interest, and the closest of them is taken.

use crate::contact::ContactPoint;
use crate::dispatch::collide;
use crate::gjk::penetration::distance_or_depth;
use crate::gjk::support::{Convex, Core, Pair};
use crate::gjk::vec::{norm, sub};
use crate::gjk::{CcdScratch, CcdSettings, Query, Work};
use crate::shape::{Pose, Shape};
use kinetree_math::Vec3;

/// Signed distance of two shapes, no larger than `distmax`, and the nearest points on shape 1 and on shape 2.
///
/// The points are zero if the shapes are farther apart than `distmax` or if there is no test for the pair
/// (planes and height fields among each other). `contacts` is working memory.
pub fn geom_distance(
    s1: &Shape,
    p1: &Pose,
    s2: &Shape,
    p2: &Pose,
    distmax: f64,
    settings: &CcdSettings,
    scratch: &mut CcdScratch,
    contacts: &mut Vec<ContactPoint>,
) -> (f64, Vec3, Vec3) {
    let CcdScratch { work, vertex_lanes: [lanes1, lanes2], .. } = &mut *scratch;
    if solved_by_ccd(s1, s2)
        && let (Some(core1), Some(core2)) = (Core::of(s1, lanes1), Core::of(s2, lanes2))
    {
        let mut pair = Pair { a: Convex::new(core1, p1, 0.0), b: Convex::new(core2, p2, 0.0) };
        let dist = ccd_distance(&mut pair, &settings.query(distmax), work);
        let manifold = &work.manifold;
        let point =
            |points: &[[f64; 3]]| if manifold.count > 0 { Vec3::from(points[0]) } else { Vec3::zeros() };
        return (if dist < distmax { dist } else { distmax }, point(&manifold.on1), point(&manifold.on2));
    }

    contacts.clear();
    collide(s1, p1, s2, p2, distmax, settings, scratch, contacts);
    let mut nearest = (distmax, Vec3::zeros(), Vec3::zeros());
    for contact in contacts.iter() {
        if contact.dist < nearest.0 {
            let half = contact.normal * (0.5 * contact.dist);
            nearest = (contact.dist, contact.pos - half, contact.pos + half);
        }
    }
    nearest
}

/// Distance by GJK and EPA; the nearest points are left in the scratch.
///
/// A search that ended in a flat tetrahedron claims contact although its nearest points are apart. Where the
/// reference then answers zero, this looks again, properly.
fn ccd_distance(pair: &mut Pair, query: &Query, work: &mut Work) -> f64 {
    let dist = distance_or_depth(pair, query, 1, work);
    let manifold = &work.manifold;
    if dist == 0.0 && manifold.count > 0 && norm(&sub(&manifold.on1[0], &manifold.on2[0])) > query.tolerance {
        return distance_or_depth(pair, &Query { accept_flat: false, ..*query }, 1, work);
    }
    dist
}

/// Whether GJK and EPA measure the pair: all convex pairs but the simplest round ones, which have a formula.
fn solved_by_ccd(s1: &Shape, s2: &Shape) -> bool {
    let (low, high) = if s1.kind() <= s2.kind() { (s1, s2) } else { (s2, s1) };
    match low {
        Shape::Plane | Shape::HeightField(_) => false,
        Shape::Sphere { .. } => matches!(high, Shape::Ellipsoid { .. } | Shape::Mesh(_)),
        Shape::Capsule { .. } => !matches!(high, Shape::Capsule { .. } | Shape::Box { .. }),
        _ => true,
    }
}
