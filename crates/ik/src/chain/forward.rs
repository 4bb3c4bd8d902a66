//! Forward kinematics of a chain, with the axes and origins of all joints.

use super::{Chain, Joint, JointKind, unit_quat};
use crate::error::IkError;
use crate::pose::Pose;
use kinetree_math::lanes3::cross3;
use kinetree_math::rot::{quat_mul, quat_to_mat};
use kinetree_math::sincos::sin_cos;
use kinetree_math::{Mat3, Vec3};
use wide::f64x4;

/// Number of angles whose sines are computed together.
pub(super) const GROUP: usize = 8;

/// Axis and origin of a joint in the base, and the x axis of its frame after it has turned.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct JointFrame {
    pub(super) z: f64x4,
    pub(super) origin: f64x4,
    pub(super) x: f64x4,
}

/// Rotation as columns, and a position: a frame in lanes of four.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LaneFrame {
    pub(super) x: f64x4,
    pub(super) y: f64x4,
    pub(super) z: f64x4,
    pub(super) pos: f64x4,
}

impl LaneFrame {
    pub(super) fn new(pose: &Pose) -> Self {
        let [x, y, z] = columns(&pose.mat);
        Self { x, y, z, pos: lane(&pose.pos) }
    }

    #[inline(always)]
    fn pose(&self) -> Pose {
        Pose {
            pos: vector(self.pos),
            mat: Mat3::from_columns(&[vector(self.x), vector(self.y), vector(self.z)]),
        }
    }

    /// A vector of this frame in the outer one.
    #[inline(always)]
    fn rotate(&self, v: f64x4) -> f64x4 {
        let [a, b, c, _] = v.to_array();
        self.x * f64x4::splat(a) + self.y * f64x4::splat(b) + self.z * f64x4::splat(c)
    }

    /// Turns the frame by a matrix given by its columns in the frame's own coordinates.
    #[inline(always)]
    fn turn(&mut self, [a, b, c]: &[f64x4; 3]) {
        (self.x, self.y, self.z) = (self.rotate(*a), self.rotate(*b), self.rotate(*c));
    }
}

/// Columns of a matrix in lanes.
pub(super) fn columns(mat: &Mat3) -> [f64x4; 3] {
    [0, 1, 2].map(|k| lane(&mat.column(k).into_owned()))
}

#[inline(always)]
fn lane(v: &Vec3) -> f64x4 {
    f64x4::new([v.x, v.y, v.z, 0.0])
}

#[inline(always)]
pub(super) fn vector(v: f64x4) -> Vec3 {
    let [x, y, z, _] = v.to_array();
    Vec3::new(x, y, z)
}

/// Axes and origins of a chain's joints at one configuration: what Jacobians and intermediate frames are made
/// from. Filled by [`Chain::fk`], it allocates nothing after it was made.
#[derive(Clone, Debug)]
pub struct JointFrameCache {
    pub(super) joints: Vec<JointFrame>,
    /// Frames after ball and free joints and where free ones started, whose dofs are not along one axis.
    pub(super) turned: Vec<LaneFrame>,
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
            turned: vec![LaneFrame::default(); if chain.scalar() { 0 } else { 2 * chain.joints.len() }],
            tip: LaneFrame::default(),
            sin: vec![[0.0; GROUP]; groups],
            cos: vec![[1.0; GROUP]; groups],
            angles: vec![[0.0; GROUP]; groups],
        }
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
        let JointFrameCache { joints, turned, sin, cos, .. } = cache;
        let sines = sin.as_flattened().iter().zip(cos.as_flattened());
        for (i, ((joint, slot), (&sin, &cos))) in
            self.joints.iter().zip(joints.iter_mut()).zip(sines).enumerate()
        {
            match joint.kind {
                JointKind::Revolute => turn_z(&mut frame, sin, cos),
                JointKind::Prismatic => {
                    frame.pos += frame.z * f64x4::splat(joint.shift + joint.scale * q[joint.q]);
                    turn_z(&mut frame, sin, cos);
                }
                JointKind::Ball | JointKind::Free => move_freely(joint, q, &mut frame, &mut turned[2 * i..]),
            }
            *slot = JointFrame { z: frame.z, origin: frame.pos, x: frame.x };
            // fixed transform to the next joint
            frame.pos += frame.rotate(joint.offset);
            let (cos, sin) = (f64x4::splat(joint.cos), f64x4::splat(joint.sin));
            (frame.y, frame.z) = (frame.y * cos + frame.z * sin, frame.z * cos - frame.y * sin);
        }
        frame.turn(&self.tip_lanes);
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

/// Turns a frame about its z axis.
#[inline(always)]
fn turn_z(frame: &mut LaneFrame, sin: f64, cos: f64) {
    let (sin, cos) = (f64x4::splat(sin), f64x4::splat(cos));
    (frame.x, frame.y) = (frame.x * cos + frame.y * sin, frame.y * cos - frame.x * sin);
}

/// Moves a frame by a ball or free joint; leaves the axes of its dofs: where it started, and the frame whose
/// axes the rotations have.
fn move_freely(joint: &Joint, q: &[f64], frame: &mut LaneFrame, turned: &mut [LaneFrame]) {
    let mut q = &q[joint.q..];
    turned[0] = *frame;
    if joint.kind == JointKind::Free {
        frame.pos += frame.rotate(f64x4::new([q[0], q[1], q[2], 0.0]));
        q = &q[3..];
    }
    frame.turn(&columns(&quat_to_mat(&quat_mul(&joint.before, &unit_quat(q)))));
    turned[1] = *frame;
    frame.turn(&columns(&quat_to_mat(&joint.after)));
}
