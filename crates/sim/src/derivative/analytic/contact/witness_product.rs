//! The motion of a contact, transposed: from weights on its point, frame and distance to weights on the
//! motions of both sides.

use super::features::Features;
use super::motion::SideMotion;
use super::patch::{Patch, PatchSlide};
use super::tilted::Tilted;
use super::witness::{Law, Witness};
use kinetree_math::Vec3;
use nalgebra::Vector6;

/// Weights on the motion of a contact.
pub(crate) struct MotionWeights {
    pub(crate) point: Vec3,
    pub(crate) rotation: Vec3,
    pub(crate) distance: f64,
}

/// Weights on what a law gives: the rotation of the normal, the point and the distance.
struct LawWeights {
    normal: Vec3,
    point: Vec3,
    distance: f64,
}

/// Weights on the normal and on the direction `y` that the first tangent is made from, of weights on the
/// rotation of a frame.
fn pull_frame_rotation(n: &Vec3, tangents: &[Vec3; 2], y: &Vec3, rotation: &Vec3) -> (Vec3, Vec3) {
    let length = (y - n * n.dot(y)).norm().max(kinetree_math::MINVAL);
    let spin = n.dot(rotation) / length;
    (rotation.cross(n) - tangents[1] * (n.dot(y) * spin), tangents[1] * spin)
}

/// Adds weights on the velocity of a point that moves with a side, whose velocity is given at another.
fn add_velocity(side: &mut SideMotion, from: &Vec3, to: &Vec3, velocity: &Vec3) {
    side.velocity += velocity;
    side.rotation += (to - from).cross(velocity);
}

impl Features {
    /// Weights on the motions of the sides at the witness points.
    fn pull(&self, weights: &LawWeights) -> [SideMotion; 2] {
        let LawWeights { normal, point, distance } = weights;
        let [t1, t2] = &self.tangents;
        let half = point * 0.5;
        let slides = [t1.dot(&half), t2.dot(&half)];
        let x = Vector6::new(t1.dot(normal), t2.dot(normal), slides[0], slides[1], slides[0], slides[1]);
        let inputs = self.matrix.tr_mul(&x);
        let lift = |k: usize| t1 * inputs[k] + t2 * inputs[k + 1];
        let separation = self.normal * *distance + lift(0);
        [(-1.0, 2), (1.0, 4)].map(|(sign, k)| SideMotion {
            velocity: half + separation * sign,
            rotation: self.normal.cross(&lift(k)),
        })
    }
}

impl Tilted {
    /// Weights on the motions of the sides at the points `at`.
    fn pull(&self, at: [&Vec3; 2], weights: &LawWeights) -> [SideMotion; 2] {
        let Self { first, reference, centre, tilts, features } = self;
        let tilted = features.pull(&LawWeights { distance: 0.0, ..*weights });
        let mut sides = [SideMotion::STILL; 2];
        let (mut point, mut rotation) = (Vec3::zeros(), Vec3::zeros());
        for k in 0..2 {
            let (tilt, along) = (&tilts[k], features.at[k] - centre);
            let carried = tilt.tr_mul(&tilted[k].velocity);
            point += tilted[k].velocity - carried;
            let spin = along.cross(&tilted[k].velocity) + tilted[k].rotation;
            rotation += spin - tilt.tr_mul(&spin);
            add_velocity(&mut sides[k], at[k], &(centre + tilt.tr_mul(&along)), &carried);
            sides[k].rotation += tilt.tr_mul(&tilted[k].rotation);
        }
        let (normal, _) = pull_frame_rotation(&first.normal, &first.tangents, reference, &rotation);
        let of_first = first.pull(&LawWeights { normal, point, distance: weights.distance });
        for k in 0..2 {
            add_velocity(&mut sides[k], at[k], &first.at[k], &of_first[k].velocity);
            sides[k].rotation += of_first[k].rotation;
        }
        sides
    }
}

impl Witness<'_> {
    /// Weights on the motions of both sides at the witness points; `None` where the narrow phase decides.
    pub(crate) fn pull(&self, weights: &MotionWeights) -> Option<[SideMotion; 2]> {
        let y = &self.reference;
        let (normal, y_rate) = pull_frame_rotation(&self.normal, &self.tangents, y, &weights.rotation);
        let law = LawWeights { normal, point: weights.point, distance: weights.distance };
        let mut sides = match &self.law {
            Law::Smooth(features) => features.pull(&law),
            Law::Patch(patch) => self.pull_patch(patch, &law),
            Law::Tilted(tilted) => tilted.pull([&self.points[0].pos, &self.points[1].pos], &law),
            Law::Narrow(_) => return None,
        };
        if let Some(side) = self.reference_side {
            sides[side].rotation += y.cross(&y_rate);
        }
        Some(sides)
    }

    fn pull_patch(&self, patch: &Patch, weights: &LawWeights) -> [SideMotion; 2] {
        let (n, size) = (&self.normal, self.distance);
        let (r, o) = (patch.reference, 1 - patch.reference);
        let sign = if r == 0 { 1.0 } else { -1.0 };
        let rate = sign * (weights.distance - 0.5 * sign * weights.point.dot(n));
        let moved = weights.point + n * rate;
        let mut there = n * -rate;
        let mut normal = weights.normal - weights.point * (0.5 * sign * size);
        let mut sides = [SideMotion::STILL; 2];
        sides[o].velocity = match &patch.slide {
            PatchSlide::Attached => moved,
            PatchSlide::Crossing { edge, plane } => {
                let slide = plane * (moved.dot(edge) / plane.dot(edge));
                there += slide;
                moved - slide
            }
            PatchSlide::Corner { face } => {
                let here = face * (moved.dot(n) / face.dot(n));
                let at_corner = moved - here;
                sides[r].velocity += at_corner;
                normal += at_corner * (sign * size);
                here
            }
            PatchSlide::Rim { axis, rim, tilt, offset } => {
                let down = axis.cross(rim) * (moved.dot(&axis.cross(offset)) / tilt);
                let relative = axis * axis.dot(&down) - down;
                normal += relative;
                sides[o].rotation -= n.cross(&relative);
                moved
            }
        };
        let (from, to) = (self.points[r].pos, self.points[o].pos);
        add_velocity(&mut sides[r], &from, &to, &there);
        sides[r].rotation += n.cross(&normal);
        sides
    }
}
