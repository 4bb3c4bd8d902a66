//! The inertia matrices of four worlds: [`crate::inertia`] with a world a lane.

use super::memory::{Lanes, resize};
use crate::inertia::armature::joint_armature;
use crate::inertia::composite::add_to_parents;
use crate::inertia::mass_matrix::m_pattern;
use crate::sleep::awake_lists::Visited;
use kinetree_math::lockstep::gather;
use kinetree_math::sparse::ltdl_factor_lockstep;
use kinetree_math::spatial::{dot6, mul_inert_vec};
use kinetree_model::Model;
use wide::f64x4;

/// Composite inertias, from the leaves to the root.
pub(super) fn composite_inertias(model: &Model, lanes: &mut Lanes) {
    lanes.crb.copy_from_slice(&lanes.cinert);
    add_to_parents(model, Visited::all(model.nbody), &mut lanes.crb);
}

/// Rows of `M` from composite inertias: those of [`crate::inertia::composite`], which computes four ancestors
/// of one world at a time, where this computes four worlds.
pub(super) fn inertia_rows(model: &Model, lanes: &mut Lanes) {
    let nv = model.nv;
    let (rowadr, rownnz) = (&model.M_rowadr[..nv], &model.M_rownnz[..nv]);
    let (simple, bodies, joints) =
        (&model.dof_simplenum[..nv], &model.dof_bodyid[..nv], &model.dof_jntid[..nv]);
    let (armature, cdof) = (&model.dof_armature[..nv], &lanes.cdof[..nv]);
    let m = &mut lanes.M[..];
    for dof in 0..nv {
        let (start, count) = (rowadr[dof] as usize, rownnz[dof] as usize);
        if simple[dof] != 0 {
            m[start] = f64x4::splat(model.dof_M0[dof]);
            continue;
        }
        let force = mul_inert_vec(&lanes.crb[bodies[dof] as usize], &cdof[dof]);
        let row = &mut m[start..][..count];
        let columns = &model.M_colind[start..][..count];
        for (to, &column) in row.iter_mut().zip(columns) {
            *to = dot6(&cdof[column as usize], &force);
        }
        let own = armature[dof] + joint_armature(model, joints[dof] as usize);
        row[count - 1] += f64x4::splat(own);
    }
}

/// Rows of `qM`, which are those of `M` from back to front.
pub(super) fn legacy_rows(model: &Model, lanes: &mut Lanes) {
    let rows = model.M_rowadr.iter().zip(&model.M_rownnz).zip(&model.dof_Madr);
    for ((&start, &count), &legacy) in rows {
        let row = lanes.M[start as usize..][..count as usize].iter().rev();
        lanes.qM[legacy as usize..].iter_mut().zip(row).for_each(|(to, from)| *to = *from);
    }
}

/// Factors `M`.
pub(super) fn factor(model: &Model, lanes: &mut Lanes) {
    lanes.qLD.copy_from_slice(&lanes.M);
    ltdl_factor_lockstep(&mut lanes.qLD, &mut lanes.qLDiagInv, m_pattern(model));
}

/// Factors `M` with the derivatives of damper forces on its diagonal.
pub(super) fn factor_damped(model: &Model, lanes: &mut Lanes) {
    let Lanes { M, qH, qHDiagInv, damper_derivatives, .. } = lanes;
    resize(qH, model.nC);
    resize(qHDiagInv, model.nv);
    qH.copy_from_slice(M);
    gather(qHDiagInv, damper_derivatives.each_ref().map(Vec::as_slice));
    for ((&at, &n), derivative) in model.M_rowadr.iter().zip(&model.M_rownnz).zip(&*qHDiagInv) {
        qH[(at + n - 1) as usize] += *derivative;
    }
    ltdl_factor_lockstep(qH, qHDiagInv, m_pattern(model));
}
