//! Conversions between quaternions, 3×3 matrices and row-major arrays, and the rotation nearest to any
//! matrix.

use super::frame::normalize3;
use super::quat::{QUAT_IDENTITY, axis_angle_to_quat, quat_mul, quat_normalize};
use crate::{MINVAL, Mat3, Quat, Vec3};
use wide::f64x4;

/// Matrix from nine numbers in row-major order.
#[inline]
#[must_use]
pub fn mat3(rows: &[f64; 9]) -> Mat3 {
    let r = rows;
    Mat3::new(r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8])
}

/// Nine numbers of a matrix in row-major order.
#[inline]
#[must_use]
pub fn mat3_row(m: &Mat3) -> [f64; 9] {
    [m.m11, m.m12, m.m13, m.m21, m.m22, m.m23, m.m31, m.m32, m.m33]
}

/// Rotation matrix of a unit quaternion.
#[inline]
#[must_use]
pub fn quat_to_mat(q: &Quat) -> Mat3 {
    mat3(&quat_to_rows(q))
}

/// Rotation matrix of a unit quaternion, row-major: `w² + x² − y² − z²` and so on along the diagonal, `2 (xy
/// ± wz)` and so on off it.
#[inline]
#[must_use]
pub fn quat_to_rows(q: &Quat) -> [f64; 9] {
    if *q == QUAT_IDENTITY {
        return [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    }
    let [w, x, y, z] = *q;
    let [ww, xx, yy, zz] = (f64x4::new(*q) * f64x4::new(*q)).to_array();
    let term = |square: f64, sign: [f64; 4]| f64x4::splat(square) ^ f64x4::new(sign);
    let diagonal = f64x4::splat(ww) + term(xx, [0.0, -0.0, -0.0, 0.0]);
    let d = ((diagonal + term(yy, [-0.0, 0.0, -0.0, 0.0])) + term(zz, [-0.0, -0.0, 0.0, 0.0])).to_array();
    // pairs xy, xz, yz and wz, wy, wx
    let pairs = f64x4::new([x, x, y, w]) * f64x4::new([y, z, z, w]);
    let others = f64x4::splat(w) * f64x4::new([z, y, x, w]);
    let (sum, difference) = (pairs + others, pairs - others);
    let (s, t) = ((sum + sum).to_array(), (difference + difference).to_array());
    [d[0], t[0], s[1], s[0], d[1], t[2], t[1], s[2], d[2]]
}

/// Unit quaternion of a rotation matrix. The component of largest magnitude comes out positive.
#[must_use]
pub fn mat_to_quat(m: &Mat3) -> Quat {
    let (dx, dy, dz) = (m.m11, m.m22, m.m33);
    // differences and sums of mirrored entries: 4wx, 4wy, 4wz and 4xy, 4xz, 4yz
    let (wx, wy, wz) = (m.m32 - m.m23, m.m13 - m.m31, m.m21 - m.m12);
    let (xy, xz, yz) = (m.m12 + m.m21, m.m13 + m.m31, m.m23 + m.m32);
    let mut q = if dx + dy + dz > 0.0 {
        let w = 0.5 * (1.0 + dx + dy + dz).sqrt();
        [w, 0.25 * wx / w, 0.25 * wy / w, 0.25 * wz / w]
    } else if dx > dy && dx > dz {
        let x = 0.5 * (1.0 + dx - dy - dz).sqrt();
        [0.25 * wx / x, x, 0.25 * xy / x, 0.25 * xz / x]
    } else if dy > dz {
        let y = 0.5 * (1.0 - dx + dy - dz).sqrt();
        [0.25 * wy / y, 0.25 * xy / y, y, 0.25 * yz / y]
    } else {
        let z = 0.5 * (1.0 - dx - dy + dz).sqrt();
        [0.25 * wz / z, 0.25 * xz / z, 0.25 * yz / z, z]
    };
    quat_normalize(&mut q);
    q
}

/// Improves `q` until it is the rotational part of the arbitrary matrix `m`, and returns the iterations used
/// (at most 500).
///
/// Each iteration turns the rotation `R` by `Σ rᵢ × mᵢ / |Σ rᵢ · mᵢ|` over matching columns (Müller, Bender,
/// Chentanez and Macklin 2016, "A robust method to extract the rotational part of deformations") and stops at
/// a turn below 1e-9.
pub fn mat_to_rot(q: &mut Quat, m: &Mat3) -> usize {
    const MAX_ITERATIONS: usize = 500;
    const MIN_TURN: f64 = 1e-9;
    for iteration in 0..MAX_ITERATIONS {
        let r = quat_to_mat(q);
        let mut turn = Vec3::zeros();
        let mut alignment = 0.0;
        for i in 0..3 {
            let (rc, mc) = (r.column(i), m.column(i));
            turn += rc.cross(&mc);
            alignment += rc[0] * mc[0] + rc[1] * mc[1] + rc[2] * mc[2];
        }
        turn *= 1.0 / (f64::abs(alignment) + MINVAL);
        let angle = normalize3(&mut turn);
        if angle < MIN_TURN {
            return iteration;
        }
        *q = quat_mul(&axis_angle_to_quat(&turn, angle), q);
        quat_normalize(q);
    }
    MAX_ITERATIONS
}
