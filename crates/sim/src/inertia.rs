//! The joint-space inertia matrix `M(q)`: composite rigid body algorithm, sparse `LᵀDL` factorization and its uses.
//!
//! Row `i` of `M` couples dof `i` with its ancestors only, so that `M` is stored as a lower triangle whose row `i` lists the
//! ancestors of `i` and `i` itself (Featherstone, "Efficient factorization of the joint-space inertia matrix for branched
//! kinematic trees", 2005). Eliminating dofs from the leaves to the root, `M = Lᵀ D L` has the same pattern: no fill-in. A
//! row whose length is one is diagonal and costs nothing.

use crate::awake::{ASLEEP, Visit};
use crate::sleep::tendon_sleep_state;
use kinetree_math::lanes::Lane;
use kinetree_math::sparse::{
    Csr, Pattern, add_scaled_common, dot_sparse, ltdl_factor, ltdl_solve_half, ltdl_solve_many, mul_sym_vec,
};
use kinetree_math::spatial::{add_inert, mul_inert_vec};
use kinetree_model::enums::TrnType;
use kinetree_model::{Data, Model};
use nalgebra::DVector;
use wide::f64x4;

/// Sparsity pattern of the inertia matrix.
#[inline]
pub fn m_pattern(model: &Model) -> Pattern<'_> {
    Pattern::new(&model.M_rownnz, &model.M_rowadr, &model.M_colind)
}

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
    if let Driven::Joint(joint) = driven
        && model.jnt_actuatorid[joint] >= -1
    {
        // at most one actuator
        return usize::try_from(model.jnt_actuatorid[joint]).map_or(0.0, |actuator| {
            let gear = model.actuator_gear[actuator][0];
            model.actuator_armature[actuator] * (gear * gear)
        });
    }
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

    let mut path = data.scratch.take::<DofPath>();
    for k in 0..dofs.count {
        let dof = dofs.at(&data.dof_awake_ind, k);
        let start = model.M_rowadr[dof] as usize;
        if model.dof_simplenum[dof] != 0 {
            data.M[start] = model.dof_M0[dof];
            continue;
        }
        let row = &mut data.M[start..][..model.M_rownnz[dof] as usize];
        let cdof = &data.cdof[dof];
        let force = mul_inert_vec(&data.crb[model.dof_bodyid[dof] as usize], cdof);
        path.set(row.len() - 1, cdof);
        path.dot(&force, row);
        if let Some(diagonal) = row.last_mut() {
            let joint = model.dof_jntid[dof] as usize;
            *diagonal += model.dof_armature[dof] + actuator_armature(model, Driven::Joint(joint));
        }
    }
    data.scratch.give(path);
}

/// Motions of the ancestors of a dof, from the root to the dof itself: the columns of its row of `M`. Each component has a list of its own,
/// in lanes. Dofs are numbered depth first, so that the ancestors of the next dof are always there.
#[derive(Default)]
struct DofPath(Vec<[Lane; 6]>);

impl DofPath {
    /// Sets the motion of the dof at some depth.
    #[inline]
    fn set(&mut self, depth: usize, cdof: &[f64; 6]) {
        if self.0.len() <= depth / 4 {
            self.0.resize(depth / 4 + 1, [[0.0; 4]; 6]);
        }
        let lanes = &mut self.0[depth / 4];
        for (lane, x) in lanes.iter_mut().zip(cdof) {
            lane[depth % 4] = *x;
        }
    }

    /// Scalar products of all motions with a force, one for each entry of `row`.
    #[inline]
    fn dot(&self, force: &[f64; 6], row: &mut [f64]) {
        let (full, rest) = row.as_chunks_mut::<4>();
        for (out, lanes) in full.iter_mut().zip(&self.0) {
            *out = dot_four(lanes, force);
        }
        if let Some(lanes) = self.0.get(full.len()) {
            rest.iter_mut().zip(dot_four(lanes, force)).for_each(|(out, x)| *out = x);
        }
    }
}

/// Scalar products of four motions with a force.
#[inline]
fn dot_four(lanes: &[Lane; 6], force: &[f64; 6]) -> Lane {
    let term = |c: usize| f64x4::new(lanes[c]) * f64x4::splat(force[c]);
    (((((term(0) + term(1)) + term(2)) + term(3)) + term(4)) + term(5)).to_array()
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
            add_scaled_common(
                &mut data.M[row..][..length],
                &model.M_colind[row..][..length],
                jacobian,
                columns,
                armature * value,
            );
        }
    }
}

/// Computes the inertia matrix with tendon armature, and its copy `qM` in the legacy order.
pub fn mj_make_m(model: &Model, data: &mut Data) {
    mj_crb(model, data);
    add_tendon_armature(model, data);
    for (&start, &count) in model.M_rowadr.iter().zip(&model.M_rownnz) {
        let row = &data.M[start as usize..][..count as usize];
        // the legacy order begins with the diagonal
        let first = model.mapM2M[(start + count - 1) as usize] as usize;
        let target = &mut data.qM[first..][..row.len()];
        target.iter_mut().zip(row.iter().rev()).for_each(|(x, &value)| *x = value);
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
    ltdl_factor(&mut data.qLD, &mut data.qLDiagInv, m_pattern(model), awake);
}

/// Solves `M x = y` in place for each vector of length `nv` in `x`, with the factorization in `data`.
pub fn mj_solve_m(model: &Model, data: &Data, x: &mut [f64]) {
    ltdl_solve_many(x, model.nv, &data.qLD, &data.qLDiagInv, m_pattern(model), None);
}

/// Half of the solution, in place for each vector of length `nv` in `x`: `x ← D^(−1/2) L⁻ᵀ x`, so that the scalar products
/// of results are those of `M⁻¹`. `sqrt_inv_d` holds `1/sqrt(D)`.
pub fn mj_solve_m2(model: &Model, data: &Data, x: &mut [f64], sqrt_inv_d: &[f64]) {
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
pub fn mj_mul_m(model: &Model, data: &Data, result: &mut [f64], vec: &[f64]) {
    mul_sym_vec(result, Csr::new(m_pattern(model), &data.M), vec);
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

/// Adds the inertia matrix to `dst`: to the entries that the pattern has, or to the lower
/// triangle of a dense row-major matrix.
pub fn mj_add_m(model: &Model, data: &Data, dst: &mut [f64], pattern: Option<Pattern<'_>>) {
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

/// Sparse `LᵀDL` factorization of the inertia matrix: cost grows with the sum of squared tree depths, not with `nv³`.
/// The same as [`mj_factor_m`].
pub fn mj_factor_sparse(model: &Model, data: &mut Data) {
    mj_factor_m(model, data);
}

/// Solves `M x = b` in place with the factorization made by [`mj_factor_sparse`].
pub fn mj_solve_sparse(model: &Model, data: &Data, x: &mut DVector<f64>) {
    mj_solve_m(model, data, x.as_mut_slice());
}
