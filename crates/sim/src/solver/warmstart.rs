//! The start of a solve: the previous acceleration, or the unconstrained one if that costs less.

use crate::constraint::{RowsView, constraint_update, mj_mul_jac_vec};
use crate::inertia::mj_mul_m;
use kinetree_math::dense::{dot, mul_mat_vec, sub_from};
use kinetree_math::sparse::{Csr, Pattern, mul_mat_vec as mul_sparse};
use kinetree_model::enums::{DisableBit, Solver};
use kinetree_model::{Data, Model};

/// Sets `qacc` (and for PGS `efc_force`) to the start of the solve. Needs `efc_b = J qacc_smooth − aref`.
pub(crate) fn warmstart(model: &Model, data: &mut Data) {
    if model.disabled(DisableBit::Warmstart) {
        data.qacc.copy_from_slice(&data.qacc_smooth);
        data.efc_force.fill(0.0);
        return;
    }
    data.qacc.copy_from_slice(&data.qacc_warmstart);
    let mut jar = data.scratch.take_f64(data.nefc);
    mj_mul_jac_vec(model, data, &mut jar, &data.qacc_warmstart);
    sub_from(&mut jar, &data.efc_aref);
    let mut cost_warm = rows_cost(data, &jar);
    if model.opt.solver == Solver::Pgs as i32 {
        if dual_cost(model, data, &mut jar) > 0.0 {
            data.efc_force.fill(0.0);
        }
    } else {
        let mut ma = data.scratch.take_f64(model.nv);
        mj_mul_m(model, data, &mut ma, &data.qacc_warmstart);
        for i in 0..model.nv {
            cost_warm += 0.5 * (ma[i] - data.qfrc_smooth[i]) * (data.qacc_warmstart[i] - data.qacc_smooth[i]);
        }
        data.scratch.give_f64(ma);
        let b = std::mem::take(&mut data.efc_b);
        let cost_smooth = rows_cost(data, &b);
        data.efc_b = b;
        if cost_warm > cost_smooth {
            data.qacc.copy_from_slice(&data.qacc_smooth);
        }
    }
    data.scratch.give_f64(jar);
    // dofs without constraints are exact already
    if data.nisland > 0 {
        for i in data.nidof..model.nv {
            let dof = data.map_idof2dof[i] as usize;
            data.qacc[dof] = data.qacc_smooth[dof];
        }
    }
}

/// Dual cost of `efc_force`, relative to zero force; `buf` has `nefc` elements.
fn dual_cost(model: &Model, data: &Data, buf: &mut [f64]) -> f64 {
    let mut cost = dot(&data.efc_force, &data.efc_b);
    if model.is_sparse() {
        let pattern = Pattern::new(&data.efc_AR_rownnz, &data.efc_AR_rowadr, &data.efc_AR_colind);
        mul_sparse(buf, Csr::new(pattern, &data.efc_AR), &data.efc_force);
    } else {
        mul_mat_vec(buf, &data.efc_AR, &data.efc_force);
    }
    cost += 0.5 * dot(&data.efc_force, buf);
    cost
}

/// Sets states and forces of all rows for the residual `jar`; returns their cost.
fn rows_cost(data: &mut Data, jar: &[f64]) -> f64 {
    let rows = RowsView {
        ne: data.ne,
        nf: data.nf,
        d: &data.efc_D,
        r: &data.efc_R,
        floss: &data.efc_frictionloss,
        kind: &data.efc_type,
        id: &data.efc_id,
    };
    constraint_update(&rows, jar, &mut data.contact, &mut data.efc_state, &mut data.efc_force, false)
}
