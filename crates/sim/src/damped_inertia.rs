//! The inertia matrix with the dampers of joints taken implicitly, `M + h B`, which the Euler integrator solves with.

use crate::derivative::{damper_slope, dof_damping_slope};
use crate::forces::passive::for_all_dampers;
use crate::inertia::mass_matrix::{factor_h, factor_m_and_shifted};
use crate::sleep::awake_lists::Visit;
use kinetree_math::sparse::LtdlFactorizer;
use kinetree_model::enums::{DisableBit, EnableBit, Integrator};
use kinetree_model::{Data, Model};

/// Whether some awake dof has a damper that is to be taken implicitly.
pub(crate) fn has_implicit_damping(model: &Model, data: &Data) -> bool {
    if model.disabled(DisableBit::Eulerdamp) || model.disabled(DisableBit::Damper) {
        return false;
    }
    let dofs = Visit::dofs(model, data);
    (0..dofs.count).map(|k| dofs.at(&data.dof_awake_ind, k)).any(|dof| {
        model.dof_damping[dof] > 0.0
            || model.dof_dampingpoly[dof].iter().any(|&p| p != 0.0)
            || model.jnt_actuatorid[model.dof_jntid[dof] as usize] != -1
    })
}

/// Factors `M + h B` in `qH`.
pub(crate) fn factor_damped_inertia(model: &Model, data: &mut Data, dofs: Visit) {
    data.qH.copy_from_slice(&data.M);
    for k in 0..dofs.count {
        let dof = dofs.at(&data.dof_awake_ind, k);
        let diagonal = (model.M_rowadr[dof] + model.M_rownnz[dof] - 1) as usize;
        data.qH[diagonal] += model.opt.timestep * dof_damping_slope(model, data, dof);
    }
    factor_h(model, data, dofs);
}

/// Whether a whole step does best to factor `M + h B` together with `M`: nobody can change what it depends on before the end of the step.
pub(crate) fn factors_damped_inertia_early(model: &Model, data: &Data) -> bool {
    model.nv >= LtdlFactorizer::WORTHWHILE_ROWS
        && Integrator::try_from(model.opt.integrator) == Ok(Integrator::Euler)
        && !model.enabled(EnableBit::Sleep)
        && !model.enabled(EnableBit::Fwdinv)
        && !model.callbacks.may_write_data()
        && has_implicit_damping(model, data)
}

/// Factors `M` in `qLD` and `M + h B` in `qH` at once.
pub(crate) fn factor_with_damped_inertia(model: &Model, data: &mut Data) {
    let mut added = data.scratch.take_f64(model.nv);
    for_all_dampers(model, &data.qvel, &mut added, |v, linear, poly| {
        model.opt.timestep * damper_slope(v, linear, poly)
    });
    factor_m_and_shifted(model, data, &added);
    data.scratch.give_f64(added);
}
