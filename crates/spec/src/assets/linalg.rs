//! Small vector helpers of the asset compiler, on plain arrays.
//!
//! Principal axes of symmetric meshes are decided by the last bits of the inertia sums, so these helpers
//! fix the order of every product and sum; they are deliberately not the general routines of the math crate.

/// Norms below this are treated as zero when a vector is normalised.
const TINY: f64 = 1e-14;
/// Off-diagonal magnitude and cosine gap at which the Jacobi iteration stops.
const EIG_TOL: f64 = 1e-12;

/// A point or direction.
pub(crate) type V3 = [f64; 3];

pub(crate) fn sub(a: &V3, b: &V3) -> V3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn dot(a: &V3, b: &V3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: &V3, b: &V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Normalises in place and returns the previous length; a vector that is already unit, or nearly zero, is
/// kept.
pub(crate) fn normalize<const N: usize>(v: &mut [f64; N]) -> f64 {
    let mut square = 0.0;
    for x in v.iter() {
        square += x * x;
    }
    if square < TINY {
        return 0.0;
    }
    let norm = square.sqrt();
    if (norm - 1.0).abs() > TINY {
        for x in v.iter_mut() {
            *x /= norm;
        }
    }
    norm
}

/// Rotation matrix (row-major) of a quaternion.
pub(crate) fn quat_to_mat(q: &[f64; 4]) -> [f64; 9] {
    if *q == [1.0, 0.0, 0.0, 0.0] {
        return [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    }
    let (q00, q01, q02, q03) = (q[0] * q[0], q[0] * q[1], q[0] * q[2], q[0] * q[3]);
    let (q11, q12, q13) = (q[1] * q[1], q[1] * q[2], q[1] * q[3]);
    let (q22, q23, q33) = (q[2] * q[2], q[2] * q[3], q[3] * q[3]);
    [
        q00 + q11 - q22 - q33,
        2.0 * (q12 - q03),
        2.0 * (q13 + q02),
        2.0 * (q12 + q03),
        q00 - q11 + q22 - q33,
        2.0 * (q23 - q01),
        2.0 * (q13 - q02),
        2.0 * (q23 + q01),
        q00 - q11 - q22 + q33,
    ]
}

/// `mat · v`.
pub(crate) fn mat_mul_vec(mat: &[f64; 9], v: &V3) -> V3 {
    [
        mat[0] * v[0] + mat[1] * v[1] + mat[2] * v[2],
        mat[3] * v[0] + mat[4] * v[1] + mat[5] * v[2],
        mat[6] * v[0] + mat[7] * v[1] + mat[8] * v[2],
    ]
}

/// `matᵀ · v`.
pub(crate) fn mat_t_mul_vec(mat: &[f64; 9], v: &V3) -> V3 {
    [
        mat[0] * v[0] + mat[3] * v[1] + mat[6] * v[2],
        mat[1] * v[0] + mat[4] * v[1] + mat[7] * v[2],
        mat[2] * v[0] + mat[5] * v[1] + mat[8] * v[2],
    ]
}

fn mat_mul(a: &[f64; 9], b: &[f64; 9]) -> [f64; 9] {
    let mut out = [0.0; 9];
    for r in 0..3 {
        for c in 0..3 {
            out[3 * r + c] = a[3 * r] * b[c] + a[3 * r + 1] * b[3 + c] + a[3 * r + 2] * b[6 + c];
        }
    }
    out
}

fn transpose(a: &[f64; 9]) -> [f64; 9] {
    [a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8]]
}

fn quat_mul(a: &[f64; 4], b: &[f64; 4]) -> [f64; 4] {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

/// Eigenvalues in decreasing order of a symmetric 3×3 matrix, and the rotation whose columns are the
/// eigenvectors.
///
/// Jacobi rotations are accumulated in a quaternion; ties (within the tolerance) keep their order, so a
/// matrix that is diagonal and already sorted gives the identity.
pub(crate) fn eig3(mat: &[f64; 9]) -> (V3, [f64; 4]) {
    jacobi_frame(mat, FrameEnd::SmallRotation)
}

/// When the rotations of [`jacobi_frame`] end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FrameEnd {
    /// When the largest entry off the diagonal is below a number, or the next rotation below about 1e-6.
    SmallRotation,
    /// When the largest entry off the diagonal is below this share of the largest one on it.
    SmallRest(f64),
}

/// As [`eig3`], with the end of the iteration to choose.
pub(crate) fn jacobi_frame(mat: &[f64; 9], end: FrameEnd) -> (V3, [f64; 4]) {
    let mut tolerance = EIG_TOL;
    let mut quat = [1.0, 0.0, 0.0, 0.0];
    let mut eigval = [0.0; 3];
    for _ in 0..500 {
        let vectors = quat_to_mat(&quat);
        let d = mat_mul(&mat_mul(&transpose(&vectors), mat), &vectors);
        eigval = [d[0], d[4], d[8]];

        // largest off-diagonal entry and the axis whose rotation removes it
        let (row, col, axis) = if d[1].abs() > d[2].abs() && d[1].abs() > d[5].abs() {
            (0, 1, 2)
        } else if d[2].abs() > d[5].abs() {
            (0, 2, 1)
        } else {
            (1, 2, 0)
        };
        let off = d[3 * row + col];
        if let FrameEnd::SmallRest(share) = end {
            tolerance = share * eigval.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        }
        if off.abs() < tolerance {
            break;
        }

        // tangent and cosine of the 2×2 Schur rotation
        let tau = (d[4 * col] - d[4 * row]) / (2.0 * off);
        let root = (1.0 + tau * tau).sqrt();
        let tangent = if tau >= 0.0 { 1.0 / (tau + root) } else { -1.0 / (-tau + root) };
        let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
        if cosine > 1.0 - EIG_TOL && end == FrameEnd::SmallRotation {
            break;
        }

        // the same rotation as a quaternion, by the half-angle formula
        let half = match end {
            FrameEnd::SmallRotation => (0.5 - 0.5 * cosine).sqrt(),
            FrameEnd::SmallRest(_) => tangent.abs() * cosine / (2.0 * (1.0 + cosine)).sqrt(),
        };
        let mut sine = if tau >= 0.0 { -half } else { half };
        if axis == 1 {
            sine = -sine;
        }
        let mut step = [0.0; 4];
        step[axis + 1] = sine;
        step[0] = (1.0 - sine * sine).sqrt();
        normalize(&mut step);
        quat = quat_mul(&quat, &step);
        normalize(&mut quat);
    }

    // bubble sort by quarter turns
    for lead in [0, 1, 0] {
        if eigval[lead] + tolerance < eigval[lead + 1] {
            eigval.swap(lead, lead + 1);
            // fifteen digits, not the nearest double: sorted frames carry its last bits
            #[allow(clippy::approx_constant)]
            let quarter = 0.707106781186548;
            let mut step = [quarter, 0.0, 0.0, 0.0];
            step[(lead + 2) % 3 + 1] = quarter;
            quat = quat_mul(&quat, &step);
            normalize(&mut quat);
        }
    }
    (eigval, quat)
}

/// Area, unit normal and centroid of a triangle; a degenerate one has area 0 and an unnormalised normal.
pub(crate) fn triangle(a: &V3, b: &V3, c: &V3) -> (f64, V3, V3) {
    let center = [(a[0] + b[0] + c[0]) / 3.0, (a[1] + b[1] + c[1]) / 3.0, (a[2] + b[2] + c[2]) / 3.0];
    let mut normal = cross(&sub(b, a), &sub(c, a));
    let len = dot(&normal, &normal).sqrt();
    if len < kinetree_math::MINVAL {
        return (0.0, normal, center);
    }
    for x in &mut normal {
        *x /= len;
    }
    (0.5 * len, normal, center)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvalues_are_sorted_and_rotation_diagonalises() {
        let q = {
            let mut q = [0.3, -0.5, 0.7, 0.1];
            normalize(&mut q);
            q
        };
        let r = quat_to_mat(&q);
        let diag = [1.0, 0.0, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0, 3.0];
        let mat = mat_mul(&mat_mul(&r, &diag), &transpose(&r));
        let (eigval, quat) = eig3(&mat);
        for (got, want) in eigval.iter().zip([5.0, 3.0, 1.0]) {
            assert!((got - want).abs() < 1e-9, "{got} {want}");
        }
        let v = quat_to_mat(&quat);
        let d = mat_mul(&mat_mul(&transpose(&v), &mat), &v);
        // iteration stops when the remaining rotation is about 1e-6
        assert!(d[1].abs() < 1e-5 && d[2].abs() < 1e-5 && d[5].abs() < 1e-5);
    }
}
