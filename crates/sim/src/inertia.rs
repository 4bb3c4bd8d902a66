//! The joint-space inertia matrix `M(q)`: composite rigid body algorithm, sparse `LᵀDL` factorization and its uses.
//!
//! Row `i` of `M` couples dof `i` with its ancestors only, so that `M` is stored as a lower triangle whose row `i` lists the
//! ancestors of `i` and `i` itself (Featherstone, "Efficient factorization of the joint-space inertia matrix for branched
//! kinematic trees", 2005). Eliminating dofs from the leaves to the root, `M = Lᵀ D L` has the same pattern: no fill-in. A
//! row whose length is one is diagonal and costs nothing.

use crate::awake::{ASLEEP, Visit};
use crate::sleep::tendon_sleep_state;
use kinetree_math::lanes::{Lane, keep_mask, lanes};
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

/// Armature that actuators lend to a joint.
#[inline(always)]
fn joint_armature(model: &Model, joint: usize) -> f64 {
    match model.jnt_actuatorid[joint] {
        -1 => 0.0,
        actuator @ 0.. => {
            let actuator = actuator as usize;
            let gear = model.actuator_gear[actuator][0];
            model.actuator_armature[actuator] * (gear * gear)
        }
        _ => actuator_armature(model, Driven::Joint(joint)),
    }
}

/// Armature that actuators lend to a joint or tendon.
#[inline(never)]
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

    inertia_rows(model, data, &dofs);
}

/// Rows of `M` from composite inertias.
fn inertia_rows(model: &Model, data: &mut Data, dofs: &Visit) {
    let mut path = data.scratch.take::<DofPath>();
    path.reserve(model.nv);
    let (nv, list) = (model.nv, &data.dof_awake_ind[..]);
    let (rowadr, rownnz) = (&model.M_rowadr[..nv], &model.M_rownnz[..nv]);
    let (simple, bodies, joints) =
        (&model.dof_simplenum[..nv], &model.dof_bodyid[..nv], &model.dof_jntid[..nv]);
    let (armature, cdof) = (&model.dof_armature[..nv], &data.cdof[..nv]);
    let (crb, m, path_lanes) = (&data.crb[..], &mut data.M[..], &mut path.0[..]);
    for k in 0..dofs.count {
        let dof = dofs.at(list, k);
        let start = rowadr[dof] as usize;
        if simple[dof] != 0 {
            m[start] = model.dof_M0[dof];
            continue;
        }
        let row = &mut m[start..start + rownnz[dof] as usize];
        set_motion(path_lanes, row.len() - 1, &cdof[dof]);
        let own = armature[dof] + joint_armature(model, joints[dof] as usize);
        let force = mul_inert_vec(&crb[bodies[dof] as usize], &cdof[dof]);
        project(path_lanes, &force, row, own);
    }
    data.scratch.give(path);
}

/// Motions of the ancestors of a dof, from the root to the dof itself: the columns of its row of `M`. Each component has a list of its own,
/// in lanes. Dofs are numbered depth first, so that the ancestors of the next dof are always there.
#[derive(Default)]
struct DofPath(Vec<[Lane; 6]>);

impl DofPath {
    /// Makes room for a path of `length` dofs.
    fn reserve(&mut self, length: usize) {
        if self.0.len() < lanes(length) {
            self.0.resize(lanes(length), [[0.0; 4]; 6]);
        }
    }
}

/// Sets the motion of the dof at some depth. Places after it in its lanes mean nothing.
#[inline(always)]
fn set_motion(path: &mut [[Lane; 6]], depth: usize, cdof: &[f64; 6]) {
    let keep = keep_mask(depth % 4);
    // whole lanes are written, so that they can be read as such right after
    for (lane, &x) in path[depth / 4].iter_mut().zip(cdof) {
        *lane = keep.blend(f64x4::new(*lane), f64x4::splat(x)).to_array();
    }
}

/// Scalar products of all motions with a force, one for each entry of `row`, with `own` added to the last one.
#[inline(always)]
fn project(path: &[[Lane; 6]], force: &[f64; 6], row: &mut [f64], own: f64) {
    let full = row.len().saturating_sub(1) / 4;
    let (first, rest) = row.split_at_mut(4 * full);
    let (lanes, last) = path.split_at(full);
    for (out, lanes) in first.as_chunks_mut::<4>().0.iter_mut().zip(lanes) {
        *out = dot_four(lanes, force);
    }
    let Some(last) = last.first() else { return };
    let x = dot_four(last, force);
    match rest {
        [a, b, c, d] => (*a, *b, *c, *d) = (x[0], x[1], x[2], x[3] + own),
        [a, b, c] => (*a, *b, *c) = (x[0], x[1], x[2] + own),
        [a, b] => (*a, *b) = (x[0], x[1] + own),
        [a] => *a = x[0] + own,
        _ => {}
    }
}

/// Scalar products of four motions with a force.
#[inline(always)]
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
        copy_reversed(&mut data.qM[first..first + row.len()], row);
    }
}

/// Copies a list from back to front, which is as long as `to`.
#[inline(always)]
fn copy_reversed(to: &mut [f64], from: &[f64]) {
    let (to_full, to_rest) = to.as_chunks_mut::<4>();
    let (from_rest, from_full) = from.as_rchunks::<4>();
    for (to, &[a, b, c, d]) in to_full.iter_mut().zip(from_full.iter().rev()) {
        *to = [d, c, b, a];
    }
    match (to_rest, from_rest) {
        ([x, y, z], [a, b, c]) => (*x, *y, *z) = (*c, *b, *a),
        ([x, y], [a, b]) => (*x, *y) = (*b, *a),
        ([x], [a]) => *x = *a,
        _ => {}
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
