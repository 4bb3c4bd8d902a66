//! The joint-space inertia matrix `M(q)`: composite rigid body algorithm, sparse `LᵀDL` factorization and its uses.
//!
//! Row `i` of `M` couples dof `i` with its ancestors only, so that `M` is stored as a lower triangle whose row `i` lists the
//! ancestors of `i` and `i` itself (Featherstone, "Efficient factorization of the joint-space inertia matrix for branched
//! kinematic trees", 2005). Eliminating dofs from the leaves to the root, `M = Lᵀ D L` has the same pattern: no fill-in. A
//! row whose length is one is diagonal and costs nothing.

use crate::awake::{ASLEEP, Visit};
use crate::sleep::tendon_sleep_state;
use kinetree_math::spatial::{add_inert, dot6, mul_inert_vec};
use kinetree_model::enums::TrnType;
use kinetree_model::{Data, Model};
use nalgebra::DVector;

/// Which kind of object an actuator may lend its armature and damping to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Driven {
    /// A joint, by its id.
    Joint(usize),
    /// A tendon, by its id.
    Tendon(usize),
}

/// Calls `visit` with each actuator that lends armature and damping to `driven`, in order, and its squared gear ratio.
#[inline]
pub(crate) fn for_each_driver(model: &Model, driven: Driven, mut visit: impl FnMut(usize, f64)) {
    let (source, id) = match driven {
        Driven::Joint(id) => (model.jnt_actuatorid[id], id),
        Driven::Tendon(id) => (model.tendon_actuatorid[id], id),
    };
    if source == -1 {
        return;
    }
    let mut call = |actuator: usize| {
        let gear = model.actuator_gear[actuator][0];
        visit(actuator, gear * gear);
    };
    if source >= 0 {
        call(source as usize);
        return;
    }
    // several actuators drive the same object
    for actuator in 0..model.nu {
        let kind = model.actuator_trntype[actuator];
        let matches = match driven {
            Driven::Joint(_) => kind == TrnType::Joint as i32 || kind == TrnType::Jointinparent as i32,
            Driven::Tendon(_) => kind == TrnType::Tendon as i32,
        };
        if matches && model.actuator_trnid[actuator][0] == id as i32 {
            call(actuator);
        }
    }
}

/// Armature that actuators lend to a joint or tendon.
#[inline]
pub(crate) fn actuator_armature(model: &Model, driven: Driven) -> f64 {
    let mut armature = 0.0;
    for_each_driver(model, driven, |actuator, gear2| {
        armature += model.actuator_armature[actuator] * gear2;
    });
    armature
}

/// Computes `M` by the composite rigid body algorithm, without tendon armature.
///
/// The inertia of each subtree is summed from the leaves to the root; then `M(i, j) = cdof_j · (crb_i cdof_i)` for every
/// ancestor `j` of `i`.
pub fn mj_crb(model: &Model, data: &mut Data) {
    // composite inertias, from the leaves to the root
    let dofs = Visit::dofs(model, data);
    let (bodies, parents) = if dofs.filtered {
        (data.nbody_awake, data.nparent_awake)
    } else {
        data.crb.copy_from_slice(&data.cinert);
        (0, model.nbody)
    };
    for k in 0..bodies {
        let body = data.body_awake_ind[k] as usize;
        data.crb[body] = data.cinert[body];
    }
    for k in (0..parents).rev() {
        let body = dofs.at(&data.parent_awake_ind, k);
        let parent = model.body_parentid[body] as usize;
        if parent > 0 {
            let child = data.crb[body];
            add_inert(&mut data.crb[parent], &child);
        }
    }

    // rows of the matrix
    for k in 0..dofs.count {
        let dof = dofs.at(&data.dof_awake_ind, k);
        let start = model.M_rowadr[dof] as usize;
        if model.dof_simplenum[dof] != 0 {
            data.M[start] = model.dof_M0[dof];
            continue;
        }
        let row = &mut data.M[start..][..model.M_rownnz[dof] as usize];
        let force = mul_inert_vec(&data.crb[model.dof_bodyid[dof] as usize], &data.cdof[dof]);
        let columns = &model.M_colind[start..];
        for (entry, &column) in row.iter_mut().zip(columns) {
            *entry = dot6(&data.cdof[column as usize], &force);
        }
        if let Some(diagonal) = row.last_mut() {
            let joint = model.dof_jntid[dof] as usize;
            *diagonal += model.dof_armature[dof] + actuator_armature(model, Driven::Joint(joint));
        }
    }
}

/// Adds the armature of tendons: `M += armature Jᵀ J` for each tendon, within the pattern of `M`.
fn add_tendon_armature(model: &Model, data: &mut Data) {
    let filtered = Visit::dofs(model, data).filtered;
    for tendon in 0..model.ntendon {
        if filtered && tendon_sleep_state(model, data, tendon) == ASLEEP {
            continue;
        }
        let armature = model.tendon_armature[tendon] + actuator_armature(model, Driven::Tendon(tendon));
        if armature == 0.0 {
            continue;
        }
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
            add_scaled_where_present(
                &mut data.M[row..][..length],
                &model.M_colind[row..][..length],
                jacobian,
                columns,
                armature * value,
            );
        }
    }
}

/// `dst += scale src` at the columns that both have; columns are increasing.
#[inline]
pub(crate) fn add_scaled_where_present(
    dst: &mut [f64],
    dst_columns: &[i32],
    src: &[f64],
    src_columns: &[i32],
    scale: f64,
) {
    let (mut i, mut j) = (0, 0);
    while i < dst_columns.len() && j < src_columns.len() {
        match dst_columns[i].cmp(&src_columns[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                dst[i] += scale * src[j];
                i += 1;
                j += 1;
            }
        }
    }
}

/// Computes the inertia matrix with tendon armature, and its copy `qM` in the legacy order.
pub fn mj_make_m(model: &Model, data: &mut Data) {
    mj_crb(model, data);
    add_tendon_armature(model, data);
    for (&to, &value) in model.mapM2M.iter().zip(&data.M) {
        data.qM[to as usize] = value;
    }
}

/// Factorizes `M = Lᵀ D L` into `qLD` (`L` below the diagonal, `D` on it) and `qLDiagInv` (`1/D`).
pub fn mj_factor_m(model: &Model, data: &mut Data) {
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
    factor_ldl(
        &mut data.qLD,
        &mut data.qLDiagInv,
        model.nv,
        &model.M_rownnz,
        &model.M_rowadr,
        &model.M_colind,
        awake,
    );
}

/// In-place `LᵀDL` factorization of a matrix with the pattern of `M`: rows end with their diagonal, and the columns of
/// row `k` that come before column `i` are the columns of row `i`. `rows` limits the work to some dofs.
pub fn factor_ldl(
    matrix: &mut [f64],
    diag_inv: &mut [f64],
    nv: usize,
    rownnz: &[i32],
    rowadr: &[i32],
    colind: &[i32],
    rows: Option<&[i32]>,
) {
    let count = rows.map_or(nv, <[i32]>::len);
    for j in (0..count).rev() {
        let k = rows.map_or(j, |rows| rows[j] as usize);
        let start = rowadr[k] as usize;
        let end = start + rownnz[k] as usize - 1;
        let inverse = 1.0 / matrix[end];
        diag_inv[k] = inverse;
        // rows of ancestors come before row k
        let (above, row) = matrix.split_at_mut(start);
        let row = &mut row[..end - start];
        for (depth, &i) in colind[start..end].iter().enumerate().rev() {
            let i = i as usize;
            let target = &mut above[rowadr[i] as usize..][..rownnz[i] as usize];
            let factor = -row[depth] * inverse;
            for (t, r) in target.iter_mut().zip(row.iter()) {
                *t += r * factor;
            }
        }
        for value in row {
            *value *= inverse;
        }
    }
}

/// In-place solution `x ← (Lᵀ D L)⁻¹ x` with a factorization made by [`factor_ldl`].
pub fn solve_ldl(
    x: &mut [f64],
    ldl: &[f64],
    diag_inv: &[f64],
    nv: usize,
    rownnz: &[i32],
    rowadr: &[i32],
    colind: &[i32],
    rows: Option<&[i32]>,
) {
    let count = rows.map_or(nv, <[i32]>::len);
    let at = |j: usize| rows.map_or(j, |rows| rows[j] as usize);
    // x ← L⁻ᵀ x, then x ← D⁻¹ x
    for j in (0..count).rev() {
        let i = at(j);
        let value = x[i];
        if rownnz[i] > 1 && value != 0.0 {
            let start = rowadr[i] as usize;
            let end = start + rownnz[i] as usize - 1;
            for (l, &column) in ldl[start..end].iter().zip(&colind[start..end]) {
                x[column as usize] -= l * value;
            }
        }
    }
    // x ← L⁻¹ D⁻¹ x
    for j in 0..count {
        let i = at(j);
        let mut value = x[i] * diag_inv[i];
        if rownnz[i] > 1 {
            let start = rowadr[i] as usize;
            let end = start + rownnz[i] as usize - 1;
            value -= dot_sparse(&ldl[start..end], &colind[start..end], x);
        }
        x[i] = value;
    }
}

/// Scalar product of a sparse row with a dense vector.
#[inline]
pub(crate) fn dot_sparse(values: &[f64], columns: &[i32], x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (v, &column) in values.iter().zip(columns) {
        sum += v * x[column as usize];
    }
    sum
}

/// Solves `M x = y` in place for each vector of length `nv` in `x`, with the factorization in `data`.
pub fn mj_solve_m(model: &Model, data: &Data, x: &mut [f64]) {
    if model.nv == 0 {
        return;
    }
    for vector in x.chunks_exact_mut(model.nv) {
        solve_ldl(
            vector,
            &data.qLD,
            &data.qLDiagInv,
            model.nv,
            &model.M_rownnz,
            &model.M_rowadr,
            &model.M_colind,
            None,
        );
    }
}

/// Half of the solution, in place for each vector of length `nv` in `x`: `x ← D^(−1/2) L⁻ᵀ x`, so that the scalar products
/// of results are those of `M⁻¹`. `sqrt_inv_d` holds `1/sqrt(D)`.
pub fn mj_solve_m2(model: &Model, data: &Data, x: &mut [f64], sqrt_inv_d: &[f64]) {
    if model.nv == 0 {
        return;
    }
    for vector in x.chunks_exact_mut(model.nv) {
        for i in (1..model.nv).rev() {
            let value = vector[i];
            if model.dof_simplenum[i] != 0 || value == 0.0 {
                continue;
            }
            let start = model.M_rowadr[i] as usize;
            let end = start + model.M_rownnz[i] as usize - 1;
            for (l, &column) in data.qLD[start..end].iter().zip(&model.M_colind[start..end]) {
                vector[column as usize] -= l * value;
            }
        }
        for (value, scale) in vector.iter_mut().zip(sqrt_inv_d) {
            *value *= scale;
        }
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
pub fn mj_mul_m(model: &Model, data: &Data, result: &mut [f64], vec: &[f64]) {
    for i in 0..model.nv {
        let diagonal = model.M_rowadr[i] as usize + model.M_rownnz[i] as usize - 1;
        result[i] = data.M[diagonal] * vec[i];
    }
    for i in 0..model.nv {
        let start = model.M_rowadr[i] as usize;
        let end = start + model.M_rownnz[i] as usize - 1;
        let (mut sum, value) = (0.0, vec[i]);
        for (m, &column) in data.M[start..end].iter().zip(&model.M_colind[start..end]) {
            sum += m * vec[column as usize];
            result[column as usize] += m * value;
        }
        result[i] += sum;
    }
}

/// `result = D^(1/2) L vec`: a square root of `M`.
pub fn mj_mul_m2(model: &Model, data: &Data, result: &mut [f64], vec: &[f64]) {
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

/// Row pattern of a sparse matrix.
#[derive(Clone, Copy, Debug)]
pub struct SparsePattern<'a> {
    /// Entries of each row.
    pub rownnz: &'a [i32],
    /// Address of the first entry of each row.
    pub rowadr: &'a [i32],
    /// Column of each entry, increasing within a row.
    pub colind: &'a [i32],
}

/// Adds the inertia matrix to `dst`: to the entries that the pattern has, or to the lower
/// triangle of a dense row-major matrix.
pub fn mj_add_m(model: &Model, data: &Data, dst: &mut [f64], pattern: Option<SparsePattern<'_>>) {
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
                add_scaled_where_present(
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

/// Sparse `LᵀDL` factorization of the inertia matrix: cost grows with the sum of squared tree depths, not with `nv³`.
/// The same as [`mj_factor_m`].
pub fn mj_factor_sparse(model: &Model, data: &mut Data) {
    mj_factor_m(model, data);
}

/// Solves `M x = b` in place with the factorization made by [`mj_factor_sparse`].
pub fn mj_solve_sparse(model: &Model, data: &Data, x: &mut DVector<f64>) {
    mj_solve_m(model, data, x.as_mut_slice());
}
