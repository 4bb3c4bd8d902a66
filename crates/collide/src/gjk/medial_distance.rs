//! Distance between the medial axis of a round shape (the centre of a sphere, the segment of a capsule) and a
//! polytope.
//!
//! Such a distance has one exact answer, whatever way leads to it, so that the way can be short: GJK in the
//! frame of the polytope, which costs one rotation in all, started from a guess of the features that are
//! closest. With `x` the point of a simplex of differences that is closest to the origin and `w` the support
//! point along `-x`, `⟨x, x - w⟩` bounds the squared error of `x`, so a result is certain whatever the guess
//! was.
//!
//! The nearest points themselves are unique unless a segment is parallel to a face or an edge it is closest
//! to. These cases, and overlap, are left to the general routine.

use super::local_polytope::Ties;
use super::support::Convex;
use super::vec::{V3, blend3, cross, det, dot, neg, sub};

/// Most iterations before the general routine is asked.
const MAX_ITERATIONS: usize = 24;
/// A result is exact when it is certain to this, relative to the squared size of the problem.
pub(crate) const EXACT: f64 = 1e-13;
/// The general routine looks for improvements down to half of the squared tolerance; what is this many
/// squared tolerances apart, it can tell apart.
pub(crate) const DISTINCT: f64 = 20.0;
/// Features that are inclined to each other by less than this count as parallel: small errors of the general
/// routine then move points far.
pub(crate) const NEARLY: f64 = 1e-4;
/// Squared sine of the angle between a segment and an edge below which they count as parallel.
pub(crate) const PARALLEL2: f64 = 1e-6;
/// A tetrahedron is thick if its squared volume is at least this share of the cube of its squared size.
const THICK: f64 = 1e-16;

/// A difference between a vertex of the polytope and an end of the medial axis.
#[derive(Clone, Copy, Debug, Default)]
struct Difference {
    value: V3,
    vertex: u32,
    end: u32,
}

/// The simplex that held the nearest points of the last run, from which a run on nearly the same poses starts
/// best.
#[derive(Clone, Debug, Default)]
pub(crate) struct MedialSearch {
    points: [Difference; 4],
    weights: [f64; 4],
    size: usize,
}

/// What a run found.
pub(crate) enum MedialDistance {
    /// The distance is at least the cutoff.
    Separated,
    /// The nearest points on the medial axis and on the polytope, in world coordinates.
    Near(V3, V3),
    /// The medial axis overlaps the polytope or is within the tolerance of it.
    Inside,
    /// Something for the general routine.
    Unknown,
}

impl MedialSearch {
    /// Run for the medial axis of `round` and a polytope, which must be what [`Convex::medial_segment`] and
    /// [`Convex::is_discrete`] accept.
    ///
    /// `warm_start` begins from the features of the last run, which must have been on the same shapes.
    pub(crate) fn run(
        &mut self,
        round: &Convex,
        polytope: &mut Convex,
        cutoff: f64,
        tolerance: f64,
        warm_start: bool,
    ) -> MedialDistance {
        let Some(ends) = round.medial_segment(polytope) else { return MedialDistance::Unknown };
        if warm_start && self.size > 0 {
            for point in &mut self.points[..self.size] {
                point.value = sub(&polytope.local_vertex(point.vertex), &ends[point.end as usize & 1]);
            }
        } else {
            self.start(polytope, &ends);
        }
        let size2 = polytope.size_squared();
        let mut x = self.close_in();
        for _ in 0..MAX_ITERATIONS {
            let x2 = dot(&x, &x);
            if self.size > 3 {
                return if self.has_volume() { MedialDistance::Inside } else { MedialDistance::Unknown };
            }
            if x2 <= tolerance * tolerance {
                return if self.size > 0 { MedialDistance::Inside } else { MedialDistance::Unknown };
            }
            let (vertex, corner) = polytope.lowest(&x);
            let end = u32::from(dot(&x, &ends[1]) > dot(&x, &ends[0]));
            let value = sub(&corner, &ends[end as usize & 1]);
            let ahead = dot(&x, &value);
            if ahead > 0.0 && ahead * ahead >= cutoff * cutoff * x2 {
                return MedialDistance::Separated;
            }
            if x2 - ahead <= EXACT * (x2 + size2) {
                let distinct = DISTINCT * tolerance * tolerance + NEARLY * (x2 * size2).sqrt();
                return self.finish(polytope, &ends, &x, distinct);
            }
            let known = |p: &Difference| p.vertex == vertex && p.end == end;
            if self.points[..self.size].iter().any(known) {
                return MedialDistance::Unknown;
            }
            self.points[self.size] = Difference { value, vertex, end };
            self.size += 1;
            x = self.close_in();
        }
        MedialDistance::Unknown
    }

    /// Begin with the vertices that look closest.
    fn start(&mut self, polytope: &mut Convex, ends: &[V3; 2]) {
        if let Some(face) = polytope.prism_top() {
            let end = u32::from(ends[1][2] < ends[0][2]);
            let point = |k: usize| Difference {
                value: sub(&face[k], &ends[end as usize & 1]),
                vertex: k as u32,
                end,
            };
            self.points = [point(0), point(1), point(2), point(2)];
            self.size = 3;
            return;
        }
        let towards = [0, 1, 2].map(|k| -0.5 * (ends[0][k] + ends[1][k]));
        let (vertex, corner) = polytope.lowest(&towards);
        let end = u32::from(dot(&corner, &sub(&ends[1], &ends[0])) > 0.0);
        let from = &ends[end as usize & 1];
        let face = polytope.face_towards(vertex, &sub(from, &corner));
        let point =
            |vertex: u32| Difference { value: sub(&polytope.local_vertex(vertex), from), vertex, end };
        self.points = face.map_or([point(vertex); 4], |[a, b, c]| [point(a), point(b), point(c), point(c)]);
        self.size = if face.is_some() { 3 } else { 1 };
    }

    /// Reduce the simplex to the part that holds its point closest to the origin, and return that point.
    #[inline]
    fn close_in(&mut self) -> V3 {
        let [a, b, c, _] = &self.points;
        let weights = match self.size {
            1 => [1.0, 0.0, 0.0],
            2 => closest_on_segment(&a.value, &b.value),
            3 => closest_on_triangle(&a.value, &b.value, &c.value),
            _ => return self.close_in_on_face(),
        };
        self.keep(weights, [0, 1, 2])
    }

    /// The closest of the three faces around the newest vertex that the origin is outside of; all four
    /// vertices stay where there is none.
    fn close_in_on_face(&mut self) -> V3 {
        let p = self.points.map(|point| point.value);
        let mut nearest = f64::MAX;
        let mut best = None;
        for (face, opposite) in [([0, 1, 3], 2), ([1, 2, 3], 0), ([2, 0, 3], 1)] {
            let [a, b, c] = face.map(|i: usize| &p[i]);
            let normal = cross(&sub(b, a), &sub(c, a));
            let (inner, origin) = (dot(&normal, &sub(&p[opposite], a)), -dot(&normal, a));
            if inner * origin > 0.0 {
                continue;
            }
            let weights = closest_on_triangle(a, b, c);
            let x = blend3(&weights, a, b, c);
            let distance = dot(&x, &x);
            if distance < nearest {
                nearest = distance;
                best = Some((weights, face));
            }
        }
        match best {
            Some((weights, face)) => self.keep(weights, face),
            None => [0.0; 3],
        }
    }

    /// Whether the tetrahedron is thick enough to tell inside from outside.
    fn has_volume(&self) -> bool {
        let [a, b, c, d] = self.points.map(|point| point.value);
        let volume = det(&sub(&b, &a), &sub(&c, &a), &sub(&d, &a));
        let size2 = [&a, &b, &c, &d].iter().fold(0.0, |size2: f64, p| size2.max(dot(p, p)));
        volume * volume > THICK * size2 * size2 * size2
    }

    /// Keep the vertices with a weight, and return the weighted sum.
    #[inline]
    fn keep(&mut self, weights: V3, which: [usize; 3]) -> V3 {
        let from = which.map(|i| self.points[i]);
        let mut x = [0.0; 3];
        self.size = 0;
        for (weight, point) in weights.into_iter().zip(from) {
            if weight > 0.0 {
                self.points[self.size] = point;
                self.weights[self.size] = weight;
                self.size += 1;
                for k in 0..3 {
                    x[k] += weight * point.value[k];
                }
            }
        }
        x
    }

    /// The nearest points, if they are unique when a difference above `distinct` counts.
    fn finish(&self, polytope: &mut Convex, ends: &[V3; 2], x: &V3, distinct: f64) -> MedialDistance {
        let along = sub(&ends[1], &ends[0]);
        if dot(x, &along).abs() <= distinct && ends[0] != ends[1] {
            match polytope.ties(x, distinct) {
                Ties::Corner => {}
                Ties::Edge(edge) => {
                    let across = cross(&edge, &along);
                    if dot(&across, &across) <= PARALLEL2 * dot(&edge, &edge) * dot(&along, &along) {
                        return MedialDistance::Unknown;
                    }
                }
                Ties::Face => return MedialDistance::Unknown,
            }
        }
        let (mut on_medial, mut on_polytope) = ([0.0; 3], [0.0; 3]);
        for (point, weight) in self.points[..self.size].iter().zip(&self.weights) {
            let end = &ends[point.end as usize & 1];
            for k in 0..3 {
                on_medial[k] += weight * end[k];
                on_polytope[k] += weight * (point.value[k] + end[k]);
            }
        }
        MedialDistance::Near(polytope.point_to_world(&on_medial), polytope.point_to_world(&on_polytope))
    }
}

/// Weights of the point of the segment `a b` closest to the origin.
#[inline(always)]
fn closest_on_segment(a: &V3, b: &V3) -> V3 {
    let along = sub(b, a);
    let (from_a, length2) = (-dot(a, &along), dot(&along, &along));
    if from_a <= 0.0 {
        [1.0, 0.0, 0.0]
    } else if from_a >= length2 {
        [0.0, 1.0, 0.0]
    } else {
        let t = from_a / length2;
        [1.0 - t, t, 0.0]
    }
}

/// Weights of the point of the triangle `a b c` closest to the origin, by the regions in which a corner, an
/// edge or the inside is closest (Ericson, Real-Time Collision Detection, 5.1.5).
#[inline]
pub(crate) fn closest_on_triangle(a: &V3, b: &V3, c: &V3) -> V3 {
    let (ab, ac) = (sub(b, a), sub(c, a));
    let towards = |p: &V3| {
        let p = neg(p);
        (dot(&ab, &p), dot(&ac, &p))
    };
    let ((a1, a2), (b1, b2), (c1, c2)) = (towards(a), towards(b), towards(c));
    if a1 <= 0.0 && a2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    if b1 >= 0.0 && b2 <= b1 {
        return [0.0, 1.0, 0.0];
    }
    if c2 >= 0.0 && c1 <= c2 {
        return [0.0, 0.0, 1.0];
    }
    let over_c = a1 * b2 - b1 * a2;
    if over_c <= 0.0 && a1 >= 0.0 && b1 <= 0.0 {
        let t = a1 / (a1 - b1);
        return [1.0 - t, t, 0.0];
    }
    let over_b = c1 * a2 - a1 * c2;
    if over_b <= 0.0 && a2 >= 0.0 && c2 <= 0.0 {
        let t = a2 / (a2 - c2);
        return [1.0 - t, 0.0, t];
    }
    let over_a = b1 * c2 - c1 * b2;
    if over_a <= 0.0 && b2 >= b1 && c1 >= c2 {
        let t = (b2 - b1) / ((b2 - b1) + (c1 - c2));
        return [0.0, 1.0 - t, t];
    }
    let whole = 1.0 / (over_a + over_b + over_c);
    [over_a * whole, over_b * whole, over_c * whole]
}
