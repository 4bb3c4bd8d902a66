//! Smallest signed distance between two shapes, with the segment that realizes it.
//!
//! Pairs that are solved by GJK and EPA give the distance itself. For all others the contact function is
//! asked for contacts within the largest distance of interest, and the closest of them is taken.

use crate::contact::ContactPoint;
use crate::dispatch::{collide, collide_simple};
use crate::gjk::penetration::distance_or_depth;
use crate::gjk::support::{Convex, Core, Pair};
use crate::gjk::vec::{norm, sub};
use crate::gjk::{CcdScratch, CcdSettings, Query, Work};
use crate::shape::{Kind, Placed, Pose, Shape};
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
    if solved_by_ccd([s1.kind(), s2.kind()])
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
    nearest_contact(contacts, distmax)
}

/// As [`geom_distance`] for two shapes without data of their own, where there is a formula for their kinds;
/// `None` where there is none. Sizes and poses are taken as [`collide_simple`] takes them.
#[inline]
pub fn simple_distance<P: Placed>(
    kinds: [Kind; 2],
    sizes: [&[f64; 3]; 2],
    [placed1, placed2]: [&P; 2],
    distmax: f64,
    contacts: &mut Vec<ContactPoint>,
) -> Option<(f64, Vec3, Vec3)> {
    if solved_by_ccd(kinds) {
        return None;
    }
    contacts.clear();
    if kinds[0] <= kinds[1] {
        return collide_simple(kinds, sizes, placed1, placed2, distmax, contacts)
            .then(|| nearest_contact(contacts, distmax));
    }
    let ([kind1, kind2], [size1, size2]) = (kinds, sizes);
    collide_simple([kind2, kind1], [size2, size1], placed2, placed1, distmax, contacts).then(|| {
        let (distance, on2, on1) = nearest_contact(contacts, distmax);
        (distance, on1, on2)
    })
}

/// The contact with the least distance, if that is less than `distmax`, as a distance and the points on both
/// shapes.
#[inline]
fn nearest_contact(contacts: &[ContactPoint], distmax: f64) -> (f64, Vec3, Vec3) {
    let mut nearest = (distmax, Vec3::zeros(), Vec3::zeros());
    for contact in contacts {
        if contact.dist < nearest.0 {
            let half = contact.normal * (0.5 * contact.dist);
            nearest = (contact.dist, contact.pos - half, contact.pos + half);
        }
    }
    nearest
}

/// Distance by GJK and EPA; the nearest points are left in the scratch.
///
/// A search that ended in a flat tetrahedron claims contact although the shapes are separated: either its
/// nearest points are distinct, or EPA finds no face around the origin, and there are no points at all. Where
/// the reference then answers zero, this looks again, properly.
fn ccd_distance(pair: &mut Pair, query: &Query, work: &mut Work) -> f64 {
    let dist = distance_or_depth(pair, query, 1, work);
    let manifold = &work.manifold;
    let distinct = manifold.count == 0 || norm(&sub(&manifold.on1[0], &manifold.on2[0])) > query.tolerance;
    if dist == 0.0 && distinct {
        return distance_or_depth(pair, &Query { accept_flat: false, ..*query }, 1, work);
    }
    dist
}

/// Whether GJK and EPA measure the pair: all convex pairs but the simplest round ones, which have a formula.
#[inline]
fn solved_by_ccd([kind1, kind2]: [Kind; 2]) -> bool {
    let (low, high) = if kind1 <= kind2 { (kind1, kind2) } else { (kind2, kind1) };
    match low {
        Kind::Plane | Kind::HeightField => false,
        Kind::Sphere => matches!(high, Kind::Ellipsoid | Kind::Mesh),
        Kind::Capsule => !matches!(high, Kind::Capsule | Kind::Box),
        Kind::Ellipsoid | Kind::Cylinder | Kind::Box | Kind::Mesh => true,
    }
}
