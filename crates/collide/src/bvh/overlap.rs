//! Overlap test of two oriented boxes along their six face normals.
//!
//! Box 2 is brought into the frame of box 1 with `R = R₁ᵀR₂`, `t = R₁ᵀ(p₂ − p₁)`; along face normal `k` of
//! box 1 the boxes are separated when the centres differ by more than `h₁ₖ + Σ|Rₖₗ|h₂ₗ` plus the margin, and
//! likewise for box 2. The nine edge directions are left out: the test may keep a pair that does not touch,
//! never lose one that does.

use kinetree_math::{Mat3, Vec3};

use crate::Pose;

/// Half sizes from here on mean "unbounded" (planes).
const UNBOUNDED: f64 = 1e10;

/// Relative placement of two frames, computed once for many boxes.
#[derive(Clone, Copy, Debug)]
pub(super) struct RelativeFrame {
    rotation: Mat3,
    absolute: Mat3,
    offset1: Vec3,
    offset2: Vec3,
}

impl RelativeFrame {
    pub(super) fn new(frame1: &Pose, frame2: &Pose) -> Self {
        let rotation = frame1.mat.tr_mul(&frame2.mat);
        let shift = frame2.pos - frame1.pos;
        Self {
            rotation,
            absolute: rotation.abs(),
            offset1: frame1.mat.tr_mul(&shift),
            offset2: frame2.mat.tr_mul(&shift),
        }
    }

    /// True unless a face normal separates the boxes by more than `margin`.
    #[inline]
    pub(super) fn overlap(&self, box1: &[f64; 6], box2: &[f64; 6], margin: f64) -> bool {
        let centre1 = Vec3::new(box1[0], box1[1], box1[2]);
        let half1 = Vec3::new(box1[3], box1[4], box1[5]);
        let centre2 = Vec3::new(box2[0], box2[1], box2[2]);
        let half2 = Vec3::new(box2[3], box2[4], box2[5]);

        // the faces of a box say nothing about a box that is unbounded in some direction
        let bounded1 = half1.max() < UNBOUNDED;
        let bounded2 = half2.max() < UNBOUNDED;
        if bounded2 {
            let separation = self.offset1 + self.rotation * centre2 - centre1;
            let reach = half1 + self.absolute * half2;
            if (0..3).any(|k| reach[k] + margin < separation[k].abs()) {
                return false;
            }
        }
        if bounded1 {
            let separation = self.offset2 + centre2 - self.rotation.tr_mul(&centre1);
            let reach = half2 + self.absolute.tr_mul(&half1);
            if (0..3).any(|k| reach[k] + margin < separation[k].abs()) {
                return false;
            }
        }
        true
    }
}

/// Do two boxes (centre and half sizes in their own frames) come within `margin` along every face normal?
///
/// A half size of 1e10 or more means that the box is unbounded in that direction.
#[must_use]
pub fn obb_overlap(box1: &[f64; 6], frame1: &Pose, box2: &[f64; 6], frame2: &Pose, margin: f64) -> bool {
    RelativeFrame::new(frame1, frame2).overlap(box1, box2, margin)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f64, y: f64, z: f64) -> Pose {
        Pose { pos: Vec3::new(x, y, z), mat: Mat3::identity() }
    }

    #[test]
    fn separation_is_judged_with_the_margin() {
        let unit = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
        assert!(obb_overlap(&unit, &at(0.0, 0.0, 0.0), &unit, &at(1.9, 0.0, 0.0), 0.0));
        assert!(!obb_overlap(&unit, &at(0.0, 0.0, 0.0), &unit, &at(2.1, 0.0, 0.0), 0.0));
        assert!(obb_overlap(&unit, &at(0.0, 0.0, 0.0), &unit, &at(2.1, 0.0, 0.0), 0.2));
    }

    #[test]
    fn a_plane_bounds_only_its_normal() {
        let unit = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
        let plane = [0.0, 0.0, -5e9, 1e10, 1e10, 5e9];
        assert!(obb_overlap(&plane, &at(0.0, 0.0, 0.0), &unit, &at(1e6, 0.0, 0.5), 0.0));
        assert!(!obb_overlap(&plane, &at(0.0, 0.0, 0.0), &unit, &at(0.0, 0.0, 1.5), 0.0));
    }
}
