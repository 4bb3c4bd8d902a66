//! Chains of dofs: which degrees of freedom move a body.
//!
//! A body is moved by the dofs of its ancestors. A constraint between two bodies touches the union of both
//! chains; where it only depends on the relative motion at one common point, the dofs above the common
//! ancestor cancel and are left out.

use kinetree_model::Model;

/// The last dof that moves `body`, or -1 for a body that none moves.
#[inline]
#[must_use]
pub(crate) fn last_dof(model: &Model, body: usize) -> i32 {
    let body = model.body_weldid[body] as usize;
    let count = model.body_dofnum[body];
    if count == 0 { -1 } else { model.body_dofadr[body] + count - 1 }
}

/// The dofs that move `body`, from the last to the first.
#[inline]
pub(crate) fn chain_dofs(model: &Model, body: usize) -> impl Iterator<Item = usize> + '_ {
    let last = usize::try_from(last_dof(model, body)).ok();
    std::iter::successors(last, |&dof| usize::try_from(model.dof_parentid[dof]).ok())
}

/// Calls `visit` with each dof that moves one of some bodies, from the last to the first, and which of them
/// it moves. With `skip_common`, dofs that move all of them are left out.
#[inline]
pub(crate) fn walk_chains<const N: usize>(
    model: &Model,
    bodies: [usize; N],
    skip_common: bool,
    mut visit: impl FnMut(usize, [bool; N]),
) {
    let mut next = bodies.map(|body| last_dof(model, body));
    loop {
        let last = next.iter().copied().max().unwrap_or(-1);
        let Ok(dof) = usize::try_from(last) else { return };
        let moves = next.map(|dof| dof == last);
        if skip_common && moves == [true; N] {
            return;
        }
        visit(dof, moves);
        for (next, moved) in next.iter_mut().zip(moves) {
            if moved {
                *next = model.dof_parentid[dof];
            }
        }
    }
}

/// Collects the dofs that move `body`, in increasing order.
pub fn body_chain(model: &Model, body: usize, chain: &mut Vec<i32>) {
    chain.clear();
    chain.extend(chain_dofs(model, body).map(|dof| dof as i32));
    chain.reverse();
}

/// Collects the dofs that move `body1` or `body2`, in increasing order. With `skip_common`, those that move
/// both are left out: they do not change the relative position of points on the two bodies.
pub fn merge_chain(model: &Model, body1: usize, body2: usize, skip_common: bool, chain: &mut Vec<i32>) {
    chain.clear();
    walk_chains(model, [body1, body2], skip_common, |dof, _| chain.push(dof as i32));
    chain.reverse();
}

/// Calls `visit` with the position in `chain` and the dof, for each dof of `body` that is in the chain, from
/// the last to the first.
#[inline]
pub(crate) fn for_each_chain_dof(
    model: &Model,
    body: usize,
    chain: &[i32],
    mut visit: impl FnMut(usize, usize),
) {
    let mut position = chain.len();
    for dof in chain_dofs(model, body) {
        while position > 0 && chain[position - 1] > dof as i32 {
            position -= 1;
        }
        if position > 0 && chain[position - 1] == dof as i32 {
            visit(position - 1, dof);
        }
    }
}
