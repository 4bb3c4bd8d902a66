//! GJK: the point of the Minkowski difference that is closest to the origin.
//!
//! Frank–Wolfe style iteration: from the current closest point `x` of a simplex, take the support point `s` along
//! `-x`, stop when the duality gap `⟨x, x - s⟩` is small, otherwise add `s` to the simplex, find the new closest
//! point and drop the vertices that do not hold it. Where only the question "do they touch" matters, the first
//! tetrahedron is handed to [`Search::enclose`], which walks it towards the origin face by face.

use super::simplex::{closest_on_segment, closest_on_tetrahedron, closest_on_triangle};
use super::support::{Pair, Vertex};
use super::vec::{Point, V3, blend, same_point, sub};
use kinetree_math::MINVAL;
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
    pub(crate) carry: bool,
    /// Whether the same pair was searched just before, in nearly the same poses.
    pub(crate) again: bool,
    /// Whether the middles of round shapes are known to overlap.
    pub(crate) overlap: bool,
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
/// A search goes in steps, each of which asks for one support point at most, so that several searches can take turns: every step waits
/// for the one before it, but not for those of the other searches.
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
    iterations: usize,
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

/// A tetrahedron on its way to the origin. Its vertices stay where they are: those of the simplex, or those that took their place.
#[derive(Clone, Debug, Default)]
struct Walk {
    corners: [Point; 4],
    /// Where the vertices of the corners are: in the simplex, or this many and four in `vertices`.
    from: [usize; 4],
    vertices: [Vertex; 4],
}

/// What the next step of a search does.
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
        let mut next = self.begin(pair, query);
        while next != Next::Done {
            next = self.advance(next, pair, query);
        }
    }

    /// Start from the centres of the shapes.
    #[inline]
    pub(crate) fn begin(&mut self, pair: &Pair, query: &Query) -> Next {
        self.x1 = pair.a.center();
        self.x2 = pair.b.center();
        self.x = sub(&self.x1, &self.x2).into();
        self.weights = FIRST_ONLY;
        self.dist = 0.0;
        self.size = 0;
        self.iterations = 0;
        self.try_enclosure = query.cutoff <= 0.0;
        // over finitely many vertices convergence is finite and needs no tolerance
        let tolerance2 = query.tolerance * query.tolerance;
        (self.gap_limit, self.touch_limit2) =
            if pair.is_discrete() { (0.0, MINVAL2) } else { (0.5 * tolerance2, tolerance2) };
        Next::Close
    }

    /// Do one step; returns what is next.
    #[inline]
    pub(crate) fn advance(&mut self, next: Next, pair: &mut Pair, query: &Query) -> Next {
        match next {
            Next::Close => self.close(pair, query),
            Next::Enclose => self.enclose(pair, query),
            Next::Done => Next::Done,
        }
    }

    /// Add the support point towards the origin to the simplex, and move to the closest point of that.
    fn close(&mut self, pair: &mut Pair, query: &Query) -> Next {
        let x = self.x;
        if self.iterations >= query.max_iterations {
            return self.finish();
        }
        let norm2 = x.norm2();
        if norm2 < self.touch_limit2 {
            self.dist = norm2;
            return self.finish();
        }
        self.dist = norm2.sqrt();

        let vertex = pair.support(-(x * (1.0 / self.dist)));
        let s = vertex.diff;
        self.simplex[self.size & 3] = vertex;
        if x.dot(x - s) < self.gap_limit {
            if self.iterations == 0 {
                self.size = 1;
            }
            return self.finish();
        }

        // the plane through s separates the shapes: stop if that is all we want to know
        let ahead = x.dot(s);
        let (want_distance, cutoff2) = (query.cutoff > 0.0, query.cutoff * query.cutoff);
        if ahead > 0.0 && (!want_distance || (query.cutoff < f64::MAX && ahead * ahead / norm2 >= cutoff2)) {
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
    #[inline(always)]
    fn reduce(&mut self, query: &Query) -> Next {
        let weights = closest_weights(&self.simplex, self.size + 1, query.carry);
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

    /// The vertices of a tetrahedron that was found to hold the origin: the one that was walked, or else the simplex.
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
                kept = PLACES[n].blend(f64x4::splat(weights[i]), kept);
                n += 1;
            }
        }
        (kept, n)
    }

    /// Replace the vertex opposite the worst face of the tetrahedron, unless it holds the origin or cannot.
    fn enclose(&mut self, pair: &mut Pair, query: &Query) -> Next {
        let Walk { corners, from, vertices } = &mut self.walk;
        let planes = Planes::of(corners);

        // an origin on the plane of a face stalls the walk
        if planes.height.cmp_eq(f64x4::ZERO).any() {
            return self.reduce(query);
        }
        let height = planes.height.to_array();
        let low = if height[0] < height[1] { 0 } else { 1 };
        let high = if height[2] < height[3] { 2 } else { 3 };
        let worst = if height[low] < height[high] { low } else { high };
        if height[worst] > 0.0 {
            self.size = 4;
            self.has_witness = false;
            self.dist = 0.0;
            return Next::Done;
        }

        let normal = planes.normal(worst);
        let vertex = pair.support(normal);
        let place = from[worst] & 3;
        vertices[place] = vertex;
        if normal.dot(vertex.diff) < 0.0 {
            return self.separated();
        }
        corners[worst] = vertex.diff;
        from[worst] = 4 + place;
        // exchanging two others keeps the orientation
        let (i, j) = ((worst + 1) & 3, (worst + 2) & 3);
        (corners[i], corners[j]) = (corners[j], corners[i]);
        (from[i], from[j]) = (from[j], from[i]);
        self.iterations += 1;
        if self.iterations < query.max_iterations { Next::Enclose } else { self.reduce(query) }
    }
}

/// The places of a lane, as masks.
const PLACES: [f64x4; 4] = {
    const ON: f64 = f64::from_bits(u64::MAX);
    [
        f64x4::new([ON, 0.0, 0.0, 0.0]),
        f64x4::new([0.0, ON, 0.0, 0.0]),
        f64x4::new([0.0, 0.0, ON, 0.0]),
        f64x4::new([0.0, 0.0, 0.0, ON]),
    ]
};

#[inline(always)]
fn closest_weights(simplex: &[Vertex; 4], n: usize, carry: bool) -> f64x4 {
    let [a, b, c, d] = simplex.each_ref().map(|v| v.diff);
    match n {
        4 => closest_on_tetrahedron([a, b, c, d], carry),
        3 => closest_on_triangle(a, b, c).lanes(),
        2 => {
            let [wa, wb] = closest_on_segment(a, b);
            f64x4::new([wa, wb, 0.0, 0.0])
        }
        _ => FIRST_ONLY,
    }
}

/// The planes of the four faces of a tetrahedron, by the vertex that each leaves out: signed heights of the origin and unit normals. A face
/// without a normal is infinitely far.
struct Planes {
    height: f64x4,
    normal: [f64x4; 3],
}

impl Planes {
    #[inline(always)]
    fn of(corners: &[Point; 4]) -> Self {
        // the faces are c b d, a c d, b a d and a b c
        let [[ax, ay, az], [bx, by, bz], [cx, cy, cz], [dx, dy, dz]] =
            corners.each_ref().map(|corner| corner.array());
        let origin =
            [f64x4::new([cx, ax, bx, ax]), f64x4::new([cy, ay, by, ay]), f64x4::new([cz, az, bz, az])];
        let x1 = f64x4::new([dx, dx, dx, cx]) - origin[0];
        let y1 = f64x4::new([dy, dy, dy, cy]) - origin[1];
        let z1 = f64x4::new([dz, dz, dz, cz]) - origin[2];
        let x2 = f64x4::new([bx, cx, ax, bx]) - origin[0];
        let y2 = f64x4::new([by, cy, ay, by]) - origin[1];
        let z2 = f64x4::new([bz, cz, az, bz]) - origin[2];
        let [x, y, z] = [y1 * z2 - z1 * y2, z1 * x2 - x1 * z2, x1 * y2 - y1 * x2];
        let norm2 = x * x + y * y + z * z;
        let usable = norm2.cmp_gt(f64x4::splat(MINVAL2)) & norm2.cmp_lt(f64x4::splat(MAXVAL2));
        let inverse = f64x4::ONE / norm2.sqrt();
        let unit = [x, y, z].map(|n| usable.blend(inverse * n, n));
        let height = unit[0] * origin[0] + unit[1] * origin[1] + unit[2] * origin[2];
        Self { height: usable.blend(height, f64x4::splat(f64::MAX)), normal: unit }
    }

    #[inline(always)]
    fn normal(&self, face: usize) -> Point {
        let [x, y, z] = self.normal.map(|n| n.to_array()[face & 3]);
        Point::new(x, y, z)
    }
}
