//! Kinematics, velocities and bias forces of four worlds: the kernels of one world with a world a lane.

use super::memory::Lanes;
use crate::forces::bias::{Motion, lockstep_bias};
use crate::kinematics::centers::{self, DofMotions};
use crate::kinematics::poses::{self, AttachedPoses, BodyPoses};
use crate::kinematics::velocity::com_velocities;
use crate::sleep::awake_lists::Visited;
use kinetree_model::Model;

/// Poses of bodies, and anchors and axes of joints.
pub(super) fn body_poses(model: &Model, lanes: &mut Lanes) {
    let Lanes { qpos, mocap_pos, mocap_quat, xpos, xquat, xmat, xanchor, xaxis, .. } = lanes;
    let arrays = BodyPoses { qpos, mocap_pos, mocap_quat, xpos, xquat, xmat, xanchor, xaxis };
    poses::body_poses(model, arrays, None);
}

/// Poses of inertial frames, geoms and sites, which are fixed to their bodies.
pub(super) fn attached_poses(model: &Model, lanes: &mut Lanes) {
    let Lanes { xpos, xquat, xmat, xipos, ximat, geom_xpos, geom_xmat, site_xpos, site_xmat, .. } = lanes;
    let arrays =
        AttachedPoses { xpos, xquat, xmat, xipos, ximat, geom_xpos, geom_xmat, site_xpos, site_xmat };
    poses::attached_poses(model, arrays, Visited::all(model.nbody), |_| false);
}

/// Centres of mass of subtrees, and inertias of bodies and motions of dofs about those of each tree.
pub(super) fn com_positions(model: &Model, lanes: &mut Lanes) {
    let Lanes { xipos, ximat, subtree_com, cinert, xanchor, xaxis, xmat, cdof, .. } = lanes;
    let all = Visited::all(model.nbody);
    centers::subtree_centers(model, (all, all), |_| false, xipos, subtree_com);
    centers::body_inertias(model, all, (xipos, ximat, subtree_com), cinert);
    DofMotions { xanchor, xaxis, xmat, subtree_com, cdof }.set(model, 0..model.njnt);
}

/// Velocities of bodies and of the motions of dofs.
pub(super) fn velocities(model: &Model, lanes: &mut Lanes) {
    let Lanes { cdof, qvel, cvel, cdof_dot, .. } = lanes;
    com_velocities(model, Visited::all(model.nbody), (cdof, qvel), cvel, cdof_dot);
}

/// Bias forces `c(q, q̇)` by recursive Newton–Euler.
pub(super) fn bias(model: &Model, lanes: &mut Lanes) {
    let Lanes { cinert, cvel, cdof, cdof_dot, qvel, qfrc_bias, rne, .. } = lanes;
    let motion = Motion { cinert, cvel, cdof, cdof_dot, qvel, qacc: &[] };
    lockstep_bias(model, &motion, rne, qfrc_bias);
}
