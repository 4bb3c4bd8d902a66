//! Products with the constraint Jacobian, dense or sparse: from joint space to constraint space and back.
//!
//! `J qacc` is the acceleration along each row, and `Jᵀ f` maps the forces of all rows, those of contacts
//! among them, to joints: `qfrc_constraint = Jᵀ efc_force`. Solvers compute the same product block by block
//! (`row_blocks`).

use kinetree_math::dense::{mul_mat_t_vec, mul_mat_vec};
use kinetree_math::sparse::Pattern;
use kinetree_model::{Data, Model};

/// `res = J vec`, from joint space to constraint space. `res` has `nefc` elements, `vec` has `nv`.
pub(crate) fn mj_mul_jac_vec(model: &Model, data: &Data, res: &mut [f64], vec: &[f64]) {
    mul_rows(model, data, &mut res[..data.nefc], vec);
}

/// `res = Jᵀ vec`, from constraint space to joint space. `res` has `nv` elements, `vec` has `nefc`.
pub(crate) fn mj_mul_jac_t_vec(model: &Model, data: &Data, res: &mut [f64], vec: &[f64]) {
    if data.nefc == 0 {
        return;
    }
    let Data { efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind, .. } = data;
    let pattern = Pattern::new(efc_J_rownnz, efc_J_rowadr, efc_J_colind);
    mul_t(model, efc_J, pattern, &vec[..data.nefc], res);
}

/// Sets `qfrc_constraint` to `Jᵀ efc_force`.
pub(crate) fn set_joint_forces(model: &Model, data: &mut Data) {
    if data.nefc == 0 {
        return;
    }
    let rows = data.nefc;
    let Data { efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind, efc_force, qfrc_constraint, .. } = data;
    let pattern = Pattern::new(efc_J_rownnz, efc_J_rowadr, efc_J_colind);
    mul_t(model, efc_J, pattern, &efc_force[..rows], qfrc_constraint);
}

/// `res = Jᵀ vec` for a Jacobian that is dense, or sparse with the given pattern.
fn mul_t(model: &Model, jacobian: &[f64], pattern: Pattern<'_>, vec: &[f64], res: &mut [f64]) {
    let res = &mut res[..model.nv];
    if !model.is_sparse() {
        mul_mat_t_vec(res, jacobian, vec);
        return;
    }
    res.fill(0.0);
    for (r, &s) in vec.iter().enumerate() {
        if s == 0.0 {
            continue;
        }
        let adr = pattern.rowadr[r] as usize;
        let nnz = pattern.rownnz[r] as usize;
        for (&c, &x) in pattern.colind[adr..adr + nnz].iter().zip(&jacobian[adr..adr + nnz]) {
            res[c as usize] += x * s;
        }
    }
}

fn mul_rows(model: &Model, data: &Data, res: &mut [f64], vec: &[f64]) {
    if !model.is_sparse() {
        mul_mat_vec(res, &data.efc_J, &vec[..model.nv]);
        return;
    }
    for (r, out) in res.iter_mut().enumerate() {
        let adr = data.efc_J_rowadr[r] as usize;
        let nnz = data.efc_J_rownnz[r] as usize;
        let mut sum = 0.0;
        for (&c, &x) in data.efc_J_colind[adr..adr + nnz].iter().zip(&data.efc_J[adr..adr + nnz]) {
            sum += x * vec[c as usize];
        }
        *out = sum;
    }
}
