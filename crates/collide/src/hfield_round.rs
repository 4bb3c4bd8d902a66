//! Spheres and capsules over the triangles of a height field.
//!
//! The point of a prism closest to something above it lies on the prism's top: where the vector `x` from that something to its closest
//! point on the top triangle does not point up, no point of the prism is closer, because the rest of it lies straight below the
//! triangle. That settles spheres. For capsules, two directions in which most of the prisms next to them are apart are tried first. Then
//! either the lower end of the segment is closest to the inside of the triangle, or the closest point is on one of its sides, unless
//! the segment passes through the triangle. A result is checked by the condition for being closest, `⟨x, v⟩ ≥ ⟨x, x⟩` for all
//! differences `v` between corners and ends, and is only used if it is the only one.

use kinetree_math::Vec3;

use crate::contact::ContactPoint;
use crate::gjk::support::{Convex, Core};
use crate::gjk::thin::{DISTINCT, EXACT, NEARLY, PARALLEL2, closest_on_triangle};
use crate::gjk::vec::{V3, blend3, cross, dot, scale, sub};

/// A sphere, as a segment without length, or a capsule.
pub(crate) struct Round {
    ends: [V3; 2],
    radius: f64,
    /// Horizontal and perpendicular to the segment.
    across: [f64; 2],
    /// How far the shape reaches along `across` from the segment.
    width: f64,
    is_sphere: bool,
    tolerance2: f64,
    /// Squared lengths that differ by more than this are different to the general routine.
    distinct: f64,
    /// Height of the lower end of the prisms.
    bottom: f64,
}

/// What is known about a round shape and a prism.
pub(crate) enum Touch {
    Apart,
    Contact(ContactPoint),
    /// The segment of a capsule passes through the prism.
    Overlap,
    Unknown,
}

impl Round {
    /// `None` for shapes that are not round.
    pub(crate) fn of(shape: &Convex, bottom: f64, tolerance: f64) -> Option<Self> {
        let (radius, half_length) = match shape.core {
            Core::Sphere(radius) => (radius, 0.0),
            Core::Capsule(radius, half_length) => (radius, half_length),
            _ => return None,
        };
        let axis = &shape.axes.0[2];
        let end = |reach: f64| [0, 1, 2].map(|k| shape.pos[k] + reach * axis[k]);
        let radius = radius + 0.5 * shape.margin;
        let across = [-axis[1], axis[0]];
        Some(Self {
            ends: [end(-half_length), end(half_length)],
            radius,
            across,
            width: radius * (across[0] * across[0] + across[1] * across[1]).sqrt(),
            is_sphere: matches!(shape.core, Core::Sphere(_)),
            tolerance2: tolerance * tolerance,
            distinct: DISTINCT * tolerance * tolerance,
            bottom,
        })
    }

    /// Contact with the prism under a triangle.
    #[inline]
    pub(crate) fn touch(&self, top: &[V3; 3]) -> Touch {
        if self.is_sphere {
            self.sphere(top)
        } else if self.passes_by(top) {
            Touch::Apart
        } else {
            self.capsule(top)
        }
    }

    #[inline]
    fn sphere(&self, top: &[V3; 3]) -> Touch {
        let center = &self.ends[0];
        let [a, b, c] = [sub(&top[0], center), sub(&top[1], center), sub(&top[2], center)];
        let x = blend3(&closest_on_triangle(&a, &b, &c), &a, &b, &c);
        if x[2] <= 0.0 { self.contact(center, &x) } else { Touch::Unknown }
    }

    /// The contact of a point of the middle with the closest point of a prism, `x` away from it.
    #[inline]
    fn contact(&self, on_middle: &V3, x: &V3) -> Touch {
        let x2 = dot(x, x);
        if x2 >= self.radius * self.radius {
            return Touch::Apart;
        }
        if x2 <= self.tolerance2 || x2.is_nan() {
            return Touch::Unknown;
        }
        let distance = x2.sqrt();
        let normal = Vec3::from(*x) * (-1.0 / distance);
        let dist = distance - self.radius;
        let pos = Vec3::from(*on_middle) - normal * (self.radius + 0.5 * dist);
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
            return Touch::Apart;
        }

        let foot = scale(&normal, -lower / normal2);
        if holds(&corners, &normal, &foot) {
            let slope = (higher - lower) * lower;
            let distinct = lower > 0.0 && slope > self.apart(lower * lower / normal2, &along) * normal2;
            return if distinct { self.contact(end, &foot) } else { Touch::Unknown };
        }
        if lower < 0.0 && higher > 0.0 && holds(&corners, &normal, &scale(&along, lower / (lower - higher))) {
            return Touch::Overlap;
        }
        let (mut nearest, mut best, mut share) = (f64::MAX, [0.0; 3], 0.0);
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let (s, x) = closest_on_segments(&along, &corners[a], &sub(&corners[b], &corners[a]));
            let distance = dot(&x, &x);
            if distance < nearest {
                (nearest, best, share) = (distance, x, s);
            }
        }
        // the corners below must not be as close: a segment along a wall of the prism is closest to it in more than one place
        let thickness = top[0][2].min(top[1][2]).min(top[2][2]) - self.bottom;
        let below_is_farther = -best[2] * thickness > self.apart(nearest, &along);
        if below_is_farther && self.is_closest(&corners, &along, &best) {
            let on_middle = [0, 1, 2].map(|k| end[k] + share * along[k]);
            self.contact(&on_middle, &best)
        } else {
            Touch::Unknown
        }
    }

    /// Differences of squared lengths up to this mean that something is nearly parallel, at a squared distance `x2`.
    #[inline]
    fn apart(&self, x2: f64, along: &V3) -> f64 {
        self.distinct + NEARLY * (x2 * dot(along, along)).sqrt()
    }

    /// Whether `x` leads from a segment, which starts at the origin, to the point of a triangle closest to it, and from only one place.
    #[inline]
    fn is_closest(&self, corners: &[V3; 3], along: &V3, x: &V3) -> bool {
        let x2 = dot(x, x);
        let size2 = dot(&corners[0], &corners[0]) + dot(along, along) + dot(&self.ends[0], &self.ends[0]);
        let (exact, reach) = (EXACT * (x2 + size2), dot(x, along));
        let ahead = corners.map(|corner| dot(x, &corner));
        let lowest = ahead[0].min(ahead[1]).min(ahead[2]);
        if x2 - (lowest - reach.max(0.0)) > exact || x2.is_nan() {
            return false;
        }
        let apart = self.apart(x2, along);
        if reach.abs() > apart {
            return true;
        }
        // the inside of the segment: only one corner, or one edge that is not parallel to it
        let tied = ahead.map(|reach| reach <= lowest + apart);
        let edge = match tied {
            [true, true, false] => sub(&corners[1], &corners[0]),
            [false, true, true] => sub(&corners[2], &corners[1]),
            [true, false, true] => sub(&corners[2], &corners[0]),
            [true, true, true] => return false,
            _ => return true,
        };
        let across = cross(&edge, along);
        dot(&across, &across) > PARALLEL2 * dot(&edge, &edge) * dot(along, along)
    }

    /// Whether the triangle lies on one side of the capsule, seen from above.
    #[inline]
    fn passes_by(&self, top: &[V3; 3]) -> bool {
        let [ex, ey, _] = self.ends[0];
        let side = |p: &V3| self.across[0] * (p[0] - ex) + self.across[1] * (p[1] - ey);
        let [a, b, c] = [side(&top[0]), side(&top[1]), side(&top[2])];
        let w = self.width;
        (a > w && b > w && c > w) || (a < -w && b < -w && c < -w)
    }
}

/// The normal of a triangle, pointing up.
#[inline]
fn upwards(normal: V3) -> V3 {
    if normal[2] < 0.0 { scale(&normal, -1.0) } else { normal }
}

/// Whether a point in the plane of a triangle lies inside it.
#[inline]
fn holds(corners: &[V3; 3], normal: &V3, point: &V3) -> bool {
    let side = |a: &V3, b: &V3| dot(normal, &cross(&sub(b, a), &sub(point, a)));
    let [a, b, c] = corners;
    let sides = [side(a, b), side(b, c), side(c, a)];
    sides.iter().all(|&s| s > 0.0) || sides.iter().all(|&s| s < 0.0)
}

/// The closest points of two segments, one from the origin and one from `start`: the share of the first at which its point lies, and the
/// vector from there to the point on the other (Ericson, Real-Time Collision Detection, 5.1.9).
#[inline]
fn closest_on_segments(along: &V3, start: &V3, edge: &V3) -> (f64, V3) {
    let (a, b, e) = (dot(along, along), dot(along, edge), dot(edge, edge));
    let (c, f) = (-dot(along, start), -dot(edge, start));
    let unit = |x: f64| x.clamp(0.0, 1.0);
    let across = a * e - b * b;
    let mut s = if across > 0.0 { unit((b * f - c * e) / across) } else { 0.0 };
    let mut t = (b * s + f) / e;
    if t < 0.0 {
        (t, s) = (0.0, unit(-c / a));
    } else if t > 1.0 {
        (t, s) = (1.0, unit((b - c) / a));
    }
    (s, [0, 1, 2].map(|k| start[k] + t * edge[k] - s * along[k]))
}
