//! Eigenvalues and eigenvectors of a symmetric 3×3 matrix, with the eigenvectors as a rotation.
//!
//! Jacobi's method: each iteration rotates away the largest off-diagonal entry, and the rotations accumulate
//! in a quaternion, so that the eigenvectors always form a right-handed frame. Eigenvalues come out in
//! decreasing order; swapping two of them is a rotation by 90° about the third axis.
//!
//! ```
//! use kinetree_math::{Mat3, eig3::eig3};
//!
//! let found = eig3(&Mat3::new(2.0, 1.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 5.0));
//! assert!(found.values.iter().zip([5.0_f64, 3.0, 1.0]).all(|(a, b)| (a - b).abs() < 1e-12));
//! ```

use crate::rot::{QUAT_IDENTITY, quat_mul, quat_normalize, quat_to_mat};
use crate::{MINVAL, Mat3, Quat};

/// Result of [`eig3`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Eig3 {
    /// Eigenvalues, decreasing.
    pub values: [f64; 3],
    /// Eigenvectors in the columns, a rotation matrix.
    pub vectors: Mat3,
    /// The same rotation as a quaternion.
    pub quat: Quat,
    /// Jacobi rotations that were used.
    pub iterations: usize,
}

const MAX_ITERATIONS: usize = 500;
const EPS: f64 = MINVAL * 1000.0;

/// Decomposes a symmetric matrix.
#[must_use]
pub fn eig3(mat: &Mat3) -> Eig3 {
    let mut quat = QUAT_IDENTITY;
    let mut values = [0.0; 3];
    let mut iterations = MAX_ITERATIONS;
    for iteration in 0..MAX_ITERATIONS {
        let v = quat_to_mat(&quat);
        let d = v.transpose() * mat * v;
        values = [d.m11, d.m22, d.m33];
        match jacobi_rotation(&d) {
            Some(rotation) => {
                quat = quat_mul(&quat, &rotation);
                quat_normalize(&mut quat);
            }
            None => {
                iterations = iteration;
                break;
            }
        }
    }
    sort_decreasing(&mut values, &mut quat);
    Eig3 { values, vectors: quat_to_mat(&quat), quat, iterations }
}

/// Rotation that clears the largest off-diagonal entry, unless there is nothing left to clear.
fn jacobi_rotation(d: &Mat3) -> Option<Quat> {
    let (xy, xz, yz) = (d.m12.abs(), d.m13.abs(), d.m23.abs());
    let (row, col, axis) = if xy > xz && xy > yz {
        (0, 1, 2)
    } else if xz > yz {
        (0, 2, 1)
    } else {
        (1, 2, 0)
    };
    let off = d[(row, col)];
    if off.abs() < EPS {
        return None;
    }
    // tangent and cosine of the smaller of the two angles that diagonalize the 2×2 block
    let tau = (d[(col, col)] - d[(row, row)]) / (2.0 * off);
    let root = (1.0 + tau * tau).sqrt();
    let t = if tau >= 0.0 { 1.0 / (tau + root) } else { -1.0 / (-tau + root) };
    let cos = 1.0 / (1.0 + t * t).sqrt();
    if cos > 1.0 - EPS {
        return None;
    }
    let half_sin = (0.5 - 0.5 * cos).sqrt();
    // the pair (x, z) rotates against the sense of the y axis
    let negative = (tau >= 0.0) != (axis == 1);
    let mut rotation = [0.0; 4];
    rotation[axis + 1] = if negative { -half_sin } else { half_sin };
    rotation[0] = (1.0 - half_sin * half_sin).sqrt();
    quat_normalize(&mut rotation);
    Some(rotation)
}

/// Sine and cosine of π/4 with the digits of the reference: where boxes just touch, its broad phase decides
/// by the last bit of the axes that come from here.
#[allow(clippy::approx_constant)]
const HALF_RIGHT_ANGLE: f64 = 0.707_106_781_186_548;

/// Three compare-and-swap steps; values closer than the tolerance keep their order.
fn sort_decreasing(values: &mut [f64; 3], quat: &mut Quat) {
    for lead in [0, 1, 0] {
        if values[lead] + EPS < values[lead + 1] {
            values.swap(lead, lead + 1);
            let mut quarter = [HALF_RIGHT_ANGLE, 0.0, 0.0, 0.0];
            quarter[(lead + 2) % 3 + 1] = HALF_RIGHT_ANGLE;
            *quat = quat_mul(quat, &quarter);
            quat_normalize(quat);
        }
    }
}
