//! Backward Euler for joint springs and dampers: unconditionally stable, however stiff they are.
//!
//! With diagonal stiffness `K` and damping `B`, forces at the end of the step are linearized as
//! `f(t+h) ≈ f(t) − B (v' − v) − h K v'`, so that the new velocity solves `(M + h B + h² K) (v' − v)/h = f −
//! h K v`. Both extension integrators of the options are this method; all other forces stay explicit.

use super::{Rates, advance};
use crate::derivative::velocity::passive::dof_damping_derivative;
use crate::inertia::mass_matrix::{factor_h, m_pattern};
use crate::sleep::awake_lists::Visit;
use crate::stage_memory::StageMemory;
use kinetree_math::misc::{PolyKind, poly_force_deriv};
use kinetree_math::sparse::ltdl_solve;
use kinetree_model::enums::{DisableBit, JointType};
use kinetree_model::{Data, Model, StepError};

/// Advances by one step with joint springs and dampers taken implicitly; `qacc` is working memory.
///
/// # Errors
/// When a sensor that must be computed for its history cannot be.
pub(crate) fn implicit_spring_damper(
    model: &Model,
    data: &mut Data,
    qacc: &mut Vec<f64>,
    memory: &mut StageMemory,
) -> Result<(), StepError> {
    let h = model.opt.timestep;
    qacc.resize(model.nv, 0.0);
    data.qH.copy_from_slice(&data.M);
    for dof in 0..model.nv {
        let stiffness = spring_derivative(model, data, dof);
        let damping =
            if model.disabled(DisableBit::Damper) { 0.0 } else { dof_damping_derivative(model, data, dof) };
        let diagonal = (model.M_rowadr[dof] + model.M_rownnz[dof] - 1) as usize;
        data.qH[diagonal] += h * damping + h * h * stiffness;
        qacc[dof] = data.qfrc_smooth[dof] + data.qfrc_constraint[dof] - h * stiffness * data.qvel[dof];
    }
    factor_h(model, data, &mut memory.factorizer, Visit { filtered: false, count: model.nv });
    ltdl_solve(qacc, &data.qH, &data.qHDiagInv, m_pattern(model), None);
    advance(model, data, memory, Rates { act_dot: None, qacc, qvel: None })
}

/// Derivative of a dof's spring force with respect to its position, without its sign; never negative, which
/// would make the step unstable.
pub(crate) fn spring_derivative(model: &Model, data: &Data, dof: usize) -> f64 {
    let joint = model.dof_jntid[dof] as usize;
    if model.disabled(DisableBit::Spring) {
        return 0.0;
    }
    let stiffness = model.jnt_stiffness[joint];
    let kind = model.jnt_type[joint];
    if kind == JointType::Hinge || kind == JointType::Slide {
        let address = model.jnt_qposadr[joint] as usize;
        let x = data.qpos[address] - model.qpos_spring[address];
        poly_force_deriv(stiffness, &model.jnt_stiffnesspoly[joint], x, PolyKind::Signed).max(0.0)
    } else {
        stiffness.max(0.0)
    }
}
