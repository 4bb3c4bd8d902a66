//! Quaternions, rotation matrices, poses and spatial vectors.

use super::functions;
use crate::args::{Fixed, Out, OutFixed, Text, Values};
use crate::errors::fatal;
use kinetree_math::rot::{self, EulerError, mat3, mat3_row};
use kinetree_math::spatial::{SpatialKind, transform_spatial};
use kinetree_math::{Vec3, eig3};
use pyo3::prelude::*;

fn vec3(v: &Fixed<3>) -> Vec3 {
    Vec3::from(v.0)
}

/// Rotates a vector by a quaternion. Writes `res` (3 values); `vec` has 3 values, `quat` is a unit
/// quaternion (w, x, y, z).
#[pyfunction]
fn mju_rotVecQuat(res: OutFixed<'_, 3>, vec: Fixed<3>, quat: Fixed<4>) {
    res.write(&rot::quat_rotate(&quat.0, &vec3(&vec)).into());
}

/// Conjugate of a quaternion, the opposite rotation. Writes `res`; both `res` and `quat` have 4 values.
#[pyfunction]
fn mju_negQuat(res: OutFixed<'_, 4>, quat: Fixed<4>) {
    res.write(&rot::quat_conj(&quat.0));
}

/// Product of two quaternions: the rotation `quat2`, followed by `quat1`. Writes `res`, 4 values.
#[pyfunction]
fn mju_mulQuat(res: OutFixed<'_, 4>, quat1: Fixed<4>, quat2: Fixed<4>) {
    res.write(&rot::quat_mul(&quat1.0, &quat2.0));
}

/// Product of a quaternion and a vector as a pure quaternion. Writes `res` (4 values) from `quat` (4) and
/// `axis` (3).
#[pyfunction]
fn mju_mulQuatAxis(res: OutFixed<'_, 4>, quat: Fixed<4>, axis: Fixed<3>) {
    res.write(&rot::quat_mul_axis(&quat.0, &vec3(&axis)));
}

/// Quaternion of a rotation about an axis. Writes `res` (4 values) from the unit vector `axis` and `angle`
/// in radians.
#[pyfunction]
fn mju_axisAngle2Quat(res: OutFixed<'_, 4>, axis: Fixed<3>, angle: f64) {
    res.write(&rot::axis_angle_to_quat(&vec3(&axis), angle));
}

/// Angular velocity that causes a rotation in a given time. Writes `res` (3 values, rad/s) from the
/// quaternion `quat` and the time `dt` in seconds.
#[pyfunction]
fn mju_quat2Vel(res: OutFixed<'_, 3>, quat: Fixed<4>, dt: f64) {
    res.write(&rot::quat_to_vel(&quat.0, dt).into());
}

/// Difference of two orientations as a rotation vector in the frame of `qb`: `qb` rotated by it gives `qa`.
/// Writes `res` (3 values, radians); `qa` and `qb` are unit quaternions.
#[pyfunction]
fn mju_subQuat(res: OutFixed<'_, 3>, qa: Fixed<4>, qb: Fixed<4>) {
    res.write(&rot::quat_sub(&qa.0, &qb.0).into());
}

/// Rotation matrix of a quaternion. Writes `res` (9 values, row-major) from the unit quaternion `quat`.
#[pyfunction]
fn mju_quat2Mat(res: OutFixed<'_, 9>, quat: Fixed<4>) {
    res.write(&mat3_row(&rot::quat_to_mat(&quat.0)));
}

/// Quaternion of a rotation matrix. Writes `quat` (w, x, y, z) from `mat`, 9 values, row-major.
#[pyfunction]
fn mju_mat2Quat(quat: OutFixed<'_, 4>, mat: Fixed<9>) {
    quat.write(&rot::mat_to_quat(&mat3(&mat.0)));
}

/// Rotation nearest to a 3 × 3 matrix, found by iteration; returns the number of iterations.
///
/// Args:
///     quat: starting point, a unit quaternion; gets the rotation.
///     mat: the matrix, 9 values, row-major.
#[pyfunction]
fn mju_mat2Rot(quat: OutFixed<'_, 4>, mat: Fixed<9>) -> usize {
    let mut q = quat.read();
    let iterations = rot::mat_to_rot(&mut q, &mat3(&mat.0));
    quat.write(&q);
    iterations
}

/// Time derivative of an orientation. Writes `res` (4 values) from the quaternion `quat` and the local
/// angular velocity `vel` (3 values, rad/s).
#[pyfunction]
fn mju_derivQuat(res: OutFixed<'_, 4>, quat: Fixed<4>, vel: Fixed<3>) {
    res.write(&rot::quat_deriv(&quat.0, &vec3(&vel)));
}

/// Rotates a quaternion by an angular velocity for some time, in place.
///
/// Args:
///     quat: unit quaternion, shape (4,), changed.
///     vel: angular velocity in the local frame, shape (3,), in rad/s.
///     scale: time (s).
#[pyfunction]
fn mju_quatIntegrate(quat: OutFixed<'_, 4>, vel: Fixed<3>, scale: f64) {
    let mut q = quat.read();
    rot::quat_integrate(&mut q, &vec3(&vel), scale);
    quat.write(&q);
}

/// Quaternion of the shortest rotation that takes the z axis to a vector. Writes `quat` (4 values) from
/// `vec`, 3 values.
#[pyfunction]
fn mju_quatZ2Vec(quat: OutFixed<'_, 4>, vec: Fixed<3>) {
    quat.write(&rot::quat_z_to_vec(&vec3(&vec)));
}

/// Quaternion of Euler angles.
///
/// Args:
///     quat: array (4,) that gets it.
///     euler: three angles in radians.
///     seq: three letters, the axes in order: `xyz` in lower case for axes that rotate along, `XYZ` for
///         fixed ones.
#[pyfunction]
fn mju_euler2Quat(quat: OutFixed<'_, 4>, euler: Fixed<3>, seq: Text) -> PyResult<()> {
    let seq = seq.0.as_str();
    let q = rot::euler_to_quat(&euler.0, seq).map_err(|e| match e {
        EulerError::Length(_) => fatal("mju_euler2Quat: seq must contain exactly 3 characters"),
        EulerError::Axis(c) => {
            let at = seq.chars().position(|x| x == c).unwrap_or(0);
            fatal(format!("mju_euler2Quat: seq[{at}] is '{c}', should be one of x, y, z, X, Y, Z"))
        }
    })?;
    quat.write(&q);
    Ok(())
}

/// Sets the quaternion `res`, 4 values, to the identity (1, 0, 0, 0).
#[pyfunction]
fn mju_unit4(res: OutFixed<'_, 4>) {
    res.write(&[1.0, 0.0, 0.0, 0.0]);
}

/// Product of two poses: the second, given in the frame of the first, in the frame around both.
///
/// Args:
///     posres: array (3,) that gets the position.
///     quatres: array (4,) that gets the orientation.
///     pos1: position of the first pose, shape (3,).
///     quat1: its orientation, shape (4,).
///     pos2: position of the second pose, shape (3,).
///     quat2: its orientation, shape (4,).
#[pyfunction]
fn mju_mulPose(
    posres: OutFixed<'_, 3>,
    quatres: OutFixed<'_, 4>,
    pos1: Fixed<3>,
    quat1: Fixed<4>,
    pos2: Fixed<3>,
    quat2: Fixed<4>,
) {
    let (pos, quat) = rot::pose_mul(&vec3(&pos1), &quat1.0, &vec3(&pos2), &quat2.0);
    posres.write(&pos.into());
    quatres.write(&quat);
}

/// Inverse of a pose.
///
/// Args:
///     posres: array (3,) that gets the position.
///     quatres: array (4,) that gets the orientation.
///     pos: position, shape (3,).
///     quat: quaternion (w, x, y, z), shape (4,).
#[pyfunction]
fn mju_negPose(posres: OutFixed<'_, 3>, quatres: OutFixed<'_, 4>, pos: Fixed<3>, quat: Fixed<4>) {
    let (pos, quat) = rot::pose_neg(&vec3(&pos), &quat.0);
    posres.write(&pos.into());
    quatres.write(&quat);
}

/// Transforms a point by a pose: rotates `vec` by `quat`, then adds `pos`. Writes `res`, 3 values.
#[pyfunction]
fn mju_trnVecPose(res: OutFixed<'_, 3>, pos: Fixed<3>, quat: Fixed<4>, vec: Fixed<3>) {
    res.write(&rot::pose_apply(&vec3(&pos), &quat.0, &vec3(&vec)).into());
}

/// Expresses a spatial vector (rotational, then translational part) at another point and in other axes.
///
/// Args:
///     res: array (6,) that gets the result.
///     vec: the vector, shape (6,).
///     flg_force: whether it is a force; otherwise a motion.
///     newpos: the new point, shape (3,).
///     oldpos: the old point, shape (3,).
///     rotnew2old: rotation matrix (9 values) from the new axes to the old ones; None keeps the axes.
#[pyfunction]
fn mju_transformSpatial(
    res: OutFixed<'_, 6>,
    vec: Fixed<6>,
    flg_force: i64,
    newpos: Fixed<3>,
    oldpos: Fixed<3>,
    rotnew2old: Option<Fixed<9>>,
) {
    let kind = if flg_force != 0 { SpatialKind::Force } else { SpatialKind::Motion };
    let axes = rotnew2old.map(|r| mat3(&r.0));
    res.write(&transform_spatial(&vec.0, kind, &vec3(&newpos), &vec3(&oldpos), axes.as_ref()));
}

/// Eigenvalues and eigenvectors of a symmetric 3 × 3 matrix; returns the number of iterations.
///
/// Args:
///     eigval: array (3,) that gets the eigenvalues, the largest first.
///     eigvec: array of 9 values that gets the eigenvectors as columns.
///     quat: array (4,) that gets them as a quaternion.
///     mat: the matrix, 9 values.
#[pyfunction]
fn mju_eig3(eigval: OutFixed<'_, 3>, eigvec: OutFixed<'_, 9>, quat: OutFixed<'_, 4>, mat: Fixed<9>) -> usize {
    let result = eig3::eig3(&mat3(&mat.0));
    eigval.write(&result.values);
    eigvec.write(&mat3_row(&result.vectors));
    quat.write(&result.quat);
    result.iterations
}

/// Derivatives of `mju_subQuat` by its two quaternions, in their tangent spaces.
///
/// Args:
///     qa: first quaternion, shape (4,).
///     qb: second quaternion, shape (4,).
///     Da: array of 9 values for the derivative by `qa`, or None.
///     Db: array of 9 values for the derivative by `qb`, or None.
#[pyfunction]
#[pyo3(signature = (qa, qb, Da, Db))]
fn mjd_subQuat(qa: Values, qb: Values, Da: Option<Out<'_>>, Db: Option<Out<'_>>) -> PyResult<()> {
    qa.expect("qa", 4)?;
    qb.expect("qb", 4)?;
    let quat = |v: &Values| [v.values[0], v.values[1], v.values[2], v.values[3]];
    let (a, b) = rot::quat_sub_deriv(&quat(&qa), &quat(&qb));
    for (name, out, value) in [("Da", Da, a), ("Db", Db, b)] {
        if let Some(out) = out {
            out.expect(name, 9)?;
            out.write(&mat3_row(&value))?;
        }
    }
    Ok(())
}

/// Derivatives of `mju_quatIntegrate` by its inputs.
///
/// Args:
///     vel: angular velocity, shape (3,) (rad/s).
///     scale: time (s).
///     Dquat: array of 9 values for the derivative by the quaternion.
///     Dvel: array of 9 values for the derivative by `scale * vel`.
///     Dscale: array (3,) for the derivative by `scale`.
#[pyfunction]
fn mjd_quatIntegrate(
    vel: Fixed<3>,
    scale: f64,
    Dquat: OutFixed<'_, 9>,
    Dvel: OutFixed<'_, 9>,
    Dscale: OutFixed<'_, 3>,
) {
    let d = rot::quat_integrate_deriv(&vec3(&vel), scale);
    Dquat.write(&mat3_row(&d.quat));
    Dvel.write(&mat3_row(&d.vel));
    Dscale.write(&d.scale.into());
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    functions!(module; mju_rotVecQuat mju_negQuat mju_mulQuat mju_mulQuatAxis mju_axisAngle2Quat mju_quat2Vel mju_subQuat
        mju_quat2Mat mju_mat2Quat mju_mat2Rot mju_derivQuat mju_quatIntegrate mju_quatZ2Vec mju_euler2Quat mju_unit4
        mju_mulPose mju_negPose mju_trnVecPose mju_transformSpatial mju_eig3 mjd_subQuat mjd_quatIntegrate);
    Ok(())
}
