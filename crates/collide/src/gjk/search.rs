//! GJK: the point of the Minkowski difference that is closest to the origin.
//!
//! Frank–Wolfe style iteration: from the current closest point `x` of a simplex, take the support point `s` along
//! `-x`, stop when the duality gap `⟨x, x - s⟩` is small, otherwise add `s` to the simplex, find the new closest
//! point and drop the vertices that do not hold it. Where only the question "do they touch" matters, the first
//! tetrahedron is handed to [`enclose_origin`], which walks it towards the origin face by face.

use super::simplex::{closest_on_segment, closest_on_tetrahedron, closest_on_triangle};
use super::support::{Pair, Vertex, blend};
use super::vec::{V3, cross, dot, neg, same_point, scale, sub};
use kinetree_math::MINVAL;

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
    iterations: usize,
}

/// What is known about the origin after walking a tetrahedron.
enum Enclosure {
    Inside,
    Outside,
    Unknown,
}

impl Search {
    fn separated(&mut self) {
        self.size = 0;
        self.has_witness = false;
        self.dist = f64::MAX;
    }

    /// Run from the centres of the shapes.
    pub(crate) fn run(&mut self, pair: &mut Pair, query: &Query) {
        self.x1 = pair.a.center();
        self.x2 = pair.b.center();
        self.iterations = 0;
        let want_distance = query.cutoff > 0.0;
        let mut try_enclosure = !want_distance;
        let cutoff2 = query.cutoff * query.cutoff;
        let tolerance2 = query.tolerance * query.tolerance;

        // over finitely many vertices convergence is finite and needs no tolerance
        let (gap_limit, touch_limit2) =
            if pair.is_discrete() { (0.0, MINVAL2) } else { (0.5 * tolerance2, tolerance2) };

        let mut x = sub(&self.x1, &self.x2);
        let mut x_norm = 0.0;
        let mut weights = [1.0, 0.0, 0.0, 0.0];
        let mut n = 0;
        let mut k = 0;
        while k < query.max_iterations {
            x_norm = dot(&x, &x);
            if x_norm < touch_limit2 {
                break;
            }
            x_norm = x_norm.sqrt();

            let away = scale(&x, 1.0 / x_norm);
            self.simplex[n] = pair.support(&neg(&away), &away);
            let s = self.simplex[n].diff;
            if dot(&x, &sub(&x, &s)) < gap_limit {
                if k == 0 {
                    n = 1;
                }
                break;
            }

            // the plane through s separates the shapes: stop if that is all we want to know
            let ahead = dot(&x, &s);
            if ahead > 0.0
                && (!want_distance || (query.cutoff < f64::MAX && ahead * ahead / dot(&x, &x) >= cutoff2))
            {
                self.separated();
                return;
            }

            if n == 3 && try_enclosure {
                match self.enclose_origin(pair, k, query.max_iterations) {
                    Enclosure::Inside => {
                        self.has_witness = false;
                        self.dist = 0.0;
                        return;
                    }
                    Enclosure::Outside => {
                        self.separated();
                        return;
                    }
                    Enclosure::Unknown => {
                        k = self.iterations;
                        try_enclosure = false;
                    }
                }
            }

            weights = closest_weights(&self.simplex, n + 1, query.carry);
            n = self.keep_weighted(&mut weights);
            if n == 0 {
                self.separated();
                return;
            }
            let next = blend(&weights, n, &self.simplex, |v| &v.diff);
            if same_point(&next, &x) {
                break;
            }
            x = next;

            // a full tetrahedron holds the origin
            if n == 4 {
                x_norm = 0.0;
                break;
            }
            k += 1;
        }

        if n > 0 {
            self.x1 = blend(&weights, n, &self.simplex, |v| &v.on1);
            self.x2 = blend(&weights, n, &self.simplex, |v| &v.on2);
        }
        self.has_witness = true;
        self.size = n;
        self.dist = x_norm;
    }

    /// Drop the vertices of weight zero; returns how many are left.
    #[inline(always)]
    fn keep_weighted(&mut self, weights: &mut [f64; 4]) -> usize {
        let mut n = 0;
        for i in 0..4 {
            if weights[i] == 0.0 {
                continue;
            }
            if n != i {
                self.simplex[n] = self.simplex[i];
                weights[n] = weights[i];
            }
            n += 1;
        }
        n
    }

    /// Replace the vertex opposite the worst face of the tetrahedron until it holds the origin or cannot.
    fn enclose_origin(&mut self, pair: &mut Pair, start: usize, max_iterations: usize) -> Enclosure {
        let mut points = self.simplex;
        let mut s = [0, 1, 2, 3];
        for k in start..max_iterations {
            self.iterations = k;
            let faces = [
                face_plane(&points[s[2]], &points[s[1]], &points[s[3]]),
                face_plane(&points[s[0]], &points[s[2]], &points[s[3]]),
                face_plane(&points[s[1]], &points[s[0]], &points[s[3]]),
                face_plane(&points[s[0]], &points[s[1]], &points[s[2]]),
            ];
            let height = |i: usize| faces[i].0;

            // an origin on the plane of a face stalls the walk
            if (0..4).any(|i| height(i) == 0.0) {
                return Enclosure::Unknown;
            }
            let low = if height(0) < height(1) { 0 } else { 1 };
            let high = if height(2) < height(3) { 2 } else { 3 };
            let worst = if height(low) < height(high) { low } else { high };
            if height(worst) > 0.0 {
                self.size = 4;
                self.simplex = [points[s[0]], points[s[1]], points[s[2]], points[s[3]]];
                return Enclosure::Inside;
            }

            let normal = &faces[worst].1;
            points[s[worst]] = pair.support(normal, &neg(normal));
            if dot(normal, &points[s[worst]].diff) < 0.0 {
                return Enclosure::Outside;
            }
            // swapping two others keeps the orientation
            s.swap((worst + 1) & 3, (worst + 2) & 3);
        }
        self.iterations = max_iterations;
        Enclosure::Unknown
    }
}

#[inline(always)]
fn closest_weights(simplex: &[Vertex; 4], n: usize, carry: bool) -> [f64; 4] {
    let [a, b, c, d] = [&simplex[0].diff, &simplex[1].diff, &simplex[2].diff, &simplex[3].diff];
    match n {
        4 => closest_on_tetrahedron([a, b, c, d], carry),
        3 => {
            let [wa, wb, wc] = closest_on_triangle(a, b, c);
            [wa, wb, wc, 0.0]
        }
        2 => {
            let [wa, wb] = closest_on_segment(a, b);
            [wa, wb, 0.0, 0.0]
        }
        _ => [1.0, 0.0, 0.0, 0.0],
    }
}

/// Signed height of the origin over a face, and the unit normal; a face without a normal is infinitely far.
#[inline(always)]
fn face_plane(a: &Vertex, b: &Vertex, c: &Vertex) -> (f64, V3) {
    let normal = cross(&sub(&c.diff, &a.diff), &sub(&b.diff, &a.diff));
    let norm2 = dot(&normal, &normal);
    if norm2 > MINVAL2 && norm2 < MAXVAL2 {
        let normal = scale(&normal, 1.0 / norm2.sqrt());
        (dot(&normal, &a.diff), normal)
    } else {
        (f64::MAX, normal)
    }
}
