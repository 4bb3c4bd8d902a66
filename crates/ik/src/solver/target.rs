//! What the end of a chain shall reach: a pose, or a part of one.

use crate::error::{IkError, check_finite, check_setting};
use crate::pose::{Pose, check_unit, rotation_vector, shortest_rotation};
use kinetree_math::rot::quat_to_mat;
use kinetree_math::{Mat3, Quat, Vec3};

/// The orientation that is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Aim {
    /// None.
    Free,
    /// All of it.
    Full(Mat3),
    /// An axis of the end along a direction of the base.
    Axis { local: Vec3, direction: Vec3 },
}

/// A target of inverse kinematics, in the chain's base.
///
/// Weights scale the errors that are minimized. A direction with weight zero is free: it counts neither for
/// convergence nor for the reported errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    position: Option<Vec3>,
    aim: Aim,
    position_weights: [f64; 3],
    rotation_weights: [f64; 3],
}

/// Errors of a pose with respect to a target.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Miss {
    /// Weighted errors: position (m), then rotation times the length that makes it comparable (m).
    pub(super) residual: [f64; 6],
    /// Distance over the directions that count (m).
    pub(super) position: f64,
    /// Angle over the directions that count (rad).
    pub(super) rotation: f64,
}

impl Target {
    const FREE: Self =
        Self { position: None, aim: Aim::Free, position_weights: [1.0; 3], rotation_weights: [1.0; 3] };

    /// Position and orientation.
    #[must_use]
    pub fn pose(pose: &Pose) -> Self {
        Self { position: Some(pose.pos), aim: Aim::Full(pose.mat), ..Self::FREE }
    }

    /// Position and orientation, as a unit quaternion `[w, x, y, z]`.
    ///
    /// # Errors
    /// When a number is not finite or the quaternion is not of unit length.
    pub fn new(pos: &[f64; 3], quat: &Quat) -> Result<Self, IkError> {
        Ok(Self::pose(&Pose::checked(pos, quat)?))
    }

    /// Position only.
    ///
    /// # Errors
    /// When a number is not finite.
    pub fn position(pos: &[f64; 3]) -> Result<Self, IkError> {
        check_finite("the target position", pos)?;
        Ok(Self { position: Some(Vec3::from(*pos)), ..Self::FREE })
    }

    /// Orientation only.
    ///
    /// # Errors
    /// When a number is not finite or the quaternion is not of unit length.
    pub fn orientation(quat: &Quat) -> Result<Self, IkError> {
        check_unit("the target quaternion", quat)?;
        Ok(Self { aim: Aim::Full(quat_to_mat(quat)), ..Self::FREE })
    }

    /// An axis of the end, given in its own frame, along a direction of the base; rotation about it is free.
    ///
    /// # Errors
    /// When a vector is zero or not finite.
    pub fn axis(local: &[f64; 3], direction: &[f64; 3]) -> Result<Self, IkError> {
        let unit = |what, v: &[f64; 3]| {
            check_finite(what, v)?;
            Vec3::from(*v).try_normalize(1e-12).ok_or(IkError::ZeroDirection { what })
        };
        let local = unit("the axis of the end", local)?;
        let direction = unit("the direction of the axis", direction)?;
        Ok(Self { aim: Aim::Axis { local, direction }, ..Self::FREE })
    }

    /// The same target at a position.
    ///
    /// # Errors
    /// When a number is not finite.
    pub fn at(self, pos: &[f64; 3]) -> Result<Self, IkError> {
        check_finite("the target position", pos)?;
        Ok(Self { position: Some(Vec3::from(*pos)), ..self })
    }

    /// The same target with weights of the position along the base's axes and of the rotation about the
    /// target's axes (about the base's, for [`axis`](Self::axis)).
    ///
    /// # Errors
    /// When a weight is negative or not finite, or all of what is asked for has weight zero.
    pub fn weighted(self, position: &[f64; 3], rotation: &[f64; 3]) -> Result<Self, IkError> {
        for &weight in position.iter().chain(rotation) {
            check_setting("a weight", weight, 0.0)?;
        }
        let weighted = Self { position_weights: *position, rotation_weights: *rotation, ..self };
        if weighted.wants_position() || weighted.wants_rotation() {
            Ok(weighted)
        } else {
            Err(IkError::Setting { what: "at least one weight", must: "positive", value: 0.0 })
        }
    }

    fn wants_position(&self) -> bool {
        self.position.is_some() && self.position_weights.iter().any(|&w| w > 0.0)
    }

    fn wants_rotation(&self) -> bool {
        self.aim != Aim::Free && self.rotation_weights.iter().any(|&w| w > 0.0)
    }

    /// The position, when all of it counts.
    pub(super) fn full_position(&self) -> Option<Vec3> {
        self.position.filter(|_| self.position_weights.iter().all(|&w| w > 0.0))
    }

    /// Gradient of the error with respect to the position.
    pub(super) fn force(&self, residual: &[f64; 6]) -> Vec3 {
        Vec3::from_fn(|k, _| self.position_weights[k] * residual[k])
    }

    /// Errors of a pose. Angles count `length` metres per radian.
    #[inline]
    pub(super) fn miss(&self, pose: &Pose, length: f64) -> Miss {
        let mut miss = Miss::default();
        if let Some(position) = self.position {
            let error = pose.pos - position;
            let (mut square, weights) = (0.0, &self.position_weights);
            for k in 0..3 {
                miss.residual[k] = weights[k] * error[k];
                square += if weights[k] > 0.0 { error[k] * error[k] } else { 0.0 };
            }
            miss.position = square.sqrt();
        }
        if let Some(error) = self.rotation_error(pose) {
            let (mut square, weights) = (0.0, &self.rotation_weights);
            for k in 0..3 {
                miss.residual[3 + k] = weights[k] * length * error[k];
                square += if weights[k] > 0.0 { error[k] * error[k] } else { 0.0 };
            }
            miss.rotation = square.sqrt();
        }
        miss
    }

    /// Rotation vector from the target to the pose: about the target's axes where single ones are weighted,
    /// else about the base's.
    #[inline]
    fn rotation_error(&self, pose: &Pose) -> Option<Vec3> {
        match &self.aim {
            Aim::Free => None,
            Aim::Full(mat) if self.uneven() => Some(rotation_vector(&mat.tr_mul(&pose.mat))),
            Aim::Full(mat) => Some(rotation_vector(&(pose.mat * mat.transpose()))),
            Aim::Axis { local, direction } => Some(-shortest_rotation(&(pose.mat * local), direction)),
        }
    }

    fn uneven(&self) -> bool {
        let [a, b, c] = self.rotation_weights;
        a != b || b != c
    }

    /// Turns the angular part of a Jacobian column into the change of the residual, and weights the column.
    #[inline(always)]
    pub(super) fn weigh(&self, pose: &Pose, length: f64, column: &mut [f64; 6]) {
        match &self.aim {
            Aim::Free => column[3..].fill(0.0),
            Aim::Full(mat) if self.uneven() => {
                let angular = mat.tr_mul(&Vec3::new(column[3], column[4], column[5]));
                column[3..].copy_from_slice(angular.as_slice());
            }
            Aim::Full(_) => {}
            Aim::Axis { local, .. } => {
                // rotation about the axis itself changes nothing
                let axis = pose.mat * local;
                let angular = Vec3::new(column[3], column[4], column[5]);
                column[3..].copy_from_slice((angular - axis * axis.dot(&angular)).as_slice());
            }
        }
        for k in 0..3 {
            column[k] *= if self.position.is_some() { self.position_weights[k] } else { 0.0 };
            column[3 + k] *= length * self.rotation_weights[k];
        }
    }
}
