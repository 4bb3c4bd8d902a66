//! Contacts of two fields by gradient descent.
//!
//! With `A` and `B` the two distances, `A + B + |max(A, B)|` is least where both shapes are entered deepest.
//! Points of a Halton sequence in the overlap of the bounding boxes descend it by a backtracking line search;
//! one more step on `max(A, B)` rejects what is no intersection. The contact's normal is that of the surface
//! `A = B` halfway between the two.

use super::descent::{Descent, TOGETHER};
use super::objective::{FieldPair, Objective};
use super::separation::are_separated;
use super::settings::DescentSettings;
use super::{ContactPoint, Map, SignedDistance, add_point, bounds, halton, quat_of};
use crate::Pose;
use kinetree_math::Vec3;

/// A field, the box around its surface, and where it is.
pub struct FieldShape<'a> {
    /// The field, in its own frame.
    pub field: &'a dyn SignedDistance,
    /// Box in that frame: centre and half sizes (m).
    pub aabb: &'a [f64; 6],
    /// Where the frame is.
    pub pose: Pose,
}

/// Appends the contacts of two fields; normals point from the first shape to the second. `begin` is called
/// when a descent begins; those of fields that take their points one by one follow one another.
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
    let origin = [[0.0; 4]; 3];
    let in_lanes = [first, second].iter().all(|shape| shape.field.distances(&origin).is_some());
    let pair = FieldPair { a: second.field, b: first.field, to_b: to_first, in_lanes };
    if are_separated(pair.a, pair.b, &pair.to_b, &to_second) {
        return;
    }
    known.clear();
    let mut memory = [Descent::default(); TOGETHER];
    let together = if in_lanes { TOGETHER } else { 1 };
    for (round, first) in (0..settings.points).step_by(together).enumerate() {
        if settings.ends_at(round) {
            break;
        }
        let descents = &mut memory[..together.min(settings.points - first)];
        for (i, descent) in (first..).zip(&mut *descents) {
            let spread = Vec3::new(halton::<2>(i), halton::<3>(i), halton::<5>(i));
            let start = low + (high - low).component_mul(&spread);
            descent.x = to_second.point(&within_first.point(&start));
            begin();
        }
        pair.descend(Objective::Collision, descents, settings);
        pair.descend(Objective::Intersection, descents, &DescentSettings { iterations: 1, ..*settings });
        for Descent { x, value, .. } in descents {
            add_point(known, x, *value, || pair.middle_normal(x), -1.0, frame2, out);
        }
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
        let settings = DescentSettings { points: 40, iterations: 100, is_over: || false };
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
    fn gradients_of_the_objectives_are_derivatives() {
        let ball = PrimitiveField::new(Kind::Sphere, [1.0, 0.0, 0.0]).unwrap();
        let other = PrimitiveField::new(Kind::Capsule, [0.5, 0.7, 0.0]).unwrap();
        let pair = FieldPair {
            a: &ball,
            b: &other,
            to_b: Map { pos: Vec3::new(0.3, -0.4, 0.1), ..identity() },
            in_lanes: true,
        };
        for objective in [Objective::Collision, Objective::Intersection] {
            let x = Vec3::new(0.4, 0.7, 0.5);
            let (value, gradient) = pair.value_and_gradient(objective, &x);
            assert_eq!(value, pair.value(objective, &x));
            for k in 0..3 {
                let mut ahead = x;
                ahead[k] += 1e-7;
                let derivative = (pair.value(objective, &ahead) - value) / 1e-7;
                assert!((derivative - gradient[k]).abs() < 1e-5);
            }
        }
    }

    /// A field that takes its points one by one, and does not tell whether its distances are bounds.
    struct OneByOne<'a>(&'a PrimitiveField);

    impl SignedDistance for OneByOne<'_> {
        fn distance(&self, point: &Vec3) -> f64 {
            self.0.distance(point)
        }
        fn distance_and_gradient(&self, point: &Vec3) -> (f64, Vec3) {
            self.0.distance_and_gradient(point)
        }
    }

    /// Descents that go on together, and solids that are culled, change no bit of the
    /// contacts.
    #[test]
    fn contacts_are_those_of_descents_one_by_one() {
        let shapes = [
            (Kind::Sphere, [0.4, 0.0, 0.0], [0.4, 0.4, 0.4]),
            (Kind::Capsule, [0.2, 0.5, 0.0], [0.2, 0.2, 0.7]),
            (Kind::Cylinder, [0.3, 0.4, 0.0], [0.3, 0.3, 0.4]),
            (Kind::Ellipsoid, [0.2, 0.4, 0.6], [0.2, 0.4, 0.6]),
            (Kind::Box, [0.2, 0.3, 0.5], [0.2, 0.3, 0.5]),
        ];
        let (mut known, mut touching, mut separated) = (Vec::new(), 0, 0);
        for (i, first) in shapes.iter().enumerate() {
            for (j, second) in shapes.iter().enumerate() {
                for k in 0..12 {
                    let rotation = Vec3::new(0.3 * f64::from(k), i as f64, 0.7 * j as f64);
                    let mat = *nalgebra::Rotation3::new(rotation).matrix();
                    let pos = Vec3::new(0.11, 0.05, 0.02) * f64::from(k);
                    let poses = [Pose { pos: Vec3::zeros(), mat: Mat3::identity() }, Pose { pos, mat }];
                    let settings =
                        DescentSettings { points: 6 + k as usize, iterations: 10, is_over: || false };
                    let boxes =
                        [first, second].map(|(_, _, half)| [0.0, 0.0, 0.0, half[0], half[1], half[2]]);
                    let fields =
                        [first, second].map(|&(kind, size, _)| PrimitiveField::new(kind, size).unwrap());
                    let single = fields.each_ref().map(OneByOne);
                    let mut collide = |fields: [&dyn SignedDistance; 2]| {
                        let shape =
                            |n: usize| FieldShape { field: fields[n], aabb: &boxes[n], pose: poses[n] };
                        let mut out = Vec::new();
                        collide_fields(&shape(0), &shape(1), &settings, || (), &mut known, &mut out);
                        out
                    };
                    let (together, alone) =
                        (collide([&fields[0], &fields[1]]), collide([&single[0], &single[1]]));
                    assert_eq!(format!("{together:?}"), format!("{alone:?}"), "{first:?} {second:?} {k}");
                    if alone.is_empty() { separated += 1 } else { touching += 1 }
                }
            }
        }
        assert!(touching > 60 && separated > 60, "{touching} {separated}");
    }
}
