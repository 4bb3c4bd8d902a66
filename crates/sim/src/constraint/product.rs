//! Products with the constraint Jacobian, dense or sparse.

use kinetree_math::dense::{mul_mat_t_vec, mul_mat_vec};
use kinetree_model::{Data, Model};

/// `res = J vec`, from joint space to constraint space. `res` has `nefc` elements, `vec` has `nv`.
pub fn mj_mul_jac_vec(model: &Model, data: &Data, res: &mut [f64], vec: &[f64]) {
    mul_rows(model, data, &mut res[..data.nefc], vec);
}

/// `res = Jᵀ vec`, from constraint space to joint space. `res` has `nv` elements, `vec` has `nefc`.
pub fn mj_mul_jac_t_vec(model: &Model, data: &Data, res: &mut [f64], vec: &[f64]) {
    if data.nefc == 0 {
        return;
    }
    let vec = &vec[..data.nefc];
    if !model.is_sparse() {
        mul_mat_t_vec(&mut res[..model.nv], &data.efc_J, vec);
        return;
    }
    res[..model.nv].fill(0.0);
    for (r, &s) in vec.iter().enumerate() {
        if s == 0.0 {
            continue;
        }
        let adr = data.efc_J_rowadr[r] as usize;
        let nnz = data.efc_J_rownnz[r] as usize;
        for (&c, &x) in data.efc_J_colind[adr..adr + nnz].iter().zip(&data.efc_J[adr..adr + nnz]) {
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
