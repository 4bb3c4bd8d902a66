//! Perturbations: a selected body is pulled to a reference pose by a critically damped spring, or put there.

use super::camera::{mjv_camera_in_model, mjv_frustum_height};
use super::enums::PertBit;
use super::error::SceneError;
use super::mouse::ORTHOGRAPHIC_STEP;
use super::painter::point_of;
use super::types::{MjvPerturb, MjvScene};
use kinetree_math::rot::{normalize3, pose_mul, pose_neg, quat_conj, quat_mul, quat_to_vel};
use kinetree_math::{MINVAL, Vec3};
use kinetree_model::enums::{JointType, ObjType};
use kinetree_model::{Data, Model};
use kinetree_sim::{mj_jac_into, mj_object_velocity, mj_solve_m2};

/// The selected body, unless it is the world or none.
fn selected(model: &Model, pert: &MjvPerturb) -> Option<usize> {
    usize::try_from(pert.select).ok().filter(|&body| body > 0 && body < model.nbody)
}

/// Begins a perturbation of the selected body: the reference pose is its present one, and the mouse moves it
/// as far as it moves on the screen. Does nothing when no body is selected.
///
/// # Errors
/// When the selected flex does not exist, or the cameras of the scene were never set.
pub fn mjv_init_perturb(
    model: &Model,
    data: &Data,
    scn: &MjvScene,
    pert: &mut MjvPerturb,
) -> Result<(), SceneError> {
    data.check(model)?;
    let Some(body) = selected(model, pert) else { return Ok(()) };
    let point = point_of(&data.xpos[body], &data.xmat[body], &pert.localpos);
    pert.localmass = mass_at(model, data, body, &point)?;
    if let Ok(flex) = usize::try_from(pert.flexselect) {
        let rigid = *model
            .flex_rigid
            .get(flex)
            .ok_or(SceneError::SelectedFlex { id: pert.flexselect, count: model.nflex })?;
        if rigid == 0 {
            // neighbours move along: mean number of edges at a vertex
            let edges = f64::from(model.flex_edgenum[flex]) / f64::from(model.flex_vertnum[flex]);
            pert.localmass *= 2.0 * edges;
        }
    }
    pert.refpos = data.xipos[body];
    pert.refquat = quat_mul(&data.xquat[body], &model.body_iquat[body]);
    pert.refselpos = point;
    let head = mjv_camera_in_model(scn)?;
    let depth = (Vec3::from(point) - Vec3::from(head.headpos)).dot(&Vec3::from(head.forward));
    pert.scale = mjv_frustum_height(scn)? * depth;
    if scn.camera[0].orthographic != 0 {
        pert.scale *= ORTHOGRAPHIC_STEP;
    }
    Ok(())
}

/// Mass that a force feels at a point of a body: three over the trace of `J M⁻¹ Jᵀ`.
fn mass_at(model: &Model, data: &Data, body: usize, point: &[f64; 3]) -> Result<f64, SceneError> {
    let mut jacobian = vec![0.0; 3 * model.nv];
    mj_jac_into(model, data, Some(&mut jacobian), None, point, body)?;
    let sqrt_inv_d: Vec<f64> = data.qLDiagInv.iter().map(|d| d.sqrt()).collect();
    mj_solve_m2(model, data, &mut jacobian, &sqrt_inv_d)?;
    let inverse: f64 = jacobian.iter().map(|x| x * x).sum();
    Ok(if inverse == 0.0 { 1.0 } else { 3.0 / inverse.max(MINVAL) })
}

/// Puts the selected body where the perturbation says: a mocap body at once; while paused, also a body with a
/// free joint, and the tree of one whose root has a free joint.
///
/// # Errors
/// When the data was made for another model.
pub fn mjv_apply_perturb_pose(
    model: &Model,
    data: &mut Data,
    pert: &MjvPerturb,
    paused: bool,
) -> Result<(), SceneError> {
    data.check(model)?;
    let Some(body) = selected(model, pert).filter(|_| pert.active | pert.active2 != 0) else { return Ok(()) };
    // the reference pose is that of the inertial frame
    let (pos, quat) = pose_neg(&Vec3::from(model.body_ipos[body]), &model.body_iquat[body]);
    let (pos, quat) = pose_mul(&Vec3::from(pert.refpos), &pert.refquat, &pos, &quat);
    let root = model.body_rootid[body] as usize;
    if let Ok(mocap) = usize::try_from(model.body_mocapid[body]) {
        data.mocap_pos[mocap] = pos.into();
        data.mocap_quat[mocap] = quat;
    } else if !paused {
    } else if let Some(address) = free_joint(model, body) {
        write_pose(&mut data.qpos[address..address + 7], &pos, &quat);
    } else if let Some(address) = free_joint(model, root) {
        // root ← reference · child⁻¹ · root
        let q = &data.qpos[address..address + 7];
        let root_pose = (Vec3::new(q[0], q[1], q[2]), [q[3], q[4], q[5], q[6]]);
        let (child_pos, child_quat) = pose_neg(&Vec3::from(data.xpos[body]), &data.xquat[body]);
        let (local_pos, local_quat) = pose_mul(&child_pos, &child_quat, &root_pose.0, &root_pose.1);
        let (pos, quat) = pose_mul(&pos, &quat, &local_pos, &local_quat);
        write_pose(&mut data.qpos[address..address + 7], &pos, &quat);
    }
    Ok(())
}

/// First coordinate of a body's only joint, if that is a free one.
fn free_joint(model: &Model, body: usize) -> Option<usize> {
    let joint = usize::try_from(model.body_jntadr[body]).ok().filter(|_| model.body_jntnum[body] == 1)?;
    (model.jnt_type[joint] == JointType::Free).then(|| model.jnt_qposadr[joint] as usize)
}

fn write_pose(qpos: &mut [f64], pos: &Vec3, quat: &[f64; 4]) {
    qpos[..3].copy_from_slice(pos.as_slice());
    qpos[3..].copy_from_slice(quat);
}

/// Sets the force and torque on the selected body in `xfrc_applied`: springs to the reference pose with
/// critical damping.
///
/// # Errors
/// When the data was made for another model.
pub fn mjv_apply_perturb_force(model: &Model, data: &mut Data, pert: &MjvPerturb) -> Result<(), SceneError> {
    data.check(model)?;
    let body = usize::try_from(pert.select).ok().filter(|&body| body < model.nbody);
    let Some(body) = body.filter(|_| pert.active | pert.active2 != 0) else { return Ok(()) };
    let Ok(velocity) = mj_object_velocity(model, data, ObjType::Body as i32, pert.select, false) else {
        return Ok(());
    };
    let [wx, wy, wz, vx, vy, vz] = velocity;
    let (angular, linear) = (Vec3::new(wx, wy, wz), Vec3::new(vx, vy, vz));
    let invweight = model.body_invweight0[body][1];
    let inertia = if invweight == 0.0 { 1.0 } else { 1.0 / invweight.max(MINVAL) };
    let [fx, fy, fz, tx, ty, tz] = data.xfrc_applied[body];
    let (mut force, mut torque) = (Vec3::new(fx, fy, fz), Vec3::new(tx, ty, tz));
    let stiffness_rot = f64::from(model.vis.map.stiffnessrot);
    if pert.does(PertBit::Translate) {
        let point = Vec3::from(point_of(&data.xpos[body], &data.xmat[body], &pert.localpos));
        let mut stretch = point - Vec3::from(pert.refselpos);
        let arm = point - Vec3::from(data.xipos[body]);
        let stiffness = f64::from(model.vis.map.stiffness);
        force = stretch * (-stiffness * pert.localmass);
        force -= (angular.cross(&arm) + linear) * (stiffness.sqrt() * pert.localmass);
        torque = arm.cross(&force);
        // rotation about the spring is damped too
        normalize3(&mut stretch);
        torque -= stretch * (stiffness_rot.sqrt() * inertia * stretch.dot(&angular));
    }
    if pert.does(PertBit::Rotate) {
        let inertial = quat_mul(&data.xquat[body], &model.body_iquat[body]);
        let away = quat_mul(&pert.refquat, &quat_conj(&inertial));
        torque = quat_to_vel(&away, 1.0 / (stiffness_rot * inertia));
        torque -= angular * (stiffness_rot.sqrt() * inertia);
    }
    data.xfrc_applied[body] = [force.x, force.y, force.z, torque.x, torque.y, torque.z];
    Ok(())
}
