//! Eigenvalues and eigenvectors of a symmetric matrix by cyclic Jacobi rotations (Golub and Van Loan, "Matrix
//! Computations").

/// Most sweeps over all pairs.
const MAX_SWEEPS: usize = 200;
/// Norm of the entries off the diagonal that is as good as zero.
const TOLERANCE: f64 = 1e-12;
/// Entries below this are left alone.
const NEGLIGIBLE: f64 = 1e-15;

/// Decomposes a symmetric row-major matrix, which becomes diagonal; column `i` of `vectors` belongs to
/// `values[i]`. Returns the number of sweeps.
///
/// ```
/// use kinetree_math::dense::jacobi_eigen;
///
/// let (mut matrix, mut values, mut vectors) = ([2.0, 1.0, 1.0, 2.0], [0.0; 2], [0.0; 4]);
/// assert!(jacobi_eigen(&mut matrix, &mut values, &mut vectors) < 3);
/// assert!((values[0] - 1.0).abs() < 1e-12 && (values[1] - 3.0).abs() < 1e-12);
/// ```
pub fn jacobi_eigen(matrix: &mut [f64], values: &mut [f64], vectors: &mut [f64]) -> usize {
    let n = values.len();
    vectors.fill(0.0);
    (0..n).for_each(|i| vectors[i * n + i] = 1.0);
    let mut sweeps = 0;
    while sweeps < MAX_SWEEPS && off_diagonal2(matrix, n) >= TOLERANCE * TOLERANCE {
        for p in 0..n {
            for q in p + 1..n {
                if matrix[p * n + q].abs() >= NEGLIGIBLE {
                    rotate(matrix, vectors, n, p, q);
                }
            }
        }
        sweeps += 1;
    }
    values.iter_mut().enumerate().for_each(|(i, value)| *value = matrix[i * n + i]);
    sweeps
}

/// Sum of the squares above the diagonal.
fn off_diagonal2(matrix: &[f64], n: usize) -> f64 {
    (0..n).flat_map(|i| &matrix[i * n + i + 1..(i + 1) * n]).map(|x| x * x).sum()
}

/// Makes entry `p, q` zero by a rotation in that plane.
fn rotate(matrix: &mut [f64], vectors: &mut [f64], n: usize, p: usize, q: usize) {
    let entry = matrix[p * n + q];
    let cotangent = (matrix[q * n + q] - matrix[p * n + p]) / (2.0 * entry);
    // the smaller of the two angles
    let tangent = cotangent.signum() / (cotangent.abs() + (1.0 + cotangent * cotangent).sqrt());
    let cos = 1.0 / (1.0 + tangent * tangent).sqrt();
    let sin = tangent * cos;
    matrix[p * n + p] -= tangent * entry;
    matrix[q * n + q] += tangent * entry;
    (matrix[p * n + q], matrix[q * n + p]) = (0.0, 0.0);
    for r in (0..n).filter(|&r| r != p && r != q) {
        let (a, b) = (matrix[r * n + p], matrix[r * n + q]);
        let (a, b) = (cos * a - sin * b, sin * a + cos * b);
        (matrix[r * n + p], matrix[p * n + r]) = (a, a);
        (matrix[r * n + q], matrix[q * n + r]) = (b, b);
    }
    for r in 0..n {
        let (a, b) = (vectors[r * n + p], vectors[r * n + q]);
        (vectors[r * n + p], vectors[r * n + q]) = (cos * a - sin * b, sin * a + cos * b);
    }
}
