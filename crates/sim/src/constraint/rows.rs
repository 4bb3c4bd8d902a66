//! Appending rows to the constraint arrays, dense or sparse.
//!
//! Row makers describe a block of rows by its chain of dofs and its Jacobian on that chain. A dense Jacobian
//! gets the values scattered into full rows; a sparse one gets them as they are. The solver's blocks get them
//! padded to lanes.

use super::impedance::{FlexWeights, GainCache};
use super::motion::ChainMotion;
use crate::flex::contact_bodies::ContactBodies;
use crate::row_blocks::{BlockBuf, BlockJacobian, Columns, RawJacobian};
use kinetree_math::Vec3;
use kinetree_math::lanes::Lane;
use kinetree_model::enums::ConstraintType;
use kinetree_model::{Data, Model, StepError};

/// All constraint rows in blocks of common columns, as the solver works on them.
///
/// Invariant: they hold what the constraint arrays hold. An evaluation keeps them only while nobody else can
/// write to the arrays.
pub(crate) struct RowBlocks(BlockBuf);

impl RowBlocks {
    /// The Jacobian.
    pub(crate) fn all(&self) -> BlockJacobian<'_> {
        self.0.all()
    }

    /// The blocks, to be reordered.
    pub(crate) fn into_buffer(self) -> BlockBuf {
        self.0
    }
}

/// Working memory of the row makers.
#[derive(Default)]
pub(crate) struct RowScratch {
    /// Dofs of the rows being made.
    pub chain: Vec<i32>,
    /// Jacobian of the rows on `chain`, row by row.
    pub jac: Vec<f64>,
    /// Whether an entry of the chain moves the first (-1), the second (+1) or both bodies (0).
    pub sign: Vec<f64>,
    /// Motions of the bodies of a contact.
    pub motion: ChainMotion,
    /// Gains of the last objects.
    pub gains: GainCache,
    /// Inverse weights of the rows of flexes.
    pub flex_weights: FlexWeights,
    /// Dofs of all rows of a cell.
    pub cell_chain: Vec<i32>,
    /// Columns of the Jacobians of a cell's nodes, node by node: index in the chain, velocity of the node.
    pub cell_columns: Vec<(usize, Vec3)>,
    /// Bodies of a contact with a flex.
    pub contact_bodies: ContactBodies,
    /// Blocks in the making.
    pub blocks: BlockBuf,
    /// A vector in the columns of a block.
    pub lanes: Vec<Lane>,
    columns: Columns,
    /// Dense matrices would have been too large.
    pub refused: bool,
}

impl RowScratch {
    /// Dense matrices that would be too large, as an error.
    pub(crate) fn report(&mut self) -> Result<(), StepError> {
        if std::mem::take(&mut self.refused) {
            return Err(StepError::Unsupported(
                "dense matrices of more than four gibibytes: jacobian=\"sparse\" needs less",
            ));
        }
        Ok(())
    }

    /// The blocks of all rows, which have just been made.
    pub(super) fn finished_blocks(&mut self) -> RowBlocks {
        RowBlocks(std::mem::take(&mut self.blocks))
    }

    /// Makes the blocks from the constraint arrays, whatever code has written these.
    pub(crate) fn blocks_of_arrays(&mut self, model: &Model, data: &Data) -> RowBlocks {
        RawJacobian::new(model, data).make_blocks(&mut self.columns, &mut self.blocks);
        self.finished_blocks()
    }

    /// Uses the memory of blocks for the next ones.
    pub(crate) fn reuse(&mut self, blocks: RowBlocks) {
        self.reuse_buffer(blocks.into_buffer());
    }

    /// Uses the memory of blocks for the next ones.
    pub(crate) fn reuse_buffer(&mut self, blocks: BlockBuf) {
        self.blocks = blocks;
    }
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

impl<'a> RowBlock<'a> {
    /// Rows of an equality.
    pub(super) fn equality(id: usize, pos: &'a [f64]) -> Self {
        Self { kind: ConstraintType::Equality, id, pos, margin: 0.0, frictionloss: 0.0 }
    }
}

/// Empties the constraint arrays.
pub(crate) fn clear_rows(model: &Model, data: &mut Data) {
    data.ne = 0;
    data.nf = 0;
    data.nl = 0;
    data.set_row_layout(model);
    // islands are those of the rows before
    data.nisland = 0;
    data.nidof = 0;
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

/// Appends a block of non-contact rows with the chain and Jacobian in `scratch`; rows that no dof moves are
/// left out.
pub(crate) fn add_block(model: &Model, data: &mut Data, scratch: &mut RowScratch, block: &RowBlock<'_>) {
    let size = block.pos.len();
    let sparse = model.is_sparse();
    if !sparse {
        drop_still_dofs(scratch, size);
    }
    let n = scratch.chain.len();
    if n == 0 {
        return;
    }
    let lanes = scratch.blocks.add(&scratch.chain, size);
    let width = lanes.len() / size;
    for (row, lanes) in scratch.jac.chunks_exact(n).zip(lanes.chunks_exact_mut(width)) {
        lanes[width - 1] = [0.0; 4];
        for (lane, &x) in lanes.as_flattened_mut().iter_mut().zip(row) {
            *lane = x;
        }
        let base = data.efc_J.len();
        if sparse {
            data.efc_J_rownnz.push(n as i32);
            data.efc_J_rowadr.push(base as i32);
            data.efc_J_colind.extend_from_slice(&scratch.chain);
            data.efc_J.extend_from_slice(row);
        } else {
            data.efc_J.resize(base + model.nv, 0.0);
            let dense = &mut data.efc_J[base..];
            for (&dof, &x) in scratch.chain.iter().zip(row) {
                dense[dof as usize] = x;
            }
        }
    }
    describe_rows(data, block);
}

/// Appends a non-contact row that one dof moves.
pub(crate) fn add_single(
    model: &Model,
    data: &mut Data,
    scratch: &mut RowScratch,
    dof: i32,
    value: f64,
    block: &RowBlock<'_>,
) {
    scratch.blocks.add_single(dof, value);
    let base = data.efc_J.len();
    if model.is_sparse() {
        data.efc_J_rownnz.push(1);
        data.efc_J_rowadr.push(base as i32);
        data.efc_J_colind.push(dof);
        data.efc_J.push(value);
    } else {
        data.efc_J.resize(base + model.nv, 0.0);
        data.efc_J[base + dof as usize] = value;
    }
    // the arrays have as many elements as there are rows, so that one more need not fill a slice
    data.efc_type.push(block.kind as i32);
    data.efc_id.push(block.id as i32);
    data.efc_pos.extend(block.pos.first());
    data.efc_margin.push(block.margin);
    data.efc_frictionloss.push(block.frictionloss);
    count_rows(data, block);
}

/// Appends the friction losses of the dofs in `scratch.chain`.
pub(crate) fn add_friction(model: &Model, data: &mut Data, scratch: &mut RowScratch) {
    let dofs = &scratch.chain;
    if dofs.is_empty() {
        return;
    }
    let (count, nv) = (dofs.len(), model.nv);
    let n = data.nefc + count;
    scratch.blocks.add_units(dofs);
    let base = data.efc_J.len();
    if model.is_sparse() {
        data.efc_J_rownnz.resize(n, 1);
        data.efc_J_rowadr.extend((0..count).map(|k| (base + k) as i32));
        data.efc_J_colind.extend_from_slice(dofs);
        data.efc_J.resize(base + count, 1.0);
    } else {
        data.efc_J.resize(base + count * nv, 0.0);
        for (row, &dof) in data.efc_J[base..].chunks_exact_mut(nv).zip(dofs) {
            row[dof as usize] = 1.0;
        }
    }
    data.efc_type.resize(n, ConstraintType::FrictionDof as i32);
    data.efc_id.extend_from_slice(dofs);
    data.efc_pos.resize(n, 0.0);
    data.efc_margin.resize(n, 0.0);
    data.efc_frictionloss.extend(dofs.iter().map(|&dof| model.dof_frictionloss[dof as usize]));
    data.nf += count;
    data.nefc = n;
}

/// Appends everything but the Jacobian of rows, and counts them.
#[inline]
fn describe_rows(data: &mut Data, block: &RowBlock<'_>) {
    let size = block.pos.len();
    let n = data.nefc + size;
    data.efc_type.resize(n, block.kind as i32);
    data.efc_id.resize(n, block.id as i32);
    data.efc_pos.extend_from_slice(block.pos);
    data.efc_margin.resize(n, block.margin);
    data.efc_frictionloss.resize(n, block.frictionloss);
    count_rows(data, block);
}

/// Counts the rows of a block that has been appended.
#[inline]
fn count_rows(data: &mut Data, block: &RowBlock<'_>) {
    let size = block.pos.len();
    data.nefc += size;
    match block.kind {
        ConstraintType::Equality => data.ne += size,
        ConstraintType::FrictionDof | ConstraintType::FrictionTendon => data.nf += size,
        ConstraintType::LimitJoint | ConstraintType::LimitTendon => data.nl += size,
        _ => {}
    }
}

/// Leaves out dofs that move none of the rows: a dense Jacobian does not show them.
fn drop_still_dofs(scratch: &mut RowScratch, rows: usize) {
    let RowScratch { chain, jac, sign: moves, .. } = scratch;
    if jac.iter().all(|&x| x != 0.0) {
        return;
    }
    let n = chain.len();
    moves.clear();
    moves.extend((0..n).map(|k| f64::from((0..rows).any(|r| jac[r * n + k] != 0.0))));
    let mut at = 0;
    jac.retain(|_| {
        at += 1;
        moves[(at - 1) % n] != 0.0
    });
    let mut at = 0;
    chain.retain(|_| {
        at += 1;
        moves[at - 1] != 0.0
    });
}

/// Gives all other constraint arrays their lengths and finds runs of rows with the same columns.
pub(crate) fn finish_rows(model: &Model, data: &mut Data, scratch: &mut RowScratch) {
    scratch.blocks.find_runs();
    let n = data.nefc;
    data.nJ = data.efc_J.len();
    // impedance and the stages after it set these throughout
    for v in [
        &mut data.efc_diagApprox,
        &mut data.efc_D,
        &mut data.efc_R,
        &mut data.efc_vel,
        &mut data.efc_aref,
        &mut data.efc_b,
        &mut data.efc_force,
    ] {
        v.resize(n, 0.0);
    }
    data.efc_KBIP.resize(n, [0.0; 4]);
    data.efc_state.resize(n, 0);
    if model.is_sparse() {
        // a block is a run of rows with the same columns
        data.efc_J_rowsuper.resize(n, 0);
        for block in scratch.blocks.all().blocks {
            let runs = &mut data.efc_J_rowsuper[block.row..block.row + block.rows];
            for (run, after) in runs.iter_mut().rev().zip(0..) {
                *run = after;
            }
        }
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
