//! Contact rows: relative motion of two bodies at the contact point, in the contact frame.
//!
//! With `J` the Jacobian of the relative velocity (body 2 minus body 1) in the frame (normal, two tangents, then spin and roll), a
//! frictionless contact has the normal row alone, an elliptic contact has the rows as they are, and a pyramidal contact has the pair
//! `J₀ ± μₖ Jₖ` for each friction direction `k`. Dofs that move both bodies cancel and are left out.

use super::chain::{mark_chain, merge_chain, point_column, sub3};
use super::rows::{RowScratch, push_row};
use kinetree_model::enums::{Cone, ConstraintType};
use kinetree_model::{Data, Model};

/// Adds the rows of every contact that is not excluded.
pub(crate) fn add_rows(model: &Model, data: &mut Data, scratch: &mut RowScratch) {
    if model.nv == 0 {
        return;
    }
    let pyramidal = model.opt.cone == Cone::Pyramidal as i32;
    for i in 0..data.contact.len() {
        let contact = &data.contact[i];
        if contact.exclude != 0 {
            continue;
        }
        let body = contact.geom.map(|g| model.geom_bodyid[g as usize] as usize);
        merge_chain(model, &mut scratch.chain, body[0], body[1], true);
        if scratch.chain.is_empty() && model.is_sparse() {
            data.contact[i].efc_address = -1;
            data.contact[i].exclude = 3;
            continue;
        }
        data.contact[i].efc_address = data.nefc as i32;
        scratch.sign.clear();
        scratch.sign.resize(scratch.chain.len(), 0.0);
        mark_chain(model, &scratch.chain, body[0], -1.0, &mut scratch.sign);
        mark_chain(model, &scratch.chain, body[1], 1.0, &mut scratch.sign);
        write_jacobian(model, data, scratch, i, body, pyramidal);
        describe_rows(data, i, pyramidal);
    }
}

/// Number of rows of a contact of dimension `dim`.
#[inline]
pub(crate) fn row_count(dim: usize, pyramidal: bool) -> usize {
    match (dim, pyramidal) {
        (1, _) => 1,
        (_, true) => 2 * (dim - 1),
        (_, false) => dim,
    }
}

/// Appends the Jacobian rows of contact `i`, column by column of the chain.
fn write_jacobian(
    model: &Model,
    data: &mut Data,
    scratch: &RowScratch,
    i: usize,
    body: [usize; 2],
    pyramidal: bool,
) {
    let contact = &data.contact[i];
    let dim = contact.dim as usize;
    let rows = row_count(dim, pyramidal);
    let sparse = model.is_sparse();
    let n = scratch.chain.len();
    let stride = if sparse { n } else { model.nv };
    let base = data.efc_J.len();
    data.efc_J.resize(base + rows * stride, 0.0);
    if sparse {
        for r in 0..rows {
            data.efc_J_rownnz.push(n as i32);
            data.efc_J_rowadr.push((base + r * n) as i32);
            data.efc_J_colind.extend_from_slice(&scratch.chain);
        }
    }
    let offset = body.map(|b| sub3(&contact.pos, &data.subtree_com[model.body_rootid[b] as usize]));
    let f = &contact.frame;
    let jac = &mut data.efc_J[base..];
    for k in 0..n {
        let dof = scratch.chain[k] as usize;
        let cdof = &data.cdof[dof];
        let sign = scratch.sign[k];
        let lin = point_column(cdof, if sign < 0.0 { &offset[0] } else { &offset[1] });
        let along = |axis: usize, v: &[f64]| {
            sign * (f[3 * axis] * v[0] + f[3 * axis + 1] * v[1] + f[3 * axis + 2] * v[2])
        };
        let column = if sparse { k } else { dof };
        let normal = along(0, &lin);
        if dim == 1 {
            jac[column] = normal;
            continue;
        }
        if !pyramidal {
            jac[column] = normal;
        }
        for d in 1..dim {
            let x = if d < 3 { along(d, &lin) } else { along(d - 3, &cdof[..3]) };
            if pyramidal {
                let friction = contact.friction[d - 1];
                jac[(2 * d - 2) * stride + column] = normal + x * friction;
                jac[(2 * d - 1) * stride + column] = normal - x * friction;
            } else {
                jac[d * stride + column] = x;
            }
        }
    }
}

/// Appends violation, margin, type and id of the rows of contact `i`.
fn describe_rows(data: &mut Data, i: usize, pyramidal: bool) {
    let contact = &data.contact[i];
    let (dim, dist, margin) = (contact.dim as usize, contact.dist, contact.includemargin);
    if dim == 1 {
        push_row(data, ConstraintType::ContactFrictionless, i, dist, margin, 0.0);
    } else if pyramidal {
        for _ in 0..row_count(dim, true) {
            push_row(data, ConstraintType::ContactPyramidal, i, dist, margin, 0.0);
        }
    } else {
        push_row(data, ConstraintType::ContactElliptic, i, dist, margin, 0.0);
        for _ in 1..dim {
            push_row(data, ConstraintType::ContactElliptic, i, 0.0, 0.0, 0.0);
        }
    }
}
