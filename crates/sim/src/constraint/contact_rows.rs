//! Contact rows: relative motion of two bodies at the contact point, in the contact frame.
//!
//! With `J` the Jacobian of the relative velocity (body 2 minus body 1) in the frame (normal, two tangents, then spin and roll), a
//! frictionless contact has the normal row alone, an elliptic contact has the rows as they are, and a pyramidal contact has the pair
//! `J₀ ± μₖ Jₖ` for each friction direction `k`. Dofs that move both bodies cancel and are left out.
//!
//! Rows are made as padded lanes, in the blocks that the solver works on, and copied from there to the constraint arrays.

use super::motion::ChainMotion;
use super::rows::{RowScratch, fill};
use kinetree_math::lanes::{Lane, sum_scaled_lanes};
use kinetree_model::enums::{Cone, ConstraintType};
use kinetree_model::{Contact, Data, Model};

/// Adds the rows of every contact that is not excluded.
pub(crate) fn add_rows(model: &Model, data: &mut Data, scratch: &mut RowScratch) {
    if model.nv == 0 || data.contact.is_empty() {
        return;
    }
    let pyramidal = model.opt.cone == Cone::Pyramidal as i32;
    let sparse = model.is_sparse();
    make_room(model, data, pyramidal);
    let RowScratch { motion, blocks, lanes: parts, .. } = scratch;
    let mut last = None;
    for i in 0..data.contact.len() {
        let contact = &data.contact[i];
        if contact.exclude != 0 {
            continue;
        }
        let body = contact.geom.map(|g| model.geom_bodyid[g as usize] as usize);
        // contacts between the same bodies mostly follow one another
        let follows = last == Some(body);
        if !follows {
            motion.collect(model, data, body);
            last = Some(body);
        }
        if sparse && motion.chain.len() == 0 {
            data.contact[i].efc_address = -1;
            data.contact[i].exclude = 3;
            continue;
        }
        let rows = row_count(contact.dim as usize, pyramidal);
        let lanes = if follows { blocks.extend(rows) } else { blocks.add(motion.chain.dofs(), rows) };
        write_jacobian(data, motion, contact, lanes, parts, pyramidal);
        let row = data.nefc;
        if sparse {
            add_sparse_rows(data, motion, lanes);
        } else {
            data.efc_J.resize((row + rows) * model.nv, 0.0);
            motion.scatter(&mut data.efc_J[row * model.nv..], model.nv, lanes);
        }
        describe_rows(data, i, row, rows, pyramidal);
        data.contact[i].efc_address = row as i32;
        data.nefc = row + rows;
    }
    give_room_back(model, data);
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

/// Lengthens the arrays to hold all contacts.
fn make_room(model: &Model, data: &mut Data, pyramidal: bool) {
    let rows: usize =
        data.contact.iter().filter(|c| c.exclude == 0).map(|c| row_count(c.dim as usize, pyramidal)).sum();
    let n = data.nefc + rows;
    set_length(data, n);
    if model.is_sparse() {
        data.efc_J_rownnz.resize(n, 0);
        data.efc_J_rowadr.resize(n, 0);
    }
}

fn set_length(data: &mut Data, n: usize) {
    data.efc_type.resize(n, 0);
    data.efc_id.resize(n, 0);
    data.efc_pos.resize(n, 0.0);
    data.efc_margin.resize(n, 0.0);
    data.efc_frictionloss.resize(n, 0.0);
}

/// Shortens the arrays to the rows that there are.
fn give_room_back(model: &Model, data: &mut Data) {
    let n = data.nefc;
    set_length(data, n);
    if model.is_sparse() {
        data.efc_J_rownnz.truncate(n);
        data.efc_J_rowadr.truncate(n);
    }
}

/// Fills the rows of a contact; `parts` is working memory.
fn write_jacobian(
    data: &Data,
    motion: &ChainMotion,
    contact: &Contact,
    rows: &mut [Lane],
    parts: &mut Vec<Lane>,
    pyramidal: bool,
) {
    let (width, dim) = (motion.width(), contact.dim as usize);
    if width == 0 {
        return;
    }
    if dim == 1 || !pyramidal {
        write_motions(data, motion, contact, rows, width);
        return;
    }
    parts.resize((dim * width).max(parts.len()), [0.0; 4]);
    let parts = &mut parts[..dim * width];
    write_motions(data, motion, contact, parts, width);
    let (normal, parts) = parts.split_at(width);
    let pairs = rows.chunks_exact_mut(2 * width).zip(parts.chunks_exact(width));
    for ((pair, part), mu) in pairs.zip(contact.friction) {
        let (plus, minus) = pair.split_at_mut(width);
        sum_scaled_lanes(plus, normal, part, mu);
        sum_scaled_lanes(minus, normal, part, -mu);
    }
}

/// Motions in the contact frame: along normal and tangents, then about them.
fn write_motions(data: &Data, motion: &ChainMotion, contact: &Contact, rows: &mut [Lane], width: usize) {
    let (along, about) = rows.split_at_mut(rows.len().min(3 * width));
    motion.along(data, contact, along);
    motion.about(contact, about);
}

/// Appends the rows of a contact to a sparse Jacobian.
fn add_sparse_rows(data: &mut Data, motion: &ChainMotion, lanes: &[Lane]) {
    let cols = motion.chain.dofs();
    for (r, row) in (data.nefc..).zip(lanes.chunks_exact(motion.width())) {
        data.efc_J_rownnz[r] = cols.len() as i32;
        data.efc_J_rowadr[r] = data.efc_J.len() as i32;
        data.efc_J_colind.extend_from_slice(cols);
        data.efc_J.extend_from_slice(&row.as_flattened()[..cols.len()]);
    }
}

/// Sets violation, margin, type and id of the rows of contact `i`.
fn describe_rows(data: &mut Data, i: usize, row: usize, rows: usize, pyramidal: bool) {
    let contact = &data.contact[i];
    let (dist, margin) = (contact.dist, contact.includemargin);
    let range = row..row + rows;
    let kind = match (contact.dim, pyramidal) {
        (1, _) => ConstraintType::ContactFrictionless,
        (_, true) => ConstraintType::ContactPyramidal,
        (_, false) => ConstraintType::ContactElliptic,
    };
    fill(&mut data.efc_type[range.clone()], kind as i32);
    fill(&mut data.efc_id[range.clone()], i as i32);
    if kind == ConstraintType::ContactElliptic {
        // friction has no position
        fill(&mut data.efc_pos[range.clone()], 0.0);
        fill(&mut data.efc_margin[range], 0.0);
        data.efc_pos[row] = dist;
        data.efc_margin[row] = margin;
    } else {
        fill(&mut data.efc_pos[range.clone()], dist);
        fill(&mut data.efc_margin[range], margin);
    }
}
