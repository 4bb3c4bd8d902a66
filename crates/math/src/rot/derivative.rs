//! Derivatives of quaternion difference and integration, in the tangent space (three numbers per rotation).
//!
//! Solà, "Quaternion kinematics for the error-state Kalman filter", and Solà, Deray and Atchuthan, "A micro
//! Lie theory" (eq. 143 and 183) give the Jacobians of the logarithm and the exponential that are used here.

use super::frame::normalize3;
use super::quat::quat_sub;
use crate::{Mat3, Quat, Vec3};

/// Derivatives of [`quat_sub`] with respect to local rotations of `a` and of `b`, in this order.
///
/// With `θ u` the difference, `h = θ/2` and `K = [u]×`: `∂/∂a = I + h K + (1 − h / tan h) K²` and `∂/∂b =
/// −(∂/∂a)ᵀ`.
#[must_use]
pub fn quat_sub_deriv(a: &Quat, b: &Quat) -> (Mat3, Mat3) {
    let mut axis = quat_sub(a, b);
    let half = 0.5 * normalize3(&mut axis);
    let k = axis.cross_matrix();
    let quadratic = 1.0 - if half < 6e-8 { 1.0 } else { half / libm::tan(half) };
    let da = Mat3::identity() + k * half + (k * k) * quadratic;
    (da, -da.transpose())
}

/// Derivatives of the tangent of [`quat_integrate`](super::quat_integrate)'s result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuatIntegrateDeriv {
    /// With respect to a local rotation of the initial quaternion.
    pub quat: Mat3,
    /// With respect to the velocity scaled by time, `dt ω`.
    pub vel: Mat3,
    /// With respect to time `dt`.
    pub scale: Vec3,
}

/// Derivatives of [`quat_integrate`](super::quat_integrate) at local velocity `omega` and time `dt`.
///
/// With `s = dt ω` and `x = |s|` they are combinations of `I`, `−[s]×` and `s sᵀ` with coefficients `cos x`,
/// `sin x / x`, `(1 − cos x)/x²` and `(x − sin x)/x³`, which are evaluated as Taylor series at small `x`.
#[must_use]
pub fn quat_integrate_deriv(omega: &Vec3, dt: f64) -> QuatIntegrateDeriv {
    let s = omega * dt;
    let (eye, cross, outer) = (Mat3::identity(), -s.cross_matrix(), s * s.transpose());
    let xx = s.x * s.x + s.y * s.y + s.z * s.z;
    let x = xx.sqrt();
    let a = libm::cos(x);
    let (b, c, d) = if x > 1.0 / 32.0 {
        let b = libm::sin(x) / x;
        (b, (1.0 - a) / xx, (1.0 - b) / xx)
    } else {
        (
            1.0 + xx / 6.0 * (xx / 20.0 * (1.0 - xx / 42.0) - 1.0),
            (1.0 + xx / 12.0 * (xx / 30.0 * (1.0 - xx / 56.0) - 1.0)) / 2.0,
            (1.0 + xx / 20.0 * (xx / 42.0 * (1.0 - xx / 72.0) - 1.0)) / 6.0,
        )
    };
    let vel = eye * b + cross * c + outer * d;
    QuatIntegrateDeriv { quat: eye * a + cross * b + outer * c, vel, scale: vel * omega }
}
