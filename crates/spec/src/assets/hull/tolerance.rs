//! Distances below which the construction cannot tell above from below.
//!
//! With coordinates up to `m` and their sum over the axes up to `s`, evaluating `n·x + d` in double precision
//! has an error of at most `ε (3.03 min(√3 m, s) + m)`. Two such errors make a facet's centre coplanar with a
//! neighbour, and the other thresholds are multiples of that.

use super::{HullError, Point};

/// Thresholds of one construction.
#[derive(Clone, Debug)]
pub(super) struct Tolerances {
    /// Rounding error of a point-plane distance.
    pub(super) dist_round: f64,
    /// Largest extent along an axis.
    pub(super) width: f64,
    /// Pivots below this are zero, per column.
    pub(super) near_zero: [f64; 3],
    /// Divisors below this are zero when a normal is made.
    pub(super) min_divisor: f64,
    /// Half-width of the slab in which two facets are coplanar.
    pub(super) centrum_radius: f64,
    /// Bound on the distance between two merged facets.
    pub(super) one_merge: f64,
    /// Points below a facet by less than this are remembered as coplanar.
    pub(super) near_inside: f64,
    /// A facet is visible from a point above it by more than this.
    pub(super) min_visible: f64,
    /// A horizon facet is coplanar with the point within this.
    pub(super) max_coplanar: f64,
    /// A point is outside a facet when above it by at least this.
    pub(super) min_outside: f64,
    /// A merged facet thicker than this keeps its centre.
    pub(super) wide_facet: f64,
    /// Largest distance of a point above its facet so far.
    pub(super) max_outside: f64,
    /// Largest distance of a vertex below its facet so far, negative.
    pub(super) min_vertex: f64,
    /// Current bound on the distance of a point above a facet.
    pub(super) outside_bound: f64,
}

impl Tolerances {
    /// Thresholds for a point set, and its extreme points: minimum and maximum of each axis.
    pub(super) fn of(points: &[Point]) -> Result<(Self, [u32; 6]), HullError> {
        let mut extremes = [0u32; 6];
        let (mut max_abs, mut max_sum, mut width) = (0.0f64, 0.0f64, f64::MIN);
        let mut near_zero = [0.0; 3];
        for k in 0..3 {
            let (mut low, mut high) = (0usize, 0usize);
            for (i, p) in points.iter().enumerate() {
                if points[high][k] < p[k] {
                    high = i;
                } else if points[low][k] > p[k] {
                    low = i;
                }
            }
            let (min, max) = (points[low][k], points[high][k]);
            let largest = if max < -min { -min } else { max };
            width = width.max(max - min);
            max_abs = max_abs.max(largest);
            max_sum += largest;
            extremes[2 * k] = low as u32;
            extremes[2 * k + 1] = high as u32;
            near_zero[k] = 80.0 * max_sum * f64::EPSILON;
        }
        if width <= 0.0 {
            return Err(HullError::Flat);
        }

        let dist_round = f64::EPSILON * (3.0 * (3.0f64.sqrt() * max_abs).min(max_sum) * 1.01 + max_abs);
        let centrum_radius = 2.0 * dist_round;
        let one_merge = dist_round.max(3.0 * centrum_radius + dist_round);
        let min_outside = 2.0 * centrum_radius;
        let mut tol = Self {
            dist_round,
            width,
            near_zero,
            min_divisor: (f64::MIN_POSITIVE * 3.0).sqrt() * max_abs,
            centrum_radius,
            one_merge,
            near_inside: one_merge * 5.0,
            min_visible: centrum_radius,
            max_coplanar: centrum_radius,
            min_outside,
            wide_facet: min_outside.max(6.0 * centrum_radius),
            max_outside: 0.0,
            min_vertex: -dist_round,
            outside_bound: 0.0,
        };
        tol.update_outside_bound();
        Ok((tol, extremes))
    }

    /// Raises the bound on points above facets to what merges have caused.
    pub(super) fn update_outside_bound(&mut self) {
        self.outside_bound = self.max_outside.max(self.one_merge + self.dist_round).max(self.min_outside);
    }
}
