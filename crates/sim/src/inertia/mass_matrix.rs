//! The joint-space inertia matrix `M(q)` with all armature, its sparse `LᵀDL` factorization and their uses.
//!
//! Row `i` of `M` couples dof `i` with its ancestors only, so that `M` is stored as a lower triangle whose
//! row `i` lists the ancestors of `i` and `i` itself (Featherstone, "Efficient factorization of the
//! joint-space inertia matrix for branched kinematic trees", 2005). Eliminating dofs from the leaves to the
//! root, `M = Lᵀ D L` has the same pattern: no fill-in. A row whose length is one is diagonal and costs
//! nothing.

use super::armature::{Driven, actuator_armature};
use crate::inertia::composite::{DofPath, composite_inertias, inertia_rows};
use crate::sleep::awake_lists::{ASLEEP, Visit};
use crate::sleep::tendon_sleep_state;
use kinetree_math::sparse::{
    Csr, Factor, LtdlFactorizer, Pattern, add_scaled_common, dot_sparse, ltdl_solve_half, ltdl_solve_many,
    mul_sym_vec,
};
use kinetree_model::{Data, Model};
use nalgebra::DVector;

/// Sparsity pattern of the inertia matrix.
#[inline]
pub(crate) fn m_pattern(model: &Model) -> Pattern<'_> {
    Pattern::new(&model.M_rownnz, &model.M_rowadr, &model.M_colind)
}

/// Adds the armature of tendons: `M += armature Jᵀ J` for each tendon, within the pattern of `M`. Whether any
/// tendon has armature.
fn add_tendon_armature(model: &Model, data: &mut Data) -> bool {
    let mut any = false;
    let filtered = Visit::dofs(model, data).filtered;
    for tendon in 0..model.ntendon {
        if filtered && tendon_sleep_state(model, data, tendon) == ASLEEP {
            continue;
        }
        let armature = model.tendon_armature[tendon] + actuator_armature(model, Driven::Tendon(tendon));
        if armature == 0.0 {
            continue;
        }
        any = true;
        let start = model.ten_J_rowadr[tendon] as usize;
        let count = model.ten_J_rownnz[tendon] as usize;
        let jacobian = &data.ten_J[start..][..count];
        let columns = &model.ten_J_colind[start..][..count];
        for (&dof, &value) in columns.iter().zip(jacobian) {
            if value == 0.0 {
                continue;
            }
            let row = model.M_rowadr[dof as usize] as usize;
            let length = model.M_rownnz[dof as usize] as usize;
            add_scaled_common(
                &mut data.M[row..][..length],
                &model.M_colind[row..][..length],
                jacobian,
                columns,
                armature * value,
            );
        }
    }
    any
}

/// Computes the inertia matrix with tendon armature, and its copy `qM` in the legacy order.
pub(crate) fn mj_make_m(model: &Model, data: &mut Data, path: &mut DofPath) {
    // with everything awake, both are written at once
    let both = !Visit::dofs(model, data).filtered;
    composite_inertias(model, data);
    if both {
        inertia_rows::<true>(model, data, path);
    } else {
        inertia_rows::<false>(model, data, path);
    }
    if !add_tendon_armature(model, data) && both {
        return;
    }
    for (dof, (&start, &count)) in model.M_rowadr.iter().zip(&model.M_rownnz).enumerate() {
        let row = &data.M[start as usize..][..count as usize];
        // the legacy order begins with the diagonal
        let legacy = &mut data.qM[model.dof_Madr[dof] as usize..];
        row.iter().rev().zip(legacy).for_each(|(x, to)| *to = *x);
    }
}

/// Factorizes `M = Lᵀ D L` into `qLD` (`L` below the diagonal, `D` on it) and `qLDiagInv` (`1/D`).
pub(crate) fn mj_factor_m(model: &Model, data: &mut Data, factorizer: &mut LtdlFactorizer) {
    let dofs = Visit::dofs(model, data);
    if dofs.filtered {
        for k in 0..dofs.count {
            let dof = data.dof_awake_ind[k] as usize;
            let row = model.M_rowadr[dof] as usize..;
            let row = row.start..row.start + model.M_rownnz[dof] as usize;
            data.qLD[row.clone()].copy_from_slice(&data.M[row]);
        }
    } else {
        data.qLD.copy_from_slice(&data.M);
    }
    let awake = dofs.filtered.then(|| &data.dof_awake_ind[..dofs.count]);
    let inertia = Factor { ld: &mut data.qLD, diag_inv: &mut data.qLDiagInv };
    factorizer.factor(inertia, m_pattern(model), awake);
}

/// As [`mj_factor_m`] when all dofs are awake, and factorizes `M + diag(shift)` into `qH` and `qHDiagInv` at
/// the same time.
pub(crate) fn factor_m_and_shifted(
    model: &Model,
    data: &mut Data,
    factorizer: &mut LtdlFactorizer,
    shift: &[f64],
) {
    data.qLD.copy_from_slice(&data.M);
    let inertia = Factor { ld: &mut data.qLD, diag_inv: &mut data.qLDiagInv };
    let shifted = Factor { ld: &mut data.qH, diag_inv: &mut data.qHDiagInv };
    factorizer.factor_shifted(inertia, shifted, shift, m_pattern(model));
}

/// Factorizes the matrix of an integrator in `qH`, of the pattern of `M`, in place.
pub(crate) fn factor_h(model: &Model, data: &mut Data, factorizer: &mut LtdlFactorizer, dofs: Visit) {
    let awake = dofs.filtered.then(|| &data.dof_awake_ind[..dofs.count]);
    let matrix = Factor { ld: &mut data.qH, diag_inv: &mut data.qHDiagInv };
    factorizer.factor(matrix, m_pattern(model), awake);
}

/// Solves `M x = y` in place for each vector of length `nv` in `x`, with the factorization in `data`.
pub(crate) fn mj_solve_m(model: &Model, data: &Data, x: &mut [f64]) {
    ltdl_solve_many(x, model.nv, &data.qLD, &data.qLDiagInv, m_pattern(model), None);
}

/// Half of the solution, in place for each vector of length `nv` in `x`: `x ← D^(−1/2) L⁻ᵀ x`, so that the
/// scalar products of results are those of `M⁻¹`. `sqrt_inv_d` holds `1/sqrt(D)`.
pub(crate) fn mj_solve_m2(model: &Model, data: &Data, x: &mut [f64], sqrt_inv_d: &[f64]) {
    for vector in x.chunks_exact_mut(model.nv.max(1)) {
        ltdl_solve_half(vector, &data.qLD, sqrt_inv_d, m_pattern(model));
    }
}

/// Writes a matrix in the legacy order of `qM` into the full row-major `nv × nv` matrix `dst`.
pub fn mj_full_m(model: &Model, dst: &mut [f64], qm: &[f64]) {
    let nv = model.nv;
    dst.fill(0.0);
    let mut address = 0;
    for i in 0..nv {
        let mut j = i as i32;
        while j >= 0 {
            dst[i * nv + j as usize] = qm[address];
            dst[j as usize * nv + i] = qm[address];
            j = model.dof_parentid[j as usize];
            address += 1;
        }
    }
}

/// `result = M vec`.
pub(crate) fn mj_mul_m(model: &Model, data: &Data, result: &mut [f64], vec: &[f64]) {
    mul_sym_vec(result, Csr::new(m_pattern(model), &data.M), vec);
}

/// `result = D^(1/2) L vec`: a square root of `M`.
pub(crate) fn mj_mul_m2(model: &Model, data: &Data, result: &mut [f64], vec: &[f64]) {
    for i in 0..model.nv {
        let start = model.M_rowadr[i] as usize;
        let end = start + model.M_rownnz[i] as usize - 1;
        let mut value = vec[i];
        if model.dof_simplenum[i] == 0 {
            value += dot_sparse(&data.qLD[start..end], &model.M_colind[start..end], vec);
        }
        result[i] = value * data.qLD[end].sqrt();
    }
}

/// Adds the inertia matrix to `dst`: to the entries that the pattern has, or to the lower
/// triangle of a dense row-major matrix.
pub(crate) fn mj_add_m(model: &Model, data: &Data, dst: &mut [f64], pattern: Option<Pattern<'_>>) {
    let nv = model.nv;
    for i in 0..nv {
        let start = model.M_rowadr[i] as usize;
        let count = model.M_rownnz[i] as usize;
        let row = &data.M[start..][..count];
        let columns = &model.M_colind[start..][..count];
        match pattern {
            Some(p) => {
                let target = p.rowadr[i] as usize;
                let length = p.rownnz[i] as usize;
                add_scaled_common(
                    &mut dst[target..][..length],
                    &p.colind[target..][..length],
                    row,
                    columns,
                    1.0,
                );
            }
            None => {
                for (&value, &j) in row.iter().zip(columns) {
                    dst[i * nv + j as usize] += value;
                }
            }
        }
    }
}

/// Sparse `LᵀDL` factorization of the inertia matrix: cost grows with the sum of squared tree depths, not
/// with `nv³`. The same as [`mj_factor_m`].
pub(crate) fn mj_factor_sparse(model: &Model, data: &mut Data, factorizer: &mut LtdlFactorizer) {
    mj_factor_m(model, data, factorizer);
}

/// Solves `M x = b` in place with the factorization made by [`mj_factor_sparse`].
pub(crate) fn mj_solve_sparse(model: &Model, data: &Data, x: &mut DVector<f64>) {
    mj_solve_m(model, data, x.as_mut_slice());
}
