//! Poses, that is a position and a unit quaternion: composition, inverse and application to a point.

use super::quat::{quat_conj, quat_mul, quat_normalize, quat_rotate};
use crate::{Quat, Vec3};

/// Pose 2, given in the frame of pose 1, expressed in the frame in which pose 1 is given. The quaternion is
/// normalized.
#[inline]
#[must_use]
pub fn pose_mul(pos1: &Vec3, quat1: &Quat, pos2: &Vec3, quat2: &Quat) -> (Vec3, Quat) {
    let mut quat = quat_mul(quat1, quat2);
    quat_normalize(&mut quat);
    (quat_rotate(quat1, pos2) + pos1, quat)
}

/// Inverse of a pose.
#[inline]
#[must_use]
pub fn pose_neg(pos: &Vec3, quat: &Quat) -> (Vec3, Quat) {
    let inverse = quat_conj(quat);
    (-quat_rotate(&inverse, pos), inverse)
}

/// Point `v` of the pose's frame in the outer frame: rotate, then translate.
#[inline]
#[must_use]
pub fn pose_apply(pos: &Vec3, quat: &Quat, v: &Vec3) -> Vec3 {
    quat_rotate(quat, v) + pos
}
