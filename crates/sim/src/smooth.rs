//! Smooth dynamics: what forward and inverse dynamics compute without constraints.

use crate::evaluation::{Extent, SmoothStages};
use crate::flex::{FlexScratch, mj_flex, set_edge_velocities};
use crate::forces::bias::{RneScratch, VelocityTerms, set_bias};
use crate::forces::passive::mj_passive;
use crate::inertia::mass_matrix::m_pattern;
use crate::kinematics::camlight::mj_camlight;
use crate::kinematics::centers::mj_com_pos;
use crate::kinematics::poses::mj_kinematics;
use crate::kinematics::velocity::mj_com_vel;
use crate::nested::NestedCalls;
use crate::sleep::awake_lists::Visit;
use crate::sleep::wake::mj_wake_tendon;
use crate::sleep::{mj_update_sleep, mj_wake};
use crate::support::xfrc_accumulate;
use crate::tendon::lengths::{WrapPaths, mj_tendon};
use kinetree_math::sparse::{Csr, Pattern, ltdl_solve, mul_mat_vec};
use kinetree_model::enums::DisableBit;
use kinetree_model::{Data, Model};

/// Everything that follows from positions alone, without inertia: poses, centres of mass, cameras, lights,
/// flexes, tendons.
pub(crate) fn mj_fwd_kinematics(
    model: &Model,
    data: &mut Data,
    paths: &mut WrapPaths,
    flex: &mut FlexScratch,
) {
    data.flg_energypos = false;
    mj_kinematics(model, data);
    mj_com_pos(model, data);
    mj_camlight(model, data);
    follow_com_pos(model, data, paths, flex);
}

/// What follows the poses of bodies and the centres of mass in [`mj_fwd_kinematics`], when these were made in
/// lockstep; without cameras and lights, which no stage reads, when another evaluation is to follow, and
/// without tendons when these were not needed for forces.
pub(crate) fn follow_kinematics(
    model: &Model,
    data: &mut Data,
    paths: &mut WrapPaths,
    flex: &mut FlexScratch,
    stages: SmoothStages,
) {
    data.flg_energypos = false;
    if mj_wake(model, data) > 0 {
        mj_update_sleep(model, data);
    }
    if matches!(stages.extent, Extent::Complete) {
        mj_camlight(model, data);
    }
    if !matches!(stages.extent, Extent::Forces(_)) {
        follow_com_pos(model, data, paths, flex);
    }
}

/// Flexes and tendons.
fn follow_com_pos(model: &Model, data: &mut Data, paths: &mut WrapPaths, flex: &mut FlexScratch) {
    mj_flex(model, data, flex);
    mj_tendon(model, data, paths);
    if mj_wake_tendon(model, data) > 0 {
        mj_update_sleep(model, data);
    }
}

/// Sums all forces that are not constraint forces into `qfrc_smooth` and solves for the acceleration
/// `qacc_smooth` they would cause.
pub(crate) fn mj_fwd_acceleration(model: &Model, data: &mut Data) {
    let dofs = Visit::dofs(model, data);
    for k in 0..dofs.count {
        let dof = dofs.at(&data.dof_awake_ind, k);
        data.qfrc_smooth[dof] =
            data.qfrc_passive[dof] - data.qfrc_bias[dof] + data.qfrc_applied[dof] + data.qfrc_actuator[dof];
    }
    let Data { cdof, subtree_com, xipos, xfrc_applied, qfrc_smooth, .. } = &mut *data;
    xfrc_accumulate(model, (cdof, subtree_com), xipos, xfrc_applied, qfrc_smooth);
    if dofs.filtered {
        for &dof in &data.dof_awake_ind[..dofs.count] {
            data.qacc_smooth[dof as usize] = data.qfrc_smooth[dof as usize];
        }
    } else {
        data.qacc_smooth.copy_from_slice(&data.qfrc_smooth);
    }
    let awake = dofs.filtered.then(|| &data.dof_awake_ind[..dofs.count]);
    ltdl_solve(&mut data.qacc_smooth, &data.qLD, &data.qLDiagInv, m_pattern(model), awake);
}

/// The unconstrained part of the velocity stage: tendon and actuator velocities, body velocities, passive
/// forces and bias forces.
pub(crate) fn mj_fwd_velocity_smooth(
    model: &Model,
    data: &mut Data,
    rne: &mut RneScratch,
    flex: &mut FlexScratch,
    nested: &mut NestedCalls,
) {
    fwd_velocity_smooth(model, data, rne, flex, nested, false);
}

/// As [`mj_fwd_velocity_smooth`]; returns the velocity-dependent terms of bodies if they are wanted.
pub(crate) fn fwd_velocity_smooth(
    model: &Model,
    data: &mut Data,
    rne: &mut RneScratch,
    flex: &mut FlexScratch,
    nested: &mut NestedCalls,
    wants_terms: bool,
) -> Option<VelocityTerms> {
    transmitted_velocities(model, data);
    mj_com_vel(model, data);
    mj_passive(model, data, flex, nested);
    set_bias(model, data, rne, wants_terms)
}

/// What is left of [`fwd_velocity_smooth`] when velocities and bias forces of bodies were made in lockstep.
pub(crate) fn follow_velocities(
    model: &Model,
    data: &mut Data,
    flex: &mut FlexScratch,
    nested: &mut NestedCalls,
    stages: SmoothStages,
) {
    if matches!(stages.extent, Extent::Forces(_)) {
        data.flg_subtreevel = false;
        data.flg_energyvel = false;
        return;
    }
    transmitted_velocities(model, data);
    mj_passive(model, data, flex, nested);
}

/// Velocities of flex edges, tendons and actuators.
fn transmitted_velocities(model: &Model, data: &mut Data) {
    data.flg_subtreevel = false;
    data.flg_energyvel = false;
    set_edge_velocities(model, data);
    let tendons = Pattern::new(&model.ten_J_rownnz, &model.ten_J_rowadr, &model.ten_J_colind);
    mul_mat_vec(&mut data.ten_velocity, Csr::new(tendons, &data.ten_J), &data.qvel);
    if model.disabled(DisableBit::Actuation) {
        data.actuator_velocity.fill(0.0);
    } else {
        let moments = Pattern::new(&data.moment_rownnz, &data.moment_rowadr, &data.moment_colind);
        mul_mat_vec(&mut data.actuator_velocity, Csr::new(moments, &data.actuator_moment), &data.qvel);
    }
}
