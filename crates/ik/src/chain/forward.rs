//! Forward kinematics of a chain, with the axes and origins of all joints.

use super::lane_frame::{LaneFrame, vector};
use super::{Chain, Joint, JointKind, unit_quat};
use crate::error::IkError;
use crate::pose::Pose;
use kinetree_math::Vec3;
use kinetree_math::lanes3::cross3;
use kinetree_math::rot::{quat_mul, quat_to_mat};
use kinetree_math::sincos::sin_cos;
use wide::f64x4;

/// Number of angles whose sines are computed together.
pub(super) const GROUP: usize = 8;

/// Axis and origin of a joint in the base, and the x axis of its frame after its rotation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct JointFrame {
    pub(super) z: f64x4,
    pub(super) origin: f64x4,
    pub(super) x: f64x4,
}

/// Axes and origins of a chain's joints at one configuration: what Jacobians and intermediate frames are made
/// from. Filled by [`Chain::fk`], it allocates nothing after it was made.
#[derive(Clone, Debug)]
pub struct JointFrameCache {
    pub(super) joints: Vec<JointFrame>,
    /// Frames after ball and free joints and where free ones started, whose dofs are not along one axis.
    pub(super) rotated: Vec<LaneFrame>,
    pub(super) tip: LaneFrame,
    sin: Vec<[f64; GROUP]>,
    cos: Vec<[f64; GROUP]>,
    angles: Vec<[f64; GROUP]>,
}

impl JointFrameCache {
    /// Memory for a chain.
    #[must_use]
    pub fn new(chain: &Chain) -> Self {
        let groups = chain.joints.len().div_ceil(GROUP);
        Self {
            joints: vec![JointFrame::default(); chain.joints.len()],
            rotated: vec![LaneFrame::default(); if chain.scalar() { 0 } else { 2 * chain.joints.len() }],
            tip: LaneFrame::default(),
            sin: vec![[0.0; GROUP]; groups],
            cos: vec![[1.0; GROUP]; groups],
            angles: vec![[0.0; GROUP]; groups],
        }
    }

    /// Bytes of its memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let Self { joints, rotated, tip: _, sin, cos, angles } = self;
        let arrays = size_of_val(&**sin) + size_of_val(&**cos) + size_of_val(&**angles);
        size_of::<Self>() + size_of_val(&**joints) + size_of_val(&**rotated) + arrays
    }

    /// Axis of joint `i` in the base. Ball and free joints have no axis; theirs is the z axis of the moved
    /// frame.
    #[must_use]
    pub fn z_world(&self, i: usize) -> Vec3 {
        vector(self.joints[i].z)
    }

    /// Origin of joint `i` in the base: a point on the axis.
    #[must_use]
    pub fn p_world(&self, i: usize) -> Vec3 {
        vector(self.joints[i].origin)
    }

    /// Position of the chain's end in the base.
    #[must_use]
    pub fn p_ee(&self) -> Vec3 {
        vector(self.tip.pos)
    }

    /// Pose of the chain's end in the base.
    #[inline]
    #[must_use]
    pub fn pose(&self) -> Pose {
        self.tip.pose()
    }

    /// Pose in the base of the body that joint `i` of the chain moves, after this joint has moved it.
    #[must_use]
    pub fn link_pose(&self, chain: &Chain, i: usize) -> Pose {
        let JointFrame { x, z, origin } = self.joints[i];
        LaneFrame { x, y: cross3(z, x), z, pos: origin }.pose().mul(&chain.joints[i].link)
    }
}

impl Chain {
    /// Whether all joints are revolute or prismatic.
    pub(crate) fn scalar(&self) -> bool {
        self.joints.iter().all(|j| matches!(j.kind, JointKind::Revolute | JointKind::Prismatic))
    }

    /// Body that joint `i` of the chain moves.
    #[must_use]
    pub fn body(&self, i: usize) -> usize {
        self.joints[i].body
    }

    /// Pose of the end in the base; the frames of all joints are left in `cache`.
    ///
    /// # Errors
    /// When `q` has the wrong length or holds a value that is not a finite number.
    pub fn fk(&self, q: &[f64], cache: &mut JointFrameCache) -> Result<Pose, IkError> {
        self.check_q(q)?;
        self.forward(q, cache);
        Ok(cache.pose())
    }

    /// Forward kinematics of a `q` that has been checked.
    #[inline]
    pub(crate) fn forward(&self, q: &[f64], cache: &mut JointFrameCache) {
        self.sines(q, cache);
        let mut frame = self.start_lanes;
        let JointFrameCache { joints, rotated, sin, cos, .. } = cache;
        let sines = sin.as_flattened().iter().zip(cos.as_flattened());
        for (i, ((joint, slot), (&sin, &cos))) in
            self.joints.iter().zip(joints.iter_mut()).zip(sines).enumerate()
        {
            match joint.kind {
                JointKind::Revolute | JointKind::Prismatic => {
                    frame.move_along(joint, sin, cos, || q[joint.q]);
                }
                JointKind::Ball | JointKind::Free => move_freely(joint, q, &mut frame, &mut rotated[2 * i..]),
            }
            *slot = JointFrame { z: frame.z, origin: frame.pos, x: frame.x };
            frame.move_to_next(joint);
        }
        frame.rotate_by(&self.tip);
        cache.tip = frame;
    }

    /// Sines and cosines of all joint angles.
    #[inline(always)]
    fn sines(&self, q: &[f64], cache: &mut JointFrameCache) {
        let JointFrameCache { sin, cos, angles, .. } = cache;
        for (joint, angle) in self.joints.iter().zip(angles.as_flattened_mut()) {
            // a prismatic or ball joint only has its fixed rotation
            let variable = if joint.kind == JointKind::Revolute { joint.scale * q[joint.q] } else { 0.0 };
            *angle = joint.angle + variable;
        }
        let mut left = self.joints.len();
        for ((angle, sin), cos) in angles.iter().zip(sin).zip(cos) {
            match left {
                0..=4 => some_sines::<4>(angle, sin, cos),
                5 | 6 => some_sines::<6>(angle, sin, cos),
                _ => (*sin, *cos) = sin_cos(angle),
            }
            left = left.saturating_sub(GROUP);
        }
    }
}

/// Sines and cosines of the first angles of a group.
#[inline(always)]
fn some_sines<const N: usize>(angles: &[f64; GROUP], sin: &mut [f64; GROUP], cos: &mut [f64; GROUP]) {
    let first: [f64; N] = std::array::from_fn(|i| angles[i]);
    let (s, c) = sin_cos(&first);
    sin[..N].copy_from_slice(&s);
    cos[..N].copy_from_slice(&c);
}

/// Moves a frame by a ball or free joint; leaves the axes of its dofs: where it started, and the frame whose
/// axes the rotations have.
fn move_freely(joint: &Joint, q: &[f64], frame: &mut LaneFrame, rotated: &mut [LaneFrame]) {
    let mut q = &q[joint.q..];
    rotated[0] = *frame;
    if joint.kind == JointKind::Free {
        frame.pos += frame.rotate([q[0], q[1], q[2]]);
        q = &q[3..];
    }
    frame.rotate_by(&quat_to_mat(&quat_mul(&joint.before, &unit_quat(q))));
    rotated[1] = *frame;
    frame.rotate_by(&quat_to_mat(&joint.after));
}
