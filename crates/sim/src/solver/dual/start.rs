//! The start of a dual solve: the forces of the previous acceleration, or none if these cost less.

use super::scratch::DualScratch;
use crate::constraint::{mj_mul_jac_vec, update_all_rows};
use kinetree_math::dense::{dot, mul_mat_vec, sub_from};
use kinetree_math::sparse::{Csr, Pattern, mul_mat_vec as mul_sparse};
use kinetree_model::enums::DisableBit;
use kinetree_model::{Data, Model};

/// Sets `efc_b`, `qacc` and `efc_force` to the start of a dual solve.
pub(crate) fn start_dual(model: &Model, data: &mut Data, scratch: &mut DualScratch) {
    let mut b = std::mem::take(&mut data.efc_b);
    mj_mul_jac_vec(model, data, &mut b, &data.qacc_smooth);
    sub_from(&mut b, &data.efc_aref);
    data.efc_b = b;
    if model.disabled(DisableBit::Warmstart) {
        data.qacc.copy_from_slice(&data.qacc_smooth);
        data.efc_force.fill(0.0);
        return;
    }
    data.qacc.copy_from_slice(&data.qacc_warmstart);
    let jaref = &mut scratch.jaref;
    jaref.resize(data.nefc, 0.0);
    mj_mul_jac_vec(model, data, jaref, &data.qacc_warmstart);
    sub_from(jaref, &data.efc_aref);
    update_all_rows(data, jaref, false);
    if dual_cost(model, data, jaref) > 0.0 {
        data.efc_force.fill(0.0);
    }
    // dofs without constraints are exact already
    if data.nisland > 0 {
        for &dof in &data.map_idof2dof[data.nidof..] {
            data.qacc[dof as usize] = data.qacc_smooth[dof as usize];
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
