//! One pair by itself: with limits of its own, with what the searches did, and for support mappings that
//! the caller brings along.

use super::gjk_epa::{EpaOutcome, GjkEpa};
use super::manifold::Manifold;
use super::penetration::{distance_only, distance_or_depth};
use super::search::{Query, Search};
use super::settings::{CcdScratch, Work};
use super::support::{Convex, Core, Pair, Supports, Vertex};
use super::vec::{Point, V3, norm, sub};
use crate::shape::{Pose, Shape};

/// A convex shape that is known by its support mapping alone.
pub trait SupportMapping {
    /// A point inside the shape.
    fn center(&mut self) -> [f64; 3];
    /// The farthest point in a direction of unit length.
    fn support(&mut self, dir: [f64; 3]) -> [f64; 3];
}

/// What a side of a pair is.
pub enum ProbeBody<'a> {
    /// A shape in its place.
    Shape(&'a Shape<'a>, Pose),
    /// A prism of a height field: three top corners above a horizontal bottom (world coordinates).
    Prism(&'a [[f64; 3]; 3], f64),
    /// The hull of a few points around a centre, inflated by a radius (world coordinates).
    Simplex(&'a [[f64; 3]], [f64; 3], f64),
    /// What the caller says.
    Mapping(&'a mut dyn SupportMapping),
}

/// A side of a pair.
pub struct ProbeSide<'a> {
    /// The shape.
    pub body: ProbeBody<'a>,
    /// It is inflated by half of this (m).
    pub margin: f64,
    /// Vertex of a mesh, and its number in the hull, from which searches begin; a negative one is none.
    pub start: [i32; 2],
}

/// How far a search goes.
#[derive(Clone, Copy, Debug)]
pub struct ProbeLimits {
    /// Convergence tolerance of distance and depth (m).
    pub tolerance: f64,
    /// Most iterations of each of GJK and EPA.
    pub max_iterations: usize,
    /// Largest distance of interest (m); zero where only contact matters.
    pub cutoff: f64,
    /// Most contact points; without any, shapes that overlap have distance zero.
    pub max_contacts: usize,
}

/// A point of the Minkowski difference, with the points of both shapes and their vertices (or -1).
#[derive(Clone, Copy, Debug, Default)]
pub struct ProbeVertex {
    /// The point on the first shape, less that on the second.
    pub diff: [f64; 3],
    /// Points on both shapes.
    pub on: [[f64; 3]; 2],
    /// Vertices of both shapes.
    pub vertex: [i32; 2],
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Probe<'a> {
    /// Signed distance (m); `f64::MAX` for more than the cutoff.
    pub dist: f64,
    /// Witness points on both shapes, in pairs.
    pub on: [&'a [[f64; 3]]; 2],
    /// Iterations of GJK and of EPA.
    pub iterations: [usize; 2],
    /// What became of EPA.
    pub epa: EpaOutcome,
    /// The last simplex of GJK.
    pub simplex: [ProbeVertex; 4],
    /// Number of its vertices.
    pub simplex_size: usize,
    /// Where searches over the two meshes ended, as [`ProbeSide::start`].
    pub end: [[i32; 2]; 2],
}

/// Signed distance and contacts of one pair; `None` for shapes without a support mapping.
pub fn probe_convex<'s>(
    sides: [ProbeSide<'_>; 2],
    limits: &ProbeLimits,
    scratch: &'s mut CcdScratch,
) -> Option<Probe<'s>> {
    let ProbeLimits { tolerance, max_iterations, cutoff, .. } = *limits;
    let query = Query {
        tolerance,
        max_iterations,
        cutoff,
        accept_flat: true,
        warm_start: false,
        known_overlap: false,
    };
    let CcdScratch { work, vertex_lanes: [lanes1, lanes2], .. } = scratch;
    work.gjk_epa.outcome = EpaOutcome::NotRun;
    work.gjk_epa.search.iterations = 0;
    let mut sides = sides;
    let foreign = sides.iter().any(|side| matches!(side.body, ProbeBody::Mapping(_)));
    let [side1, side2] = &mut sides;
    let (mut first, mut second) = (Side::of(side1, lanes1)?, Side::of(side2, lanes2)?);
    let (dist, end) = if foreign {
        let dist = run_mappings([&mut first, &mut second], &query, limits.max_contacts, work);
        (dist, [first.end(), second.end()])
    } else {
        let (Side::Own(a), Side::Own(b)) = (first, second) else { return None };
        let mut pair = Pair { a, b };
        let dist = run_pair(&mut pair, &query, limits.max_contacts, work);
        (dist, [end_of(&pair.a), end_of(&pair.b)])
    };
    let Work { gjk_epa, manifold, .. } = work;
    let vertex = |v: &Vertex| ProbeVertex {
        diff: v.diff.array(),
        on: [v.on1.array(), v.on2.array()],
        vertex: [v.id1, v.id2],
    };
    let expansions = if gjk_epa.outcome == EpaOutcome::Ran { gjk_epa.expansions() } else { 0 };
    Some(Probe {
        dist,
        on: [&manifold.on1[..manifold.count], &manifold.on2[..manifold.count]],
        iterations: [gjk_epa.search.iterations, expansions],
        epa: gjk_epa.outcome,
        simplex: gjk_epa.search.simplex.each_ref().map(vertex),
        simplex_size: gjk_epa.search.size,
        end,
    })
}

/// The farthest point of a side in a direction, its margin not included, and where a search over a mesh
/// ended; `None` for shapes without a support mapping.
pub fn support_point(
    mut side: ProbeSide<'_>,
    dir: [f64; 3],
    scratch: &mut CcdScratch,
) -> Option<([f64; 3], [i32; 2])> {
    let mut side = Side::of(&mut side, &mut scratch.vertex_lanes[0])?;
    match &mut side {
        Side::Own(shape) => {
            let point = shape.support(dir.into()).0.array();
            Some((point, end_of(shape)))
        }
        Side::Foreign(mapping, _) => Some((mapping.support(dir), [-1, -1])),
    }
}

/// A pair of shapes that are known here.
///
/// A search that ended in a flat tetrahedron claims contact where its nearest points are distinct; then it
/// is made again without.
fn run_pair(pair: &mut Pair, query: &Query, max_contacts: usize, work: &mut Work) -> f64 {
    let mut run = |query: &Query, work: &mut Work| match max_contacts {
        0 => distance_only(pair, query, work),
        limit => distance_or_depth(pair, query, limit, work),
    };
    let dist = run(query, work);
    let Manifold { on1, on2, count, .. } = &work.manifold;
    let distinct = *count > 0 && norm(&sub(&on1[0], &on2[0])) > query.tolerance;
    if dist == 0.0 && query.cutoff > 0.0 && distinct {
        return run(&Query { accept_flat: false, ..*query }, work);
    }
    dist
}

/// A pair of which one side at least is known by its support mapping alone.
fn run_mappings(sides: [&mut Side<'_, '_>; 2], query: &Query, max_contacts: usize, work: &mut Work) -> f64 {
    let [first, second] = sides;
    let centers = [first.center(), second.center()];
    let mut pair = Mappings { first, second };
    let Work { gjk_epa, manifold, .. } = work;
    if max_contacts == 0 {
        let search: &mut Search = &mut gjk_epa.search;
        let mut next = search.begin(centers, false, query);
        while let Some(dir) = search.next_direction(&mut next, query) {
            next = search.add_support(&pair.support(dir), next, query);
        }
    } else {
        run_both(gjk_epa, centers, &mut pair, query);
    }
    manifold.set_single(&gjk_epa.search);
    gjk_epa.search.dist
}

/// GJK, then EPA.
fn run_both(gjk_epa: &mut GjkEpa, centers: [V3; 2], pair: &mut Mappings<'_, '_, '_>, query: &Query) {
    let mut dir = Point::default();
    let mut more = gjk_epa.begin(centers, pair, query, &mut dir);
    while more {
        let vertex = pair.support(dir);
        more = gjk_epa.advance(&vertex, pair, query, &mut dir);
    }
}

/// A side while it is searched.
// there are two of them, on the stack, for one search
#[allow(clippy::large_enum_variant)]
enum Side<'a, 'm> {
    Own(Convex<'a>),
    Foreign(&'a mut (dyn SupportMapping + 'm), f64),
}

impl<'a, 'm> Side<'a, 'm> {
    fn of<'p: 'm>(
        side: &'a mut ProbeSide<'p>,
        lanes: &'a mut super::vertex_lanes::VertexLanes,
    ) -> Option<Self> {
        let margin = side.margin;
        let mut shape = match &mut side.body {
            ProbeBody::Shape(shape, pose) => Convex::new(Core::of(shape, lanes)?, pose, margin),
            ProbeBody::Prism(top, bottom) => {
                let mut prism = Convex::prism(top, *bottom);
                prism.margin = margin;
                prism
            }
            ProbeBody::Simplex(points, centre, radius) => Convex::simplex(points, *centre, *radius, margin),
            ProbeBody::Mapping(mapping) => return Some(Self::Foreign(&mut **mapping, margin)),
        };
        let [vertex, hull_vertex] = side.start;
        if vertex >= 0 || hull_vertex >= 0 {
            shape.continue_from((vertex, usize::try_from(hull_vertex).unwrap_or(0)));
        }
        Some(Self::Own(shape))
    }

    fn center(&mut self) -> V3 {
        match self {
            Self::Own(shape) => shape.center(),
            Self::Foreign(mapping, _) => mapping.center(),
        }
    }

    /// The farthest point with half the margin added, and its vertex.
    fn support(&mut self, dir: Point) -> (Point, i32) {
        let (point, vertex, margin) = match self {
            Self::Own(shape) => {
                let (point, vertex) = shape.support(dir);
                (point, vertex, shape.margin)
            }
            Self::Foreign(mapping, margin) => (mapping.support(dir.array()).into(), -1, *margin),
        };
        (point + dir * (0.5 * margin), vertex)
    }

    fn end(&self) -> [i32; 2] {
        match self {
            Self::Own(shape) => end_of(shape),
            Self::Foreign(..) => [-1, -1],
        }
    }
}

/// Where a search over a mesh ended.
fn end_of(shape: &Convex<'_>) -> [i32; 2] {
    let (vertex, hull_vertex) = shape.last_vertex();
    [vertex, if shape.mesh().is_some() { hull_vertex as i32 } else { -1 }]
}

/// Two sides as one support mapping.
struct Mappings<'p, 'a, 'm> {
    first: &'p mut Side<'a, 'm>,
    second: &'p mut Side<'a, 'm>,
}

impl Supports for Mappings<'_, '_, '_> {
    fn support(&mut self, dir: Point) -> Vertex {
        let (on1, id1) = self.first.support(dir);
        let (on2, id2) = self.second.support(-dir);
        Vertex { diff: on1 - on2, on1, on2, id1, id2 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kinetree_math::{Mat3, Vec3};

    /// A ball that is known by its support mapping alone.
    struct Ball([f64; 3], f64);

    impl SupportMapping for Ball {
        fn center(&mut self) -> [f64; 3] {
            self.0
        }
        fn support(&mut self, dir: [f64; 3]) -> [f64; 3] {
            [0, 1, 2].map(|k| self.0[k] + self.1 * dir[k])
        }
    }

    fn limits(cutoff: f64, max_contacts: usize) -> ProbeLimits {
        ProbeLimits { tolerance: 1e-6, max_iterations: 100, cutoff, max_contacts }
    }

    fn side(body: ProbeBody<'_>) -> ProbeSide<'_> {
        ProbeSide { body, margin: 0.0, start: [-1, -1] }
    }

    #[test]
    fn mappings_of_the_caller_are_measured_against_shapes() {
        let (shape, mut scratch) = (Shape::Sphere { radius: 1.0 }, CcdScratch::default());
        let pose = Pose { pos: Vec3::new(-1.5, 0.0, 0.0), mat: Mat3::identity() };
        for (x, cutoff, contacts, wanted) in
            [(1.5, 10.0, 0, 1.0), (1.5, 0.5, 0, f64::MAX), (0.2, 0.0, 1, -0.3), (0.2, 10.0, 0, 0.0)]
        {
            let mut ball = Ball([x, 0.0, 0.0], 1.0);
            let sides = [side(ProbeBody::Shape(&shape, pose)), side(ProbeBody::Mapping(&mut ball))];
            let found = probe_convex(sides, &limits(cutoff, contacts), &mut scratch).unwrap();
            let close = found.dist == wanted || (found.dist - wanted).abs() < 1e-5;
            assert!(close, "{} is not {wanted}", found.dist);
        }
    }

    #[test]
    fn what_searches_did_is_told() {
        let mut scratch = CcdScratch::default();
        let (small, large) =
            (Shape::Box { half: Vec3::new(1.0, 1.0, 1.0) }, Shape::Box { half: Vec3::new(2.5, 2.5, 2.5) });
        let at = |x: f64| Pose { pos: Vec3::new(x, 0.0, 0.0), mat: Mat3::identity() };
        let sides = || [side(ProbeBody::Shape(&large, at(-1.0))), side(ProbeBody::Shape(&small, at(1.5)))];
        let found = probe_convex(sides(), &limits(0.0, 8), &mut scratch).unwrap();
        assert!((found.dist + 1.0).abs() < 1e-6);
        assert_eq!((found.epa, found.on[0].len()), (EpaOutcome::Ran, 4));
        assert!(found.iterations[1] > 0);
        // without contacts, what overlaps has no distance
        let found = probe_convex(sides(), &limits(10.0, 0), &mut scratch).unwrap();
        assert!(found.dist.abs() < 1e-12 && found.epa == EpaOutcome::NotRun, "{}", found.dist);
    }
}
