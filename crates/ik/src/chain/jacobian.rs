//! The Jacobian of a chain: `[v; ω] = J q̇`, linear velocity first, one column of six numbers for each dof.
//!
//! With the axes `z` and origins `p` of [`JointFrameCache`](super::JointFrameCache) each column is one cross
//! product. Twists are given in one of three ways, which adjoints convert into each other.

use super::forward::JointFrame;
use super::lane_frame::{LaneFrame, vector};
use super::{Chain, Joint, JointFrameCache, JointKind};
use crate::error::IkError;
use crate::pose::Pose;
use kinetree_math::Vec3;
use kinetree_math::lanes3::cross3;
use kinetree_math::real::{Components, Real};
use wide::f64x4;

/// Where and in whose axes a twist is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ReferenceFrame {
    /// Velocity of the point of the end's body that passes the base's origin, in the base's axes: the spatial
    /// twist.
    World,
    /// Velocity of the end's origin, in the end's own axes: the body twist.
    Local,
    /// Velocity of the end's origin, in the base's axes.
    #[default]
    LocalWorldAligned,
}

impl ReferenceFrame {
    /// The analytic Jacobian of a chain: velocity of the end in the base's axes.
    pub const ANALYTIC: Self = Self::LocalWorldAligned;
    /// The geometric Jacobian of a chain: velocity of the end in its own axes.
    pub const GEOMETRIC: Self = Self::Local;
}

/// A twist, linear part first.
#[inline(always)]
pub(super) fn twist(linear: f64x4, angular: f64x4) -> [f64; 6] {
    let ([a, b, c, _], [d, e, f, _]) = (linear.to_array(), angular.to_array());
    [a, b, c, d, e, f]
}

/// Twist of a rotation about an axis through `origin`, at `point`.
#[inline(always)]
fn rotation(axis: f64x4, origin: f64x4, point: f64x4) -> [f64; 6] {
    twist(cross3(axis, point - origin), axis)
}

impl Chain {
    /// Pose of the end and its Jacobian at `q`, one column of six numbers for each of the [`nv`](Self::nv)
    /// dofs.
    ///
    /// # Errors
    /// When `q` or `jacobian` have the wrong length, or `q` holds a value that is not a finite number.
    pub fn jacobian(
        &self,
        q: &[f64],
        frame: ReferenceFrame,
        cache: &mut JointFrameCache,
        jacobian: &mut [[f64; 6]],
    ) -> Result<Pose, IkError> {
        let pose = self.fk(q, cache)?;
        if jacobian.len() != self.nv {
            return Err(IkError::Size {
                what: "the Jacobian",
                expected: 6 * self.nv,
                got: 6 * jacobian.len(),
            });
        }
        self.columns(cache, cache.tip.pos, jacobian);
        from_aligned(&pose, frame, jacobian);
        Ok(pose)
    }

    /// Jacobian of the chain's end from frames that [`fk`](Self::fk) left, in the base's axes.
    #[inline]
    pub(crate) fn aligned_jacobian(&self, cache: &JointFrameCache, jacobian: &mut [[f64; 6]]) {
        self.columns(cache, cache.tip.pos, jacobian);
    }

    /// Columns of the Jacobian of a point that moves with the end.
    #[inline(always)]
    pub(super) fn columns(&self, cache: &JointFrameCache, point: f64x4, jacobian: &mut [[f64; 6]]) {
        if self.coupled || !cache.rotated.is_empty() {
            return self.general_columns(cache, point, jacobian);
        }
        for ((joint, frame), column) in self.joints.iter().zip(&cache.joints).zip(jacobian) {
            *column = scalar_column(joint, frame, point);
        }
    }

    /// The same with joints that follow others, ball joints and free joints.
    fn general_columns(&self, cache: &JointFrameCache, point: f64x4, jacobian: &mut [[f64; 6]]) {
        jacobian.fill([0.0; 6]);
        for (i, (joint, frame)) in self.joints.iter().zip(&cache.joints).enumerate() {
            match joint.kind {
                JointKind::Revolute | JointKind::Prismatic => {
                    // a follower's motion counts for its leader; a joint held by an equality has scale zero
                    let column = scalar_column(joint, frame, point);
                    for (sum, c) in jacobian[joint.v].iter_mut().zip(column) {
                        *sum += joint.scale * c;
                    }
                }
                JointKind::Ball => free_rotations(&cache.rotated[2 * i + 1], point, &mut jacobian[joint.v..]),
                JointKind::Free => {
                    let LaneFrame { x, y, z, .. } = cache.rotated[2 * i];
                    for (k, axis) in [x, y, z].into_iter().enumerate() {
                        jacobian[joint.v + k] = twist(axis, f64x4::ZERO);
                    }
                    free_rotations(&cache.rotated[2 * i + 1], point, &mut jacobian[joint.v + 3..]);
                }
            }
        }
    }
}

/// Linear and angular velocity of a point that a revolute or prismatic joint moves, given the axis and origin
/// of the joint: of one configuration, or of four.
#[inline(always)]
pub(super) fn dof_motion<T: Real>(
    joint: &Joint,
    z: T::Vec3,
    origin: T::Vec3,
    point: T::Vec3,
) -> (T::Vec3, T::Vec3) {
    match joint.kind {
        JointKind::Prismatic => (z, T::Vec3::splat(T::ZERO)),
        _ => (cross3(z, point - origin), z),
    }
}

#[inline(always)]
fn scalar_column(joint: &Joint, frame: &JointFrame, point: f64x4) -> [f64; 6] {
    let (linear, angular) = dof_motion::<f64>(joint, frame.z, frame.origin, point);
    twist(linear, angular)
}

/// Columns of rotations about the axes of a frame.
fn free_rotations(frame: &LaneFrame, point: f64x4, columns: &mut [[f64; 6]]) {
    for (column, axis) in columns.iter_mut().zip([frame.x, frame.y, frame.z]) {
        *column = rotation(axis, frame.pos, point);
    }
}

/// Linear and angular part of a column.
#[inline]
pub(super) fn parts(column: &[f64; 6]) -> (Vec3, Vec3) {
    (Vec3::new(column[0], column[1], column[2]), Vec3::new(column[3], column[4], column[5]))
}

#[inline]
pub(super) fn joined(linear: &Vec3, angular: &Vec3) -> [f64; 6] {
    [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z]
}

/// Converts columns from [`ReferenceFrame::LocalWorldAligned`].
fn from_aligned(pose: &Pose, to: ReferenceFrame, jacobian: &mut [[f64; 6]]) {
    match to {
        ReferenceFrame::LocalWorldAligned => {}
        ReferenceFrame::Local => {
            for column in jacobian {
                let (v, w) = parts(column);
                *column = joined(&pose.mat.tr_mul(&v), &pose.mat.tr_mul(&w));
            }
        }
        ReferenceFrame::World => {
            for column in jacobian {
                let (v, w) = parts(column);
                *column = joined(&(v + pose.pos.cross(&w)), &w);
            }
        }
    }
}

/// Converts a Jacobian, or any list of twists of a frame at `pose`, between reference frames by adjoints:
/// `[v; ω]_world = [R v + p × R ω; R ω]` for a local twist.
pub fn convert_jacobian(jacobian: &mut [[f64; 6]], pose: &Pose, from: ReferenceFrame, to: ReferenceFrame) {
    if from == to {
        return;
    }
    for column in jacobian.iter_mut() {
        let (v, w) = parts(column);
        *column = match from {
            ReferenceFrame::LocalWorldAligned => continue,
            ReferenceFrame::Local => joined(&(pose.mat * v), &(pose.mat * w)),
            ReferenceFrame::World => joined(&(v - pose.pos.cross(&w)), &w),
        };
    }
    from_aligned(pose, to, jacobian);
}

/// Position of the chain's end, for callers that hold lanes.
pub(super) fn tip_position(cache: &JointFrameCache) -> Vec3 {
    vector(cache.tip.pos)
}
