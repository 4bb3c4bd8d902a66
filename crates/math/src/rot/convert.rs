//! Conversions between quaternions, 3×3 matrices and row-major arrays, and the rotation nearest to any
//! matrix.

use super::frame::normalize3;
use super::quat::{axis_angle_to_quat, quat_mul, quat_normalize};
use crate::real::{Components, Mask, Real};
use crate::{MINVAL, Mat3, Quat, Vec3};

/// The rotation that changes nothing, row-major.
pub const ROWS_IDENTITY: [f64; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

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
pub fn quat_to_rows<T: Real>(q: &[T; 4]) -> [T; 9] {
    let [w, x, y, z] = *q;
    let zero = T::ZERO;
    let still = w.equals(T::ONE).and(x.equals(zero)).and(y.equals(zero)).and(z.equals(zero));
    if still.all() {
        return T::splat_all(&ROWS_IDENTITY);
    }
    let v = T::Vec4::load(q);
    let [ww, xx, yy, zz] = (v * v).store();
    let term = |square: T, signs: [f64; 4]| T::Vec4::splat(square).flipped(signs);
    let diagonal = T::Vec4::splat(ww) + term(xx, [0.0, -0.0, -0.0, 0.0]);
    let diagonal = (diagonal + term(yy, [-0.0, 0.0, -0.0, 0.0])) + term(zz, [-0.0, -0.0, 0.0, 0.0]);
    // pairs xy, xz, yz and wz, wy, wx
    let pairs = v.permuted([1, 1, 2, 0]) * v.permuted([2, 3, 3, 0]);
    let others = T::Vec4::splat(w) * v.permuted([3, 2, 1, 0]);
    let (sum, difference) = (pairs + others, pairs - others);
    let (d, s, t) = (diagonal.store(), (sum + sum).store(), (difference + difference).store());
    let rows = [d[0], t[0], s[1], s[0], d[1], t[2], t[1], s[2], d[2]];
    // exact for the identity, where signs of zeros could differ
    if still.any() { T::select_all(still, &T::splat_all(&ROWS_IDENTITY), &rows) } else { rows }
}

/// Global position of a point `p` of a frame with row-major orientation `mat` and origin `origin`.
#[inline(always)]
#[must_use]
pub fn point_in_frame<T: Real>(mat: &[T; 9], origin: &[T; 3], p: &[T; 3]) -> [T; 3] {
    let row = |r: usize| ((mat[r] * p[0] + mat[r + 1] * p[1]) + mat[r + 2] * p[2]) + origin[r / 3];
    [row(0), row(3), row(6)]
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
/// Each iteration rotates `R` by `Σ rᵢ × mᵢ / |Σ rᵢ · mᵢ|` over matching columns (Müller, Bender,
/// Chentanez and Macklin 2016, "A robust method to extract the rotational part of deformations") and stops at
/// a rotation below 1e-9.
pub fn mat_to_rot(q: &mut Quat, m: &Mat3) -> usize {
    const MAX_ITERATIONS: usize = 500;
    const MIN_ANGLE: f64 = 1e-9;
    for iteration in 0..MAX_ITERATIONS {
        let r = quat_to_mat(q);
        let mut rotation = Vec3::zeros();
        let mut alignment = 0.0;
        for i in 0..3 {
            let (rc, mc) = (r.column(i), m.column(i));
            rotation += rc.cross(&mc);
            alignment += rc[0] * mc[0] + rc[1] * mc[1] + rc[2] * mc[2];
        }
        rotation *= 1.0 / (f64::abs(alignment) + MINVAL);
        let angle = normalize3(&mut rotation);
        if angle < MIN_ANGLE {
            return iteration;
        }
        *q = quat_mul(&axis_angle_to_quat(&rotation, angle), q);
        quat_normalize(q);
    }
    MAX_ITERATIONS
}
