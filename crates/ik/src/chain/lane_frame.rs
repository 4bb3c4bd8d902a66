//! Frames that walk along a chain: the columns of a rotation, and a position. What a joint does to them is
//! written once, for one configuration, whose vectors lie in a SIMD register each, and for four, a
//! configuration a lane.

use super::joint::{Joint, JointKind};
use crate::pose::Pose;
use kinetree_math::real::{Components, Real};
use kinetree_math::{Mat3, Vec3};
use wide::f64x4;

/// Rotation as columns, and a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct MovingFrame<T: Real> {
    pub(super) x: T::Vec3,
    pub(super) y: T::Vec3,
    pub(super) z: T::Vec3,
    pub(super) pos: T::Vec3,
}

/// The frame of one configuration.
pub(super) type LaneFrame = MovingFrame<f64>;

impl<T: Real> MovingFrame<T> {
    /// The same frame in all configurations.
    #[inline(always)]
    pub(super) fn new(pose: &Pose) -> Self {
        let [x, y, z] = [0, 1, 2].map(|k| constant::<T>(pose.mat.column(k).as_slice()));
        Self { x, y, z, pos: constant::<T>(pose.pos.as_slice()) }
    }

    /// A vector of this frame in the outer one.
    #[inline(always)]
    pub(super) fn rotate(&self, v: [T; 3]) -> T::Vec3 {
        let [a, b, c] = v.map(T::Vec3::splat);
        self.x * a + self.y * b + self.z * c
    }

    /// Rotates the frame by a matrix in its own coordinates.
    #[inline(always)]
    pub(super) fn rotate_by(&mut self, mat: &Mat3) {
        let column = |k: usize| self.rotate([0, 1, 2].map(|i| T::splat(mat[(i, k)])));
        (self.x, self.y, self.z) = (column(0), column(1), column(2));
    }

    /// Moves the frame by a revolute or prismatic joint, given the sine and cosine of its angle; `value` is
    /// asked for the coordinate of a prismatic one.
    #[inline(always)]
    pub(super) fn move_along(&mut self, joint: &Joint, sin: T, cos: T, value: impl FnOnce() -> T) {
        if joint.kind == JointKind::Prismatic {
            let shift = T::splat(joint.shift) + T::splat(joint.scale) * value();
            self.pos = self.pos + self.z * T::Vec3::splat(shift);
        }
        let (sin, cos) = (T::Vec3::splat(sin), T::Vec3::splat(cos));
        (self.x, self.y) = (self.x * cos + self.y * sin, self.y * cos - self.x * sin);
    }

    /// The fixed transform from a joint to the next one.
    #[inline(always)]
    pub(super) fn move_to_next(&mut self, joint: &Joint) {
        self.pos = self.pos + self.rotate(joint.offset.map(T::splat));
        let (sin, cos) = (T::Vec3::splat(T::splat(joint.sin)), T::Vec3::splat(T::splat(joint.cos)));
        (self.y, self.z) = (self.y * cos + self.z * sin, self.z * cos - self.y * sin);
    }
}

impl Default for LaneFrame {
    fn default() -> Self {
        Self { x: f64x4::ZERO, y: f64x4::ZERO, z: f64x4::ZERO, pos: f64x4::ZERO }
    }
}

impl LaneFrame {
    #[inline(always)]
    pub(super) fn pose(&self) -> Pose {
        Pose {
            pos: vector(self.pos),
            mat: Mat3::from_columns(&[vector(self.x), vector(self.y), vector(self.z)]),
        }
    }
}

/// Three numbers that are the same in all configurations.
#[inline(always)]
fn constant<T: Real>(v: &[f64]) -> T::Vec3 {
    T::Vec3::constant(&[v[0], v[1], v[2]])
}

#[inline(always)]
pub(super) fn vector(v: f64x4) -> Vec3 {
    let [x, y, z, _] = v.to_array();
    Vec3::new(x, y, z)
}
