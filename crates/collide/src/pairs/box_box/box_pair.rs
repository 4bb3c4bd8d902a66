//! Two boxes with their relative pose.

use crate::Pose;
use kinetree_math::{Mat3, Vec3};

/// Two boxes with their relative pose.
pub(super) struct BoxPair<'a> {
    pub(super) pose: [&'a Pose; 2],
    pub(super) half: [&'a Vec3; 2],
    /// Centre of box 2 in the frame of box 1, and of box 1 in the frame of box 2.
    pub(super) offset: [Vec3; 2],
    /// Rotation of box 2 in the frame of box 1: row `i`, column `j` is the product of axis `i` of box 1 and
    /// axis `j` of box 2.
    pub(super) rotation: Mat3,
    pub(super) margin: f64,
}
