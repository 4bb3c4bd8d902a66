//! Physically consistent coordinates of a rigid body's inertia: every point of their space is the inertia of
//! some distribution of mass.
//!
//! A body of mass `m` with centre `c` has the covariance `P = ∫ (x−c)(x−c)ᵀ dm / m` of its mass, which is
//! positive definite, and the inertia `m (tr P − P)` about its centre. With the upper triangular factor
//! `P = U Uᵀ`, whose diagonal is the exponential of a coordinate, mass as the exponential of another, and the
//! centre as it is, all ten coordinates are free numbers (the log-Cholesky coordinates of Rucker and Wensing,
//! "Smooth parameterization of rigid-body inertia", 2022, about the centre of mass).

use nalgebra::{Matrix3, Quaternion, Rotation3, UnitQuaternion, Vector3};

/// Number of coordinates.
pub(crate) const COUNT: usize = 10;

/// What the coordinates are.
pub(crate) const NAMES: [&str; COUNT] = [
    "ln mass",
    "ln radius x",
    "ln radius y",
    "ln radius z",
    "shear xy",
    "shear yz",
    "shear xz",
    "centre x",
    "centre y",
    "centre z",
];

/// Entries of the upper triangular factor that coordinates 4 to 6 are.
const SHEARS: [(usize, usize); 3] = [(0, 1), (1, 2), (0, 2)];
/// Entries of a symmetric matrix in the order of the inertial parameters.
const ENTRIES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

/// Fields of the model that say what a body weighs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyInertia {
    pub(crate) mass: f64,
    pub(crate) ipos: [f64; 3],
    pub(crate) iquat: [f64; 4],
    pub(crate) inertia: [f64; 3],
}

fn factor(coordinates: &[f64]) -> Matrix3<f64> {
    let mut u = Matrix3::zeros();
    for k in 0..3 {
        u[(k, k)] = libm::exp(coordinates[1 + k]);
        u[SHEARS[k]] = coordinates[4 + k];
    }
    u
}

fn centre(coordinates: &[f64]) -> Vector3<f64> {
    Vector3::from_column_slice(&coordinates[7..COUNT])
}

/// The coordinates of a body's inertia; none when its mass is a point, a line or a plane.
pub(crate) fn coordinates(body: &BodyInertia) -> Option<[f64; COUNT]> {
    let [w, x, y, z] = body.iquat;
    let axes = UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z)).to_rotation_matrix();
    let half = 0.5 * body.inertia.iter().sum::<f64>();
    // tr P − P has the principal moments over the mass as its eigenvalues
    let principal = Vector3::from_fn(|k, _| (half - body.inertia[k]) / body.mass);
    let p = axes.matrix() * Matrix3::from_diagonal(&principal) * axes.matrix().transpose();
    // from the last row up: the upper factor
    let mut u = Matrix3::zeros();
    let size = p.trace();
    for j in (0..3).rev() {
        let square = p[(j, j)] - (j + 1..3).map(|k| u[(j, k)] * u[(j, k)]).sum::<f64>();
        if !(square > 1e-9 * size && body.mass > 0.0) {
            return None;
        }
        u[(j, j)] = square.sqrt();
        for i in 0..j {
            let rest = p[(i, j)] - (j + 1..3).map(|k| u[(i, k)] * u[(j, k)]).sum::<f64>();
            u[(i, j)] = rest / u[(j, j)];
        }
    }
    let mut found = [0.0; COUNT];
    found[0] = libm::log(body.mass);
    for k in 0..3 {
        found[1 + k] = libm::log(u[(k, k)]);
        found[4 + k] = u[SHEARS[k]];
        found[7 + k] = body.ipos[k];
    }
    Some(found)
}

/// The fields of a body from coordinates.
pub(crate) fn body(coordinates: &[f64]) -> BodyInertia {
    let (u, mass) = (factor(coordinates), libm::exp(coordinates[0]));
    let second = u * u.transpose();
    if !second.iter().all(|x| x.is_finite()) {
        // coordinates so large that a simulation with them is unstable; their axes would be looked for
        // without end
        return BodyInertia {
            mass: f64::NAN,
            ipos: [0.0; 3],
            iquat: [1.0, 0.0, 0.0, 0.0],
            inertia: [f64::NAN; 3],
        };
    }
    let eigen = second.symmetric_eigen();
    let mut axes = eigen.eigenvectors;
    if axes.determinant() < 0.0 {
        axes.column_mut(2).neg_mut();
    }
    let rotation = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
    let trace = eigen.eigenvalues.sum();
    BodyInertia {
        mass,
        ipos: centre(coordinates).into(),
        iquat: [rotation.w, rotation.i, rotation.j, rotation.k],
        inertia: std::array::from_fn(|k| mass * (trace - eigen.eigenvalues[k])),
    }
}

/// The ten inertial parameters about the frame of the body (mass, first moments, moments xx, yy, zz, xy, xz,
/// yz), from mass, centre and second moments `Q = ∫ x xᵀ dm / m`.
fn parameters(mass: f64, first: Vector3<f64>, second: &Matrix3<f64>) -> [f64; COUNT] {
    let inertia = Matrix3::identity() * second.trace() - second;
    let mut found = [0.0; COUNT];
    found[0] = mass;
    found[1..4].copy_from_slice(first.as_slice());
    for (value, entry) in found[4..].iter_mut().zip(ENTRIES) {
        *value = inertia[entry];
    }
    found
}

/// Inertial parameters of a body's fields.
pub(crate) fn inertial(body: &BodyInertia) -> [f64; COUNT] {
    let [w, x, y, z] = body.iquat;
    let axes = UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z)).to_rotation_matrix();
    let half = 0.5 * body.inertia.iter().sum::<f64>();
    let principal = Vector3::from_fn(|k, _| half - body.inertia[k]);
    let c = Vector3::from(body.ipos);
    let second = axes.matrix() * Matrix3::from_diagonal(&principal) * axes.matrix().transpose();
    parameters(body.mass, body.mass * c, &(second + body.mass * c * c.transpose()))
}

/// Derivatives of the inertial parameters, a row for each coordinate.
pub(crate) fn derivatives(coordinates: &[f64]) -> [[f64; COUNT]; COUNT] {
    let (u, c, mass) = (factor(coordinates), centre(coordinates), libm::exp(coordinates[0]));
    let second = u * u.transpose() + c * c.transpose();
    let by_factor = |entry: (usize, usize), change: f64| {
        let mut du = Matrix3::zeros();
        du[entry] = change;
        let half = mass * du * u.transpose();
        parameters(0.0, Vector3::zeros(), &(half + half.transpose()))
    };
    std::array::from_fn(|row| match row {
        0 => parameters(mass, mass * c, &(mass * second)),
        1..4 => by_factor((row - 1, row - 1), u[(row - 1, row - 1)]),
        4..7 => by_factor(SHEARS[row - 4], 1.0),
        _ => {
            let mut axis = Vector3::zeros();
            axis[row - 7] = mass;
            parameters(0.0, axis, &(axis * c.transpose() + c * axis.transpose()))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: BodyInertia = BodyInertia {
        mass: 2.5,
        ipos: [0.1, -0.2, 0.05],
        iquat: [0.8, 0.36, -0.48, 0.0],
        inertia: [0.04, 0.03, 0.02],
    };

    #[test]
    fn coordinates_are_those_of_the_inertia() {
        let found = coordinates(&BODY).unwrap();
        let (expected, again) = (inertial(&BODY), inertial(&body(&found)));
        for (a, b) in expected.iter().zip(again) {
            assert!((a - b).abs() < 1e-13, "{expected:?} {again:?}");
        }
        // any numbers are an inertia whose moments satisfy the triangle inequality
        let any = body(&[-1.0, -3.0, 0.5, -9.0, 2.0, -4.0, 1.0, 0.3, 0.2, 0.1]);
        let [a, b, c] = any.inertia;
        assert!(a > 0.0 && a < b + c && b < a + c && c < a + b);
        let flat = BodyInertia { inertia: [0.02, 0.01, 0.01], ..BODY };
        assert!(coordinates(&flat).is_none());
    }

    #[test]
    fn derivatives_are_those_of_the_parameters() {
        let at = coordinates(&BODY).unwrap();
        for (k, row) in derivatives(&at).iter().enumerate() {
            let moved = |h: f64| {
                let mut moved = at;
                moved[k] += h;
                inertial(&body(&moved))
            };
            let (plus, minus) = (moved(1e-5), moved(-1e-5));
            for (value, (plus, minus)) in row.iter().zip(plus.iter().zip(minus)) {
                assert!((value - (plus - minus) / 2e-5).abs() < 1e-9, "{k}");
            }
        }
    }
}
