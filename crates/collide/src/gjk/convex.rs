//! The public entry of the convex routines: which of them a pair of shapes needs.

use super::penetration::penetration;
use super::settings::{CcdScratch, CcdSettings};
use super::support::{Convex, Core, Pair};
use super::tilted_contacts::append_tilted_contacts;
use crate::contact::ContactPoint;
use crate::shape::{Pose, Shape};

/// Contacts between two convex shapes (anything but planes and height fields, which give none).
///
/// `margin` is the distance up to which shapes count as touching. Contacts are appended to `out`, at most
/// eight.
pub fn convex_convex(
    s1: &Shape,
    p1: &Pose,
    s2: &Shape,
    p2: &Pose,
    margin: f64,
    settings: &CcdSettings,
    scratch: &mut CcdScratch,
    out: &mut Vec<ContactPoint>,
) {
    let CcdScratch { work, vertex_lanes: [lanes1, lanes2], hull_period, .. } = scratch;
    let (Some(mut core1), Some(mut core2)) = (Core::of(s1, lanes1), Core::of(s2, lanes2)) else { return };
    let (hull1, hull2) = (core1.hull_layout(*hull_period), core2.hull_layout(*hull_period));
    core1.walk_over(hull1.as_deref());
    core2.walk_over(hull2.as_deref());
    let mut pair = Pair { a: Convex::new(core1, p1, margin), b: Convex::new(core2, p2, margin) };
    let limit = single_pass_limit(&pair, settings);
    let first = out.len();
    penetration(&mut pair, &settings.query(0.0), limit, margin, work, out);
    if limit == 1 && settings.multiccd && out.len() == first + 1 && !is_smooth(s1) && !is_smooth(s2) {
        let resolution = 1e-3 * s1.bound_radius().min(s2.bound_radius());
        append_tilted_contacts(&mut pair, settings, margin, resolution, work, out);
    }
    if out.len() > first {
        core1.note_contact(*hull_period);
        core2.note_contact(*hull_period);
    }
}

/// Shapes that touch anything convex in one point.
fn is_smooth(shape: &Shape) -> bool {
    matches!(shape, Shape::Sphere { .. } | Shape::Ellipsoid { .. })
}

/// How many contacts one pass of GJK and EPA can give.
fn single_pass_limit(pair: &Pair, settings: &CcdSettings) -> usize {
    let flat = |shape: &Convex| matches!(shape.core, Core::Box(_) | Core::MeshScan(_) | Core::MeshClimb(..));
    let is_box = |shape: &Convex| matches!(shape.core, Core::Box(_));
    if pair.a.margin > 0.0 || pair.b.margin > 0.0 {
        1
    } else if is_box(&pair.a) && is_box(&pair.b) {
        8
    } else if flat(&pair.a) && flat(&pair.b) && settings.multiccd {
        4
    } else {
        1
    }
}
