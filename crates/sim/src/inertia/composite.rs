//! The composite rigid body algorithm: the joint-space inertia matrix from the inertias of bodies.
//!
//! The inertia of each subtree is summed from the leaves to the root; then `M(i, j) = cdof_j · (crb_i
//! cdof_i)` for every ancestor `j` of `i` (Featherstone, "Rigid Body Dynamics Algorithms", chapter 6).

use crate::inertia::armature::joint_armature;
use crate::sleep::awake_lists::{Visit, Visited};
use kinetree_math::lanes::{lanes, pick_mask, reversed, store_first, store_last};
use kinetree_math::real::Real;
use kinetree_math::spatial::{InertiaColumns, add_inert};
use kinetree_model::{Data, Model};
use wide::f64x4;

/// Computes `M` by the composite rigid body algorithm, without tendon armature.
pub(crate) fn mj_crb(model: &Model, data: &mut Data, path: &mut DofPath) {
    composite_inertias(model, data);
    inertia_rows::<false>(model, data, path);
}

/// Inertias of subtrees, from the leaves to the root.
pub(crate) fn composite_inertias(model: &Model, data: &mut Data) {
    let dofs = Visit::dofs(model, data);
    let Data { cinert, crb, parent_awake_ind, .. } = data;
    let parents = if dofs.filtered {
        for &body in &data.body_awake_ind[..data.nbody_awake] {
            crb[body as usize] = cinert[body as usize];
        }
        Visit { filtered: true, count: data.nparent_awake }
    } else {
        crb.copy_from_slice(cinert);
        Visit::all(model.nbody)
    };
    add_to_parents(model, Visited::new(parents, parent_awake_ind), crb);
}

/// Adds the inertia of each body to that of its parent, from the leaves to the root: of one world, or of four
/// in lockstep.
#[inline(always)]
pub(crate) fn add_to_parents<T: Real>(model: &Model, bodies: Visited<'_>, crb: &mut [[T; 10]]) {
    let n = model.nbody;
    let (parentid, crb) = (&model.body_parentid[..n], &mut crb[..n]);
    for body in bodies.iter().rev() {
        let parent = parentid[body] as usize;
        if parent > 0 {
            let child = crb[body];
            add_inert(&mut crb[parent], &child);
        }
    }
}

/// Rows of `M` from composite inertias; with `LEGACY` those of `qM` too, which are the same from back to
/// front.
pub(crate) fn inertia_rows<const LEGACY: bool>(model: &Model, data: &mut Data, path: &mut DofPath) {
    let dofs = Visit::dofs(model, data);
    path.reserve(model.nv);
    let (nv, list) = (model.nv, &data.dof_awake_ind[..]);
    let (rowadr, rownnz, legacyadr) = (&model.M_rowadr[..nv], &model.M_rownnz[..nv], &model.dof_Madr[..nv]);
    let (simple, bodies, joints) =
        (&model.dof_simplenum[..nv], &model.dof_bodyid[..nv], &model.dof_jntid[..nv]);
    let (armature, cdof) = (&model.dof_armature[..nv], &data.cdof[..nv]);
    let (m, legacy, path_lanes) = (&mut data.M[..], &mut data.qM[..], &mut path.0[..]);
    let mut k = 0;
    while k < dofs.count {
        let first = dofs.at(list, k);
        if simple[first] != 0 {
            m[rowadr[first] as usize] = model.dof_M0[first];
            if LEGACY {
                legacy[legacyadr[first] as usize] = model.dof_M0[first];
            }
            k += 1;
            continue;
        }
        // dofs of a body follow one another
        let body = bodies[first];
        let inertia = InertiaColumns::new(&data.crb[body as usize]);
        while k < dofs.count {
            let dof = dofs.at(list, k);
            if bodies[dof] != body || simple[dof] != 0 {
                break;
            }
            k += 1;
            let own = armature[dof] + joint_armature(model, joints[dof] as usize);
            let depth = (rownnz[dof] - 1) as usize;
            set_motion(&mut path_lanes[depth / 4], depth % 4, &cdof[dof]);
            let force = components(inertia.mul(&cdof[dof]));
            let (row, legacy) = (&mut m[rowadr[dof] as usize..], (&mut *legacy, legacyadr[dof] as usize));
            write_row::<LEGACY>(path_lanes, depth, (&force, own), row, legacy);
        }
    }
}

/// Motions of the ancestors of a dof, from the root to the dof itself: the columns of its row of `M`. Each
/// component has a list of its own, in lanes. Dofs are numbered depth first, so that the ancestors of the
/// next dof are always there.
#[derive(Default)]
pub(crate) struct DofPath(Vec<[f64x4; 6]>);

impl DofPath {
    /// Makes room for a path of `length` dofs.
    fn reserve(&mut self, length: usize) {
        if self.0.len() < lanes(length) {
            self.0.resize(lanes(length), [f64x4::ZERO; 6]);
        }
    }
}

/// Sets the motion at an index of its lanes. Motions behind it mean nothing.
#[inline(always)]
fn set_motion(lanes: &mut [f64x4; 6], index: usize, cdof: &[f64; 6]) {
    for (lane, &x) in lanes.iter_mut().zip(cdof) {
        lane.as_array_mut()[index] = x;
    }
}

/// Writes the scalar products of a path's motions, the last of which is at `depth`, with a force to the front
/// of `row`, with `own` added to the last one; with `LEGACY` from back to front to the legacy matrix too,
/// where the row begins at an offset.
#[inline(always)]
fn write_row<const LEGACY: bool>(
    path: &[[f64x4; 6]],
    depth: usize,
    (force, own): (&[f64x4; 6], f64),
    row: &mut [f64],
    (legacy, legacy_start): (&mut [f64], usize),
) {
    // whole lanes of ancestors, then the lane that the dof itself is in
    let (full, index) = (depth / 4, depth % 4);
    let (whole, last) = row.split_at_mut(4 * full);
    let lanes = whole.as_chunks_mut::<4>().0.iter_mut().zip(&path[..full]);
    if LEGACY {
        let legacy = &mut legacy[legacy_start + index + 1..][..4 * full];
        let legacy = legacy.as_chunks_mut::<4>().0;
        for (k, (to, motions)) in lanes.enumerate() {
            let entries = dot_four(motions, force);
            *to = entries.to_array();
            legacy[full - 1 - k] = reversed(entries).to_array();
        }
    } else {
        lanes.for_each(|(to, motions)| *to = dot_four(motions, force).to_array());
    }
    let entries = dot_four(&path[full], force);
    let entries = pick_mask(index).blend(entries + f64x4::splat(own), entries);
    store_first(last, entries, index + 1);
    if LEGACY {
        store_last(&mut legacy[..legacy_start + index + 1], reversed(entries), index + 1);
    }
}

/// The components of a spatial vector in lanes, each four times.
#[inline(always)]
fn components((angular, linear): (f64x4, f64x4)) -> [f64x4; 6] {
    let ([a, b, c, _], [d, e, f, _]) = (angular.to_array(), linear.to_array());
    let splat = f64x4::splat;
    [splat(a), splat(b), splat(c), splat(d), splat(e), splat(f)]
}

/// Scalar products of four motions with a force.
#[inline(always)]
fn dot_four(motions: &[f64x4; 6], force: &[f64x4; 6]) -> f64x4 {
    let term = |c: usize| motions[c] * force[c];
    ((((term(0) + term(1)) + term(2)) + term(3)) + term(4)) + term(5)
}
