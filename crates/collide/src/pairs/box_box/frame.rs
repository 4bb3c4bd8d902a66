//! Face frames: coordinates of a box in which the outward normal of a chosen face is +z.

use kinetree_math::{Mat3, Vec3};

/// Signed permutation of the axes that rotates the outward normal of a face into +z: component `k` of the
/// result is `sign[k]` times component `index[k]` of the argument.
#[derive(Clone, Copy)]
pub(super) struct FaceFrame {
    index: [usize; 3],
    sign: [f64; 3],
}

impl FaceFrame {
    /// Frame of a face numbered 0..6: +x, +y, +z, −x, −y, −z.
    pub(super) fn new(face: usize) -> Self {
        let (index, sign) = match face {
            0 => ([2, 1, 0], [-1.0, 1.0, 1.0]),
            1 => ([0, 2, 1], [1.0, -1.0, 1.0]),
            2 => ([0, 1, 2], [1.0, 1.0, 1.0]),
            3 => ([2, 1, 0], [1.0, 1.0, -1.0]),
            4 => ([0, 2, 1], [1.0, 1.0, -1.0]),
            _ => ([0, 1, 2], [-1.0, 1.0, -1.0]),
        };
        Self { index, sign }
    }

    /// Box coordinates to face coordinates.
    pub(super) fn to_face(self, v: &Vec3) -> Vec3 {
        Vec3::from_fn(|k, _| v[self.index[k]] * self.sign[k])
    }

    /// Half sizes in face coordinates.
    pub(super) fn half_to_face(&self, half: &Vec3) -> Vec3 {
        Vec3::from_fn(|k, _| half[self.index[k]].abs())
    }

    /// A rotation given in box coordinates, expressed in face coordinates.
    pub(super) fn rotation_to_face(&self, m: &Mat3) -> Mat3 {
        Mat3::from_fn(|k, j| m[(self.index[k], j)] * self.sign[k])
    }

    /// Rotation from face coordinates to the world, for a box with orientation `mat`.
    pub(super) fn to_world(self, mat: &Mat3) -> Mat3 {
        Mat3::from_fn(|i, k| mat[(i, self.index[k])] * self.sign[k])
    }
}

/// Calls `emit(t, axis, limit, other)` for each crossing of the segment `origin + t·direction`, `t ∈ [0, 1]`,
/// with the border of the rectangle `|x| ≤ half.x, |y| ≤ half.y` (z is ignored): `axis` is the coordinate
/// that reaches `limit` there and `other` the value of the other one.
pub(super) fn clip_to_rectangle(
    origin: &Vec3,
    direction: &Vec3,
    half: &Vec3,
    mut emit: impl FnMut(f64, usize, f64, f64),
) {
    for axis in 0..2 {
        let across = 1 - axis;
        if direction[axis].abs() <= kinetree_math::MINVAL {
            continue;
        }
        for limit in [-half[axis], half[axis]] {
            let t = (limit - origin[axis]) * (1.0 / direction[axis]);
            if !(0.0..=1.0).contains(&t) {
                continue;
            }
            let other = origin[across] + direction[across] * t;
            if other.abs() <= half[across] {
                emit(t, axis, limit, other);
            }
        }
    }
}

/// Corners of the rectangle in the order (−,−), (−,+), (+,−), (+,+).
pub(super) fn rectangle_corners(half: &Vec3) -> [(f64, f64); 4] {
    [(-half.x, -half.y), (-half.x, half.y), (half.x, -half.y), (half.x, half.y)]
}
