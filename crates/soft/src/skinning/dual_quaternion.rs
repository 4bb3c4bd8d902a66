//! Rigid motions as dual quaternions `q + ε d`, which can be averaged (Kavan et al. 2008).

use kinetree_math::rot::{quat_conj, quat_mul, quat_rotate};
use kinetree_math::{Quat, Vec3};

use super::skeleton::Pose;

/// A dual quaternion, not necessarily of unit length.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct DualQuaternion {
    real: Quat,
    dual: Quat,
}

impl DualQuaternion {
    /// The motion of a pose: `q`, and half of the translation times `q`.
    pub(super) fn of(pose: &Pose) -> Self {
        let Vec3 { data, .. } = pose.position;
        let [[x, y, z]] = data.0;
        let dual = quat_mul(&[0.0, x, y, z], &pose.orientation).map(|part| 0.5 * part);
        Self { real: pose.orientation, dual }
    }

    /// Adds another one with a weight, on the side of the sphere of quaternions that is nearer: both signs
    /// are the same motion.
    pub(super) fn blend(&mut self, other: &Self, weight: f64) {
        let dot: f64 = (0..4).map(|k| self.real[k] * other.real[k]).sum();
        let weight = if dot < 0.0 { -weight } else { weight };
        for k in 0..4 {
            self.real[k] += weight * other.real[k];
            self.dual[k] += weight * other.dual[k];
        }
    }

    /// Where the motion takes a point; `None` when the motions that were averaged cancel.
    pub(super) fn transform(&self, point: &Vec3) -> Option<Vec3> {
        let norm = self.real.iter().map(|part| part * part).sum::<f64>().sqrt();
        if norm < 1e-12 {
            return None;
        }
        let (real, dual) = (self.real.map(|part| part / norm), self.dual.map(|part| part / norm));
        let [_, x, y, z] = quat_mul(&dual, &quat_conj(&real)).map(|part| 2.0 * part);
        Some(quat_rotate(&real, point) + Vec3::new(x, y, z))
    }
}
