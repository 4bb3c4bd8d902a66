//! Solution of three linear equations.

use crate::{Mat3, Vec3};

/// Solves `a x = b` by Gauss–Jordan elimination without pivoting; a zero pivot gives non-finite numbers.
#[must_use]
pub fn solve3(a: &Mat3, b: &Vec3) -> Vec3 {
    let mut m: [[f64; 4]; 3] = core::array::from_fn(|i| [a[(i, 0)], a[(i, 1)], a[(i, 2)], b[i]]);
    for i in 0..3 {
        let pivot = m[i][i];
        for j in i..4 {
            m[i][j] /= pivot;
        }
        let pivot_row = m[i];
        for (k, row) in m.iter_mut().enumerate() {
            if k != i {
                let factor = row[i];
                for j in i..4 {
                    row[j] -= factor * pivot_row[j];
                }
            }
        }
    }
    Vec3::new(m[0][3], m[1][3], m[2][3])
}
