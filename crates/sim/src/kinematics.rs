//! Forward kinematics: from joint positions to the poses of bodies, inertial frames, geoms and sites.
//!
//! Bodies are visited from parent to child. A body starts at its fixed offset from the parent (or at its mocap pose), then
//! each of its joints moves it: a slide along its axis, a hinge or ball about its anchor, so that
//! `x ← anchor − q ⊗ jnt_pos`. A free joint replaces the pose altogether.

use crate::awake::{ASLEEP, Visit};
use crate::sleep::{mj_update_sleep, mj_wake};
use kinetree_math::rot::{
    QUAT_IDENTITY, axis_angle_to_quat, mat3, mat3_row, quat_mul, quat_normalize, quat_rotate, quat_to_mat,
};
use kinetree_math::spatial::{dof_com, inert_com};
use kinetree_math::{MINVAL, Quat, Vec3};
use kinetree_model::enums::{EnableBit, JointType, SameFrame};
use kinetree_model::{Data, Model};

/// Row-major identity.
pub(crate) const IDENTITY: [f64; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

/// Computes the poses of all bodies, inertial frames, geoms and sites, and the anchors and axes of joints.
pub fn mj_kinematics(model: &Model, data: &mut Data) {
    body_poses(model, data);
    if mj_wake(model, data) > 0 {
        mj_update_sleep(model, data);
    }
    attached_poses(model, data);
}

/// Reads a quaternion out of `qpos` and normalizes it.
#[inline]
pub(crate) fn unit_quat(qpos: &[f64], address: usize) -> Quat {
    let mut quat = [qpos[address], qpos[address + 1], qpos[address + 2], qpos[address + 3]];
    quat_normalize(&mut quat);
    quat
}

/// Reads three numbers.
#[inline]
pub(crate) fn vec3_at(v: &[f64], address: usize) -> Vec3 {
    Vec3::new(v[address], v[address + 1], v[address + 2])
}

/// Poses of bodies, and anchors and axes of joints.
fn body_poses(model: &Model, data: &mut Data) {
    data.xpos[0] = [0.0; 3];
    data.xquat[0] = QUAT_IDENTITY;
    data.xmat[0] = IDENTITY;
    data.xipos[0] = [0.0; 3];
    data.ximat[0] = IDENTITY;

    let sleep_enabled = model.enabled(EnableBit::Sleep);
    for body in 1..model.nbody {
        let first = model.body_jntadr[body];
        let count = model.body_jntnum[body];
        let (pos, mut quat) = if count == 1 && model.jnt_type[first as usize] == JointType::Free as i32 {
            free_body_pose(model, data, first as usize)
        } else {
            jointed_body_pose(model, data, body)
        };
        quat_normalize(&mut quat);

        // a sleeping body that has been moved by the user: its tree wakes up below
        if sleep_enabled && count > 0 && data.body_awake[body] == ASLEEP {
            if data.xpos[body] == <[f64; 3]>::from(pos) && data.xquat[body] == quat {
                continue;
            }
            data.tree_awake[model.body_treeid[body] as usize] = 1;
        }

        data.xquat[body] = quat;
        data.xpos[body] = pos.into();
        data.xmat[body] = mat3_row(&quat_to_mat(&quat));
    }
}

/// Pose of a body on a free joint: copied from `qpos`.
fn free_body_pose(model: &Model, data: &mut Data, joint: usize) -> (Vec3, Quat) {
    let address = model.jnt_qposadr[joint] as usize;
    let pos = vec3_at(&data.qpos, address);
    data.xanchor[joint] = pos.into();
    data.xaxis[joint] = model.jnt_axis[joint];
    (pos, unit_quat(&data.qpos, address + 3))
}

/// Pose of a body that is fixed to its parent, on mocap, or on any number of ball, slide and hinge joints.
#[inline]
fn jointed_body_pose(model: &Model, data: &mut Data, body: usize) -> (Vec3, Quat) {
    // offset from the parent, from the model or from mocap
    let (offset, turn) = match usize::try_from(model.body_mocapid[body]) {
        Ok(mocap) => {
            let mut quat = data.mocap_quat[mocap];
            quat_normalize(&mut quat);
            (data.mocap_pos[mocap], quat)
        }
        Err(_) => (model.body_pos[body], model.body_quat[body]),
    };
    let parent = model.body_parentid[body] as usize;
    let (mut pos, mut quat) = if parent == 0 {
        (Vec3::from(offset), turn)
    } else {
        (
            mat3(&data.xmat[parent]) * Vec3::from(offset) + Vec3::from(data.xpos[parent]),
            quat_mul(&data.xquat[parent], &turn),
        )
    };

    // motion of the joints, one after the other
    let first = model.body_jntadr[body] as usize;
    for joint in first..first + model.body_jntnum[body] as usize {
        let address = model.jnt_qposadr[joint] as usize;
        let local_axis = Vec3::from(model.jnt_axis[joint]);
        let local_anchor = Vec3::from(model.jnt_pos[joint]);
        let axis = quat_rotate(&quat, &local_axis);
        let centered = local_anchor == Vec3::zeros();
        let anchor = if centered { pos } else { quat_rotate(&quat, &local_anchor) + pos };
        let kind = model.jnt_type[joint];
        if kind == JointType::Slide as i32 {
            pos += axis * (data.qpos[address] - model.qpos0[address]);
        } else {
            let rotation = if kind == JointType::Ball as i32 {
                unit_quat(&data.qpos, address)
            } else {
                axis_angle_to_quat(&local_axis, data.qpos[address] - model.qpos0[address])
            };
            quat = quat_mul(&quat, &rotation);
            // the anchor stays where it is
            if !centered {
                pos = anchor - quat_rotate(&quat, &local_anchor);
            }
        }
        data.xanchor[joint] = anchor.into();
        data.xaxis[joint] = axis.into();
    }
    (pos, quat)
}

/// Poses of inertial frames, geoms and sites, which are fixed to their bodies.
fn attached_poses(model: &Model, data: &mut Data) {
    let visit = Visit::bodies(model, data);
    for k in 0..visit.count {
        let body = visit.at(&data.body_awake_ind, k);
        if body > 0 {
            let (pos, mat) = frame_pose(
                data,
                &model.body_ipos[body],
                &model.body_iquat[body],
                body,
                model.body_sameframe[body],
            );
            data.xipos[body] = pos;
            data.ximat[body] = mat;
        }
        let first = model.body_geomadr[body] as usize;
        for geom in first..first + model.body_geomnum[body] as usize {
            let (pos, mat) = frame_pose(
                data,
                &model.geom_pos[geom],
                &model.geom_quat[geom],
                body,
                model.geom_sameframe[geom],
            );
            data.geom_xpos[geom] = pos;
            data.geom_xmat[geom] = mat;
        }
    }
    for site in 0..model.nsite {
        let body = model.site_bodyid[site] as usize;
        if visit.filtered && data.body_awake[body] == ASLEEP {
            continue;
        }
        let (pos, mat) =
            frame_pose(data, &model.site_pos[site], &model.site_quat[site], body, model.site_sameframe[site]);
        data.site_xpos[site] = pos;
        data.site_xmat[site] = mat;
    }
}

/// Global position and row-major orientation of a frame fixed to `body`. `sameframe` (a `SameFrame` value) tells when
/// part of the answer is the body's or its inertial frame's, so that nothing needs to be computed.
#[must_use]
pub fn mj_local_to_global(
    data: &Data,
    pos: &[f64; 3],
    quat: &Quat,
    body: usize,
    sameframe: u8,
) -> ([f64; 3], [f64; 9]) {
    frame_pose(data, pos, quat, body, sameframe)
}

/// The same for loops over many frames, which write the result where it belongs.
#[inline(always)]
fn frame_pose(data: &Data, pos: &[f64; 3], quat: &Quat, body: usize, sameframe: u8) -> ([f64; 3], [f64; 9]) {
    const BODY: u8 = SameFrame::Body as u8;
    const INERTIA: u8 = SameFrame::Inertia as u8;
    const BODY_ROT: u8 = SameFrame::Bodyrot as u8;
    const INERTIA_ROT: u8 = SameFrame::Inertiarot as u8;
    let xpos = match sameframe {
        BODY => data.xpos[body],
        INERTIA => data.xipos[body],
        _ => local_point_to_global(data, pos, body),
    };
    let xmat = match sameframe {
        BODY | BODY_ROT => data.xmat[body],
        INERTIA | INERTIA_ROT => data.ximat[body],
        _ => mat3_row(&quat_to_mat(&quat_mul(&data.xquat[body], quat))),
    };
    (xpos, xmat)
}

/// Global position of a point fixed to `body`.
#[inline]
pub(crate) fn local_point_to_global(data: &Data, pos: &[f64; 3], body: usize) -> [f64; 3] {
    (mat3(&data.xmat[body]) * Vec3::from(*pos) + Vec3::from(data.xpos[body])).into()
}

/// Computes subtree centres of mass, and body inertias and dof motions about the centre of mass of each tree.
pub fn mj_com_pos(model: &Model, data: &mut Data) {
    subtree_centers(model, data);
    let visit = Visit::bodies(model, data);
    data.cinert[0] = [0.0; 10];
    for k in 0..visit.count {
        let body = visit.at(&data.body_awake_ind, k);
        if body == 0 {
            continue;
        }
        let center = Vec3::from(data.subtree_com[model.body_rootid[body] as usize]);
        data.cinert[body] = inert_com(
            &model.body_inertia[body],
            &mat3(&data.ximat[body]),
            &(Vec3::from(data.xipos[body]) - center),
            model.body_mass[body],
        );
        body_dof_motions(model, data, body, &center);
    }
}

/// Centre of mass of every subtree: mass-weighted sums from the leaves to the root.
fn subtree_centers(model: &Model, data: &mut Data) {
    let bodies = Visit::bodies(model, data);
    let parents = Visit::parents(model, data);
    for k in 0..bodies.count {
        let body = bodies.at(&data.body_awake_ind, k);
        data.subtree_com[body] = (Vec3::from(data.xipos[body]) * model.body_mass[body]).into();
    }
    for k in (0..parents.count).rev() {
        let body = parents.at(&data.parent_awake_ind, k);
        if body == 0 {
            continue;
        }
        let mut moment = Vec3::from(data.subtree_com[body]);
        if parents.filtered && data.body_awake[body] == ASLEEP {
            // the subtree was left normalized
            moment *= model.body_subtreemass[body];
        }
        let parent = model.body_parentid[body] as usize;
        data.subtree_com[parent] = (Vec3::from(data.subtree_com[parent]) + moment).into();
    }
    for k in 0..bodies.count {
        let body = bodies.at(&data.body_awake_ind, k);
        let mass = model.body_subtreemass[body];
        data.subtree_com[body] = if mass < MINVAL {
            data.xipos[body]
        } else {
            (Vec3::from(data.subtree_com[body]) * (1.0 / mass)).into()
        };
    }
}

/// Motion about `center` of each dof of a body.
#[inline]
fn body_dof_motions(model: &Model, data: &mut Data, body: usize, center: &Vec3) {
    let first = model.body_jntadr[body] as usize;
    for joint in first..first + model.body_jntnum[body] as usize {
        let dof = model.jnt_dofadr[joint] as usize;
        let offset = center - Vec3::from(data.xanchor[joint]);
        let axis = Vec3::from(data.xaxis[joint]);
        let kind = model.jnt_type[joint];
        if kind == JointType::Hinge as i32 {
            data.cdof[dof] = dof_com(&axis, Some(&offset));
        } else if kind == JointType::Slide as i32 {
            data.cdof[dof] = dof_com(&axis, None);
        } else {
            // free joints translate along the global axes, then both kinds rotate about the axes of the body
            let mut rotation = dof;
            if kind == JointType::Free as i32 {
                for k in 0..3 {
                    data.cdof[dof + k] = [0.0; 6];
                    data.cdof[dof + k][3 + k] = 1.0;
                }
                rotation += 3;
            }
            let mat = data.xmat[body];
            for k in 0..3 {
                let axis = Vec3::new(mat[k], mat[k + 3], mat[k + 6]);
                data.cdof[rotation + k] = dof_com(&axis, Some(&offset));
            }
        }
    }
}
