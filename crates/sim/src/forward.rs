//! The unconstrained pieces of the forward pipeline, for `step.rs` to call in order.

use crate::inertia::mass_matrix::m_pattern;
use crate::kinematics::camlight::mj_camlight;
use crate::kinematics::poses::{mj_com_pos, mj_kinematics};
use crate::sleep::awake_lists::Visit;
use crate::sleep::mj_update_sleep;
use crate::sleep::wake::mj_wake_tendon;
use crate::support::xfrc_accumulate;
use crate::tendon::lengths::mj_tendon;
use kinetree_math::sparse::ltdl_solve;
use kinetree_model::{Data, Model};

/// Everything that follows from positions alone, without inertia: poses, centres of mass, cameras, lights, tendons.
pub(crate) fn mj_fwd_kinematics(model: &Model, data: &mut Data) {
    data.flg_energypos = false;
    mj_kinematics(model, data);
    mj_com_pos(model, data);
    mj_camlight(model, data);
    mj_tendon(model, data);
    if mj_wake_tendon(model, data) > 0 {
        mj_update_sleep(model, data);
    }
}

/// Sums all forces that are not constraint forces into `qfrc_smooth` and solves for the acceleration `qacc_smooth` they
/// would cause.
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
