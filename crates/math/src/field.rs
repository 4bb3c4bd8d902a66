//! Scalar fields of space whose zero level is a surface: negative inside, positive outside.

use crate::Vec3;
use crate::lanes::Lane;
use wide::f64x4;

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

    /// The distances of four points from the surface, given by their coordinates; `None` where a field takes
    /// its points one by one. The same numbers as those of [`distance`](Self::distance), to the last bit.
    ///
    /// A search evaluates fields that offer this in groups, of which it may not need every point.
    fn distances(&self, _points: &[Lane; 3]) -> Option<Lane> {
        None
    }

    /// The gradients at four points, given by their coordinates; `None` where a field takes its points one by
    /// one. The same numbers as those of [`gradient`](Self::gradient), to the last bit.
    fn gradients(&self, _points: &[Lane; 3]) -> Option<[Lane; 3]> {
        None
    }

    /// A box around the solid, the points whose distance is not positive: centre and half sizes (m). `None`
    /// unless positive distances are bounds: all points of the solid are at least as far away as they say.
    ///
    /// A search proves by such fields that solids are separated before it looks for contacts.
    fn solid_box(&self) -> Option<[f64; 6]> {
        None
    }

    /// The distance and its gradient; by forward differences, unless a field knows better.
    fn distance_and_gradient(&self, point: &Vec3) -> (f64, Vec3) {
        forward_differences(self, point)
    }

    /// The gradient of the distance.
    fn gradient(&self, point: &Vec3) -> Vec3 {
        self.distance_and_gradient(point).1
    }

    /// Called when a search for contacts with another field, or for the hit of a ray, begins.
    fn begin_search(&self) {}

    /// Called when such a search for contacts begins a descent.
    fn begin_descent(&self) {}
}

/// The distance of a point and its gradient by forward differences.
pub fn forward_differences<F: SignedDistance + ?Sized>(field: &F, point: &Vec3) -> (f64, Vec3) {
    let mut stencil: [Lane; 3] = std::array::from_fn(|k| [point[k]; 4]);
    for (k, lane) in stencil.iter_mut().enumerate() {
        lane[k + 1] += GRADIENT_STEP;
    }
    let [here, ahead @ ..] = distances_of(field, &stencil);
    (here, Vec3::from(ahead.map(|distance| (distance - here) / GRADIENT_STEP)))
}

/// The distances of four points, given by their coordinates: at once, or one by one.
#[inline]
pub fn distances_of<F: SignedDistance + ?Sized>(field: &F, points: &[Lane; 3]) -> Lane {
    let [x, y, z] = points;
    let one_by_one = || std::array::from_fn(|i| field.distance(&Vec3::new(x[i], y[i], z[i])));
    field.distances(points).unwrap_or_else(one_by_one)
}

/// A field that is evaluated at four points at once; the distance of one point is that of four equal ones.
pub trait LaneDistance: Send + Sync {
    /// The distances of four points from the surface (m), given by their coordinates.
    fn distance_lanes(&self, point: [f64x4; 3]) -> f64x4;

    /// The box of [`SignedDistance::solid_box`].
    fn solid_box(&self) -> Option<[f64; 6]> {
        None
    }
}

/// A [`LaneDistance`] as a signed distance with forward differences.
#[derive(Clone, Copy, Debug)]
pub struct InLanes<T>(pub T);

impl<T: LaneDistance> SignedDistance for InLanes<T> {
    fn distance(&self, point: &Vec3) -> f64 {
        self.0.distance_lanes([point.x, point.y, point.z].map(f64x4::splat)).to_array()[0]
    }

    fn distances(&self, points: &[Lane; 3]) -> Option<Lane> {
        Some(self.0.distance_lanes(points.map(f64x4::new)).to_array())
    }

    fn solid_box(&self) -> Option<[f64; 6]> {
        self.0.solid_box()
    }

    fn gradients(&self, points: &[Lane; 3]) -> Option<[Lane; 3]> {
        let points = points.map(f64x4::new);
        let here = self.0.distance_lanes(points);
        Some(std::array::from_fn(|k| {
            let mut ahead = points;
            ahead[k] = ahead[k] + GRADIENT_STEP;
            ((self.0.distance_lanes(ahead) - here) / GRADIENT_STEP).to_array()
        }))
    }
}
