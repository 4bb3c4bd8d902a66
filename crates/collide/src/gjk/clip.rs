//! Clipping one polygon by another that lies parallel to it, and pruning the result to four corners.
//!
//! Sutherland–Hodgman: cut the subject by the planes that stand on the sides of the clipping polygon, one
//! after the other. Of more corners than wanted, the quadrilateral of (locally) largest area is kept.

use super::vec::{V3, add, cross, dot, norm, sub};
use kinetree_math::MINVAL;

/// Buffers of a clipping run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clipper {
    /// Result of the last run.
    pub(crate) polygon: Vec<V3>,
    clipped: Vec<V3>,
}

impl Clipper {
    /// Clip `subject` by `outline`, whose plane has the normal `normal`; the result is in `polygon`.
    pub(crate) fn clip(&mut self, subject: &[V3], outline: &[V3], normal: &V3) {
        self.polygon.clear();
        self.polygon.extend_from_slice(subject);
        for (i, corner) in outline.iter().enumerate() {
            let next = &outline[if i + 1 == outline.len() { 0 } else { i + 1 }];
            let inward = cross(&sub(next, corner), &sub(&add(corner, normal), corner));
            self.cut(corner, &inward);
        }
    }

    /// Keep what lies on the inner side of the plane through `corner`.
    fn cut(&mut self, corner: &V3, inward: &V3) {
        let offset = dot(inward, corner);
        let inside = |p: &V3| dot(&sub(p, corner), inward) > -MINVAL;
        self.clipped.clear();
        let count = self.polygon.len();
        for i in 0..count {
            let p = self.polygon[i];
            let q = self.polygon[if i + 1 == count { 0 } else { i + 1 }];
            let (p_inside, q_inside) = (inside(&p), inside(&q));
            if p_inside != q_inside
                && let Some(crossing) = plane_crossing(inward, offset, &p, &q)
            {
                self.clipped.push(crossing);
            }
            if q_inside {
                self.clipped.push(q);
            }
        }
        std::mem::swap(&mut self.polygon, &mut self.clipped);
    }

    /// Corners of a quadrilateral of large area. The polygon must have at least four corners.
    pub(crate) fn largest_quad(&self) -> [V3; 4] {
        let polygon = &self.polygon;
        rotating_quad(polygon.len(), polygon.len(), |q| quad_area(q.map(|i| &polygon[i]))).map(|i| polygon[i])
    }
}

/// Four of `count` corners in a ring whose `area` is (locally) largest, by advancing one corner after the
/// other. The first one is at each of the first `starts` in turn.
pub(crate) fn rotating_quad(count: usize, starts: usize, area: impl Fn([usize; 4]) -> f64) -> [usize; 4] {
    let after = |i: usize| if i + 1 == count { 0 } else { i + 1 };
    let [mut b, mut c, mut d] = [1, 2, 3];
    let mut best = [0, 1, 2, 3];
    let mut largest = area(best);
    // take the step if it gains area
    let grow = |largest: &mut f64, best: &mut [usize; 4], quad: [usize; 4]| {
        let gained = area(quad);
        let better = gained > *largest;
        if better {
            *largest = gained;
            *best = quad;
        }
        better
    };
    for a in 0..starts {
        while grow(&mut largest, &mut best, [a, b, c, after(d)]) {
            d = after(d);
            while grow(&mut largest, &mut best, [a, b, after(c), d]) {
                c = after(c);
            }
            while grow(&mut largest, &mut best, [a, after(b), c, d]) {
                b = after(b);
            }
        }
        // keep the four corners distinct as the first one advances
        if b == a {
            b = after(b);
            if c == b {
                c = after(c);
                if d == c {
                    d = after(d);
                }
            }
        }
    }
    best
}

/// Where the segment `p q` meets a plane; `None` if it does not.
fn plane_crossing(normal: &V3, offset: f64, p: &V3, q: &V3) -> Option<V3> {
    let along = sub(q, p);
    let rate = dot(normal, &along);
    if rate == 0.0 {
        return None;
    }
    let t = (offset - dot(normal, p)) / rate;
    (0.0..=1.0).contains(&t).then(|| [p[0] + t * along[0], p[1] + t * along[1], p[2] + t * along[2]])
}

fn quad_area([a, b, c, d]: [&V3; 4]) -> f64 {
    let first = cross(&sub(d, a), &sub(b, d));
    let second = cross(&sub(c, b), &sub(a, c));
    0.5 * norm(&add(&first, &second))
}
