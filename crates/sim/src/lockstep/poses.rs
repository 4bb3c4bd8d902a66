//! Kinematics of four worlds: [`crate::kinematics::poses`] with a world a lane.

use super::memory::Lanes;
use crate::sleep::awake_lists::span;
use kinetree_math::MINVAL;
use kinetree_math::lockstep::{
    Mat3s, Quats, Vec3s, add, axis_angle_to_quat, inert_com, point_in_frame, quat_mul, quat_normalize,
    quat_rotate, quat_to_rows, rotation_about, scale, splat, sub,
};
use kinetree_math::rot::QUAT_IDENTITY;
use kinetree_model::Model;
use kinetree_model::enums::{JointType, SameFrame};
use std::ops::Range;
use wide::f64x4;

const FREE: i32 = JointType::Free as i32;
const BALL: i32 = JointType::Ball as i32;
const SLIDE: i32 = JointType::Slide as i32;
const HINGE: i32 = JointType::Hinge as i32;

/// Row-major identity.
const IDENTITY: [f64; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

/// Poses of bodies, and anchors and axes of joints.
pub(super) fn body_poses(model: &Model, lanes: &mut Lanes) {
    let n = model.nbody;
    let Lanes { xpos, xquat, xmat, xipos, ximat, qpos, xanchor, xaxis, .. } = lanes;
    let (xpos, xquat, xmat) = (&mut xpos[..n], &mut xquat[..n], &mut xmat[..n]);
    (xpos[0], xquat[0], xmat[0]) = (splat(&[0.0; 3]), splat(&QUAT_IDENTITY), splat(&IDENTITY));
    (xipos[0], ximat[0]) = (xpos[0], xmat[0]);
    let (jntadr, jntnum) = (&model.body_jntadr[..n], &model.body_jntnum[..n]);
    let (mocapid, parentid) = (&model.body_mocapid[..n], &model.body_parentid[..n]);
    let (body_pos, body_quat) = (&model.body_pos[..n], &model.body_quat[..n]);
    let mut joints = Joints { model, qpos, xanchor, xaxis };
    for body in 1..n {
        let own = span(jntadr[body], jntnum[body]);
        let (pos, mut quat) = if own.len() == 1 && model.jnt_type[own.start] == FREE {
            joints.free_pose(own.start)
        } else {
            // offset from the parent, from the model or from mocap
            let (offset, turn) = match usize::try_from(mocapid[body]) {
                Ok(mocap) => {
                    let mut quat = lanes.mocap_quat[mocap];
                    quat_normalize(&mut quat);
                    (lanes.mocap_pos[mocap], quat)
                }
                Err(_) => (splat(&body_pos[body]), splat(&body_quat[body])),
            };
            let parent = parentid[body] as usize;
            let (pos, quat) = if parent == 0 {
                (offset, turn)
            } else {
                (point_in_frame(&xmat[parent], &xpos[parent], &offset), quat_mul(&xquat[parent], &turn))
            };
            joints.moved(own, pos, quat)
        };
        quat_normalize(&mut quat);
        xquat[body] = quat;
        xpos[body] = pos;
        xmat[body] = quat_to_rows(&quat);
    }
}

/// What poses of bodies need to know of joints, and where the anchors and axes go.
struct Joints<'a> {
    model: &'a Model,
    qpos: &'a [f64x4],
    xanchor: &'a mut [Vec3s],
    xaxis: &'a mut [Vec3s],
}

impl Joints<'_> {
    /// Pose of a body on a free joint: copied from `qpos`.
    #[inline(always)]
    fn free_pose(&mut self, joint: usize) -> (Vec3s, Quats) {
        let address = self.model.jnt_qposadr[joint] as usize;
        let qpos = &self.qpos[address..address + 7];
        let (pos, mut quat) = ([qpos[0], qpos[1], qpos[2]], [qpos[3], qpos[4], qpos[5], qpos[6]]);
        self.xanchor[joint] = pos;
        self.xaxis[joint] = splat(&self.model.jnt_axis[joint]);
        quat_normalize(&mut quat);
        (pos, quat)
    }

    /// Pose of a body on any number of ball, slide and hinge joints, which move it one after the other.
    #[inline(always)]
    fn moved(&mut self, joints: Range<usize>, mut pos: Vec3s, mut quat: Quats) -> (Vec3s, Quats) {
        let model = self.model;
        for joint in joints {
            let (kind, address) = (model.jnt_type[joint], model.jnt_qposadr[joint] as usize);
            let (local_axis, local_anchor) = (splat(&model.jnt_axis[joint]), splat(&model.jnt_pos[joint]));
            let axis = quat_rotate(&quat, &local_axis);
            let centered = model.jnt_pos[joint] == [0.0; 3];
            let anchor = if centered { pos } else { add(&quat_rotate(&quat, &local_anchor), &pos) };
            if kind == SLIDE {
                pos = add(&pos, &scale(&axis, self.qpos[address] - f64x4::splat(model.qpos0[address])));
            } else {
                let rotation = if kind == BALL {
                    let qpos = &self.qpos[address..address + 4];
                    let mut rotation = [qpos[0], qpos[1], qpos[2], qpos[3]];
                    quat_normalize(&mut rotation);
                    rotation
                } else {
                    axis_angle_to_quat(&local_axis, self.qpos[address] - f64x4::splat(model.qpos0[address]))
                };
                quat = quat_mul(&quat, &rotation);
                // the anchor stays where it is
                if !centered {
                    pos = sub(&anchor, &quat_rotate(&quat, &local_anchor));
                }
            }
            self.xanchor[joint] = anchor;
            self.xaxis[joint] = axis;
        }
        (pos, quat)
    }
}

/// Poses of inertial frames, geoms and sites, which are fixed to their bodies.
pub(super) fn attached_poses(model: &Model, lanes: &mut Lanes) {
    let n = model.nbody;
    let Lanes { xpos, xquat, xmat, xipos, ximat, geom_xpos, geom_xmat, site_xpos, site_xmat, .. } = lanes;
    let (xpos, xquat, xmat) = (&xpos[..n], &xquat[..n], &xmat[..n]);
    let (xipos, ximat) = (&mut xipos[..n], &mut ximat[..n]);
    let (geomadr, geomnum) = (&model.body_geomadr[..n], &model.body_geomnum[..n]);
    let (ipos, iquat, isame) = (&model.body_ipos[..n], &model.body_iquat[..n], &model.body_sameframe[..n]);
    for body in 0..n {
        let mut frames = BodyFrames {
            xpos: &xpos[body],
            xquat: &xquat[body],
            xmat: &xmat[body],
            xipos: &xpos[body],
            ximat: &xmat[body],
        };
        if body > 0 {
            frames.attach((&ipos[body], &iquat[body], isame[body]), (&mut xipos[body], &mut ximat[body]));
        }
        (frames.xipos, frames.ximat) = (&xipos[body], &ximat[body]);
        for geom in span(geomadr[body], geomnum[body]) {
            frames.attach(
                (&model.geom_pos[geom], &model.geom_quat[geom], model.geom_sameframe[geom]),
                (&mut geom_xpos[geom], &mut geom_xmat[geom]),
            );
        }
    }
    for site in 0..model.nsite {
        let body = model.site_bodyid[site] as usize;
        let frames = BodyFrames {
            xpos: &xpos[body],
            xquat: &xquat[body],
            xmat: &xmat[body],
            xipos: &xipos[body],
            ximat: &ximat[body],
        };
        frames.attach(
            (&model.site_pos[site], &model.site_quat[site], model.site_sameframe[site]),
            (&mut site_xpos[site], &mut site_xmat[site]),
        );
    }
}

/// Where a body and its inertial frame are.
struct BodyFrames<'a> {
    xpos: &'a Vec3s,
    xquat: &'a Quats,
    xmat: &'a Mat3s,
    xipos: &'a Vec3s,
    ximat: &'a Mat3s,
}

impl BodyFrames<'_> {
    /// Pose of a frame that is fixed to the body.
    #[inline(always)]
    fn attach(
        &self,
        (pos, quat, sameframe): (&[f64; 3], &[f64; 4], u8),
        (to_pos, to_mat): (&mut Vec3s, &mut Mat3s),
    ) {
        const BODY: u8 = SameFrame::Body as u8;
        const INERTIA: u8 = SameFrame::Inertia as u8;
        const BODY_ROT: u8 = SameFrame::Bodyrot as u8;
        const INERTIA_ROT: u8 = SameFrame::Inertiarot as u8;
        *to_pos = match sameframe {
            BODY => *self.xpos,
            INERTIA => *self.xipos,
            _ => point_in_frame(self.xmat, self.xpos, &splat(pos)),
        };
        *to_mat = match sameframe {
            BODY | BODY_ROT => *self.xmat,
            INERTIA | INERTIA_ROT => *self.ximat,
            _ => quat_to_rows(&quat_mul(self.xquat, &splat(quat))),
        };
    }
}

/// Centre of mass of every subtree: mass-weighted sums from the leaves to the root.
pub(super) fn subtree_centers(model: &Model, lanes: &mut Lanes) {
    let n = model.nbody;
    let (mass, subtree_mass, parentid) =
        (&model.body_mass[..n], &model.body_subtreemass[..n], &model.body_parentid[..n]);
    let (xipos, com) = (&lanes.xipos[..n], &mut lanes.subtree_com[..n]);
    for body in 0..n {
        com[body] = scale(&xipos[body], f64x4::splat(mass[body]));
    }
    for body in (1..n).rev() {
        let (moment, parent) = (com[body], parentid[body] as usize);
        com[parent] = add(&com[parent], &moment);
    }
    for body in 0..n {
        let mass = subtree_mass[body];
        com[body] = if mass < MINVAL { xipos[body] } else { scale(&com[body], f64x4::splat(1.0 / mass)) };
    }
}

/// Inertias of bodies and motions of dofs about the centre of mass of each tree.
pub(super) fn com_motions(model: &Model, lanes: &mut Lanes) {
    let n = model.nbody;
    let (inertia, mass, rootid) = (&model.body_inertia[..n], &model.body_mass[..n], &model.body_rootid[..n]);
    let Lanes { subtree_com, xipos, ximat, cinert, cdof, xmat, xanchor, xaxis, .. } = lanes;
    let (com, xipos, ximat) = (&subtree_com[..n], &xipos[..n], &ximat[..n]);
    let cinert = &mut cinert[..n];
    cinert[0] = splat(&[0.0; 10]);
    for body in 1..n {
        let offset = sub(&xipos[body], &com[rootid[body] as usize]);
        cinert[body] = inert_com(&inertia[body], &ximat[body], &offset, mass[body]);
    }
    let zero = f64x4::ZERO;
    for joint in 0..model.njnt {
        let (dof, body) = (model.jnt_dofadr[joint] as usize, model.jnt_bodyid[joint] as usize);
        let (axis, offset) = (&xaxis[joint], sub(&com[rootid[body] as usize], &xanchor[joint]));
        match model.jnt_type[joint] {
            HINGE => cdof[dof] = rotation_about(axis, &offset),
            SLIDE => cdof[dof] = [zero, zero, zero, axis[0], axis[1], axis[2]],
            kind => {
                // free joints translate along the global axes, then both kinds rotate about the axes of the
                // body
                let mut rotation = dof;
                if kind == FREE {
                    for k in 0..3 {
                        cdof[dof + k] = [zero; 6];
                        cdof[dof + k][3 + k] = f64x4::ONE;
                    }
                    rotation += 3;
                }
                let mat = &xmat[body];
                for k in 0..3 {
                    cdof[rotation + k] = rotation_about(&[mat[k], mat[k + 3], mat[k + 6]], &offset);
                }
            }
        }
    }
}
