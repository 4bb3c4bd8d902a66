//! Ray casting: where a ray first meets the surface of a shape, and the surface normal there.
//!
//! A ray is `origin + x·direction` with `x ≥ 0`; distances are values of `x`, so they are metres only for a
//! direction of unit length. Closed surfaces are hit from both sides, planes only from the front.
//!
//! ```
//! use kinetree_collide::ray::{Ray, ray_sphere};
//! use kinetree_math::Vec3;
//!
//! let ray = Ray { origin: Vec3::new(0.0, 0.0, 3.0), direction: -Vec3::z() };
//! let hit = ray_sphere(&Vec3::zeros(), 1.0, &ray).ok_or("the ray misses")?;
//! assert!(hit.distance == 2.0 && hit.normal == Vec3::z());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod flat;
mod hfield;
mod mesh;
mod round;
mod triangle;

use kinetree_math::{MINVAL, Vec3};

use crate::Pose;

pub use flat::{ray_box, ray_plane};
pub use hfield::ray_hfield;
pub use mesh::{MeshFaces, ray_mesh};
pub use round::{ray_capsule, ray_cylinder, ray_ellipsoid, ray_sphere};
pub use triangle::TriangleCaster;

/// Half line `origin + x·direction`, `x ≥ 0`.
#[derive(Clone, Copy, Debug)]
pub struct Ray {
    /// Starting point (m).
    pub origin: Vec3,
    /// Direction, of any length.
    pub direction: Vec3,
}

/// First intersection of a ray with a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Distance along the ray in units of its direction's length.
    pub distance: f64,
    /// Unit normal of the surface, in the frame in which the ray was given.
    pub normal: Vec3,
}

impl Ray {
    /// Point at distance `x`.
    #[inline]
    #[must_use]
    pub fn at(&self, x: f64) -> Vec3 {
        self.origin + self.direction * x
    }

    /// The same ray in the local frame of a pose.
    #[inline]
    #[must_use]
    pub fn to_local(&self, pose: &Pose) -> Self {
        Self {
            origin: pose.mat.tr_mul(&(self.origin - pose.pos)),
            direction: pose.mat.tr_mul(&self.direction),
        }
    }
}

/// Real roots `x₀ ≤ x₁` of `a·x² + 2b·x + c = 0`; `None` where there are none or `a` is too small to divide
/// by.
#[inline]
fn quadratic(a: f64, b: f64, c: f64) -> Option<[f64; 2]> {
    let det = b * b - a * c;
    if det < 0.0 || a < MINVAL {
        return None;
    }
    let root = det.sqrt();
    Some([(-b - root) / a, (-b + root) / a])
}

/// Smallest root that is not negative.
#[inline]
fn first_root(a: f64, b: f64, c: f64) -> Option<f64> {
    quadratic(a, b, c)?.into_iter().find(|&x| x >= 0.0)
}

/// Does the ray meet the ball around `centre`? Starting inside counts.
#[inline]
fn meets_ball(ray: &Ray, centre: &Vec3, radius_sqr: f64) -> bool {
    let offset = ray.origin - centre;
    let d = &ray.direction;
    let (a, b, c) = (d.dot(d), d.dot(&offset), offset.dot(&offset) - radius_sqr);
    // a ray towards the centre meets what its line meets: nothing has to wait for a root and divisions
    if b <= 0.0 {
        return a >= MINVAL && b * b - a * c >= 0.0;
    }
    first_root(a, b, c).is_some()
}
