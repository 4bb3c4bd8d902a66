//! Spheres and capsules over the triangles of a height field.
//!
//! The point of a prism closest to something above it lies on the prism's top: where the vector `x` from that something to its closest
//! point on the top triangle does not point up, no point of the prism is closer, because the rest of it lies straight below the
//! triangle. That settles spheres. For capsules, two directions in which most of the prisms next to them are apart are tried first.

use kinetree_math::Vec3;

use crate::contact::ContactPoint;
use crate::gjk::support::{Convex, Core};
use crate::gjk::thin::closest_on_triangle;
use crate::gjk::vec::{V3, blend3, cross, dot, sub};

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
}

/// What is known about a round shape and a prism.
pub(crate) enum Touch {
    Apart,
    Contact(ContactPoint),
    Unknown,
}

impl Round {
    /// `None` for shapes that are not round.
    pub(crate) fn of(shape: &Convex, tolerance: f64) -> Option<Self> {
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
        })
    }

    /// Contact with the prism under a triangle.
    #[inline]
    pub(crate) fn touch(&self, top: &[V3; 3]) -> Touch {
        if self.is_sphere {
            self.sphere(top)
        } else if self.passes_by(top) || self.stays_above(top) {
            Touch::Apart
        } else {
            Touch::Unknown
        }
    }

    #[inline]
    fn sphere(&self, top: &[V3; 3]) -> Touch {
        let center = &self.ends[0];
        let [a, b, c] = [sub(&top[0], center), sub(&top[1], center), sub(&top[2], center)];
        let x = blend3(&closest_on_triangle(&a, &b, &c), &a, &b, &c);
        let x2 = dot(&x, &x);
        if !(x[2] <= 0.0 && x2 > self.tolerance2) {
            return Touch::Unknown;
        }
        if x2 >= self.radius * self.radius {
            return Touch::Apart;
        }
        let distance = x2.sqrt();
        let normal = Vec3::from(x) * (-1.0 / distance);
        let dist = distance - self.radius;
        let pos = Vec3::from(*center) - normal * (self.radius + 0.5 * dist);
        Touch::Contact(ContactPoint { dist, pos, normal, tangent: Vec3::zeros() })
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

    /// Whether the capsule lies above the plane of the triangle.
    #[inline]
    fn stays_above(&self, top: &[V3; 3]) -> bool {
        let normal = cross(&sub(&top[1], &top[0]), &sub(&top[2], &top[0]));
        let up = if normal[2] < 0.0 { -1.0 } else { 1.0 };
        let height = |p: &V3| up * dot(&normal, &sub(p, &top[0]));
        let (h0, h1) = (height(&self.ends[0]), height(&self.ends[1]));
        let lower = if h0 < h1 { h0 } else { h1 };
        lower > 0.0 && lower * lower > self.radius * self.radius * dot(&normal, &normal)
    }
}
