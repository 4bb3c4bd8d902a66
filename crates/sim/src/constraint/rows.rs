//! Appending rows to the constraint arrays, dense or sparse.
//!
//! Row makers describe a block of rows by its chain of dofs and its Jacobian on that chain. A dense Jacobian gets the values
//! scattered into full rows; a sparse one gets them as they are.

use kinetree_model::enums::ConstraintType;
use kinetree_model::{Data, Model};

/// Working memory of the row makers.
#[derive(Default)]
pub(crate) struct RowScratch {
    /// Dofs of the rows being made.
    pub chain: Vec<i32>,
    /// Jacobian of the rows on `chain`, row by row.
    pub jac: Vec<f64>,
    /// Whether an entry of the chain moves the first (-1), the second (+1) or both bodies (0).
    pub sign: Vec<f64>,
}

/// What a block of rows is, apart from its Jacobian.
pub(crate) struct RowBlock<'a> {
    pub kind: ConstraintType,
    pub id: usize,
    /// Violation of each row; its length is the number of rows.
    pub pos: &'a [f64],
    /// Margin, the same for all rows.
    pub margin: f64,
    pub frictionloss: f64,
}

/// Empties the constraint arrays.
pub(crate) fn clear_rows(model: &Model, data: &mut Data) {
    data.ne = 0;
    data.nf = 0;
    data.nl = 0;
    data.nefc = 0;
    data.nJ = 0;
    data.nA = 0;
    for v in [
        &mut data.efc_type,
        &mut data.efc_id,
        &mut data.efc_J_rownnz,
        &mut data.efc_J_rowadr,
        &mut data.efc_J_colind,
        &mut data.efc_J_rowsuper,
    ] {
        v.clear();
    }
    for v in [&mut data.efc_J, &mut data.efc_pos, &mut data.efc_margin, &mut data.efc_frictionloss] {
        v.clear();
    }
    data.tendon_efcadr.clear();
    data.tendon_efcadr.resize(model.ntendon, -1);
}

/// Appends a block of non-contact rows with the chain and Jacobian in `scratch`; rows that no dof moves are left out.
pub(crate) fn add_block(model: &Model, data: &mut Data, scratch: &RowScratch, block: &RowBlock<'_>) {
    let n = scratch.chain.len();
    let size = block.pos.len();
    let jac = &scratch.jac[..size * n];
    let sparse = model.is_sparse();
    if n == 0 || (!sparse && jac.iter().all(|&x| x == 0.0)) {
        return;
    }
    if sparse {
        for row in jac.chunks_exact(n) {
            data.efc_J_rownnz.push(n as i32);
            data.efc_J_rowadr.push(data.efc_J.len() as i32);
            data.efc_J_colind.extend_from_slice(&scratch.chain);
            data.efc_J.extend_from_slice(row);
        }
    } else {
        for row in jac.chunks_exact(n) {
            let base = data.efc_J.len();
            data.efc_J.resize(base + model.nv, 0.0);
            for (&dof, &x) in scratch.chain.iter().zip(row) {
                data.efc_J[base + dof as usize] = x;
            }
        }
    }
    push_rows(data, block.kind, block.id, block.pos, block.margin, block.frictionloss);
    match block.kind {
        ConstraintType::Equality => data.ne += size,
        ConstraintType::FrictionDof | ConstraintType::FrictionTendon => data.nf += size,
        ConstraintType::LimitJoint | ConstraintType::LimitTendon => data.nl += size,
        _ => {}
    }
}

/// Appends everything but the Jacobian of the rows with the given violations.
pub(crate) fn push_rows(
    data: &mut Data,
    kind: ConstraintType,
    id: usize,
    pos: &[f64],
    margin: f64,
    frictionloss: f64,
) {
    let n = data.nefc + pos.len();
    data.efc_type.resize(n, kind as i32);
    data.efc_id.resize(n, id as i32);
    data.efc_pos.extend_from_slice(pos);
    data.efc_margin.resize(n, margin);
    data.efc_frictionloss.resize(n, frictionloss);
    data.nefc = n;
}

/// Gives all other constraint arrays their lengths and finds runs of rows with the same columns.
pub(crate) fn finish_rows(model: &Model, data: &mut Data) {
    let n = data.nefc;
    data.nJ = data.efc_J.len();
    for v in [
        &mut data.efc_diagApprox,
        &mut data.efc_D,
        &mut data.efc_R,
        &mut data.efc_vel,
        &mut data.efc_aref,
        &mut data.efc_b,
        &mut data.efc_force,
    ] {
        v.clear();
        v.resize(n, 0.0);
    }
    data.efc_KBIP.clear();
    data.efc_KBIP.resize(n, [0.0; 4]);
    data.efc_state.clear();
    data.efc_state.resize(n, 0);
    if model.is_sparse() {
        row_runs(&mut data.efc_J_rowsuper, &data.efc_J_rownnz, &data.efc_J_rowadr, &data.efc_J_colind);
    }
}

/// For every row, how many rows after it have the same columns without a break.
pub(crate) fn row_runs(runs: &mut Vec<i32>, rownnz: &[i32], rowadr: &[i32], colind: &[i32]) {
    let n = rownnz.len();
    runs.clear();
    runs.resize(n, 0);
    let columns = |r: usize| &colind[rowadr[r] as usize..][..rownnz[r] as usize];
    for r in (0..n.saturating_sub(1)).rev() {
        if columns(r) == columns(r + 1) {
            runs[r] = runs[r + 1] + 1;
        }
    }
}
