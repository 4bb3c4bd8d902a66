//! Reference acceleration of each row: what the constraint asks for.
//!
//! `aref = −B v − K d (pos − margin)`, a critically damped return to zero violation, with `v = J qvel`. For
//! connect and weld rows the drift `J̇ qvel` is taken off, so that `J qacc = aref` really gives the wanted
//! relative acceleration.

use super::jacobian_drift::subtract_drift;
use super::rows::{RowBlocks, RowScratch};
use kinetree_math::lanes::Lane;
use kinetree_model::{Data, Model};

/// Computes `efc_vel` and `efc_aref`.
pub(crate) fn mj_reference_constraint(model: &Model, data: &mut Data, scratch: &mut RowScratch) {
    if data.nefc == 0 {
        return;
    }
    // the same sums whether or not the blocks came with the rows
    let blocks = scratch.blocks_of_arrays(model, data);
    reference_constraint(model, data, &blocks, &mut scratch.lanes);
    scratch.reuse(blocks);
}

/// As [`mj_reference_constraint`], with the rows in blocks.
pub(crate) fn reference_constraint(
    model: &Model,
    data: &mut Data,
    blocks: &RowBlocks,
    lanes: &mut Vec<Lane>,
) {
    if data.nefc == 0 {
        return;
    }
    let jac = blocks.all();
    lanes.resize(jac.max_width(), [0.0; 4]);
    jac.mul(&mut data.efc_vel, &data.qvel, lanes);
    let gains = data.efc_vel.iter().zip(&data.efc_KBIP);
    let rows = data.efc_aref.iter_mut().zip(gains).zip(data.efc_pos.iter().zip(&data.efc_margin));
    for ((aref, (v, [k, b, imp, _])), (pos, margin)) in rows {
        *aref = -b * v - k * imp * (pos - margin);
    }
    if data.ne > 0 {
        subtract_drift(model, data);
    }
}
