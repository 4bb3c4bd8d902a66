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

/// Rotates a vector by a quaternion.
#[pyfunction]
fn mju_rotVecQuat(res: OutFixed<'_, 3>, vec: Fixed<3>, quat: Fixed<4>) {
    res.write(&rot::quat_rotate(&quat.0, &vec3(&vec)).into());
}

/// Conjugate quaternion, the opposite rotation.
#[pyfunction]
fn mju_negQuat(res: OutFixed<'_, 4>, quat: Fixed<4>) {
    res.write(&rot::quat_conj(&quat.0));
}

/// Product of quaternions.
#[pyfunction]
fn mju_mulQuat(res: OutFixed<'_, 4>, quat1: Fixed<4>, quat2: Fixed<4>) {
    res.write(&rot::quat_mul(&quat1.0, &quat2.0));
}

/// Product of a quaternion and an axis.
#[pyfunction]
fn mju_mulQuatAxis(res: OutFixed<'_, 4>, quat: Fixed<4>, axis: Fixed<3>) {
    res.write(&rot::quat_mul_axis(&quat.0, &vec3(&axis)));
}

/// Quaternion of a rotation by an angle about an axis.
#[pyfunction]
fn mju_axisAngle2Quat(res: OutFixed<'_, 4>, axis: Fixed<3>, angle: f64) {
    res.write(&rot::axis_angle_to_quat(&vec3(&axis), angle));
}

/// Angular velocity that turns the identity into a quaternion in time `dt`.
#[pyfunction]
fn mju_quat2Vel(res: OutFixed<'_, 3>, quat: Fixed<4>, dt: f64) {
    res.write(&rot::quat_to_vel(&quat.0, dt).into());
}

/// Rotation from `qb` to `qa` as a vector.
#[pyfunction]
fn mju_subQuat(res: OutFixed<'_, 3>, qa: Fixed<4>, qb: Fixed<4>) {
    res.write(&rot::quat_sub(&qa.0, &qb.0).into());
}

/// Rotation matrix of a quaternion.
#[pyfunction]
fn mju_quat2Mat(res: OutFixed<'_, 9>, quat: Fixed<4>) {
    res.write(&mat3_row(&rot::quat_to_mat(&quat.0)));
}

/// Quaternion of a rotation matrix.
#[pyfunction]
fn mju_mat2Quat(quat: OutFixed<'_, 4>, mat: Fixed<9>) {
    quat.write(&rot::mat_to_quat(&mat3(&mat.0)));
}

/// Refines `quat` to the rotation nearest to a 3 × 3 matrix; returns the number of iterations.
#[pyfunction]
fn mju_mat2Rot(quat: OutFixed<'_, 4>, mat: Fixed<9>) -> usize {
    let mut q = quat.read();
    let iterations = rot::mat_to_rot(&mut q, &mat3(&mat.0));
    quat.write(&q);
    iterations
}

/// Time derivative of a quaternion that turns with a local angular velocity.
#[pyfunction]
fn mju_derivQuat(res: OutFixed<'_, 4>, quat: Fixed<4>, vel: Fixed<3>) {
    res.write(&rot::quat_deriv(&quat.0, &vec3(&vel)));
}

/// Turns a quaternion with a local angular velocity for time `scale`.
#[pyfunction]
fn mju_quatIntegrate(quat: OutFixed<'_, 4>, vel: Fixed<3>, scale: f64) {
    let mut q = quat.read();
    rot::quat_integrate(&mut q, &vec3(&vel), scale);
    quat.write(&q);
}

/// Quaternion that turns the z axis to a vector.
#[pyfunction]
fn mju_quatZ2Vec(quat: OutFixed<'_, 4>, vec: Fixed<3>) {
    quat.write(&rot::quat_z_to_vec(&vec3(&vec)));
}

/// Quaternion of Euler angles; lower-case axes move along, upper-case axes are fixed.
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

/// The identity quaternion.
#[pyfunction]
fn mju_unit4(res: OutFixed<'_, 4>) {
    res.write(&[1.0, 0.0, 0.0, 0.0]);
}

/// Product of poses.
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
#[pyfunction]
fn mju_negPose(posres: OutFixed<'_, 3>, quatres: OutFixed<'_, 4>, pos: Fixed<3>, quat: Fixed<4>) {
    let (pos, quat) = rot::pose_neg(&vec3(&pos), &quat.0);
    posres.write(&pos.into());
    quatres.write(&quat);
}

/// Transforms a point by a pose.
#[pyfunction]
fn mju_trnVecPose(res: OutFixed<'_, 3>, pos: Fixed<3>, quat: Fixed<4>, vec: Fixed<3>) {
    res.write(&rot::pose_apply(&vec3(&pos), &quat.0, &vec3(&vec)).into());
}

/// Moves a spatial vector (rotation, translation) to another point and, with `rotnew2old`, into other axes.
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
#[pyfunction]
fn mju_eig3(eigval: OutFixed<'_, 3>, eigvec: OutFixed<'_, 9>, quat: OutFixed<'_, 4>, mat: Fixed<9>) -> usize {
    let result = eig3::eig3(&mat3(&mat.0));
    eigval.write(&result.values);
    eigvec.write(&mat3_row(&result.vectors));
    quat.write(&result.quat);
    result.iterations
}

/// Derivatives of `mju_subQuat` with respect to both quaternions, 3 × 3 each or None.
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

/// Derivatives of `mju_quatIntegrate` with respect to quaternion, scaled velocity and time.
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
