//! The public entry of the convex routines, and the plan for one pair.

use super::few::FewVertices;
use super::manifold::Manifold;
use super::perturb;
pub(crate) use super::search::Query;
use super::search::Search;
use super::support::{Convex, Core, Pair};
use super::thin::{Thin, ThinSearch};
use super::tilted::TILTS;
use super::trial::Trial;
use super::vec::{V3, add, norm, normalized, scale, sub};
use crate::contact::ContactPoint;
use crate::shape::{Pose, Shape};
use kinetree_math::Vec3;

/// Accuracy of the iterative convex routines.
#[derive(Clone, Copy, Debug)]
pub struct CcdSettings {
    /// Convergence tolerance of distance and depth (m).
    pub tolerance: f64,
    /// Most iterations of each of GJK and EPA.
    pub max_iterations: usize,
    /// Whether to look for more than one contact point per pair.
    pub multiccd: bool,
}

impl Default for CcdSettings {
    fn default() -> Self {
        Self { tolerance: 1e-6, max_iterations: 35, multiccd: true }
    }
}

impl CcdSettings {
    /// A query for distances up to `cutoff`, or only for contact if that is zero.
    pub(crate) fn query(&self, cutoff: f64) -> Query {
        Query {
            tolerance: self.tolerance,
            max_iterations: self.max_iterations,
            cutoff,
            carry: true,
            again: false,
            overlap: false,
        }
    }
}

/// Working memory of the convex routines. Reuse it: nothing is allocated once its buffers have grown.
#[derive(Clone, Debug, Default)]
pub struct CcdScratch {
    pub(crate) work: Work,
    /// Vertices of the two shapes of a pair.
    pub(crate) few: [FewVertices; 2],
    /// Corners of one row of a height field.
    pub(crate) strip: Vec<V3>,
}

/// Working memory of one test.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    pub(crate) trial: Trial,
    /// Tests of a tilted pair.
    pub(crate) tilted: [Trial; TILTS],
    pub(crate) manifold: Manifold,
    pub(crate) thin: ThinSearch,
}

/// Contacts between two convex shapes (anything but planes and height fields, which give none).
///
/// `margin` is the distance up to which shapes count as touching. Contacts are appended to `out`, at most eight.
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
    let CcdScratch { work, few: [few1, few2], .. } = scratch;
    let (Some(core1), Some(core2)) = (Core::of(s1, few1), Core::of(s2, few2)) else { return };
    let mut pair = Pair { a: Convex::new(core1, p1, margin), b: Convex::new(core2, p2, margin) };
    let limit = single_pass_limit(&pair, settings);
    let first = out.len();
    penetration(&mut pair, &settings.query(0.0), limit, margin, work, out);
    if limit == 1 && settings.multiccd && out.len() == first + 1 && !is_smooth(s1) && !is_smooth(s2) {
        let resolution = 1e-3 * s1.bound_radius().min(s2.bound_radius());
        perturb::more_contacts(&mut pair, settings, margin, resolution, work, out);
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

/// Signed distance of a pair, `f64::MAX` if beyond the cutoff; the witness points are left in `work.manifold`.
pub(crate) fn distance_or_depth(pair: &mut Pair, query: &Query, limit: usize, work: &mut Work) -> f64 {
    let Work { trial, manifold, thin, .. } = work;
    if !query.overlap
        && (is_round(&pair.a) || is_round(&pair.b))
        && let Some(dist) = middle_distance(pair, query, &mut trial.search, thin)
    {
        manifold.set_single(&trial.search);
        return dist;
    }

    trial.run(pair, query);
    let Trial { search, polytope, face, .. } = &*trial;
    manifold.set_single(search);
    if let Some(face) = *face
        && limit > 1
    {
        manifold.spread(polytope, face, search, pair, limit);
    }
    search.dist
}

/// Distance of a pair of which one shape is round, by the middles of such shapes; `None` if the middles touch.
fn middle_distance(
    pair: &mut Pair,
    query: &Query,
    search: &mut Search,
    thin: &mut ThinSearch,
) -> Option<f64> {
    if query.is_exact() && (pair.a.is_discrete() || pair.b.is_discrete()) {
        let before = (pair.a.last_vertex(), pair.b.last_vertex());
        let known = thin_distance(pair, query, search, thin);
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
    let (inflate1, margin1) = pair.a.shrink_to_middle();
    let (inflate2, margin2) = pair.b.shrink_to_middle();
    search.run(pair, &Query { cutoff: query.cutoff + (inflate1 + inflate2), ..*query });
    pair.a.grow_from_middle(margin1);
    pair.b.grow_from_middle(margin2);
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

/// Distance of the middle of a round shape from a polytope, with the nearest points of the shapes left in `search`.
fn thin_distance(pair: &mut Pair, query: &Query, search: &mut Search, thin: &mut ThinSearch) -> Known {
    let round_first = is_round(&pair.a);
    let (round, polytope) = if round_first { (&mut pair.a, &mut pair.b) } else { (&mut pair.b, &mut pair.a) };
    let (radius, margin) = round.shrink_to_middle();
    round.grow_from_middle(margin);
    match thin.run(round, polytope, query.cutoff + radius, query.tolerance, query.again) {
        Thin::Unknown => Known::Nothing,
        Thin::Inside => Known::Contact,
        // whether points that are too far apart are reported depends on how the search went
        Thin::Apart if query.cutoff > 0.0 => Known::Nothing,
        Thin::Apart => {
            search.has_witness = false;
            search.dist = f64::MAX;
            Known::Distance(f64::MAX)
        }
        Thin::Near(on_round, on_polytope) => {
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

/// Move the witness points from the middles of round shapes to their surfaces.
fn inflate(search: &mut Search, inflate1: f64, inflate2: f64) {
    let normal: V3 = normalized(&sub(&search.x2, &search.x1));
    search.x1 = add(&search.x1, &scale(&normal, inflate1));
    search.x2 = sub(&search.x2, &scale(&normal, inflate2));
    search.dist -= inflate1 + inflate2;
}
