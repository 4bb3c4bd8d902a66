//! The inertia matrix with the dampers of joints taken implicitly, `M + h B`, which the Euler integrator
//! solves with.

use crate::derivative::velocity::passive::{damper_derivative, dof_damping_derivative};
use crate::forces::passive::for_all_dampers;
use crate::inertia::mass_matrix::{factor_h, factor_m_and_shifted, m_pattern};
use crate::sleep::awake_lists::Visit;
use kinetree_math::sparse::{LtdlFactorizer, ltdl_solve};
use kinetree_model::enums::{DisableBit, EnableBit, Integrator};
use kinetree_model::{Data, Model};

/// Whether some awake dof has a damper that is to be taken implicitly.
pub(crate) fn has_implicit_damping(model: &Model, data: &Data) -> bool {
    if model.disabled(DisableBit::Eulerdamp) || model.disabled(DisableBit::Damper) {
        return false;
    }
    let dofs = Visit::dofs(model, data);
    if !dofs.filtered {
        return has_dampers(model);
    }
    (0..dofs.count).map(|k| dofs.at(&data.dof_awake_ind, k)).any(|dof| {
        model.dof_damping[dof] > 0.0
            || model.dof_dampingpoly[dof].iter().any(|&p| p != 0.0)
            || model.jnt_actuatorid[model.dof_jntid[dof] as usize] != -1
    })
}

/// Whether any dof has a damper that is to be taken implicitly. Each list is looked at as a whole: mostly
/// there is none at all, or many.
fn has_dampers(model: &Model) -> bool {
    const STRIDE: usize = 64;
    let damped = |list: &[f64]| list.iter().fold(false, |any, &d| any | (d > 0.0));
    let curved = |list: &[f64]| list.iter().fold(false, |any, &p| any | (p != 0.0));
    let driven = |list: &[i32]| list.iter().fold(false, |any, &id| any | (id != -1));
    model.dof_damping.chunks(STRIDE).any(damped)
        || model.dof_dampingpoly.as_flattened().chunks(STRIDE).any(curved)
        || model.jnt_actuatorid.chunks(STRIDE).any(driven)
}

/// The factor of `M + h B`, in `qH` and `qHDiagInv`.
///
/// Invariant: it is that of the inertia and the dampers in the data, of the dofs that are awake. Code that
/// has it may solve with it.
#[derive(Debug)]
pub(crate) struct DampedInertia(());

impl DampedInertia {
    /// The factor that was made in lockstep with those of other worlds, if it was.
    pub(crate) fn made_in_lockstep(made: bool) -> Option<Self> {
        made.then_some(Self(()))
    }

    /// Solves `(M + h B) x = y` in place.
    pub(crate) fn solve(&self, model: &Model, data: &Data, x: &mut [f64]) {
        let dofs = Visit::dofs(model, data);
        let awake = dofs.filtered.then(|| &data.dof_awake_ind[..dofs.count]);
        ltdl_solve(x, &data.qH, &data.qHDiagInv, m_pattern(model), awake);
    }
}

/// Factors `M + h B`.
pub(crate) fn factor_damped_inertia(
    model: &Model,
    data: &mut Data,
    factorizer: &mut LtdlFactorizer,
) -> DampedInertia {
    let dofs = Visit::dofs(model, data);
    data.qH.copy_from_slice(&data.M);
    for k in 0..dofs.count {
        let dof = dofs.at(&data.dof_awake_ind, k);
        let diagonal = (model.M_rowadr[dof] + model.M_rownnz[dof] - 1) as usize;
        data.qH[diagonal] += model.opt.timestep * dof_damping_derivative(model, data, dof);
    }
    factor_h(model, data, factorizer, dofs);
    DampedInertia(())
}

/// Whether a whole step does best to factor `M + h B` together with `M`, provided that nobody else changes
/// what it depends on before the end of the step.
pub(crate) fn factors_damped_inertia_early(model: &Model, data: &Data) -> bool {
    model.nv >= LtdlFactorizer::WORTHWHILE_ROWS
        && Integrator::try_from(model.opt.integrator) == Ok(Integrator::Euler)
        && !model.enabled(EnableBit::Sleep)
        && !model.enabled(EnableBit::Fwdinv)
        && has_implicit_damping(model, data)
}

/// Factors `M` in `qLD` and `M + h B` at once. `derivatives` is working memory for the diagonal of `h B`.
pub(crate) fn factor_with_damped_inertia(
    model: &Model,
    data: &mut Data,
    factorizer: &mut LtdlFactorizer,
    derivatives: &mut Vec<f64>,
) -> DampedInertia {
    damper_derivatives(model, data, derivatives);
    factor_m_and_shifted(model, data, factorizer, derivatives);
    DampedInertia(())
}

/// The derivatives of dampers times the time step, the diagonal of `h B`.
pub(crate) fn damper_derivatives(model: &Model, data: &Data, derivatives: &mut Vec<f64>) {
    derivatives.clear();
    derivatives.resize(model.nv, 0.0);
    for_all_dampers(model, &data.qvel, derivatives, |v, linear, poly| {
        model.opt.timestep * damper_derivative(v, linear, poly)
    });
}
