//! Quaternions, rotation matrices, poses and spatial vectors.

use crate::export;
use crate::ffi::fault::{Served, fault};
use crate::ffi::pointer::{In, Out, Text};
use kinetree_math::Vec3;
use kinetree_math::rot::{self, EulerError, mat3, mat3_row};
use kinetree_math::spatial::{SpatialKind, transform_spatial};

fn vec3(v: In<'_, f64>) -> Served<Vec3> {
    Ok(Vec3::from(v.array::<3>()?))
}

export! {
    fn mju_rotVecQuat(res: Out<'_, f64>, vec: In<'_, f64>, quat: In<'_, f64>) {
        res.set::<3>(rot::quat_rotate(&quat.array()?, &vec3(vec)?).into())
    }
    fn mju_negQuat(res: Out<'_, f64>, quat: In<'_, f64>) { res.set(rot::quat_conj(&quat.array()?)) }
    fn mju_mulQuat(res: Out<'_, f64>, quat1: In<'_, f64>, quat2: In<'_, f64>) {
        res.set(rot::quat_mul(&quat1.array()?, &quat2.array()?))
    }
    fn mju_mulQuatAxis(res: Out<'_, f64>, quat: In<'_, f64>, axis: In<'_, f64>) {
        res.set(rot::quat_mul_axis(&quat.array()?, &vec3(axis)?))
    }
    fn mju_axisAngle2Quat(res: Out<'_, f64>, axis: In<'_, f64>, angle: f64) {
        res.set(rot::axis_angle_to_quat(&vec3(axis)?, angle))
    }
    fn mju_quat2Vel(res: Out<'_, f64>, quat: In<'_, f64>, dt: f64) {
        res.set::<3>(rot::quat_to_vel(&quat.array()?, dt).into())
    }
    fn mju_subQuat(res: Out<'_, f64>, qa: In<'_, f64>, qb: In<'_, f64>) {
        res.set::<3>(rot::quat_sub(&qa.array()?, &qb.array()?).into())
    }
    fn mju_quat2Mat(res: Out<'_, f64>, quat: In<'_, f64>) {
        res.set(mat3_row(&rot::quat_to_mat(&quat.array()?)))
    }
    fn mju_mat2Quat(quat: Out<'_, f64>, mat: In<'_, f64>) { quat.set(rot::mat_to_quat(&mat3(&mat.array()?))) }
    fn mju_mat2Rot(quat: Out<'_, f64>, mat: In<'_, f64>) -> i32 {
        let mut q = quat.array()?;
        let iterations = rot::mat_to_rot(&mut q, &mat3(&mat.array()?));
        quat.set(q)?;
        Ok(iterations as i32)
    }
    fn mju_derivQuat(res: Out<'_, f64>, quat: In<'_, f64>, vel: In<'_, f64>) {
        res.set(rot::quat_deriv(&quat.array()?, &vec3(vel)?))
    }
    fn mju_quatIntegrate(quat: Out<'_, f64>, vel: In<'_, f64>, scale: f64) {
        let mut q = quat.array()?;
        rot::quat_integrate(&mut q, &vec3(vel)?, scale);
        quat.set(q)
    }
    fn mju_quatZ2Vec(quat: Out<'_, f64>, vec: In<'_, f64>) { quat.set(rot::quat_z_to_vec(&vec3(vec)?)) }
    fn mju_euler2Quat(quat: Out<'_, f64>, euler: In<'_, f64>, seq: Text<'_>) {
        let seq = seq.get()?;
        match rot::euler_to_quat(&euler.array()?, &seq) {
            Ok(q) => quat.set(q),
            Err(EulerError::Length(_)) => fault("mju_euler2Quat: seq must contain exactly 3 characters"),
            Err(EulerError::Axis(c)) => {
                let at = seq.chars().position(|x| x == c).unwrap_or(0);
                fault(format!("mju_euler2Quat: seq[{at}] is '{c}', should be one of x, y, z, X, Y, Z"))
            }
        }
    }
    fn mju_mulPose(
        posres: Out<'_, f64>, quatres: Out<'_, f64>, pos1: In<'_, f64>, quat1: In<'_, f64>, pos2: In<'_, f64>,
        quat2: In<'_, f64>,
    ) {
        let (pos, quat) = rot::pose_mul(&vec3(pos1)?, &quat1.array()?, &vec3(pos2)?, &quat2.array()?);
        posres.set::<3>(pos.into())?;
        quatres.set(quat)
    }
    fn mju_negPose(posres: Out<'_, f64>, quatres: Out<'_, f64>, pos: In<'_, f64>, quat: In<'_, f64>) {
        let (pos, quat) = rot::pose_neg(&vec3(pos)?, &quat.array()?);
        posres.set::<3>(pos.into())?;
        quatres.set(quat)
    }
    fn mju_trnVecPose(res: Out<'_, f64>, pos: In<'_, f64>, quat: In<'_, f64>, vec: In<'_, f64>) {
        res.set::<3>(rot::pose_apply(&vec3(pos)?, &quat.array()?, &vec3(vec)?).into())
    }
    fn mju_transformSpatial(
        res: Out<'_, f64>, vec: In<'_, f64>, flg_force: i32, newpos: In<'_, f64>, oldpos: In<'_, f64>,
        rotnew2old: In<'_, f64>,
    ) {
        let kind = if flg_force != 0 { SpatialKind::Force } else { SpatialKind::Motion };
        let axes = rotnew2old.optional_array()?.map(|rows| mat3(&rows));
        res.set(transform_spatial(&vec.array()?, kind, &vec3(newpos)?, &vec3(oldpos)?, axes.as_ref()))
    }
}
