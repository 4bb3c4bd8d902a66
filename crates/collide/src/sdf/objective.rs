//! What the descents of two fields minimize.
//!
//! With `A` and `B` the two distances, `A + B + |max(A, B)|` is least where both shapes are entered deepest,
//! and `max(A, B)` is negative only where they intersect.

use super::{Map, SignedDistance};
use kinetree_math::Vec3;
use kinetree_math::field::distances_of;
use kinetree_math::lanes::Lane;
use kinetree_math::rot::normalize3;
use wide::f64x4;

/// Two fields, with points in the frame of the first.
pub(super) struct FieldPair<'a> {
    pub(super) a: &'a dyn SignedDistance,
    pub(super) b: &'a dyn SignedDistance,
    /// From the frame of the first to that of the second.
    pub(super) to_b: Map,
    /// Whether both are evaluated at four points at once.
    pub(super) in_lanes: bool,
}

/// What is minimized.
#[derive(Clone, Copy)]
pub(super) enum Objective {
    /// `A + B + |max(A, B)|`.
    Collision,
    /// `max(A, B)`.
    Intersection,
}

impl FieldPair<'_> {
    pub(super) fn value(&self, objective: Objective, x: &Vec3) -> f64 {
        let (a, b) = (self.a.distance(x), self.b.distance(&self.to_b.point(x)));
        match objective {
            Objective::Collision => a + b + a.max(b).abs(),
            Objective::Intersection => a.max(b),
        }
    }

    /// Values at four points, given by their coordinates.
    #[inline]
    pub(super) fn values(&self, objective: Objective, points: &[Lane; 3]) -> f64x4 {
        let a = f64x4::new(distances_of(self.a, points));
        let b = f64x4::new(distances_of(self.b, &self.to_b.points(points)));
        match objective {
            Objective::Collision => a + b + a.max(b).abs(),
            Objective::Intersection => a.max(b),
        }
    }

    pub(super) fn value_and_gradient(&self, objective: Objective, x: &Vec3) -> (f64, Vec3) {
        let y = self.to_b.point(x);
        match objective {
            Objective::Collision => {
                let (a, gradient_a) = self.a.distance_and_gradient(x);
                let (b, gradient_b) = self.b.distance_and_gradient(&y);
                let gradient_b = self.to_b.mat.tr_mul(&gradient_b);
                let (outer, deeper) = (a.max(b), if a > b { gradient_a } else { gradient_b });
                let sign = if outer > 0.0 { 1.0 } else { -1.0 };
                (a + b + outer.abs(), gradient_a + gradient_b + deeper * sign)
            }
            Objective::Intersection => {
                let (a, b) = (self.a.distance(x), self.b.distance(&y));
                if a > b { (a, self.a.gradient(x)) } else { (b, self.to_b.mat.tr_mul(&self.b.gradient(&y))) }
            }
        }
    }

    /// Normal of the surface `A = B`, towards where `A` grows.
    pub(super) fn middle_normal(&self, x: &Vec3) -> Vec3 {
        let mut gradient_a = self.a.gradient(x);
        normalize3(&mut gradient_a);
        let mut gradient_b = self.to_b.mat.tr_mul(&self.b.gradient(&self.to_b.point(x)));
        normalize3(&mut gradient_b);
        let mut normal = gradient_a - gradient_b;
        normalize3(&mut normal);
        normal
    }
}
