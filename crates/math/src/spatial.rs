//! Spatial (6D) vectors and inertias.
//!
//! Motions are `[angular, linear]` and forces `[torque, force]`, both about a common reference point with global axes
//! (MuJoCo takes the centre of mass of the kinematic tree). An inertia is ten numbers `[xx, yy, zz, xy, xz, yz, mx, my, mz, m]`:
//! the rotational inertia about the reference point, mass times the offset of the centre of mass, and mass; they stand for
//! `[[I, [mc]×], [−[mc]×, m 1]]`. See Featherstone, "Rigid Body Dynamics Algorithms", chapter 2.

use crate::{Mat3, Vec3};

/// Spatial motion or force: angular part first.
pub type Vec6 = [f64; 6];
/// Spatial inertia about a reference point, ten numbers.
pub type Inertia = [f64; 10];

/// Angular part (or torque) of a spatial vector.
#[inline]
#[must_use]
pub fn angular(v: &Vec6) -> Vec3 {
    Vec3::new(v[0], v[1], v[2])
}

/// Linear part (or force) of a spatial vector.
#[inline]
#[must_use]
pub fn linear(v: &Vec6) -> Vec3 {
    Vec3::new(v[3], v[4], v[5])
}

/// Spatial vector from its angular and linear parts.
#[inline]
#[must_use]
pub fn vec6(angular: &Vec3, linear: &Vec3) -> Vec6 {
    [angular.x, angular.y, angular.z, linear.x, linear.y, linear.z]
}

/// Scalar product of a motion and a force: power.
#[inline]
#[must_use]
pub fn dot6(a: &Vec6, b: &Vec6) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5]
}

/// Sum of two spatial vectors.
#[inline]
#[must_use]
pub fn add6(a: &Vec6, b: &Vec6) -> Vec6 {
    core::array::from_fn(|i| a[i] + b[i])
}

/// Difference of two spatial vectors.
#[inline]
#[must_use]
pub fn sub6(a: &Vec6, b: &Vec6) -> Vec6 {
    core::array::from_fn(|i| a[i] - b[i])
}

/// Spatial vector times a number.
#[inline]
#[must_use]
pub fn scale6(a: &Vec6, s: f64) -> Vec6 {
    core::array::from_fn(|i| a[i] * s)
}

/// Adds `s v` to `acc`.
#[inline]
pub fn add_scaled6(acc: &mut Vec6, v: &Vec6, s: f64) {
    for i in 0..6 {
        acc[i] += v[i] * s;
    }
}

/// Adds `v` to `acc`.
#[inline]
pub fn add_to6(acc: &mut Vec6, v: &Vec6) {
    for i in 0..6 {
        acc[i] += v[i];
    }
}

/// Adds inertia `b` to `acc`; both must be about the same reference point.
#[inline]
pub fn add_inert(acc: &mut Inertia, b: &Inertia) {
    for i in 0..10 {
        acc[i] += b[i];
    }
}

/// Motion cross product `v × m`: rate of change of motion `m` that moves along with velocity `v`.
#[inline]
#[must_use]
pub fn cross_motion(v: &Vec6, m: &Vec6) -> Vec6 {
    [
        -v[2] * m[1] + v[1] * m[2],
        v[2] * m[0] - v[0] * m[2],
        -v[1] * m[0] + v[0] * m[1],
        (-v[2] * m[4] + v[1] * m[5]) + (-v[5] * m[1] + v[4] * m[2]),
        (v[2] * m[3] - v[0] * m[5]) + (v[5] * m[0] - v[3] * m[2]),
        (-v[1] * m[3] + v[0] * m[4]) + (-v[4] * m[0] + v[3] * m[1]),
    ]
}

/// Force cross product `v ×* f`: rate of change of force `f` that moves along with velocity `v`.
#[inline]
#[must_use]
pub fn cross_force(v: &Vec6, f: &Vec6) -> Vec6 {
    [
        (-v[2] * f[1] + v[1] * f[2]) + (-v[5] * f[4] + v[4] * f[5]),
        (v[2] * f[0] - v[0] * f[2]) + (v[5] * f[3] - v[3] * f[5]),
        (-v[1] * f[0] + v[0] * f[1]) + (-v[4] * f[3] + v[3] * f[4]),
        -v[2] * f[4] + v[1] * f[5],
        v[2] * f[3] - v[0] * f[5],
        -v[1] * f[3] + v[0] * f[4],
    ]
}

/// Spatial inertia of a body whose principal inertia is `diag`, with principal axes in the columns of `mat` (global
/// coordinates), mass `mass`, and centre of mass at `dif` from the reference point.
#[inline]
#[must_use]
pub fn inert_com(diag: &[f64; 3], mat: &Mat3, dif: &Vec3, mass: f64) -> Inertia {
    // R diag Rᵀ, entry by entry
    let rotated = |i: usize, j: usize| {
        mat[(i, 0)] * (mat[(j, 0)] * diag[0])
            + mat[(i, 1)] * (mat[(j, 1)] * diag[1])
            + mat[(i, 2)] * (mat[(j, 2)] * diag[2])
    };
    let (x, y, z) = (dif.x, dif.y, dif.z);
    // parallel axis theorem: add m (|c|² 1 − c cᵀ)
    [
        rotated(0, 0) + mass * (y * y + z * z),
        rotated(1, 1) + mass * (x * x + z * z),
        rotated(2, 2) + mass * (x * x + y * y),
        rotated(0, 1) - mass * x * y,
        rotated(0, 2) - mass * x * z,
        rotated(1, 2) - mass * y * z,
        mass * x,
        mass * y,
        mass * z,
        mass,
    ]
}

/// Inertia times motion: momentum (of a velocity) or force (of an acceleration).
#[inline]
#[must_use]
pub fn mul_inert_vec(i: &Inertia, v: &Vec6) -> Vec6 {
    [
        i[0] * v[0] + i[3] * v[1] + i[4] * v[2] - i[8] * v[4] + i[7] * v[5],
        i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + i[8] * v[3] - i[6] * v[5],
        i[4] * v[0] + i[5] * v[1] + i[2] * v[2] - i[7] * v[3] + i[6] * v[4],
        i[8] * v[1] - i[7] * v[2] + i[9] * v[3],
        i[6] * v[2] - i[8] * v[0] + i[9] * v[4],
        i[7] * v[0] - i[6] * v[1] + i[9] * v[5],
    ]
}

/// Motion of a unit joint velocity: a rotation about `axis` when `offset` (reference point minus anchor) is given,
/// a translation along `axis` when it is not.
#[inline]
#[must_use]
pub fn dof_com(axis: &Vec3, offset: Option<&Vec3>) -> Vec6 {
    match offset {
        Some(offset) => vec6(axis, &axis.cross(offset)),
        None => vec6(&Vec3::zeros(), axis),
    }
}

/// Sum of joint motions weighted by joint velocities, `Σ dofᵢ velᵢ`; the shorter slice decides how many.
#[inline]
#[must_use]
pub fn mul_dof_vec(dof: &[Vec6], vel: &[f64]) -> Vec6 {
    let mut sum = [0.0; 6];
    for (axis, &rate) in dof.iter().zip(vel) {
        add_scaled6(&mut sum, axis, rate);
    }
    sum
}

/// What a spatial vector is, which decides how a change of reference point acts on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpatialKind {
    /// Velocity or acceleration.
    Motion,
    /// Force, or momentum.
    Force,
}

/// Moves a spatial vector from reference point `old_pos` to `new_pos` (both in old axes), then into the axes that are the
/// columns of `new_axes`, if given.
#[inline]
#[must_use]
pub fn transform_spatial(
    v: &Vec6,
    kind: SpatialKind,
    new_pos: &Vec3,
    old_pos: &Vec3,
    new_axes: Option<&Mat3>,
) -> Vec6 {
    let dif = new_pos - old_pos;
    let (mut ang, mut lin) = (angular(v), linear(v));
    match kind {
        SpatialKind::Force => ang -= dif.cross(&lin),
        SpatialKind::Motion => lin -= dif.cross(&ang),
    }
    match new_axes {
        Some(axes) => vec6(&mul_transposed(axes, &ang), &mul_transposed(axes, &lin)),
        None => vec6(&ang, &lin),
    }
}

/// `mᵀ v` with a fixed order of summation.
#[inline]
fn mul_transposed(m: &Mat3, v: &Vec3) -> Vec3 {
    Vec3::new(
        m.m11 * v.x + m.m21 * v.y + m.m31 * v.z,
        m.m12 * v.x + m.m22 * v.y + m.m32 * v.z,
        m.m13 * v.x + m.m23 * v.y + m.m33 * v.z,
    )
}
