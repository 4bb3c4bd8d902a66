//! Object frames, velocities and accelerations, applied forces, and the geometry of configuration space.

use crate::kinematics::chain::chain_dofs;
use crate::kinematics::jacobian::point_column;
use kinetree_math::Vec3;
use kinetree_math::real::Real;
use kinetree_math::rot::{mat3, quat_integrate, quat_normalize, quat_sub};
use kinetree_math::spatial::{SpatialKind, Vec6, angular, linear, transform_spatial};
use kinetree_math::{MINVAL, Quat};
use kinetree_model::enums::{JointType, ObjType};
use kinetree_model::{Data, Mismatch, Model, NoFrame};

/// Why an object has no velocity or acceleration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// The data does not fit the model.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// The object has no frame.
    #[error(transparent)]
    NoFrame(#[from] NoFrame),
}

/// Where an object is: the body it is attached to, its global position and its row-major orientation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectFrame<'a> {
    /// Body that carries the object.
    pub body: usize,
    /// Global position.
    pub pos: &'a [f64; 3],
    /// Global orientation, row-major.
    pub mat: &'a [f64; 9],
}

/// Frame of a body (inertial frame for `Body`, regular frame for `Xbody`), geom, site or camera.
///
/// # Errors
/// When the type has no frame or the id is out of range.
pub(crate) fn object_frame<'a>(
    model: &Model,
    data: &'a Data,
    objtype: i32,
    id: i32,
) -> Result<ObjectFrame<'a>, NoFrame> {
    let found = || {
        let i = usize::try_from(id).ok()?;
        let (body, pos, mat) = match ObjType::try_from(objtype).ok()? {
            ObjType::Body => (i, data.xipos.get(i)?, data.ximat.get(i)?),
            ObjType::Xbody => (i, data.xpos.get(i)?, data.xmat.get(i)?),
            ObjType::Geom => {
                (*model.geom_bodyid.get(i)? as usize, data.geom_xpos.get(i)?, data.geom_xmat.get(i)?)
            }
            ObjType::Site => {
                (*model.site_bodyid.get(i)? as usize, data.site_xpos.get(i)?, data.site_xmat.get(i)?)
            }
            ObjType::Camera => {
                (*model.cam_bodyid.get(i)? as usize, data.cam_xpos.get(i)?, data.cam_xmat.get(i)?)
            }
            _ => return None,
        };
        Some(ObjectFrame { body, pos, mat })
    };
    found().ok_or(NoFrame { objtype, id })
}

/// A com-based motion of `body`, moved to the frame's origin and optionally into its axes.
#[inline]
fn motion_at(model: &Model, data: &Data, motion: &Vec6, frame: &ObjectFrame<'_>, local: bool) -> Vec6 {
    let com = Vec3::from(data.subtree_com[model.body_rootid[frame.body] as usize]);
    let axes = local.then(|| mat3(frame.mat));
    transform_spatial(motion, SpatialKind::Motion, &Vec3::from(*frame.pos), &com, axes.as_ref())
}

/// Velocity of a frame, angular part first, in global axes or in its own.
#[inline]
pub(crate) fn frame_velocity(model: &Model, data: &Data, frame: &ObjectFrame<'_>, local: bool) -> Vec6 {
    if model.is_fixed(frame.body) {
        return [0.0; 6];
    }
    motion_at(model, data, &data.cvel[frame.body], frame, local)
}

/// Acceleration of a frame, angular part first, in global axes or in its own. Needs `cacc`.
pub(crate) fn frame_acceleration(model: &Model, data: &Data, frame: &ObjectFrame<'_>, local: bool) -> Vec6 {
    if model.is_fixed(frame.body) {
        // what does not move accelerates like the world, against gravity
        return if model.reference().static_acceleration() {
            motion_at(model, data, &data.cacc[0], frame, local)
        } else {
            [0.0; 6]
        };
    }
    let mut acceleration = motion_at(model, data, &data.cacc[frame.body], frame, local);
    let velocity = motion_at(model, data, &data.cvel[frame.body], frame, local);
    // the spatial acceleration lacks the rotation of the velocity
    let transport = angular(&velocity).cross(&linear(&velocity));
    for k in 0..3 {
        acceleration[3 + k] += transport[k];
    }
    acceleration
}

/// Velocity of an object, angular part first, in its own axes when `local`.
///
/// # Errors
/// When the object has no frame.
pub(crate) fn mj_object_velocity(
    model: &Model,
    data: &Data,
    objtype: i32,
    id: i32,
    local: bool,
) -> Result<Vec6, FrameError> {
    Ok(frame_velocity(model, data, &object_frame(model, data, objtype, id)?, local))
}

/// Acceleration of an object, angular part first, in its own axes when `local`. Needs
/// [`mj_rne_post_constraint`](crate::mj_rne_post_constraint).
///
/// # Errors
/// When the object has no frame.
pub(crate) fn mj_object_acceleration(
    model: &Model,
    data: &Data,
    objtype: i32,
    id: i32,
    local: bool,
) -> Result<Vec6, FrameError> {
    Ok(frame_acceleration(model, data, &object_frame(model, data, objtype, id)?, local))
}

/// Global linear velocity of a site.
pub(crate) fn site_velocity(model: &Model, data: &Data, site: usize) -> Vec3 {
    let frame = ObjectFrame {
        body: model.site_bodyid[site] as usize,
        pos: &data.site_xpos[site],
        mat: &data.site_xmat[site],
    };
    linear(&frame_velocity(model, data, &frame, false))
}

/// Adds to `qfrc` the generalized force of a force and torque that act on `body` at a global point.
pub(crate) fn mj_apply_ft(
    model: &Model,
    data: &Data,
    force: &[f64; 3],
    torque: &[f64; 3],
    point: &[f64; 3],
    body: usize,
    qfrc: &mut [f64],
) {
    apply_ft(model, (&data.cdof, &data.subtree_com), force, torque, point, body, qfrc);
}

/// As [`mj_apply_ft`], from the motions of dofs and the centres of mass that they are about: `qfrc` may be
/// another field of their data.
pub(crate) fn apply_ft(
    model: &Model,
    (cdof, subtree_com): (&[Vec6], &[[f64; 3]]),
    force: &[f64; 3],
    torque: &[f64; 3],
    point: &[f64; 3],
    body: usize,
    qfrc: &mut [f64],
) {
    let (force, torque) = (Vec3::from(*force), Vec3::from(*torque));
    let offset = Vec3::from(*point) - Vec3::from(subtree_com[model.body_rootid[body] as usize]);
    for i in chain_dofs(model, body) {
        let cdof = &cdof[i];
        qfrc[i] += point_column(cdof, &offset).dot(&force);
        qfrc[i] += angular(cdof).dot(&torque);
    }
}

/// Adds to `qfrc` the generalized force of all Cartesian forces in `xfrc_applied`.
pub(crate) fn mj_xfrc_accumulate(model: &Model, data: &Data, qfrc: &mut [f64]) {
    let Data { cdof, subtree_com, xipos, xfrc_applied, .. } = data;
    xfrc_accumulate(model, (cdof, subtree_com), xipos, xfrc_applied, qfrc);
}

/// As [`mj_xfrc_accumulate`], from single fields of a data: `qfrc` may be another one.
pub(crate) fn xfrc_accumulate(
    model: &Model,
    motions: (&[Vec6], &[[f64; 3]]),
    xipos: &[[f64; 3]],
    xfrc_applied: &[Vec6],
    qfrc: &mut [f64],
) {
    // mostly there are none at all
    if !xfrc_applied.as_flattened().iter().fold(false, |any, &x| any | (x != 0.0)) {
        return;
    }
    for body in 1..model.nbody {
        let wrench = &xfrc_applied[body];
        // anything but zeros of either sign
        if wrench.iter().fold(0, |bits, x| bits | x.to_bits()) << 1 != 0 {
            let force = [wrench[0], wrench[1], wrench[2]];
            let torque = [wrench[3], wrench[4], wrench[5]];
            apply_ft(model, motions, &force, &torque, &xipos[body], body, qfrc);
        }
    }
}

/// Reads a quaternion.
#[inline]
fn quat_at(qpos: &[f64], address: usize) -> Quat {
    [qpos[address], qpos[address + 1], qpos[address + 2], qpos[address + 3]]
}

/// Velocity that takes `qpos1` to `qpos2` within `dt`.
pub fn mj_differentiate_pos(model: &Model, qvel: &mut [f64], dt: f64, qpos1: &[f64], qpos2: &[f64]) {
    for joint in 0..model.njnt {
        let mut address = model.jnt_qposadr[joint] as usize;
        let mut dof = model.jnt_dofadr[joint] as usize;
        let kind = model.jnt_type[joint];
        if kind == JointType::Hinge || kind == JointType::Slide {
            qvel[dof] = (qpos2[address] - qpos1[address]) / dt;
            continue;
        }
        if kind == JointType::Free {
            for k in 0..3 {
                qvel[dof + k] = (qpos2[address + k] - qpos1[address + k]) / dt;
            }
            address += 3;
            dof += 3;
        }
        let rotation = quat_sub(&quat_at(qpos2, address), &quat_at(qpos1, address)) * (1.0 / dt);
        qvel[dof..dof + 3].copy_from_slice(rotation.as_slice());
    }
}

/// Moves `qpos` for time `dt` with velocity `qvel`.
pub fn mj_integrate_pos(model: &Model, qpos: &mut [f64], qvel: &[f64], dt: f64) {
    let n = model.njnt;
    let (types, qposadr, dofadr) = (&model.jnt_type[..n], &model.jnt_qposadr[..n], &model.jnt_dofadr[..n]);
    for joint in 0..n {
        if types[joint] == JointType::Hinge || types[joint] == JointType::Slide {
            qpos[qposadr[joint] as usize] += dt * qvel[dofadr[joint] as usize];
        } else {
            integrate_joint(model, joint, qpos, |dof| qvel[dof], dt);
        }
    }
}

/// Moves the joints of the bodies in `bodies` for time `dt` with velocity `qvel`.
pub(crate) fn integrate_pos_of_bodies(
    model: &Model,
    qpos: &mut [f64],
    qvel: &[f64],
    dt: f64,
    bodies: &[i32],
) {
    for &body in bodies {
        let first = model.body_jntadr[body as usize] as usize;
        for joint in first..first + model.body_jntnum[body as usize] as usize {
            integrate_joint(model, joint, qpos, |dof| qvel[dof], dt);
        }
    }
}

/// Moves one joint for time `dt` with the velocities of its dofs, of one world or of four in lockstep.
#[inline]
pub(crate) fn integrate_joint<T: Real>(
    model: &Model,
    joint: usize,
    qpos: &mut [T],
    velocity: impl Fn(usize) -> T,
    dt: f64,
) {
    let mut address = model.jnt_qposadr[joint] as usize;
    let mut dof = model.jnt_dofadr[joint] as usize;
    let kind = model.jnt_type[joint];
    if kind == JointType::Hinge || kind == JointType::Slide {
        qpos[address] += T::splat(dt) * velocity(dof);
        return;
    }
    if kind == JointType::Free {
        for k in 0..3 {
            qpos[address + k] += T::splat(dt) * velocity(dof + k);
        }
        address += 3;
        dof += 3;
    }
    if let Some(quat) = qpos[address..].first_chunk_mut::<4>() {
        let omega = [velocity(dof), velocity(dof + 1), velocity(dof + 2)];
        quat_integrate(quat, &omega.into(), dt);
    }
}

/// Normalizes every quaternion in `qpos`.
pub fn mj_normalize_quat(model: &Model, qpos: &mut [f64]) {
    for joint in 0..model.njnt {
        let kind = model.jnt_type[joint];
        let address = model.jnt_qposadr[joint] as usize
            + if kind == JointType::Free {
                3
            } else if kind == JointType::Ball {
                0
            } else {
                continue;
            };
        let mut quat = quat_at(qpos, address);
        quat_normalize(&mut quat);
        qpos[address..address + 4].copy_from_slice(&quat);
    }
}

/// Mass of all bodies (kg).
#[must_use]
pub fn mj_get_totalmass(model: &Model) -> f64 {
    let mut total = 0.0;
    for mass in model.body_mass.iter().skip(1) {
        total += mass;
    }
    total
}

/// Scales the masses and inertias of all bodies so that their total mass is `mass`. Constants that depend on
/// masses have to be computed again afterwards.
pub fn mj_set_totalmass(model: &mut Model, mass: f64) {
    let scale = (mass / mj_get_totalmass(model).max(MINVAL)).max(MINVAL);
    for body in 1..model.nbody {
        model.body_mass[body] *= scale;
        for inertia in &mut model.body_inertia[body] {
            *inertia *= scale;
        }
    }
}
