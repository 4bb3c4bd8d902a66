//! Rows of contacts that several bodies share: the weighted sum of their Jacobians at the contact.

use super::contact_description::{describe_rows, row_count};
use super::flex_equality::collect_chain;
use super::rows::RowScratch;
use crate::kinematics::chain::for_each_chain_dof;
use crate::kinematics::jacobian::{offset_from_com, point_column};
use kinetree_math::Vec3;
use kinetree_math::spatial::angular;
use kinetree_model::{Contact, Data, Model};

/// Adds the rows of contact `i`. `jacobian` stands for `efc_J`, with room for them where it is dense.
pub(super) fn add_rows(
    model: &Model,
    data: &mut Data,
    i: usize,
    jacobian: &mut Vec<f64>,
    scratch: &mut RowScratch,
) {
    let contact = &data.contact[i];
    let dim = contact.dim as usize;
    let pyramidal = !model.is_elliptic();
    scratch.contact_bodies.find(model, data, i);
    contact_jacobian(model, data, contact, scratch);
    let RowScratch { chain, jac, blocks, contact_bodies, .. } = scratch;
    let n = chain.len();
    if n == 0 && model.is_sparse() && contact_bodies.points.of(i).is_none() {
        data.contact[i].efc_address = -1;
        data.contact[i].exclude = 3;
        return;
    }
    let (first, rows) = (data.nefc, row_count(dim, pyramidal));
    let lanes = blocks.add(chain, rows);
    let width = lanes.len() / rows;
    for r in 0..rows {
        // an edge of the pyramid, or the motion itself
        let (axis, friction) = match (dim, pyramidal) {
            (1, _) | (_, false) => (r, 0.0),
            (_, true) => (r / 2 + 1, contact.friction[r / 2] * if r % 2 == 0 { 1.0 } else { -1.0 }),
        };
        let edge = pyramidal && dim > 1;
        let entry = |k: usize| if edge { jac[k] + friction * jac[axis * n + k] } else { jac[axis * n + k] };
        let target = lanes[r * width..(r + 1) * width].as_flattened_mut();
        target.fill(0.0);
        target.iter_mut().zip(0..n).for_each(|(lane, k)| *lane = entry(k));
        if model.is_sparse() {
            data.efc_J_rownnz[first + r] = n as i32;
            data.efc_J_rowadr[first + r] = jacobian.len() as i32;
            data.efc_J_colind.extend_from_slice(chain);
            jacobian.extend((0..n).map(entry));
        } else {
            let dense = &mut jacobian[(first + r) * model.nv..(first + r + 1) * model.nv];
            chain.iter().enumerate().for_each(|(k, &dof)| dense[dof as usize] = entry(k));
        }
    }
    describe_rows(data, i, first, rows, pyramidal);
    data.contact[i].efc_address = first as i32;
    data.nefc = first + rows;
}

/// Jacobian of a contact in its frame on the dofs of all its bodies: three rows of translation, and three of
/// rotation where it has such.
pub(crate) fn contact_jacobian(model: &Model, data: &Data, contact: &Contact, scratch: &mut RowScratch) {
    let RowScratch { chain, jac, contact_bodies, .. } = scratch;
    collect_chain(model, &contact_bodies.bodies, chain);
    let n = chain.len();
    let rows = if contact.dim > 3 { 6 } else { 3 };
    jac.clear();
    jac.resize(rows * n, 0.0);
    let axes: [Vec3; 3] = std::array::from_fn(|k| Vec3::from_column_slice(&contact.frame[3 * k..3 * k + 3]));
    let pos = Vec3::from(contact.pos);
    for (b, (&body, &weight)) in contact_bodies.bodies.iter().zip(&contact_bodies.weights).enumerate() {
        let weight = if b < contact_bodies.first { -weight } else { weight };
        let offset = offset_from_com(model, data, &pos, body);
        for_each_chain_dof(model, body, chain, |k, dof| {
            let cdof = &data.cdof[dof];
            let (velocity, spin) = (point_column(cdof, &offset), angular(cdof));
            for r in 0..rows {
                let motion = if r < 3 { &velocity } else { &spin };
                jac[r * n + k] += weight * axes[r % 3].dot(motion);
            }
        });
    }
}
