//! Scalar fields of space whose zero level is a surface: negative inside, positive outside.

use crate::Vec3;

/// Step of the forward differences that approximate a gradient (m).
pub const GRADIENT_STEP: f64 = 1e-8;

/// A signed distance, exact or approximate, from a surface.
///
/// ```
/// use kinetree_math::{Vec3, field::SignedDistance};
///
/// struct Ball(f64);
/// impl SignedDistance for Ball {
///     fn distance(&self, point: &Vec3) -> f64 {
///         point.norm() - self.0
///     }
/// }
/// let (distance, gradient) = Ball(1.0).distance_and_gradient(&Vec3::new(0.0, 3.0, 0.0));
/// assert_eq!(distance, 2.0);
/// assert!((gradient - Vec3::y()).norm() < 1e-7);
/// ```
pub trait SignedDistance: Send + Sync {
    /// The distance of a point from the surface (m), negative inside.
    fn distance(&self, point: &Vec3) -> f64;

    /// The distance and its gradient; by forward differences, unless a field knows better.
    fn distance_and_gradient(&self, point: &Vec3) -> (f64, Vec3) {
        let here = self.distance(point);
        let slope = |k: usize| {
            let mut ahead = *point;
            ahead[k] += GRADIENT_STEP;
            (self.distance(&ahead) - here) / GRADIENT_STEP
        };
        (here, Vec3::new(slope(0), slope(1), slope(2)))
    }

    /// The gradient of the distance.
    fn gradient(&self, point: &Vec3) -> Vec3 {
        self.distance_and_gradient(point).1
    }
}
