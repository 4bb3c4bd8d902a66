//! Spheres and capsules over the triangles of a height field.
//!
//! The point of a prism closest to something above it lies on the prism's top: where the vector `x` from that
//! something to its closest point on the top triangle does not point up, no point of the prism is closer,
//! because the rest of it lies straight below the triangle. Otherwise the centre of a sphere is next to a
//! wall of the prism, or inside. For capsules, either the lower end of the segment is closest to the inside
//! of the triangle, or the closest point is on one of its sides, or an end is next to a wall of the prism,
//! unless the segment passes through the prism. A result on the sides is checked by the condition for being
//! closest, `⟨x, v⟩ ≥ ⟨x, x⟩` for all differences `v` between corners and ends, and every result is only used
//! if it is the only one.

use kinetree_math::Vec3;

use super::slab::Slab;
use crate::contact::ContactPoint;
use crate::gjk::medial_distance::{DISTINCT, EXACT, NEARLY, PARALLEL2, closest_on_triangle};
use crate::gjk::support::{Convex, Core};
use crate::gjk::vec::{V3, add, blend3, cross, dot, neg, scale, sub};

/// Bounds are larger by this, relative to the coordinates, so that rounding loses nothing.
const ROUNDING: f64 = 1e-12;
/// A segment is inside a prism if more than this share of it is.
const MOMENT: f64 = 1e-4;

/// A sphere, as a segment without length, or a capsule.
pub(super) struct Round {
    ends: [V3; 2],
    radius: f64,
    is_sphere: bool,
    tolerance2: f64,
    /// Squared lengths that differ by more than this are different to the general routine.
    distinct: f64,
    /// Height of the lower end of the prisms.
    bottom: f64,
}

/// What is known about a round shape and a prism.
pub(super) enum Touch {
    Separated,
    Contact(ContactPoint),
    /// The segment of a capsule passes through the prism.
    Overlap,
    Unknown,
}

impl Round {
    /// `None` for shapes that are not round.
    pub(super) fn of(shape: &Convex, bottom: f64, tolerance: f64) -> Option<Self> {
        let (radius, half_length) = match shape.core {
            Core::Sphere(radius) => (radius, 0.0),
            Core::Capsule(radius, half_length) => (radius, half_length),
            _ => return None,
        };
        let axis = &shape.axes.0[2];
        let [x, y, z] = shape.pos;
        let end = |reach: f64| [x + reach * axis[0], y + reach * axis[1], z + reach * axis[2]];
        let radius = radius + 0.5 * shape.margin;
        Some(Self {
            ends: [end(-half_length), end(half_length)],
            radius,
            is_sphere: matches!(shape.core, Core::Sphere(_)),
            tolerance2: tolerance * tolerance,
            distinct: DISTINCT * tolerance * tolerance,
            bottom,
        })
    }

    /// What lies between the sides of the shape, seen from above.
    pub(super) fn beside(&self) -> Slab {
        let [a, b] = &self.ends;
        self.slab([a[1] - b[1], b[0] - a[0]])
    }

    /// What lies between the ends of the shape, seen from above.
    pub(super) fn beyond(&self) -> Slab {
        let [a, b] = &self.ends;
        self.slab([b[0] - a[0], b[1] - a[1]])
    }

    /// The shape's extent in a horizontal direction, and a little more.
    fn slab(&self, across: [f64; 2]) -> Slab {
        let position = |end: &V3| across[0] * end[0] + across[1] * end[1];
        let (a, b) = (position(&self.ends[0]), position(&self.ends[1]));
        let length = (across[0] * across[0] + across[1] * across[1]).sqrt();
        let reach = self.radius * length + ROUNDING * (a.abs() + b.abs() + self.radius * length);
        Slab { across, low: smaller(a, b) - reach, high: larger(a, b) + reach }
    }

    /// Contact with the prism under a triangle.
    #[inline]
    pub(super) fn touch(&self, top: &[V3; 3]) -> Touch {
        if self.is_sphere { self.sphere(top) } else { self.capsule(top) }
    }

    #[inline]
    fn sphere(&self, top: &[V3; 3]) -> Touch {
        let center = &self.ends[0];
        let [a, b, c] = [sub(&top[0], center), sub(&top[1], center), sub(&top[2], center)];
        let x = blend3(&closest_on_triangle(&a, &b, &c), &a, &b, &c);
        if x[2] <= 0.0 {
            return self.contact(center, &x);
        }
        let normal = upwards(cross(&sub(&b, &a), &sub(&c, &a)));
        let over_bottom = center[2] > self.bottom;
        match Sides::of(&[a, b, c]).beside(&[0.0; 3]) {
            Some((x, edge)) if over_bottom && edge > 0.0 => self.contact(center, &x),
            None if over_bottom && dot(&normal, &a) > 0.0 => Touch::Overlap,
            _ => Touch::Unknown,
        }
    }

    /// The contact of a point of the medial axis with the closest point of a prism, `x` away from it.
    #[inline]
    fn contact(&self, on_medial: &V3, x: &V3) -> Touch {
        let x2 = dot(x, x);
        if x2 >= self.radius * self.radius {
            return Touch::Separated;
        }
        if x2 <= self.tolerance2 || x2.is_nan() {
            return Touch::Unknown;
        }
        let distance = x2.sqrt();
        let normal = Vec3::from(*x) * (-1.0 / distance);
        let dist = distance - self.radius;
        let pos = Vec3::from(*on_medial) - normal * (self.radius + 0.5 * dist);
        Touch::Contact(ContactPoint { dist, pos, normal, tangent: Vec3::zeros() })
    }

    #[inline]
    fn capsule(&self, top: &[V3; 3]) -> Touch {
        // everything as seen from the lower end
        let normal = upwards(cross(&sub(&top[1], &top[0]), &sub(&top[2], &top[0])));
        let height = |end: &V3| dot(&normal, &sub(end, &top[0]));
        let heights = [height(&self.ends[0]), height(&self.ends[1])];
        let low = usize::from(heights[1] < heights[0]);
        let (end, along) = (&self.ends[low], sub(&self.ends[1 - low], &self.ends[low]));
        let corners = [sub(&top[0], end), sub(&top[1], end), sub(&top[2], end)];
        let normal2 = dot(&normal, &normal);
        let (lower, higher) = (heights[low], heights[1 - low]);
        if lower > 0.0 && lower * lower >= self.radius * self.radius * normal2 {
            return Touch::Separated;
        }

        let sides = Sides::of(&corners);
        if lower > 0.0 {
            let foot = scale(&normal, -lower / normal2);
            if sides.hold(&normal, &foot) {
                let slope = (higher - lower) * lower;
                let distinct = slope > self.tolerance_of(lower * lower / normal2, &along) * normal2;
                return if distinct { self.contact(end, &foot) } else { Touch::Unknown };
            }
        } else if sides.let_in(
            &along,
            [-lower, -higher],
            [end[2] - self.bottom, end[2] + along[2] - self.bottom],
        ) {
            return Touch::Overlap;
        }
        let (nearest, best, share) = sides.closest(&along);
        // the corners below must not be as close: a segment along a wall of the prism is closest to it in
        // more than one point
        let thickness = top[0][2].min(top[1][2]).min(top[2][2]) - self.bottom;
        let below_is_farther = -best[2] * thickness > self.tolerance_of(nearest, &along);
        if below_is_farther && self.is_closest(&corners, &along, &best) {
            let on_medial = add(end, &scale(&along, share));
            return self.contact(&on_medial, &best);
        }
        // an end next to a wall of the prism, if the rest of the segment is farther from it
        for (from, rest) in [([0.0; 3], along), (along, neg(&along))] {
            let Some((x, edge)) = sides.beside(&from) else { continue };
            let next_to_it = (from[2] < edge) & (from[2] > self.bottom - end[2]);
            if next_to_it && -dot(&x, &rest) > self.tolerance_of(dot(&x, &x), &along) {
                return self.contact(&add(end, &from), &x);
            }
        }
        Touch::Unknown
    }

    /// Differences of squared lengths up to this mean that something is nearly parallel, at a squared
    /// distance `x2`.
    #[inline]
    fn tolerance_of(&self, x2: f64, along: &V3) -> f64 {
        self.distinct + NEARLY * (x2 * dot(along, along)).sqrt()
    }

    /// Whether `x` leads from a segment, which starts at the origin, to the point of a triangle closest to
    /// it, and from only one point.
    #[inline]
    fn is_closest(&self, corners: &[V3; 3], along: &V3, x: &V3) -> bool {
        let x2 = dot(x, x);
        let size2 = dot(&corners[0], &corners[0]) + dot(along, along) + dot(&self.ends[0], &self.ends[0]);
        let (exact, reach) = (EXACT * (x2 + size2), dot(x, along));
        let ahead = [dot(x, &corners[0]), dot(x, &corners[1]), dot(x, &corners[2])];
        let lowest = ahead[0].min(ahead[1]).min(ahead[2]);
        if x2 - (lowest - reach.max(0.0)) > exact || x2.is_nan() {
            return false;
        }
        let rounding = self.tolerance_of(x2, along);
        if reach.abs() > rounding {
            return true;
        }
        // the inside of the segment: only one corner, or one edge that is not parallel to it
        let tied = |k: usize| ahead[k] <= lowest + rounding;
        let edge = match [tied(0), tied(1), tied(2)] {
            [true, true, false] => sub(&corners[1], &corners[0]),
            [false, true, true] => sub(&corners[2], &corners[1]),
            [true, false, true] => sub(&corners[2], &corners[0]),
            [true, true, true] => return false,
            _ => return true,
        };
        let across = cross(&edge, along);
        dot(&across, &across) > PARALLEL2 * dot(&edge, &edge) * dot(along, along)
    }
}

/// The normal of a triangle, pointing up.
#[inline]
fn upwards(normal: V3) -> V3 {
    if normal[2] < 0.0 { scale(&normal, -1.0) } else { normal }
}

/// A number for each of a triangle's sides, and one more to fill a register.
type Lane = [f64; 4];

#[inline(always)]
fn lane(f: impl Fn(usize) -> f64) -> Lane {
    [f(0), f(1), f(2), f(3)]
}

/// The sides of a triangle next to each other, so that one operation works on all of them: x, y and z of
/// where they start and of where they lead to from there.
struct Sides {
    start: [Lane; 3],
    edge: [Lane; 3],
}

impl Sides {
    #[inline(always)]
    fn of([a, b, c]: &[V3; 3]) -> Self {
        let start = |k: usize| [a[k], b[k], c[k], c[k]];
        let start = [start(0), start(1), start(2)];
        let next = |k: usize| [b[k], c[k], a[k], a[k]];
        let next = [next(0), next(1), next(2)];
        let edge = |k: usize| lane(|i| next[k][i] - start[k][i]);
        Self { start, edge: [edge(0), edge(1), edge(2)] }
    }

    /// Whether a point in the plane of the triangle, which has this normal, lies inside it.
    #[inline(always)]
    fn hold(&self, normal: &V3, point: &V3) -> bool {
        let [ex, ey, ez] = &self.edge;
        let to = |k: usize| lane(|i| point[k] - self.start[k][i]);
        let [px, py, pz] = [to(0), to(1), to(2)];
        let side = lane(|i| {
            let across =
                [ey[i] * pz[i] - ez[i] * py[i], ez[i] * px[i] - ex[i] * pz[i], ex[i] * py[i] - ey[i] * px[i]];
            dot(normal, &across)
        });
        let above = |i: usize| side[i] > 0.0;
        let below = |i: usize| side[i] < 0.0;
        (above(0) & above(1) & above(2)) | (below(0) & below(1) & below(2))
    }

    /// Whether a segment from the origin passes through the prism under the triangle and is in it for more
    /// than a moment. Both pairs of numbers are positive inside, at the origin and at the end of the segment:
    /// its depth below the triangle, and its height over the bottom.
    #[inline(always)]
    fn let_in(&self, along: &V3, depth: [f64; 2], height: [f64; 2]) -> bool {
        let ([sx, sy, _], [ex, ey, _]) = (&self.start, &self.edge);
        // the walls, seen from above: what is to the left of all sides is inside if the corners go round that
        // way
        let winding = if ex[0] * ey[1] - ey[0] * ex[1] < 0.0 { -1.0 } else { 1.0 };
        let from = lane(|i| winding * (ey[i] * sx[i] - ex[i] * sy[i]));
        let to = lane(|i| from[i] + winding * (ex[i] * along[1] - ey[i] * along[0]));
        let (mut enter, mut leave) = (0.0, 1.0);
        for (inside, outside) in [
            (depth[0], depth[1]),
            (height[0], height[1]),
            (from[0], to[0]),
            (from[1], to[1]),
            (from[2], to[2]),
        ] {
            let share = inside / (inside - outside);
            enter = if inside < 0.0 { larger(enter, share) } else { enter };
            leave = if outside < 0.0 { smaller(leave, share) } else { leave };
            // never inside
            leave = if (inside < 0.0) & (outside < 0.0) { -1.0 } else { leave };
        }
        leave - enter > MOMENT
    }

    /// The horizontal vector from a point outside all walls to the closest of them, and the height of the
    /// triangle there; `None` for a point between the walls.
    #[inline(always)]
    fn beside(&self, &[px, py, _]: &V3) -> Option<(V3, f64)> {
        let ([sx, sy, sz], [ex, ey, ez]) = (&self.start, &self.edge);
        let [dx, dy] = [lane(|i| px - sx[i]), lane(|i| py - sy[i])];
        let left = lane(|i| ex[i] * dy[i] - ey[i] * dx[i]);
        let left_of = |i: usize| left[i] > 0.0;
        let right_of = |i: usize| left[i] < 0.0;
        if (left_of(0) & left_of(1) & left_of(2)) | (right_of(0) & right_of(1) & right_of(2)) {
            return None;
        }
        let t = lane(|i| (dx[i] * ex[i] + dy[i] * ey[i]) / (ex[i] * ex[i] + ey[i] * ey[i]));
        let t = lane(|i| smaller(larger(t[i], 0.0), 1.0));
        let (x, y) = (lane(|i| t[i] * ex[i] - dx[i]), lane(|i| t[i] * ey[i] - dy[i]));
        let distance = lane(|i| x[i] * x[i] + y[i] * y[i]);
        let best = if distance[1] < distance[0] { 1 } else { 0 };
        let best = if distance[2] < distance[best] { 2 } else { best };
        Some(([x[best], y[best], 0.0], sz[best] + t[best] * ez[best]))
    }

    /// The points of a segment from the origin and of the sides that are closest to each other: their squared
    /// distance, the vector between them, and the share of the segment at which its point lies (Ericson,
    /// Real-Time Collision Detection, 5.1.9).
    #[inline(always)]
    fn closest(&self, along: &V3) -> (f64, V3, f64) {
        let Self { start: [sx, sy, sz], edge: [ex, ey, ez] } = self;
        let a = dot(along, along);
        let [ax, ay, az] = along;
        let unit = |x: f64| smaller(larger(x, 0.0), 1.0);
        let b = lane(|i| ax * ex[i] + ay * ey[i] + az * ez[i]);
        let e = lane(|i| ex[i] * ex[i] + ey[i] * ey[i] + ez[i] * ez[i]);
        let c = lane(|i| -(ax * sx[i] + ay * sy[i] + az * sz[i]));
        let f = lane(|i| -(ex[i] * sx[i] + ey[i] * sy[i] + ez[i] * sz[i]));
        let across = lane(|i| a * e[i] - b[i] * b[i]);
        let inner = lane(|i| (b[i] * f[i] - c[i] * e[i]) / across[i]);
        let inner = lane(|i| if across[i] > 0.0 { unit(inner[i]) } else { 0.0 });
        let position = lane(|i| (b[i] * inner[i] + f[i]) / e[i]);
        let at_start = lane(|i| unit(-c[i] / a));
        let at_end = lane(|i| unit((b[i] - c[i]) / a));
        let t = lane(|i| unit(position[i]));
        let s = lane(|i| if position[i] < 0.0 { at_start[i] } else { inner[i] });
        let s = lane(|i| if position[i] > 1.0 { at_end[i] } else { s[i] });
        let x = lane(|i| sx[i] + t[i] * ex[i] - s[i] * ax);
        let y = lane(|i| sy[i] + t[i] * ey[i] - s[i] * ay);
        let z = lane(|i| sz[i] + t[i] * ez[i] - s[i] * az);
        let distance = lane(|i| x[i] * x[i] + y[i] * y[i] + z[i] * z[i]);
        let best = if distance[1] < distance[0] { 1 } else { 0 };
        let best = if distance[2] < distance[best] { 2 } else { best };
        (distance[best], [x[best], y[best], z[best]], s[best])
    }
}

#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[inline(always)]
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers in −1..1 that are the same in every run.
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        }
    }

    /// Whether a point is inside the prism between a triangle and a bottom, by its parts seen from above.
    fn inside([a, b, c]: &[V3; 3], bottom: f64, p: &V3) -> bool {
        let area = |u: &V3, v: &V3, w: &V3| (v[0] - u[0]) * (w[1] - u[1]) - (v[1] - u[1]) * (w[0] - u[0]);
        let whole = area(a, b, c);
        let share = [area(b, c, p) / whole, area(c, a, p) / whole, area(a, b, p) / whole];
        let top = share[0] * a[2] + share[1] * b[2] + share[2] * c[2];
        share.iter().all(|s| *s > 0.0) && p[2] < top && p[2] > bottom
    }

    /// A segment is let into a prism if a part of it lies inside, as counted on points along it.
    #[test]
    fn segments_that_pass_through_a_prism() {
        const POINTS: usize = 2000;
        let mut random = Random(5);
        let (mut within, mut without) = (0, 0);
        for _ in 0..500 {
            // the segment starts at the origin
            let mut point = |scale: f64| [random.next(), random.next(), scale * random.next()];
            let corners = [point(0.3), point(0.3), point(0.3)];
            let along = scale(&point(1.0), 2.0);
            let bottom = -0.6;
            let normal = upwards(cross(&sub(&corners[1], &corners[0]), &sub(&corners[2], &corners[0])));
            let depth = [[0.0; 3], along].map(|p| dot(&normal, &sub(&corners[0], &p)));
            let found = Sides::of(&corners).let_in(&along, depth, [-bottom, along[2] - bottom]);
            let count = (0..POINTS)
                .filter(|&k| inside(&corners, bottom, &scale(&along, (k as f64 + 0.5) / POINTS as f64)))
                .count();
            if count > 2 {
                assert!(found, "{count} points of {along:?} in {corners:?}");
                within += 1;
            } else if count == 0 {
                assert!(!found, "no point of {along:?} in {corners:?}");
                without += 1;
            }
        }
        assert!(within > 20 && without > 20, "{within} {without}");
    }

    /// Seen from above, a capsule lies between its slabs, and what is just beside it or just beyond it does
    /// not.
    #[test]
    fn slabs_hold_the_shape_and_no_more() {
        let mut random = Random(9);
        let mut point = || [random.next(), random.next(), random.next()];
        for _ in 0..100 {
            let (ends, radius) = ([point(), point()], 0.2);
            let shape =
                Round { ends, radius, is_sphere: false, tolerance2: 1e-12, distinct: 1e-12, bottom: -1.0 };
            let along = [ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]];
            let length = (along[0] * along[0] + along[1] * along[1]).sqrt();
            let unit = [along[0] / length, along[1] / length];
            let holds = |slab: &Slab, p: [f64; 2]| {
                let position = slab.across[0] * p[0] + slab.across[1] * p[1];
                slab.low <= position && position <= slab.high
            };
            // distances from an end of the axis, backwards along it and to its side
            let at = |end: &V3, back: f64, side: f64| {
                [end[0] - back * unit[0] - side * unit[1], end[1] - back * unit[1] + side * unit[0]]
            };
            for (end, sign) in [(&ends[0], 1.0), (&ends[1], -1.0)] {
                for side in [-0.99 * radius, 0.99 * radius] {
                    assert!(holds(&shape.beside(), at(end, 0.0, side)));
                    assert!(!holds(&shape.beside(), at(end, 0.0, 1.1 * side)));
                }
                assert!(holds(&shape.beyond(), at(end, 0.99 * sign * radius, 0.0)));
                assert!(!holds(&shape.beyond(), at(end, 1.1 * sign * radius, 0.0)));
            }
        }
    }
}
