//! Joints of a chain: how they move, and the fixed transforms between them.

use crate::pose::Pose;
use kinetree_math::Quat;

/// How a joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    /// Rotates about its axis.
    Revolute,
    /// Moves along its axis.
    Prismatic,
    /// Rotates about a point.
    Ball,
    /// Moves freely; its position and orientation are those of the body in the world.
    Free,
}

impl JointKind {
    /// Numbers in `q`.
    #[must_use]
    pub fn nq(self) -> usize {
        match self {
            Self::Revolute | Self::Prismatic => 1,
            Self::Ball => 4,
            Self::Free => 7,
        }
    }

    /// Degrees of freedom.
    #[must_use]
    pub fn nv(self) -> usize {
        match self {
            Self::Revolute | Self::Prismatic => 1,
            Self::Ball => 3,
            Self::Free => 6,
        }
    }
}

/// A joint of the chain with the fixed transform after it, as the kinematics need it.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    pub(super) kind: JointKind,
    /// First number in `q`, and first dof.
    pub(super) q: usize,
    pub(super) v: usize,
    /// Value per unit of the variable, for joints that follow another.
    pub(super) scale: f64,
    /// Angle about z besides the variable, or the rotation of a prismatic joint.
    pub(super) angle: f64,
    /// Value of a prismatic joint besides the variable.
    pub(super) shift: f64,
    /// Rotations about z before and after the rotation of a ball or free joint.
    pub(super) before: Quat,
    pub(super) after: Quat,
    /// Translation to the next joint, in the frame that the joint has rotated.
    pub(super) offset: [f64; 3],
    /// Rotation about x to the next axis.
    pub(super) cos: f64,
    pub(super) sin: f64,
    /// Pose of the moved body in the frame that the joint has rotated.
    pub(super) link: Pose,
    /// Number of the body.
    pub(super) body: usize,
}
