//! Contact rows: relative motion of two bodies at the contact point, in the contact frame.
//!
//! With `J` the Jacobian of the relative velocity (body 2 minus body 1) in the frame (normal, two tangents,
//! then spin and roll), a frictionless contact has the normal row alone, an elliptic contact has the rows as
//! they are, and a pyramidal contact has the pair `J₀ ± μₖ Jₖ` for each friction direction `k`. Dofs that
//! move both bodies cancel and are left out.
//!
//! Rows are made as padded lanes, in the blocks that the solver works on, and copied from there to the
//! constraint arrays.

use super::contact_description::{describe_rows, row_count};
use super::flex_contact;
use super::motion::{ChainMotion, Target};
use super::rows::RowScratch;
use crate::flex::contact_bodies::{single_body, touches_flex};
use crate::flex::passive_contact::exclude_contacts;
use kinetree_math::lanes::Lane;
use kinetree_model::{Contact, Data, Model};

/// Adds the rows of every contact that is not excluded.
pub(crate) fn add_rows(model: &Model, data: &mut Data, scratch: &mut RowScratch) {
    exclude_contacts(model, data);
    if model.nv == 0 || data.contact.is_empty() {
        return;
    }
    let pyramidal = !model.is_elliptic();
    let sparse = model.is_sparse();
    make_room(model, data, pyramidal);
    scratch.motion.begin(model, data.contact.len());
    let mut jacobian = std::mem::take(&mut data.efc_J);
    let mut last = None;
    for i in 0..data.contact.len() {
        let contact = &data.contact[i];
        if contact.exclude != 0 {
            data.contact[i].efc_address = -1;
            continue;
        }
        let Some(body) = contact_bodies(model, contact) else {
            flex_contact::add_rows(model, data, i, &mut jacobian, scratch);
            last = None;
            continue;
        };
        let RowScratch { motion, blocks, .. } = &mut *scratch;
        // contacts between the same bodies mostly follow one another
        let follows = last == Some(body);
        if !follows {
            motion.collect(model, data, body);
            last = Some(body);
        }
        if sparse && motion.chains.chain().count == 0 {
            data.contact[i].efc_address = -1;
            data.contact[i].exclude = 3;
            continue;
        }
        let (row, rows) = (data.nefc, row_count(contact.dim as usize, pyramidal));
        let lanes = if follows {
            blocks.extend(rows)
        } else {
            blocks.add_lanes(motion.chains.column_indices(), rows)
        };
        let dense = if sparse { &mut [] } else { &mut jacobian[row * model.nv..(row + rows) * model.nv] };
        motion.write_rows(data, contact, pyramidal, Target { lanes, dense, nv: model.nv });
        if sparse {
            add_sparse_rows(data, &mut jacobian, motion, lanes);
        }
        describe_rows(data, i, row, rows, pyramidal);
        data.contact[i].efc_address = row as i32;
        data.nefc = row + rows;
    }
    data.efc_J = jacobian;
    give_room_back(model, data);
}

/// The bodies of a contact that has one on each side.
#[inline(always)]
fn contact_bodies(model: &Model, contact: &Contact) -> Option<[usize; 2]> {
    if touches_flex(contact) {
        return Some([single_body(model, contact, 0)?, single_body(model, contact, 1)?]);
    }
    Some(contact.geom.map(|g| model.geom_bodyid[g as usize] as usize))
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
    } else {
        data.efc_J.resize(n * model.nv, 0.0);
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

/// Appends the rows of a contact to a sparse Jacobian.
fn add_sparse_rows(data: &mut Data, jacobian: &mut Vec<f64>, motion: &ChainMotion, lanes: &[Lane]) {
    let cols = motion.chains.dofs();
    for (r, row) in (data.nefc..).zip(lanes.chunks_exact(motion.chains.chain().width)) {
        data.efc_J_rownnz[r] = cols.len() as i32;
        data.efc_J_rowadr[r] = jacobian.len() as i32;
        data.efc_J_colind.extend_from_slice(cols);
        jacobian.extend_from_slice(&row.as_flattened()[..cols.len()]);
    }
}
