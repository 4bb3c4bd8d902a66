//! Chains of dofs: which degrees of freedom move a body, and how a dof moves a point.
//!
//! A body is moved by the dofs of its ancestors. A constraint between two bodies touches the union of both chains; where it only
//! depends on the relative motion at one common point, the dofs above the common ancestor cancel and are left out.

use kinetree_model::Model;

/// The last dof that moves `body`, or -1 for a body fixed to the world.
#[inline]
fn last_dof(model: &Model, body: usize) -> i32 {
    let body = model.body_weldid[body] as usize;
    if body == 0 { -1 } else { model.body_dofadr[body] + model.body_dofnum[body] - 1 }
}

/// Calls `visit` with each dof that moves `body1` or `body2`, from the last to the first, and whether it moves the
/// second. With `skip_common`, dofs that move both are left out.
#[inline]
pub(super) fn walk_chains(
    model: &Model,
    body1: usize,
    body2: usize,
    skip_common: bool,
    mut visit: impl FnMut(i32, bool),
) {
    let mut dof1 = last_dof(model, body1);
    let mut dof2 = last_dof(model, body2);
    while dof1 >= 0 && dof2 >= 0 {
        if skip_common && dof1 == dof2 {
            return;
        }
        let dof = dof1.max(dof2);
        visit(dof, dof2 == dof);
        let parent = model.dof_parentid[dof as usize];
        (dof1, dof2) = (if dof1 == dof { parent } else { dof1 }, if dof2 == dof { parent } else { dof2 });
    }
    while dof1 >= 0 {
        visit(dof1, false);
        dof1 = model.dof_parentid[dof1 as usize];
    }
    while dof2 >= 0 {
        visit(dof2, true);
        dof2 = model.dof_parentid[dof2 as usize];
    }
}

/// Lists the dofs that move `body1` or `body2`, in increasing order. With `skip_common`, dofs that move both are left out.
pub(crate) fn merge_chain(
    model: &Model,
    chain: &mut Vec<i32>,
    body1: usize,
    body2: usize,
    skip_common: bool,
) {
    chain.clear();
    walk_chains(model, body1, body2, skip_common, |dof, _| chain.push(dof));
    chain.reverse();
}

/// Marks in `sign` which entries of `chain` move `body`, by adding `weight` to them. `sign` has one entry per chain entry.
pub(crate) fn mark_chain(model: &Model, chain: &[i32], body: usize, weight: f64, sign: &mut [f64]) {
    let mut dof = last_dof(model, body);
    let mut k = chain.len();
    while dof >= 0 {
        while k > 0 && chain[k - 1] > dof {
            k -= 1;
        }
        if k == 0 {
            return;
        }
        if chain[k - 1] == dof {
            sign[k - 1] += weight;
        }
        dof = model.dof_parentid[dof as usize];
    }
}

/// Velocity of a point per unit velocity of a dof: `v + ω × offset`, where `offset` leads from the tree's centre of mass to the point.
#[inline]
#[must_use]
pub(crate) fn point_column(cdof: &[f64; 6], offset: &[f64; 3]) -> [f64; 3] {
    [
        cdof[3] + (cdof[1] * offset[2] - cdof[2] * offset[1]),
        cdof[4] + (cdof[2] * offset[0] - cdof[0] * offset[2]),
        cdof[5] + (cdof[0] * offset[1] - cdof[1] * offset[0]),
    ]
}

/// `a - b`.
#[inline]
pub(crate) fn sub3(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
