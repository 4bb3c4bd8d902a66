//! Rigid transforms.

use crate::error::{IkError, check_finite};
use kinetree_math::rot::{mat_to_quat, quat_normalize, quat_to_mat};
use kinetree_math::{Mat3, Quat, Vec3};

/// How far the length of a target's quaternion may be from one: what six printed digits leave.
const UNIT_TOLERANCE: f64 = 1e-5;

/// Position and orientation of a frame in another: an element of SE(3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Position of the origin (m).
    pub pos: Vec3,
    /// Rotation from the frame's own coordinates to the outer ones.
    pub mat: Mat3,
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Pose {
    /// The frame itself.
    pub const IDENTITY: Self =
        Self { pos: Vec3::new(0.0, 0.0, 0.0), mat: Mat3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0) };

    /// From a position and a unit quaternion `[w, x, y, z]`, which is normalized.
    #[must_use]
    pub fn new(pos: &[f64; 3], quat: &Quat) -> Self {
        let mut unit = *quat;
        quat_normalize(&mut unit);
        Self { pos: Vec3::from(*pos), mat: quat_to_mat(&unit) }
    }

    /// From numbers that a user gave.
    ///
    /// # Errors
    /// When a number is not finite or the quaternion is not of unit length.
    pub fn checked(pos: &[f64; 3], quat: &Quat) -> Result<Self, IkError> {
        check_finite("the target position", pos)?;
        check_unit("the target quaternion", quat)?;
        Ok(Self::new(pos, quat))
    }

    /// Orientation as a unit quaternion `[w, x, y, z]`.
    #[must_use]
    pub fn quat(&self) -> Quat {
        let mut quat = mat_to_quat(&self.mat);
        quat_normalize(&mut quat);
        quat
    }

    /// `other`, given in this frame, in the outer frame.
    #[inline]
    #[must_use]
    pub fn mul(&self, other: &Self) -> Self {
        Self { pos: self.pos + self.mat * other.pos, mat: self.mat * other.mat }
    }

    /// The outer frame in this one.
    #[inline]
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mat = self.mat.transpose();
        Self { pos: -(mat * self.pos), mat }
    }
}

/// Fails unless a quaternion has unit length.
pub(crate) fn check_unit(what: &'static str, quat: &Quat) -> Result<(), IkError> {
    check_finite(what, quat)?;
    let norm = quat.iter().map(|c| c * c).sum::<f64>().sqrt();
    if (norm - 1.0).abs() > UNIT_TOLERANCE {
        return Err(IkError::NotUnit { what, norm });
    }
    Ok(())
}

/// Rotation vector of a rotation matrix: its axis times its angle in `[0, π]`.
#[inline]
#[must_use]
pub fn rotation_vector(mat: &Mat3) -> Vec3 {
    // 2 sin θ times the axis, and 2 cos θ
    let sine = Vec3::new(mat.m32 - mat.m23, mat.m13 - mat.m31, mat.m21 - mat.m12);
    let cosine = mat.m11 + mat.m22 + mat.m33 - 1.0;
    let norm = sine.norm();
    if cosine > 0.0 || norm > 1e-2 {
        // near the identity the quotient θ / 2 sin θ tends to one half
        let factor = if norm > 1e-8 { libm::atan2(norm, cosine) / norm } else { 0.5 };
        return sine * factor;
    }
    // close to a half turn the skew part vanishes; the symmetric part still has the axis
    let quat = mat_to_quat(mat);
    let vector = Vec3::new(quat[1], quat[2], quat[3]);
    let half_sine = vector.norm();
    let angle = 2.0 * libm::atan2(half_sine, quat[0].abs());
    vector * (angle / half_sine) * 1.0_f64.copysign(quat[0])
}

/// Rotation vector of the shortest rotation that takes one unit vector to another.
pub(crate) fn shortest_rotation(from: &Vec3, to: &Vec3) -> Vec3 {
    let (cross, cosine) = (from.cross(to), from.dot(to));
    let sine = cross.norm();
    if sine > 1e-12 {
        return cross * (libm::atan2(sine, cosine) / sine);
    }
    if cosine > 0.0 {
        return Vec3::zeros();
    }
    // opposite: a half turn about any perpendicular
    let other = if from.x.abs() < 0.7 { Vec3::x() } else { Vec3::y() };
    from.cross(&other).normalize() * core::f64::consts::PI
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::PI;
    use kinetree_math::rot::axis_angle_to_quat;

    #[test]
    fn rotation_vectors_at_all_angles() {
        let axis = Vec3::new(0.6, -0.0, 0.8);
        for angle in [0.0, 1e-12, 1e-6, 0.1, 1.5, 3.0, PI - 1e-3, PI - 1e-7, PI] {
            let mat = quat_to_mat(&axis_angle_to_quat(&axis, angle));
            let found = rotation_vector(&mat);
            let same = (found - axis * angle).norm();
            // a half turn may come back about the opposite axis
            let opposite = if angle == PI { (found + axis * angle).norm() } else { f64::MAX };
            assert!(same.min(opposite) < 1e-9, "{angle}: {found}");
        }
    }
}
