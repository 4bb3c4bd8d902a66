//! GJK: the point of the Minkowski difference that is closest to the origin.
//!
//! Frank–Wolfe style iteration: from the current closest point `x` of a simplex, take the support point `s`
//! along `-x`, stop when the duality gap `⟨x, x - s⟩` is small, otherwise add `s` to the simplex, find the
//! new closest point and drop the vertices that do not hold it. Where only the question "do they touch"
//! matters, the first tetrahedron is handed to [`Search::enclose`], which walks it towards the origin face by
//! face.

use super::lanes::{self, Vectors};
use super::simplex::{closest_on_segment, closest_on_tetrahedron, closest_on_triangle};
use super::support::{Pair, Supports, Vertex};
use super::vec::{Point, V3, blend, same_point, sub};
use kinetree_math::MINVAL;
use kinetree_math::lanes::pick_mask;
use wide::{CmpEq, CmpGt, CmpLt, f64x4};

/// All weight on the first vertex.
const FIRST_ONLY: f64x4 = f64x4::new([1.0, 0.0, 0.0, 0.0]);
const MINVAL2: f64 = MINVAL * MINVAL;
/// Squared normals above this are not trusted.
const MAXVAL2: f64 = 1e10 * 1e10;

/// Tolerances above this can be seen in the results.
const LARGEST_TOLERANCE: f64 = 1e-5;
/// With fewer iterations than this, a search may end before its result is exact.
const FEWEST_ITERATIONS: usize = 20;

/// What is asked of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query {
    pub(crate) tolerance: f64,
    pub(crate) max_iterations: usize,
    /// Distances up to this are wanted; zero when only contact matters.
    pub(crate) cutoff: f64,
    /// Whether a nearly flat tetrahedron may end the search (see [`closest_on_tetrahedron`]).
    pub(crate) accept_flat: bool,
    /// Whether the same pair was searched just before, in nearly the same poses.
    pub(crate) warm_start: bool,
    /// Whether the medial axes of round shapes are known to overlap.
    pub(crate) known_overlap: bool,
}

impl Query {
    /// Whether searches over polytopes find the exact result under these settings.
    #[inline]
    pub(crate) fn is_exact(&self) -> bool {
        self.tolerance <= LARGEST_TOLERANCE && self.max_iterations >= FEWEST_ITERATIONS
    }
}

/// State and outcome of a search.
///
/// A search asks for one support point after the other, so that those of several searches can be found at
/// once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Search {
    /// Distance between the shapes; `f64::MAX` when they are certainly farther apart than asked for.
    pub(crate) dist: f64,
    /// Closest point on each shape.
    pub(crate) x1: V3,
    pub(crate) x2: V3,
    /// Whether `x1` and `x2` hold witness points.
    pub(crate) has_witness: bool,
    pub(crate) simplex: [Vertex; 4],
    /// Number of vertices of the simplex.
    pub(crate) size: usize,
    /// Number of steps done.
    pub(crate) iterations: usize,
    /// Closest point of the simplex and its coordinates.
    x: Point,
    weights: f64x4,
    /// Duality gap that is small enough, and the square of a distance that is as good as zero.
    gap_limit: f64,
    touch_limit2: f64,
    /// Whether the first tetrahedron is still to be walked.
    try_enclosure: bool,
    walk: Walk,
}

/// A tetrahedron on its way to the origin. Its vertices stay where they are: those of the simplex, or those
/// that took their place.
#[derive(Clone, Debug, Default)]
struct Walk {
    corners: [Point; 4],
    /// Where the vertices of the corners are: in the simplex, or this many and four in `vertices`.
    from: [usize; 4],
    vertices: [Vertex; 4],
    /// The corner to replace, and the normal of the face opposite.
    worst: usize,
    normal: Point,
}

/// What the next support point is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Next {
    /// Move the closest point.
    Close,
    /// Walk the tetrahedron.
    Enclose,
    /// Nothing: the search is over.
    #[default]
    Done,
}

impl Search {
    fn separated(&mut self) -> Next {
        self.size = 0;
        self.has_witness = false;
        self.dist = f64::MAX;
        Next::Done
    }

    /// Run from the centres of the shapes.
    pub(crate) fn run(&mut self, pair: &mut Pair, query: &Query) {
        let mut next = self.begin([pair.a.center(), pair.b.center()], pair.is_discrete(), query);
        while let Some(dir) = self.next_direction(&mut next, query) {
            next = self.add_support(&pair.support(dir), next, query);
        }
    }

    /// Start from the centres of the shapes.
    #[inline]
    pub(crate) fn begin(&mut self, centers: [V3; 2], discrete: bool, query: &Query) -> Next {
        [self.x1, self.x2] = centers;
        self.x = sub(&self.x1, &self.x2).into();
        self.weights = FIRST_ONLY;
        self.dist = 0.0;
        self.size = 0;
        self.iterations = 0;
        self.try_enclosure = query.cutoff <= 0.0;
        // over finitely many vertices convergence is finite and needs no tolerance
        let tolerance2 = query.tolerance * query.tolerance;
        (self.gap_limit, self.touch_limit2) =
            if discrete { (0.0, MINVAL2) } else { (0.5 * tolerance2, tolerance2) };
        Next::Close
    }

    /// The direction of the next support point, `None` once the search is over.
    #[inline(always)]
    pub(crate) fn next_direction(&mut self, next: &mut Next, query: &Query) -> Option<Point> {
        if *next == Next::Enclose {
            let normal = self.look_around(next, query);
            if *next == Next::Enclose {
                return Some(normal);
            }
        }
        if *next == Next::Close && self.iterations < query.max_iterations {
            let norm2 = self.x.norm2();
            if norm2 >= self.touch_limit2 {
                self.dist = norm2.sqrt();
                return Some(-(self.x * (1.0 / self.dist)));
            }
            self.dist = norm2;
        }
        if *next == Next::Close {
            *next = self.finish();
        }
        None
    }

    /// Take a support point; returns what the next one is for.
    #[inline(always)]
    pub(crate) fn add_support(&mut self, vertex: &Vertex, next: Next, query: &Query) -> Next {
        match next {
            Next::Close => self.close(vertex, query),
            Next::Enclose => self.enclose(vertex, query),
            Next::Done => Next::Done,
        }
    }

    /// Add the support point towards the origin to the simplex, and move to the closest point of that.
    #[inline(always)]
    fn close(&mut self, vertex: &Vertex, query: &Query) -> Next {
        let (x, s) = (self.x, vertex.diff);
        self.simplex[self.size & 3] = *vertex;
        if x.dot(x - s) < self.gap_limit {
            if self.iterations == 0 {
                self.size = 1;
            }
            return self.finish();
        }

        // the plane through s separates the shapes: stop if that is all we want to know
        let ahead = x.dot(s);
        let (want_distance, cutoff2) = (query.cutoff > 0.0, query.cutoff * query.cutoff);
        if ahead > 0.0
            && (!want_distance || (query.cutoff < f64::MAX && ahead * ahead / x.norm2() >= cutoff2))
        {
            return self.separated();
        }

        if self.size == 3 && self.try_enclosure {
            self.try_enclosure = false;
            self.walk.corners = self.simplex.each_ref().map(|v| v.diff);
            self.walk.from = [0, 1, 2, 3];
            return Next::Enclose;
        }
        self.reduce(query)
    }

    /// Reduce the simplex, to which one vertex was added, to the part that holds its closest point.
    fn reduce(&mut self, query: &Query) -> Next {
        let weights = closest_weights(&self.simplex, self.size + 1, query.accept_flat);
        let (weights, n) = self.keep_weighted(weights);
        if n == 0 {
            return self.separated();
        }
        self.weights = weights;
        self.size = n;
        let next = blend(&weights.to_array(), n, self.simplex.each_ref().map(|v| v.diff));
        if same_point(&next.array(), &self.x.array()) {
            return self.finish();
        }
        self.x = next;

        // a full tetrahedron holds the origin
        if n == 4 {
            self.dist = 0.0;
            return self.finish();
        }
        self.iterations += 1;
        Next::Close
    }

    /// The vertices of a tetrahedron that was found to hold the origin: the one that was walked, or else the
    /// simplex.
    pub(crate) fn tetrahedron(&self) -> [&Vertex; 4] {
        if self.has_witness {
            return self.simplex.each_ref();
        }
        let Walk { from, vertices, .. } = &self.walk;
        from.map(|at| if at < 4 { &self.simplex[at] } else { &vertices[at & 3] })
    }

    /// Take the closest points of the shapes from the simplex.
    #[inline(always)]
    fn finish(&mut self) -> Next {
        if self.size > 0 {
            let weights = self.weights.to_array();
            self.x1 = blend(&weights, self.size, self.simplex.each_ref().map(|v| v.on1)).array();
            self.x2 = blend(&weights, self.size, self.simplex.each_ref().map(|v| v.on2)).array();
        }
        self.has_witness = true;
        Next::Done
    }

    /// Drop the vertices of weight zero; returns the other weights and how many are left.
    #[inline(always)]
    fn keep_weighted(&mut self, weights: f64x4) -> (f64x4, usize) {
        let dropped = weights.cmp_eq(f64x4::ZERO).move_mask();
        match dropped {
            0b0000 => (weights, 4),
            0b1000 => (weights, 3),
            0b1100 => (weights, 2),
            0b1110 => (weights, 1),
            _ => self.move_weighted(weights.to_array()),
        }
    }

    /// [`Self::keep_weighted`] where a vertex before a kept one is dropped.
    #[inline(always)]
    fn move_weighted(&mut self, weights: [f64; 4]) -> (f64x4, usize) {
        let mut kept = f64x4::ZERO;
        let mut n = 0;
        for i in 0..4 {
            if weights[i] != 0.0 {
                self.simplex[n] = self.simplex[i];
                kept = pick_mask(n).blend(f64x4::splat(weights[i]), kept);
                n += 1;
            }
        }
        (kept, n)
    }

    /// Find the face of the tetrahedron that is most between it and the origin, and return its normal.
    #[inline(always)]
    fn look_around(&mut self, next: &mut Next, query: &Query) -> Point {
        let planes = Planes::of(&self.walk.corners);
        let height = planes.height.to_array();
        let low = if height[0] < height[1] { 0 } else { 1 };
        let high = if height[2] < height[3] { 2 } else { 3 };
        let worst = if height[low] < height[high] { low } else { high };
        let normal = planes.normal(worst);
        if planes.height.cmp_eq(f64x4::ZERO).any() {
            // an origin on the plane of a face stalls the walk
            *next = self.reduce(query);
        } else if height[worst] > 0.0 {
            self.size = 4;
            self.has_witness = false;
            self.dist = 0.0;
            *next = Next::Done;
        }
        (self.walk.worst, self.walk.normal) = (worst, normal);
        normal
    }

    /// Replace the vertex opposite the worst face, unless there is nothing behind that.
    #[inline(always)]
    fn enclose(&mut self, vertex: &Vertex, query: &Query) -> Next {
        let Walk { corners, from, vertices, worst, normal } = &mut self.walk;
        if normal.dot(vertex.diff) < 0.0 {
            return self.separated();
        }
        let worst = *worst & 3;
        let slot = from[worst] & 3;
        vertices[slot] = *vertex;
        from[worst] = 4 + slot;
        corners[worst] = vertex.diff;
        // exchanging two others keeps the orientation
        let (i, j) = ((worst + 1) & 3, (worst + 2) & 3);
        (corners[i], corners[j]) = (corners[j], corners[i]);
        (from[i], from[j]) = (from[j], from[i]);
        self.iterations += 1;
        if self.iterations < query.max_iterations { Next::Enclose } else { self.reduce(query) }
    }
}

#[inline(always)]
fn closest_weights(simplex: &[Vertex; 4], n: usize, accept_flat: bool) -> f64x4 {
    let [a, b, c, d] = [&simplex[0].diff, &simplex[1].diff, &simplex[2].diff, &simplex[3].diff];
    match n {
        4 => closest_on_tetrahedron([a, b, c, d], accept_flat),
        3 => closest_on_triangle(a, b, c).lanes(),
        2 => weights_on_segment(a, b),
        _ => FIRST_ONLY,
    }
}

/// Not inlined: written by parts and read as a whole, the result would have to wait.
#[inline(never)]
fn weights_on_segment(a: &Point, b: &Point) -> f64x4 {
    let [wa, wb] = closest_on_segment(*a, *b);
    f64x4::new([wa, wb, 0.0, 0.0])
}

/// The planes of the four faces of a tetrahedron, by the vertex that each leaves out: signed heights of the
/// origin and unit normals. A face without a normal is infinitely far.
struct Planes {
    height: f64x4,
    normal: Vectors,
}

impl Planes {
    #[inline(always)]
    fn of(corners: &[Point; 4]) -> Self {
        // the faces are c b d, a c d, b a d and a b c
        let [[ax, ay, az], [bx, by, bz], [cx, cy, cz], [dx, dy, dz]] =
            corners.each_ref().map(|corner| corner.array());
        let origin =
            [f64x4::new([cx, ax, bx, ax]), f64x4::new([cy, ay, by, ay]), f64x4::new([cz, az, bz, az])];
        let second =
            [f64x4::new([bx, cx, ax, bx]), f64x4::new([by, cy, ay, by]), f64x4::new([bz, cz, az, bz])];
        let third =
            [f64x4::new([dx, dx, dx, cx]), f64x4::new([dy, dy, dy, cy]), f64x4::new([dz, dz, dz, cz])];
        let normal = lanes::cross(lanes::sub(third, origin), lanes::sub(second, origin));
        let norm2 = lanes::dot(normal, normal);
        let usable = norm2.cmp_gt(f64x4::splat(MINVAL2)) & norm2.cmp_lt(f64x4::splat(MAXVAL2));
        let inverse = f64x4::ONE / norm2.sqrt();
        let unit = normal.map(|n| usable.blend(inverse * n, n));
        let height = lanes::dot(unit, origin);
        Self { height: usable.blend(height, f64x4::splat(f64::MAX)), normal: unit }
    }

    #[inline(always)]
    fn normal(&self, face: usize) -> Point {
        let [x, y, z] = self.normal.map(|n| n.to_array()[face & 3]);
        Point::new(x, y, z)
    }
}
