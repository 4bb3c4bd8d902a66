//! Quaternion algebra: product, rotation of vectors, exponential and logarithm.
//!
//! The exponential takes a rotation vector `θ a` to `[cos θ/2, a sin θ/2]`; the logarithm returns the shorter
//! of the two rotations, so that an angle above π comes back with the opposite sign.

use super::frame::normalize3;
use crate::lanes3::{after3, load3, next3, store3};
use crate::{MINVAL, Quat, Vec3};
use core::f64::consts::PI;
use wide::f64x4;

/// The rotation that changes nothing.
pub const QUAT_IDENTITY: Quat = [1.0, 0.0, 0.0, 0.0];

/// Hamilton product `a b`: rotate by `b`, then by `a`.
#[inline]
#[must_use]
pub fn quat_mul(a: &Quat, b: &Quat) -> Quat {
    // all components at once: each number of `a` times those of `b` in the order it meets them
    let [w, x, y, z] = *b;
    let term = |a: f64, b: [f64; 4], sign: [f64; 4]| (f64x4::splat(a) ^ f64x4::new(sign)) * f64x4::new(b);
    let sum = f64x4::splat(a[0]) * f64x4::new(*b) + term(a[1], [x, w, z, y], [-0.0, 0.0, -0.0, 0.0]);
    let sum = sum + term(a[2], [y, z, w, x], [-0.0, 0.0, 0.0, -0.0]);
    (sum + term(a[3], [z, y, x, w], [-0.0, -0.0, 0.0, 0.0])).to_array()
}

/// Product of a quaternion and the pure quaternion `[0, axis]`.
#[inline]
#[must_use]
pub fn quat_mul_axis(q: &Quat, axis: &Vec3) -> Quat {
    [
        -q[1] * axis.x - q[2] * axis.y - q[3] * axis.z,
        q[0] * axis.x + q[2] * axis.z - q[3] * axis.y,
        q[0] * axis.y + q[3] * axis.x - q[1] * axis.z,
        q[0] * axis.z + q[1] * axis.y - q[2] * axis.x,
    ]
}

/// Conjugate, which for a unit quaternion is the inverse rotation.
#[inline]
#[must_use]
pub fn quat_conj(q: &Quat) -> Quat {
    [q[0], -q[1], -q[2], -q[3]]
}

/// Scales `q` to unit length and returns the length it had. A length below [`MINVAL`] gives the identity;
/// a length within [`MINVAL`] of one is left untouched, so that normalizing twice changes nothing.
#[inline]
pub fn quat_normalize(q: &mut Quat) -> f64 {
    let norm2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    let norm = norm2.sqrt();
    // mostly the square tells that the length is one, and nobody needs to wait for the root
    if (norm2 - 1.0).abs() < 1.5 * MINVAL {
        return norm;
    }
    if norm < MINVAL {
        *q = QUAT_IDENTITY;
    } else if (norm - 1.0).abs() > MINVAL {
        let inv = 1.0 / norm;
        for c in q.iter_mut() {
            *c *= inv;
        }
    }
    norm
}

/// Rotates `v` by `q`: `v + 2 u × (w v + u × v)` with `q = [w, u]`.
#[inline]
#[must_use]
pub fn quat_rotate(q: &Quat, v: &Vec3) -> Vec3 {
    // exact identity: no rounding at all
    if *q == QUAT_IDENTITY {
        return *v;
    }
    store3(quat_rotate3(q, load3(&(*v).into()))).into()
}

/// The same for a vector in a lane, without a special case for the identity.
#[inline(always)]
#[must_use]
pub fn quat_rotate3(q: &Quat, v: f64x4) -> f64x4 {
    let [w, x, y, z] = *q;
    let (next, after) = (f64x4::new([y, z, x, w]), f64x4::new([z, x, y, w]));
    let t = f64x4::splat(w) * v + next * after3(v) - after * next3(v);
    let turned = next * after3(t) - after * next3(t);
    v + (turned + turned)
}

/// Rotates `v` by the inverse of `q`.
#[inline]
#[must_use]
pub fn quat_rotate_inv(q: &Quat, v: &Vec3) -> Vec3 {
    quat_rotate(&quat_conj(q), v)
}

/// Rotation by `angle` radians about the unit vector `axis`.
#[inline]
#[must_use]
pub fn axis_angle_to_quat(axis: &Vec3, angle: f64) -> Quat {
    if angle == 0.0 {
        return QUAT_IDENTITY;
    }
    let (s, c) = libm::sincos(angle * 0.5);
    [c, axis.x * s, axis.y * s, axis.z * s]
}

/// Constant local angular velocity that turns the identity into `q` within `dt`; its angle is in (−π, π].
#[inline]
#[must_use]
pub fn quat_to_vel(q: &Quat, dt: f64) -> Vec3 {
    let mut axis = Vec3::new(q[1], q[2], q[3]);
    let sin_half = normalize3(&mut axis);
    let mut angle = 2.0 * libm::atan2(sin_half, q[0]);
    if angle > PI {
        angle -= 2.0 * PI;
    }
    axis * (angle / dt)
}

/// Difference of orientations as a local rotation vector: `b exp(result) = a`.
#[inline]
#[must_use]
pub fn quat_sub(a: &Quat, b: &Quat) -> Vec3 {
    quat_to_vel(&quat_mul(&quat_conj(b), a), 1.0)
}

/// Turns `q` for time `dt` with local angular velocity `omega`; `q` is normalized first.
#[inline]
pub fn quat_integrate(q: &mut Quat, omega: &Vec3, dt: f64) {
    let mut axis = *omega;
    let angle = dt * normalize3(&mut axis);
    quat_normalize(q);
    *q = quat_mul(q, &axis_angle_to_quat(&axis, angle));
}

/// Time derivative of `q` under the global angular velocity `omega`: `½ [0, ω] q`.
#[inline]
#[must_use]
pub fn quat_deriv(q: &Quat, omega: &Vec3) -> Quat {
    let (x, y, z) = (omega.x, omega.y, omega.z);
    [
        0.5 * (-x * q[1] - y * q[2] - z * q[3]),
        0.5 * (x * q[0] + y * q[3] - z * q[2]),
        0.5 * (-x * q[3] + y * q[0] + z * q[1]),
        0.5 * (x * q[2] - y * q[1] + z * q[0]),
    ]
}

/// Shortest rotation that takes the z axis to the direction of `v`. A tiny `v` gives the identity,
/// the exact opposite of z a half turn about x.
#[must_use]
pub fn quat_z_to_vec(v: &Vec3) -> Quat {
    let mut dir = *v;
    if normalize3(&mut dir) < MINVAL {
        return QUAT_IDENTITY;
    }
    let mut axis = Vec3::new(-dir.y, dir.x, 0.0);
    let sin = normalize3(&mut axis);
    if sin < MINVAL {
        return if dir.z < 0.0 { [0.0, 1.0, 0.0, 0.0] } else { QUAT_IDENTITY };
    }
    axis_angle_to_quat(&axis, libm::atan2(sin, dir.z))
}
