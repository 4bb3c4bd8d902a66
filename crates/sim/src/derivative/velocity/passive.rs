//! Velocity derivatives of passive forces: dampers of joints, tendons and flex edges, and fluid.

use super::fluid::{LocalJacobian, add_fluid_derivative};
use super::sparse_row::add_outer_product;
use crate::flex::edge_range;
use crate::forces::passive::{total_damping, with_dof_damping};
use crate::inertia::armature::Driven;
use crate::sleep::awake_lists::{ASLEEP, Visit, some_asleep};
use crate::sleep::tendon_sleep_state;
use kinetree_math::misc::{PolyKind, poly_force_deriv};
use kinetree_model::enums::DisableBit;
use kinetree_model::{Data, Model};

/// Adds the derivative of all passive forces to `qDeriv`.
pub(crate) fn add_passive_derivative(model: &Model, data: &mut Data, jacobian: &mut LocalJacobian) {
    let dampers = !model.disabled(DisableBit::Damper);
    if model.disabled(DisableBit::Spring) && !dampers {
        return;
    }
    add_fluid_derivative(model, data, jacobian);
    if !dampers {
        return;
    }
    let dofs = Visit::dofs(model, data);
    for k in 0..dofs.count {
        let dof = dofs.at(&data.dof_awake_ind, k);
        let diagonal = (model.D_rowadr[dof] + model.D_diag[dof]) as usize;
        data.qDeriv[diagonal] -= dof_damping_derivative(model, data, dof);
    }
    add_tendon_dampers(model, data);
    add_flex_dampers(model, data);
}

/// Adds the derivative of dampers along the edges of flexes.
fn add_flex_dampers(model: &Model, data: &mut Data) {
    for flex in 0..model.nflex {
        let damping = model.flex_edgedamping[flex];
        if damping == 0.0 || model.flex_rigid[flex] != 0 {
            continue;
        }
        for edge in edge_range(model, flex).filter(|&edge| model.flexedge_rigid[edge] == 0) {
            let start = model.flexedge_J_rowadr[edge] as usize;
            let row = start..start + model.flexedge_J_rownnz[edge] as usize;
            let (values, columns) = (&data.flexedge_J[row.clone()], &model.flexedge_J_colind[row]);
            add_outer_product(model, &mut data.qDeriv, values, columns, -damping);
        }
    }
}

/// Derivative of a dof's damping force, without its sign.
#[inline]
pub(crate) fn dof_damping_derivative(model: &Model, data: &Data, dof: usize) -> f64 {
    with_dof_damping(model, dof, |linear, poly| damper_derivative(data.qvel[dof], linear, poly))
}

/// Derivative of the force of a damper with respect to its velocity, without its sign.
#[inline(always)]
pub(crate) fn damper_derivative(v: f64, linear: f64, poly: &[f64; 2]) -> f64 {
    poly_force_deriv(linear, poly, v, PolyKind::Odd)
}

/// Adds the derivative of tendon dampers.
fn add_tendon_dampers(model: &Model, data: &mut Data) {
    let asleep = some_asleep(model, data);
    for tendon in 0..model.ntendon {
        if asleep && tendon_sleep_state(model, data, tendon) == ASLEEP {
            continue;
        }
        let (linear, poly) = total_damping(
            model,
            Driven::Tendon(tendon),
            model.tendon_damping[tendon],
            &model.tendon_dampingpoly[tendon],
        );
        let derivative = damper_derivative(data.ten_velocity[tendon], linear, &poly);
        if derivative != 0.0 {
            let start = model.ten_J_rowadr[tendon] as usize;
            let row = start..start + model.ten_J_rownnz[tendon] as usize;
            let (values, columns) = (&data.ten_J[row.clone()], &model.ten_J_colind[row]);
            add_outer_product(model, &mut data.qDeriv, values, columns, -derivative);
        }
    }
}
