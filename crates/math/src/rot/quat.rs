//! Quaternion algebra: product, rotation of vectors, exponential and logarithm.
//!
//! The exponential takes a rotation vector `θ a` to `[cos θ/2, a sin θ/2]`; the logarithm returns the shorter
//! of the two rotations, so that an angle above π comes back with the opposite sign.

use super::frame::normalize3;
use crate::lanes3::{after3, load3, next3, store3};
use crate::real::{Components, Mask, Real};
use crate::{MINVAL, Quat, Vec3};
use core::f64::consts::PI;
use nalgebra::Vector3;

/// The rotation that changes nothing.
pub const QUAT_IDENTITY: Quat = [1.0, 0.0, 0.0, 0.0];

/// Hamilton product `a b`: rotate by `b`, then by `a`.
#[inline]
#[must_use]
pub fn quat_mul<T: Real>(a: &[T; 4], b: &[T; 4]) -> [T; 4] {
    // all components at once: each number of `a` times those of `b` in the order it meets them
    let b = T::Vec4::load(b);
    let term =
        |a: T, order: [usize; 4], signs: [f64; 4]| T::Vec4::splat(a).flipped(signs) * b.permuted(order);
    let sum = T::Vec4::splat(a[0]) * b + term(a[1], [1, 0, 3, 2], [-0.0, 0.0, -0.0, 0.0]);
    let sum = sum + term(a[2], [2, 3, 0, 1], [-0.0, 0.0, 0.0, -0.0]);
    (sum + term(a[3], [3, 2, 1, 0], [-0.0, -0.0, 0.0, 0.0])).store()
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
pub fn quat_normalize<T: Real>(q: &mut [T; 4]) -> T {
    let norm2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    let norm = norm2.root();
    // mostly the square tells that the length is one, and nobody needs to wait for the root
    let near = (norm2 - T::ONE).magnitude().below(T::splat(1.5 * MINVAL));
    if !near.all() {
        *q = scale_to_unit(*q, norm, near);
    }
    norm
}

/// Scales quaternions to unit length that are not near it.
#[inline(never)]
fn scale_to_unit<T: Real>(q: [T; 4], norm: T, near: T::Mask) -> [T; 4] {
    let least = T::splat(MINVAL);
    let not_unit = least.below((norm - T::ONE).magnitude());
    let inverse = T::ONE / norm;
    let scaled = q.map(|c| c * inverse);
    let far = T::select_all(not_unit, &scaled, &q);
    let far = T::select_all(norm.below(least), &T::splat_all(&QUAT_IDENTITY), &far);
    T::select_all(near, &q, &far)
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

/// The same for the components of a vector, without a special case for the identity.
#[inline(always)]
#[must_use]
pub fn quat_rotate3<T: Real>(q: &[T; 4], v: T::Vec3) -> T::Vec3 {
    let [w, x, y, z] = *q;
    let (next, after) = (T::Vec3::load(&[y, z, x]), T::Vec3::load(&[z, x, y]));
    let t = T::Vec3::splat(w) * v + next * after3(v) - after * next3(v);
    let half = next * after3(t) - after * next3(t);
    v + (half + half)
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
pub fn axis_angle_to_quat<T: Real>(axis: &Vector3<T>, angle: T) -> [T; 4] {
    let still = angle.equals(T::ZERO);
    if still.all() {
        return T::splat_all(&QUAT_IDENTITY);
    }
    let (s, c) = (angle * T::splat(0.5)).sine_cosine();
    let quat = [c, axis.x * s, axis.y * s, axis.z * s];
    if still.any() { T::select_all(still, &T::splat_all(&QUAT_IDENTITY), &quat) } else { quat }
}

/// Constant local angular velocity that rotates the identity into `q` within `dt`; its angle is in (−π, π].
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

/// Rotates `q` for time `dt` with local angular velocity `omega`; `q` is normalized first.
#[inline]
pub fn quat_integrate<T: Real>(q: &mut [T; 4], omega: &Vector3<T>, dt: f64) {
    let mut axis = *omega;
    let angle = T::splat(dt) * normalize3(&mut axis);
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
