//! Ray against triangle.
//!
//! The triangle is projected along the ray onto the plane normal to it; it is hit when the origin of that
//! plane lies inside the projection. The distance then follows from the triangle's own plane. The projection
//! plane is set up once per ray.

use kinetree_math::{MINVAL, Vec3};

use super::Ray;
use crate::vector::normalize;

/// A ray prepared for tests against many triangles.
#[derive(Clone, Copy, Debug)]
pub struct TriangleCaster {
    ray: Ray,
    basis: [Vec3; 2],
}

impl TriangleCaster {
    /// Prepares a ray.
    #[must_use]
    pub fn new(ray: &Ray) -> Self {
        let d = &ray.direction;
        // any vector far from the ray's direction serves as a start
        let mut start = Vec3::repeat(1.0);
        let (x, y, z) = (d.x.abs(), d.y.abs(), d.z.abs());
        if x >= y && x >= z {
            start.x = 0.0;
        } else if y >= z {
            start.y = 0.0;
        } else {
            start.z = 0.0;
        }
        let second = normalize(&(start + d * (-d.dot(&start) / d.dot(d)))).0;
        let first = normalize(&second.cross(d)).0;
        Self { ray: *ray, basis: [first, second] }
    }

    /// Prepares a ray with two directions that span the plane across it.
    #[must_use]
    pub fn with_basis(ray: &Ray, basis: [Vec3; 2]) -> Self {
        Self { ray: *ray, basis }
    }

    /// Signed distance along the ray to a triangle, or `None` when the line of the ray misses it. A negative
    /// distance means that the triangle lies behind the origin.
    #[inline]
    #[must_use]
    pub fn line_distance(&self, [v0, v1, v2]: &[Vec3; 3]) -> Option<f64> {
        let origin = &self.ray.origin;
        let [first, second] = &self.basis;
        let (d0, d1, d2) = (v0 - origin, v1 - origin, v2 - origin);
        let (x0, x1, x2) = (first.dot(&d0), first.dot(&d1), first.dot(&d2));
        if (x0 > 0.0 && x1 > 0.0 && x2 > 0.0) || (x0 < 0.0 && x1 < 0.0 && x2 < 0.0) {
            return None;
        }
        let (y0, y1, y2) = (second.dot(&d0), second.dot(&d1), second.dot(&d2));
        if (y0 > 0.0 && y1 > 0.0 && y2 > 0.0) || (y0 < 0.0 && y1 < 0.0 && y2 < 0.0) {
            return None;
        }

        // barycentric coordinates of the origin in the projection
        let (a00, a01, a10, a11) = (x0 - x2, x1 - x2, y0 - y2, y1 - y2);
        let det = a00 * a11 - a01 * a10;
        if det.abs() < MINVAL {
            return None;
        }
        let t0 = (-a11 * x2 + a01 * y2) / det;
        let t1 = (a10 * x2 - a00 * y2) / det;
        if t0 < 0.0 || t1 < 0.0 || t0 + t1 > 1.0 {
            return None;
        }

        let normal = (v0 - v2).cross(&(v1 - v2));
        let approach = self.ray.direction.dot(&normal);
        if approach.abs() < MINVAL {
            return None;
        }
        Some((v2 - origin).dot(&normal) / approach)
    }

    /// Unit normal of a triangle, counter-clockwise side up.
    #[must_use]
    pub fn normal([v0, v1, v2]: &[Vec3; 3]) -> Vec3 {
        normalize(&(v0 - v2).cross(&(v1 - v2))).0
    }
}
