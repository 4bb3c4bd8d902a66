//! Forward kinematics: from joint positions to the poses of bodies, inertial frames, geoms and sites.
//!
//! Bodies are visited from parent to child. A body starts at its fixed offset from the parent (or at its
//! mocap pose), then each of its joints moves it: a slide along its axis, a hinge or ball about its anchor,
//! so that `x ← anchor − q ⊗ jnt_pos`. A free joint replaces the pose altogether.
//!
//! The kernels are generic over the scalar of one world or of four worlds in lockstep. Kernels of GPUs are
//! written in another language, WGSL, and so have these formulas, and those of velocities, inertias and bias
//! forces, a second time; `crates/gpu/tests/it/double.rs` holds both together, with joints of all kinds, to a
//! relative difference of 1e-9 in positions, velocities, accelerations and sensor values.

use crate::sleep::awake_lists::{ASLEEP, Visit, Visited, span};
use crate::sleep::{mj_update_sleep, mj_wake};
use kinetree_math::real::{Components, Real};
use kinetree_math::rot::{
    QUAT_IDENTITY, ROWS_IDENTITY, axis_angle_to_quat, point_in_frame, quat_mul, quat_normalize, quat_rotate3,
    quat_to_rows,
};
use kinetree_math::{Quat, Vec3};
use kinetree_model::enums::{EnableBit, JointType, SameFrame};
use kinetree_model::{Data, Model};
use std::ops::Range;

const FREE: i32 = JointType::Free as i32;
const BALL: i32 = JointType::Ball as i32;
const SLIDE: i32 = JointType::Slide as i32;

/// Computes the poses of all bodies, inertial frames, geoms and sites, and the anchors and axes of joints.
pub(crate) fn mj_kinematics(model: &Model, data: &mut Data) {
    let Data { qpos, mocap_pos, mocap_quat, xpos, xquat, xmat, xanchor, xaxis, .. } = data;
    let arrays = BodyPoses { qpos, mocap_pos, mocap_quat, xpos, xquat, xmat, xanchor, xaxis };
    let sleep = (&data.body_awake[..], &mut data.tree_awake[..]);
    body_poses(model, arrays, model.enabled(EnableBit::Sleep).then_some(sleep));
    if mj_wake(model, data) > 0 {
        mj_update_sleep(model, data);
    }
    let visit = Visit::bodies(model, data);
    let bodies = Visited::new(visit, &data.body_awake_ind);
    let Data { xpos, xquat, xmat, xipos, ximat, geom_xpos, geom_xmat, site_xpos, site_xmat, .. } = data;
    let arrays =
        AttachedPoses { xpos, xquat, xmat, xipos, ximat, geom_xpos, geom_xmat, site_xpos, site_xmat };
    let body_awake = &data.body_awake[..];
    attached_poses(model, arrays, bodies, |body| visit.filtered && body_awake[body] == ASLEEP);
}

/// Reads a quaternion out of `qpos` and normalizes it.
#[inline]
pub(crate) fn unit_quat<T: Real>(qpos: &[T], address: usize) -> [T; 4] {
    let mut quat = [qpos[address], qpos[address + 1], qpos[address + 2], qpos[address + 3]];
    quat_normalize(&mut quat);
    quat
}

/// Reads three numbers.
#[inline]
pub(crate) fn vec3_at(v: &[f64], address: usize) -> Vec3 {
    Vec3::new(v[address], v[address + 1], v[address + 2])
}

/// What poses of bodies follow from, and where they go, with the anchors and axes of joints.
pub(crate) struct BodyPoses<'a, T> {
    pub(crate) qpos: &'a [T],
    pub(crate) mocap_pos: &'a [[T; 3]],
    pub(crate) mocap_quat: &'a [[T; 4]],
    pub(crate) xpos: &'a mut [[T; 3]],
    pub(crate) xquat: &'a mut [[T; 4]],
    pub(crate) xmat: &'a mut [[T; 9]],
    pub(crate) xanchor: &'a mut [[T; 3]],
    pub(crate) xaxis: &'a mut [[T; 3]],
}

/// Poses of bodies, and anchors and axes of joints. Where bodies may sleep, `sleep` holds the sleep state of
/// each and whether each tree is awake.
#[inline(always)]
pub(crate) fn body_poses<T: Real>(
    model: &Model,
    arrays: BodyPoses<'_, T>,
    mut sleep: Option<(&[i32], &mut [i32])>,
) {
    let n = model.nbody;
    let (jntadr, jntnum) = (&model.body_jntadr[..n], &model.body_jntnum[..n]);
    let (mocapid, parentid) = (&model.body_mocapid[..n], &model.body_parentid[..n]);
    let (body_pos, body_quat) = (&model.body_pos[..n], &model.body_quat[..n]);
    let BodyPoses { qpos, mocap_pos, mocap_quat, xpos, xquat, xmat, xanchor, xaxis } = arrays;
    let mut joints = Joints::new(model, qpos, xanchor, xaxis);
    let (xpos, xquat, xmat) = (&mut xpos[..n], &mut xquat[..n], &mut xmat[..n]);
    (xpos[0], xquat[0]) = ([T::ZERO; 3], T::splat_all(&QUAT_IDENTITY));
    xmat[0] = T::splat_all(&ROWS_IDENTITY);
    for body in 1..n {
        let own = span(jntadr[body], jntnum[body]);
        let moving = !own.is_empty();
        let (pos, mut quat) = if own.len() == 1 && joints.types[own.start] == FREE {
            joints.free_pose(own.start)
        } else {
            // offset from the parent, from the model or from mocap
            let (offset, rotation) = match usize::try_from(mocapid[body]) {
                Ok(mocap) => {
                    let mut quat = mocap_quat[mocap];
                    quat_normalize(&mut quat);
                    (mocap_pos[mocap], quat)
                }
                Err(_) => (T::splat_all(&body_pos[body]), T::splat_all(&body_quat[body])),
            };
            let parent = parentid[body] as usize;
            let (pos, quat) = if parent == 0 {
                (offset, rotation)
            } else {
                (point_in_frame(&xmat[parent], &xpos[parent], &offset), quat_mul(&xquat[parent], &rotation))
            };
            joints.moved(own, T::Vec3::load(&pos), quat)
        };
        quat_normalize(&mut quat);

        // a sleeping body that has been moved by the user: its tree wakes up later
        if let Some((body_awake, tree_awake)) = &mut sleep
            && moving
            && body_awake[body] == ASLEEP
        {
            if xpos[body] == pos && xquat[body] == quat {
                continue;
            }
            tree_awake[model.body_treeid[body] as usize] = 1;
        }

        xquat[body] = quat;
        xpos[body] = pos;
        xmat[body] = quat_to_rows(&quat);
    }
}

/// What poses of bodies need to know of joints, and where the anchors and axes go.
struct Joints<'a, T> {
    types: &'a [i32],
    addresses: &'a [i32],
    axes: &'a [[f64; 3]],
    anchors: &'a [[f64; 3]],
    qpos: &'a [T],
    qpos0: &'a [f64],
    xanchor: &'a mut [[T; 3]],
    xaxis: &'a mut [[T; 3]],
}

impl<'a, T: Real> Joints<'a, T> {
    #[inline(always)]
    fn new(model: &'a Model, qpos: &'a [T], xanchor: &'a mut [[T; 3]], xaxis: &'a mut [[T; 3]]) -> Self {
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
    fn free_pose(&mut self, joint: usize) -> ([T; 3], [T; 4]) {
        let address = self.addresses[joint] as usize;
        let pos = [self.qpos[address], self.qpos[address + 1], self.qpos[address + 2]];
        self.xanchor[joint] = pos;
        self.xaxis[joint] = T::splat_all(&self.axes[joint]);
        (pos, unit_quat(self.qpos, address + 3))
    }

    /// Angle of a hinge, or length of a slide, from the reference position.
    #[inline(always)]
    fn displacement(&self, address: usize) -> T {
        self.qpos[address] - T::splat(self.qpos0[address])
    }

    /// Pose of a body on any number of ball, slide and hinge joints, which move it one after the other.
    #[inline(always)]
    fn moved(&mut self, joints: Range<usize>, mut pos: T::Vec3, mut quat: [T; 4]) -> ([T; 3], [T; 4]) {
        for joint in joints {
            let (kind, address) = (self.types[joint], self.addresses[joint] as usize);
            let local_axis = T::splat_all(&self.axes[joint]);
            // first the rotation: it does not depend on the pose
            let rotation = match kind {
                SLIDE => T::splat_all(&QUAT_IDENTITY),
                BALL => unit_quat(self.qpos, address),
                _ => axis_angle_to_quat(&local_axis.into(), self.displacement(address)),
            };
            let axis = quat_rotate3(&quat, T::Vec3::load(&local_axis));
            let centered = self.anchors[joint] == [0.0; 3];
            let local_anchor = T::Vec3::constant(&self.anchors[joint]);
            let anchor = if centered { pos } else { quat_rotate3(&quat, local_anchor) + pos };
            if kind == SLIDE {
                pos = pos + axis * T::Vec3::splat(self.displacement(address));
            } else {
                quat = quat_mul(&quat, &rotation);
                // the anchor stays where it is
                if !centered {
                    pos = anchor - quat_rotate3(&quat, local_anchor);
                }
            }
            self.xanchor[joint] = anchor.store();
            self.xaxis[joint] = axis.store();
        }
        (pos.store(), quat)
    }
}

/// Poses of bodies, and where those of inertial frames, geoms and sites go.
pub(crate) struct AttachedPoses<'a, T> {
    pub(crate) xpos: &'a [[T; 3]],
    pub(crate) xquat: &'a [[T; 4]],
    pub(crate) xmat: &'a [[T; 9]],
    pub(crate) xipos: &'a mut [[T; 3]],
    pub(crate) ximat: &'a mut [[T; 9]],
    pub(crate) geom_xpos: &'a mut [[T; 3]],
    pub(crate) geom_xmat: &'a mut [[T; 9]],
    pub(crate) site_xpos: &'a mut [[T; 3]],
    pub(crate) site_xmat: &'a mut [[T; 9]],
}

/// Poses of inertial frames, geoms and sites, which are fixed to their bodies.
#[inline(always)]
pub(crate) fn attached_poses<T: Real>(
    model: &Model,
    arrays: AttachedPoses<'_, T>,
    bodies: Visited<'_>,
    is_asleep: impl Fn(usize) -> bool,
) {
    let (n, ngeom) = (model.nbody, model.ngeom);
    let (ipos, iquat, isame) = (&model.body_ipos[..n], &model.body_iquat[..n], &model.body_sameframe[..n]);
    let (geomadr, geomnum) = (&model.body_geomadr[..n], &model.body_geomnum[..n]);
    let (pos, quat, same) =
        (&model.geom_pos[..ngeom], &model.geom_quat[..ngeom], &model.geom_sameframe[..ngeom]);
    let AttachedPoses { xpos, xquat, xmat, xipos, ximat, geom_xpos, geom_xmat, site_xpos, site_xmat } =
        arrays;
    let (xpos, xquat, xmat) = (&xpos[..n], &xquat[..n], &xmat[..n]);
    let (xipos, ximat) = (&mut xipos[..n], &mut ximat[..n]);
    let (geom_xpos, geom_xmat) = (&mut geom_xpos[..ngeom], &mut geom_xmat[..ngeom]);
    (xipos[0], ximat[0]) = ([T::ZERO; 3], T::splat_all(&ROWS_IDENTITY));
    for body in bodies.iter() {
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
        if is_asleep(body) {
            continue;
        }
        let frames = BodyFrames {
            xpos: &xpos[body],
            xquat: &xquat[body],
            xmat: &xmat[body],
            xipos: &xipos[body],
            ximat: &ximat[body],
        };
        (site_xpos[site], site_xmat[site]) =
            frames.attach(&model.site_pos[site], &model.site_quat[site], model.site_sameframe[site]);
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
    let frames = BodyFrames {
        xpos: &data.xpos[body],
        xquat: &data.xquat[body],
        xmat: &data.xmat[body],
        xipos: &data.xipos[body],
        ximat: &data.ximat[body],
    };
    frames.attach(pos, quat, sameframe)
}

/// Where a body and its inertial frame are.
struct BodyFrames<'a, T> {
    xpos: &'a [T; 3],
    xquat: &'a [T; 4],
    xmat: &'a [T; 9],
    xipos: &'a [T; 3],
    ximat: &'a [T; 9],
}

impl<T: Real> BodyFrames<'_, T> {
    /// Pose of a frame that is fixed to the body.
    #[inline(always)]
    fn attach(&self, pos: &[f64; 3], quat: &Quat, sameframe: u8) -> ([T; 3], [T; 9]) {
        const BODY: u8 = SameFrame::Body as u8;
        const INERTIA: u8 = SameFrame::Inertia as u8;
        const BODY_ROT: u8 = SameFrame::Bodyrot as u8;
        const INERTIA_ROT: u8 = SameFrame::Inertiarot as u8;
        let xpos = match sameframe {
            BODY => *self.xpos,
            INERTIA => *self.xipos,
            _ => point_in_frame(self.xmat, self.xpos, &T::splat_all(pos)),
        };
        let xmat = match sameframe {
            BODY | BODY_ROT => *self.xmat,
            INERTIA | INERTIA_ROT => *self.ximat,
            _ => quat_to_rows(&quat_mul(self.xquat, &T::splat_all(quat))),
        };
        (xpos, xmat)
    }
}

/// Global position of a point fixed to `body`.
#[inline]
pub(crate) fn local_point_to_global(data: &Data, pos: &[f64; 3], body: usize) -> [f64; 3] {
    point_in_frame(&data.xmat[body], &data.xpos[body], pos)
}
