//! Forward kinematics: from joint positions to the poses of bodies, inertial frames, geoms and sites.
//!
//! Bodies are visited from parent to child. A body starts at its fixed offset from the parent (or at its mocap pose), then
//! each of its joints moves it: a slide along its axis, a hinge or ball about its anchor, so that
//! `x ← anchor − q ⊗ jnt_pos`. A free joint replaces the pose altogether.

use crate::awake::{ASLEEP, Visit, span};
use crate::sleep::{mj_update_sleep, mj_wake};
use kinetree_math::rot::{
    QUAT_IDENTITY, axis_angle_to_quat, mat3, mat3_row, quat_mul, quat_normalize, quat_rotate, quat_to_mat,
};
use kinetree_math::spatial::{dof_com, inert_com};
use kinetree_math::{MINVAL, Quat, Vec3};
use kinetree_model::enums::{EnableBit, JointType, SameFrame};
use kinetree_model::{Data, Model};
use std::ops::Range;

const FREE: i32 = JointType::Free as i32;
const BALL: i32 = JointType::Ball as i32;
const SLIDE: i32 = JointType::Slide as i32;
const HINGE: i32 = JointType::Hinge as i32;

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

    let n = model.nbody;
    let sleep_enabled = model.enabled(EnableBit::Sleep);
    let (jntadr, jntnum) = (&model.body_jntadr[..n], &model.body_jntnum[..n]);
    for body in 1..n {
        let joints = span(jntadr[body], jntnum[body]);
        let (pos, mut quat) = if joints.len() == 1 && model.jnt_type[joints.start] == FREE {
            free_body_pose(model, data, joints.start)
        } else {
            jointed_body_pose(model, data, body, joints.clone())
        };
        quat_normalize(&mut quat);

        let (xpos, xquat, xmat) = (&mut data.xpos[..n], &mut data.xquat[..n], &mut data.xmat[..n]);
        // a sleeping body that has been moved by the user: its tree wakes up below
        if sleep_enabled && !joints.is_empty() && data.body_awake[body] == ASLEEP {
            if xpos[body] == <[f64; 3]>::from(pos) && xquat[body] == quat {
                continue;
            }
            data.tree_awake[model.body_treeid[body] as usize] = 1;
        }

        xquat[body] = quat;
        xpos[body] = pos.into();
        xmat[body] = mat3_row(&quat_to_mat(&quat));
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
#[inline(always)]
fn jointed_body_pose(model: &Model, data: &mut Data, body: usize, joints: Range<usize>) -> (Vec3, Quat) {
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
            point_in_frame(&data.xmat[parent], &data.xpos[parent], &offset).into(),
            quat_mul(&data.xquat[parent], &turn),
        )
    };

    // motion of the joints, one after the other
    let nq = model.nq;
    let (qpos, qpos0) = (&data.qpos[..nq], &model.qpos0[..nq]);
    let types = &model.jnt_type[joints.clone()];
    let count = types.len();
    let addresses = &model.jnt_qposadr[joints.clone()][..count];
    let axes = &model.jnt_axis[joints.clone()][..count];
    let anchors = &model.jnt_pos[joints.clone()][..count];
    let xanchor = &mut data.xanchor[joints.clone()][..count];
    let xaxis = &mut data.xaxis[joints][..count];
    for j in 0..count {
        let (kind, address) = (types[j], addresses[j] as usize);
        let (local_axis, local_anchor) = (Vec3::from(axes[j]), Vec3::from(anchors[j]));
        // first the rotation: it does not depend on the pose
        let rotation = match kind {
            SLIDE => QUAT_IDENTITY,
            BALL => unit_quat(qpos, address),
            _ => axis_angle_to_quat(&local_axis, qpos[address] - qpos0[address]),
        };
        let axis = quat_rotate(&quat, &local_axis);
        let centered = local_anchor == Vec3::zeros();
        let anchor = if centered { pos } else { quat_rotate(&quat, &local_anchor) + pos };
        if kind == SLIDE {
            pos += axis * (qpos[address] - qpos0[address]);
        } else {
            quat = quat_mul(&quat, &rotation);
            // the anchor stays where it is
            if !centered {
                pos = anchor - quat_rotate(&quat, &local_anchor);
            }
        }
        xanchor[j] = anchor.into();
        xaxis[j] = axis.into();
    }
    (pos, quat)
}

/// Poses of inertial frames, geoms and sites, which are fixed to their bodies.
fn attached_poses(model: &Model, data: &mut Data) {
    let visit = Visit::bodies(model, data);
    let n = model.nbody;
    let (ipos, iquat) = (&model.body_ipos[..n], &model.body_iquat[..n]);
    let sameframe = &model.body_sameframe[..n];
    let (geomadr, geomnum) = (&model.body_geomadr[..n], &model.body_geomnum[..n]);
    for k in 0..visit.count {
        let body = visit.at(&data.body_awake_ind, k);
        if body > 0 {
            let (pos, mat) = BodyFrames::of(data, body).attach(&ipos[body], &iquat[body], sameframe[body]);
            data.xipos[body] = pos;
            data.ximat[body] = mat;
        }
        let geoms = span(geomadr[body], geomnum[body]);
        let sameframe = &model.geom_sameframe[geoms.clone()];
        let count = sameframe.len();
        let pos = &model.geom_pos[geoms.clone()][..count];
        let quat = &model.geom_quat[geoms.clone()][..count];
        for g in 0..count {
            let (pos, mat) = BodyFrames::of(data, body).attach(&pos[g], &quat[g], sameframe[g]);
            data.geom_xpos[geoms.start + g] = pos;
            data.geom_xmat[geoms.start + g] = mat;
        }
    }
    for site in 0..model.nsite {
        let body = model.site_bodyid[site] as usize;
        if visit.filtered && data.body_awake[body] == ASLEEP {
            continue;
        }
        let frames = BodyFrames::of(data, body);
        let (pos, mat) =
            frames.attach(&model.site_pos[site], &model.site_quat[site], model.site_sameframe[site]);
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
    BodyFrames::of(data, body).attach(pos, quat, sameframe)
}

/// Where a body and its inertial frame are.
struct BodyFrames<'a> {
    xpos: &'a [f64; 3],
    xquat: &'a Quat,
    xmat: &'a [f64; 9],
    xipos: &'a [f64; 3],
    ximat: &'a [f64; 9],
}

impl<'a> BodyFrames<'a> {
    #[inline(always)]
    fn of(data: &'a Data, body: usize) -> Self {
        Self {
            xpos: &data.xpos[body],
            xquat: &data.xquat[body],
            xmat: &data.xmat[body],
            xipos: &data.xipos[body],
            ximat: &data.ximat[body],
        }
    }

    /// Pose of a frame that is fixed to the body.
    #[inline(always)]
    fn attach(&self, pos: &[f64; 3], quat: &Quat, sameframe: u8) -> ([f64; 3], [f64; 9]) {
        const BODY: u8 = SameFrame::Body as u8;
        const INERTIA: u8 = SameFrame::Inertia as u8;
        const BODY_ROT: u8 = SameFrame::Bodyrot as u8;
        const INERTIA_ROT: u8 = SameFrame::Inertiarot as u8;
        let xpos = match sameframe {
            BODY => *self.xpos,
            INERTIA => *self.xipos,
            _ => point_in_frame(self.xmat, self.xpos, pos),
        };
        let xmat = match sameframe {
            BODY | BODY_ROT => *self.xmat,
            INERTIA | INERTIA_ROT => *self.ximat,
            _ => mat3_row(&quat_to_mat(&quat_mul(self.xquat, quat))),
        };
        (xpos, xmat)
    }
}

/// Global position of a point fixed to `body`.
#[inline]
pub(crate) fn local_point_to_global(data: &Data, pos: &[f64; 3], body: usize) -> [f64; 3] {
    point_in_frame(&data.xmat[body], &data.xpos[body], pos)
}

/// Global position of a point `p` in a frame with row-major orientation `mat` and origin `origin`.
#[inline(always)]
fn point_in_frame(mat: &[f64; 9], origin: &[f64; 3], p: &[f64; 3]) -> [f64; 3] {
    let row = |r: usize| ((mat[r] * p[0] + mat[r + 1] * p[1]) + mat[r + 2] * p[2]) + origin[r / 3];
    [row(0), row(3), row(6)]
}

/// Computes subtree centres of mass, and body inertias and dof motions about the centre of mass of each tree.
pub fn mj_com_pos(model: &Model, data: &mut Data) {
    subtree_centers(model, data);
    let visit = Visit::bodies(model, data);
    let n = model.nbody;
    let (inertia, mass, rootid) = (&model.body_inertia[..n], &model.body_mass[..n], &model.body_rootid[..n]);
    data.cinert[0] = [0.0; 10];
    for k in 0..visit.count {
        let body = visit.at(&data.body_awake_ind, k);
        if body == 0 {
            continue;
        }
        let center = Vec3::from(data.subtree_com[rootid[body] as usize]);
        let offset = Vec3::from(data.xipos[body]) - center;
        data.cinert[body] = inert_com(&inertia[body], &mat3(&data.ximat[body]), &offset, mass[body]);
        body_dof_motions(model, data, body, &center);
    }
}

/// Centre of mass of every subtree: mass-weighted sums from the leaves to the root.
fn subtree_centers(model: &Model, data: &mut Data) {
    let bodies = Visit::bodies(model, data);
    let parents = Visit::parents(model, data);
    let n = model.nbody;
    let (mass, subtree_mass, parentid) =
        (&model.body_mass[..n], &model.body_subtreemass[..n], &model.body_parentid[..n]);
    let (xipos, com) = (&data.xipos[..n], &mut data.subtree_com[..n]);
    for k in 0..bodies.count {
        let body = bodies.at(&data.body_awake_ind, k);
        com[body] = xipos[body].map(|x| x * mass[body]);
    }
    for k in (0..parents.count).rev() {
        let body = parents.at(&data.parent_awake_ind, k);
        if body == 0 {
            continue;
        }
        let mut moment = com[body];
        if parents.filtered && data.body_awake[body] == ASLEEP {
            // the subtree was left normalized
            moment = moment.map(|x| x * subtree_mass[body]);
        }
        let parent = &mut com[parentid[body] as usize];
        *parent = [parent[0] + moment[0], parent[1] + moment[1], parent[2] + moment[2]];
    }
    for k in 0..bodies.count {
        let body = bodies.at(&data.body_awake_ind, k);
        let mass = subtree_mass[body];
        com[body] = if mass < MINVAL {
            xipos[body]
        } else {
            let inverse = 1.0 / mass;
            com[body].map(|x| x * inverse)
        };
    }
}

/// Motion about `center` of each dof of a body.
#[inline]
fn body_dof_motions(model: &Model, data: &mut Data, body: usize, center: &Vec3) {
    let joints = span(model.body_jntadr[body], model.body_jntnum[body]);
    let types = &model.jnt_type[joints.clone()];
    let count = types.len();
    let dofs = &model.jnt_dofadr[joints.clone()][..count];
    let anchors = &data.xanchor[joints.clone()][..count];
    let axes = &data.xaxis[joints][..count];
    let cdof = &mut data.cdof[..];
    for j in 0..count {
        let dof = dofs[j] as usize;
        let offset = center - Vec3::from(anchors[j]);
        let axis = Vec3::from(axes[j]);
        let kind = types[j];
        if kind == HINGE {
            cdof[dof] = dof_com(&axis, Some(&offset));
        } else if kind == SLIDE {
            cdof[dof] = dof_com(&axis, None);
        } else {
            // free joints translate along the global axes, then both kinds rotate about the axes of the body
            let mut rotation = dof;
            if kind == FREE {
                for k in 0..3 {
                    cdof[dof + k] = [0.0; 6];
                    cdof[dof + k][3 + k] = 1.0;
                }
                rotation += 3;
            }
            let mat = &data.xmat[body];
            for k in 0..3 {
                let axis = Vec3::new(mat[k], mat[k + 3], mat[k + 6]);
                cdof[rotation + k] = dof_com(&axis, Some(&offset));
            }
        }
    }
}
