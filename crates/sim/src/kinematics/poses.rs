//! Forward kinematics: from joint positions to the poses of bodies, inertial frames, geoms and sites.
//!
//! Bodies are visited from parent to child. A body starts at its fixed offset from the parent (or at its
//! mocap pose), then each of its joints moves it: a slide along its axis, a hinge or ball about its anchor,
//! so that `x ← anchor − q ⊗ jnt_pos`. A free joint replaces the pose altogether.

use crate::sleep::awake_lists::{ASLEEP, Visit, span};
use crate::sleep::{mj_update_sleep, mj_wake};
use kinetree_math::lanes3::{cross3, load3, store3};
use kinetree_math::rot::{
    QUAT_IDENTITY, axis_angle_to_quat, mat3, quat_mul, quat_normalize, quat_rotate3, quat_to_rows,
};
use kinetree_math::spatial::{dof_com, inert_com};
use kinetree_math::{MINVAL, Quat, Vec3};
use kinetree_model::enums::{EnableBit, JointType, SameFrame};
use kinetree_model::{Data, Model};
use std::ops::Range;
use wide::f64x4;

const FREE: i32 = JointType::Free as i32;
const BALL: i32 = JointType::Ball as i32;
const SLIDE: i32 = JointType::Slide as i32;
const HINGE: i32 = JointType::Hinge as i32;

/// Row-major identity.
pub(crate) const IDENTITY: [f64; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

/// Computes the poses of all bodies, inertial frames, geoms and sites, and the anchors and axes of joints.
pub(crate) fn mj_kinematics(model: &Model, data: &mut Data) {
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
    let (mocapid, parentid) = (&model.body_mocapid[..n], &model.body_parentid[..n]);
    let (body_pos, body_quat) = (&model.body_pos[..n], &model.body_quat[..n]);
    let Data { xpos, xquat, xmat, qpos, xanchor, xaxis, .. } = data;
    let mut joints = Joints::new(model, qpos, xanchor, xaxis);
    let (xpos, xquat, xmat) = (&mut xpos[..n], &mut xquat[..n], &mut xmat[..n]);
    for body in 1..n {
        let own = span(jntadr[body], jntnum[body]);
        let moving = !own.is_empty();
        let (pos, mut quat) = if own.len() == 1 && joints.types[own.start] == FREE {
            joints.free_pose(own.start)
        } else {
            // offset from the parent, from the model or from mocap
            let (offset, turn) = match usize::try_from(mocapid[body]) {
                Ok(mocap) => {
                    let mut quat = data.mocap_quat[mocap];
                    quat_normalize(&mut quat);
                    (data.mocap_pos[mocap], quat)
                }
                Err(_) => (body_pos[body], body_quat[body]),
            };
            let parent = parentid[body] as usize;
            let (pos, quat) = if parent == 0 {
                (offset, turn)
            } else {
                (point_in_frame(&xmat[parent], &xpos[parent], &offset), quat_mul(&xquat[parent], &turn))
            };
            joints.moved(own, load3(&pos), quat)
        };
        quat_normalize(&mut quat);

        // a sleeping body that has been moved by the user: its tree wakes up below
        if sleep_enabled && moving && data.body_awake[body] == ASLEEP {
            if xpos[body] == pos && xquat[body] == quat {
                continue;
            }
            data.tree_awake[model.body_treeid[body] as usize] = 1;
        }

        xquat[body] = quat;
        xpos[body] = pos;
        xmat[body] = quat_to_rows(&quat);
    }
}

/// What poses of bodies need to know of joints, and where the anchors and axes go.
struct Joints<'a> {
    types: &'a [i32],
    addresses: &'a [i32],
    axes: &'a [[f64; 3]],
    anchors: &'a [[f64; 3]],
    qpos: &'a [f64],
    qpos0: &'a [f64],
    xanchor: &'a mut [[f64; 3]],
    xaxis: &'a mut [[f64; 3]],
}

impl<'a> Joints<'a> {
    #[inline(always)]
    fn new(
        model: &'a Model,
        qpos: &'a [f64],
        xanchor: &'a mut [[f64; 3]],
        xaxis: &'a mut [[f64; 3]],
    ) -> Self {
        // lists of the same length: one check covers all
        let (nq, njnt) = (model.nq, model.njnt);
        Self {
            types: &model.jnt_type[..njnt],
            addresses: &model.jnt_qposadr[..njnt],
            axes: &model.jnt_axis[..njnt],
            anchors: &model.jnt_pos[..njnt],
            qpos: &qpos[..nq],
            qpos0: &model.qpos0[..nq],
            xanchor: &mut xanchor[..njnt],
            xaxis: &mut xaxis[..njnt],
        }
    }

    /// Pose of a body on a free joint: copied from `qpos`.
    #[inline(always)]
    fn free_pose(&mut self, joint: usize) -> ([f64; 3], Quat) {
        let address = self.addresses[joint] as usize;
        let pos = vec3_at(self.qpos, address).into();
        self.xanchor[joint] = pos;
        self.xaxis[joint] = self.axes[joint];
        (pos, unit_quat(self.qpos, address + 3))
    }

    /// Pose of a body on any number of ball, slide and hinge joints, which move it one after the other.
    #[inline(always)]
    fn moved(&mut self, joints: Range<usize>, mut pos: f64x4, mut quat: Quat) -> ([f64; 3], Quat) {
        for joint in joints {
            let (kind, address) = (self.types[joint], self.addresses[joint] as usize);
            // first the rotation: it does not depend on the pose
            let rotation = match kind {
                SLIDE => QUAT_IDENTITY,
                BALL => unit_quat(self.qpos, address),
                _ => axis_angle_to_quat(&self.axes[joint].into(), self.qpos[address] - self.qpos0[address]),
            };
            let axis = quat_rotate3(&quat, load3(&self.axes[joint]));
            let centered = self.anchors[joint] == [0.0; 3];
            let local_anchor = load3(&self.anchors[joint]);
            let anchor = if centered { pos } else { quat_rotate3(&quat, local_anchor) + pos };
            if kind == SLIDE {
                pos += axis * f64x4::splat(self.qpos[address] - self.qpos0[address]);
            } else {
                quat = quat_mul(&quat, &rotation);
                // the anchor stays where it is
                if !centered {
                    pos = anchor - quat_rotate3(&quat, local_anchor);
                }
            }
            self.xanchor[joint] = store3(anchor);
            self.xaxis[joint] = store3(axis);
        }
        (store3(pos), quat)
    }
}

/// Poses of inertial frames, geoms and sites, which are fixed to their bodies.
fn attached_poses(model: &Model, data: &mut Data) {
    let visit = Visit::bodies(model, data);
    let (n, ngeom) = (model.nbody, model.ngeom);
    let (ipos, iquat, isame) = (&model.body_ipos[..n], &model.body_iquat[..n], &model.body_sameframe[..n]);
    let (geomadr, geomnum) = (&model.body_geomadr[..n], &model.body_geomnum[..n]);
    let (pos, quat, same) =
        (&model.geom_pos[..ngeom], &model.geom_quat[..ngeom], &model.geom_sameframe[..ngeom]);
    let Data { xpos, xquat, xmat, xipos, ximat, geom_xpos, geom_xmat, .. } = data;
    let (xpos, xquat, xmat) = (&xpos[..n], &xquat[..n], &xmat[..n]);
    let (xipos, ximat) = (&mut xipos[..n], &mut ximat[..n]);
    let (geom_xpos, geom_xmat) = (&mut geom_xpos[..ngeom], &mut geom_xmat[..ngeom]);
    for k in 0..visit.count {
        let body = visit.at(&data.body_awake_ind, k);
        let mut frames = BodyFrames {
            xpos: &xpos[body],
            xquat: &xquat[body],
            xmat: &xmat[body],
            xipos: &xpos[body],
            ximat: &xmat[body],
        };
        if body > 0 {
            (xipos[body], ximat[body]) = frames.attach(&ipos[body], &iquat[body], isame[body]);
        }
        (frames.xipos, frames.ximat) = (&xipos[body], &ximat[body]);
        for geom in span(geomadr[body], geomnum[body]) {
            (geom_xpos[geom], geom_xmat[geom]) = frames.attach(&pos[geom], &quat[geom], same[geom]);
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

/// Global position and row-major orientation of a frame fixed to `body`. `sameframe` (a `SameFrame` value)
/// tells when part of the answer is the body's or its inertial frame's, so that nothing needs to be computed.
#[must_use]
pub(crate) fn mj_local_to_global(
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
            _ => quat_to_rows(&quat_mul(self.xquat, quat)),
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
pub(crate) fn mj_com_pos(model: &Model, data: &mut Data) {
    subtree_centers(model, data);
    let visit = Visit::bodies(model, data);
    let n = model.nbody;
    let (inertia, mass, rootid) = (&model.body_inertia[..n], &model.body_mass[..n], &model.body_rootid[..n]);
    let Data { subtree_com, xipos, ximat, cinert, body_awake_ind, .. } = data;
    let (com, xipos, ximat, cinert) = (&subtree_com[..n], &xipos[..n], &ximat[..n], &mut cinert[..n]);
    cinert[0] = [0.0; 10];
    for k in 0..visit.count {
        let body = visit.at(body_awake_ind, k);
        if body > 0 {
            let offset = Vec3::from(xipos[body]) - Vec3::from(com[rootid[body] as usize]);
            cinert[body] = inert_com(&inertia[body], &mat3(&ximat[body]), &offset, mass[body]);
        }
    }
    if visit.filtered {
        for k in 0..visit.count {
            let body = data.body_awake_ind[k] as usize;
            dof_motions(model, data, span(model.body_jntadr[body], model.body_jntnum[body]));
        }
    } else {
        dof_motions(model, data, 0..model.njnt);
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

/// Motion of each dof of some joints, about the centre of mass of their tree.
#[inline]
fn dof_motions(model: &Model, data: &mut Data, joints: Range<usize>) {
    let n = model.njnt;
    let (types, dofs, bodies) = (&model.jnt_type[..n], &model.jnt_dofadr[..n], &model.jnt_bodyid[..n]);
    let (anchors, axes, rootid) = (&data.xanchor[..n], &data.xaxis[..n], &model.body_rootid[..]);
    let (com, cdof) = (&data.subtree_com[..], &mut data.cdof[..]);
    for joint in joints {
        let (kind, dof, body) = (types[joint], dofs[joint] as usize, bodies[joint] as usize);
        let center = load3(&com[rootid[body] as usize]);
        let (axis, offset) = (load3(&axes[joint]), center - load3(&anchors[joint]));
        if kind == HINGE {
            cdof[dof] = rotation_about(axis, offset);
        } else if kind == SLIDE {
            cdof[dof] = dof_com(&axes[joint].into(), None);
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
                cdof[rotation + k] = rotation_about(load3(&[mat[k], mat[k + 3], mat[k + 6]]), offset);
            }
        }
    }
}

/// Motion of a rotation about an axis, at `offset` from it.
#[inline(always)]
fn rotation_about(axis: f64x4, offset: f64x4) -> [f64; 6] {
    let ([a, b, c], [d, e, f]) = (store3(axis), store3(cross3(axis, offset)));
    [a, b, c, d, e, f]
}
