//! Contacts of two fields by gradient descent.
//!
//! With `A` and `B` the two distances, `A + B + |max(A, B)|` is least where both shapes are entered deepest.
//! Points of a Halton sequence in the overlap of the bounding boxes descend it by a backtracking line search;
//! one more step on `max(A, B)` rejects what is no intersection. The contact's normal is that of the surface
//! `A = B` halfway between the two.

use super::{ContactPoint, FAR, Map, SignedDistance, add_point, halton, quat_of};
use crate::Pose;
use kinetree_math::Vec3;
use kinetree_math::lanes::Lane;
use kinetree_math::rot::normalize3;
use wide::{CmpGt, f64x4};

/// Part of the predicted decrease that a step must reach.
const SUFFICIENT_DECREASE: f64 = 0.1;
/// Factor of the step from one trial to the next.
const BACKTRACK: f64 = 0.5;
/// The first four steps.
const GROUP: Lane = [1.0, BACKTRACK, BACKTRACK * BACKTRACK, BACKTRACK * BACKTRACK * BACKTRACK];
/// Steps below this are not shortened any more.
const SMALLEST_STEP: f64 = 1e-4;

/// How many descents, and how long.
#[derive(Clone, Copy, Debug)]
pub struct DescentSettings {
    /// Starting points.
    pub points: usize,
    /// Iterations of each descent.
    pub iterations: usize,
}

/// A field, the box around its surface, and where it is.
pub struct FieldShape<'a> {
    /// The field, in its own frame.
    pub field: &'a dyn SignedDistance,
    /// Box in that frame: centre and half sizes (m).
    pub aabb: &'a [f64; 6],
    /// Where the frame is.
    pub pose: Pose,
}

/// Two fields, with points in the frame of the first.
struct FieldPair<'a> {
    a: &'a dyn SignedDistance,
    b: &'a dyn SignedDistance,
    /// From the frame of the first to that of the second.
    to_b: Map,
}

/// What is minimized.
#[derive(Clone, Copy)]
enum Objective {
    /// `A + B + |max(A, B)|`.
    Collision,
    /// `max(A, B)`.
    Intersection,
}

impl FieldPair<'_> {
    fn value(&self, objective: Objective, x: &Vec3) -> f64 {
        let (a, b) = (self.a.distance(x), self.b.distance(&self.to_b.point(x)));
        match objective {
            Objective::Collision => a + b + a.max(b).abs(),
            Objective::Intersection => a.max(b),
        }
    }

    /// Values at four points, given by their coordinates; `None` where a field takes points one by one.
    #[inline]
    fn values(&self, objective: Objective, points: &[Lane; 3]) -> Option<f64x4> {
        let a = f64x4::new(self.a.distances(points)?);
        let b = f64x4::new(self.b.distances(&self.to_b.points(points))?);
        Some(match objective {
            Objective::Collision => a + b + a.max(b).abs(),
            Objective::Intersection => a.max(b),
        })
    }

    fn value_and_gradient(&self, objective: Objective, x: &Vec3) -> (f64, Vec3) {
        let y = self.to_b.point(x);
        match objective {
            Objective::Collision => {
                let (a, slope_a) = self.a.distance_and_gradient(x);
                let (b, slope_b) = self.b.distance_and_gradient(&y);
                let slope_b = self.to_b.mat.tr_mul(&slope_b);
                let (outer, deeper) = (a.max(b), if a > b { slope_a } else { slope_b });
                let sign = if outer > 0.0 { 1.0 } else { -1.0 };
                (a + b + outer.abs(), slope_a + slope_b + deeper * sign)
            }
            Objective::Intersection => {
                let (a, b) = (self.a.distance(x), self.b.distance(&y));
                if a > b { (a, self.a.gradient(x)) } else { (b, self.to_b.mat.tr_mul(&self.b.gradient(&y))) }
            }
        }
    }

    /// Normal of the surface `A = B`, towards where `A` grows.
    fn middle_normal(&self, x: &Vec3) -> Vec3 {
        let mut slope_a = self.a.gradient(x);
        normalize3(&mut slope_a);
        let mut slope_b = self.to_b.mat.tr_mul(&self.b.gradient(&self.to_b.point(x)));
        normalize3(&mut slope_b);
        let mut normal = slope_a - slope_b;
        normalize3(&mut normal);
        normal
    }

    /// Descends from `x`; returns the value where it ends.
    fn descend(&self, objective: Objective, x: &mut Vec3, iterations: usize) -> f64 {
        let mut value = FAR;
        for _ in 0..iterations {
            let (before, gradient) = self.value_and_gradient(objective, x);
            if gradient.iter().any(|g| g.is_nan() || g.abs() > FAR) {
                return FAR;
            }
            value = self.line_search(objective, x, &gradient, before);
            if before < value {
                return value;
            }
        }
        value
    }

    /// Moves against the gradient by the longest step that decreases the value enough, or the shortest;
    /// returns the value there. Steps are tried in groups of four, where both fields offer it.
    fn line_search(&self, objective: Objective, x: &mut Vec3, gradient: &Vec3, before: f64) -> f64 {
        let start = *x;
        // step sizes are powers of two, so that scaling by them is exact
        let slope = -SUFFICIENT_DECREASE * gradient.dot(gradient);
        let mut steps = f64x4::new(GROUP);
        while let Some(values) = self.values(objective, &along(&start, gradient, steps)) {
            let too_long =
                steps.cmp_gt(f64x4::splat(SMALLEST_STEP)) & (values - before).cmp_gt(steps * slope);
            // the first that is not too long, without a branch for each, which nobody could predict
            let fits = !too_long.move_mask() & 0b1111;
            if fits != 0 {
                let first = fits.trailing_zeros() as usize & 3;
                *x = start + gradient * -steps.to_array()[first];
                return values.to_array()[first];
            }
            steps = steps * (GROUP[3] * BACKTRACK);
        }
        let mut step = 1.0;
        loop {
            *x = start + gradient * -step;
            let value = self.value(objective, x);
            let too_long = step > SMALLEST_STEP && value - before > step * slope;
            if !too_long {
                return value;
            }
            step *= BACKTRACK;
        }
    }
}

/// Four points on a ray against a gradient, given by their coordinates.
#[inline]
fn along(start: &Vec3, gradient: &Vec3, steps: f64x4) -> [Lane; 3] {
    let back = f64x4::ZERO - steps;
    std::array::from_fn(|k| (start[k] + gradient[k] * back).to_array())
}

/// Bounds of a box in another frame: minimum and maximum.
fn bounds(aabb: &[f64; 6], map: Option<&Map>) -> [Vec3; 2] {
    let mut limits = [Vec3::repeat(FAR), Vec3::repeat(-FAR)];
    for corner in 0..8 {
        let at = |k: usize| if corner >> k & 1 != 0 { aabb[k] + aabb[3 + k] } else { aabb[k] - aabb[3 + k] };
        let corner = Vec3::new(at(0), at(1), at(2));
        let corner = map.map_or(corner, |map| map.point(&corner));
        limits = [limits[0].inf(&corner), limits[1].sup(&corner)];
    }
    limits
}

/// Appends the contacts of two fields; normals point from the first shape to the second. `begin` is called
/// when a descent begins.
pub fn collide_fields(
    first: &FieldShape<'_>,
    second: &FieldShape<'_>,
    settings: &DescentSettings,
    begin: impl Fn(),
    known: &mut Vec<Vec3>,
    out: &mut Vec<ContactPoint>,
) {
    let (quat1, quat2) = (quat_of(&first.pose.mat), quat_of(&second.pose.mat));
    let (frame1, frame2) = ((&first.pose.pos, &quat1), (&second.pose.pos, &quat2));
    let to_first = Map::between(frame2, frame1);
    let to_second = Map::between(frame1, frame2);
    // the identity up to rounding, which starting points are taken through: what a descent ends at depends on
    // the last bits of where it starts
    let within_first = Map::between(frame1, frame1);

    // overlap of the boxes in the frame of the first shape
    let ([low1, high1], [low2, high2]) = (bounds(first.aabb, None), bounds(second.aabb, Some(&to_first)));
    let (low, high) = (low1.sup(&low2), high1.inf(&high2));
    if (0..3).any(|k| high[k] < low[k]) {
        return;
    }
    let pair = FieldPair { a: second.field, b: first.field, to_b: to_first };
    known.clear();
    for i in 0..settings.points {
        let spread = Vec3::new(halton::<2>(i), halton::<3>(i), halton::<5>(i));
        let start = low + (high - low).component_mul(&spread);
        let mut x = to_second.point(&within_first.point(&start));
        begin();
        pair.descend(Objective::Collision, &mut x, settings.iterations);
        let dist = pair.descend(Objective::Intersection, &mut x, 1);
        add_point(known, &x, dist, || pair.middle_normal(&x), -1.0, frame2, out);
    }
}

/// The identity, for tests of pairs in one frame.
#[cfg(test)]
fn identity() -> Map {
    Map { pos: Vec3::zeros(), mat: kinetree_math::Mat3::identity() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;
    use crate::sdf::PrimitiveField;
    use kinetree_math::Mat3;

    #[test]
    fn the_descent_finds_the_deepest_point_of_two_balls() {
        let field = PrimitiveField::new(Kind::Sphere, [1.0, 0.0, 0.0]).unwrap();
        let aabb = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
        let shape = |x: f64| FieldShape {
            field: &field,
            aabb: &aabb,
            pose: Pose { pos: Vec3::new(x, 0.0, 0.0), mat: Mat3::identity() },
        };
        let settings = DescentSettings { points: 40, iterations: 100 };
        let (mut known, mut out) = (Vec::new(), Vec::new());
        collide_fields(&shape(0.0), &shape(1.9), &settings, || (), &mut known, &mut out);
        assert!(!out.is_empty());
        for point in &out {
            assert!((point.normal.x - 1.0).abs() < 1e-2, "{point:?}");
            assert!(point.dist <= 0.0 && point.dist >= -0.0501, "{point:?}");
        }
        out.clear();
        collide_fields(&shape(0.0), &shape(2.5), &settings, || (), &mut known, &mut out);
        assert!(out.is_empty());
    }

    #[test]
    fn gradients_of_the_objectives_are_slopes() {
        let ball = PrimitiveField::new(Kind::Sphere, [1.0, 0.0, 0.0]).unwrap();
        let other = PrimitiveField::new(Kind::Capsule, [0.5, 0.7, 0.0]).unwrap();
        let pair =
            FieldPair { a: &ball, b: &other, to_b: Map { pos: Vec3::new(0.3, -0.4, 0.1), ..identity() } };
        for objective in [Objective::Collision, Objective::Intersection] {
            let x = Vec3::new(0.4, 0.7, 0.5);
            let (value, gradient) = pair.value_and_gradient(objective, &x);
            assert_eq!(value, pair.value(objective, &x));
            for k in 0..3 {
                let mut ahead = x;
                ahead[k] += 1e-7;
                let slope = (pair.value(objective, &ahead) - value) / 1e-7;
                assert!((slope - gradient[k]).abs() < 1e-5);
            }
        }
    }
}
