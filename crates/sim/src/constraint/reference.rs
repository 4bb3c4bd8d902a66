//! Reference acceleration of each row: what the constraint asks for.
//!
//! `aref = −B v − K d (pos − margin)`, a critically damped return to zero violation, with `v = J qvel`. For connect and weld rows the
//! drift `J̇ qvel` is taken off, so that `J qacc = aref` really gives the wanted relative acceleration.

use super::jacobian_drift::subtract_drift;
use super::rows::RowScratch;
use kinetree_model::{Data, Model};

/// Computes `efc_vel` and `efc_aref`.
pub(crate) fn mj_reference_constraint(model: &Model, data: &mut Data) {
    if data.nefc == 0 {
        return;
    }
    let mut vel = std::mem::take(&mut data.efc_vel);
    let mut scratch = data.scratch.take::<RowScratch>();
    // the same sums whether or not the blocks came with the rows
    scratch.refresh_blocks(model, data);
    let RowScratch { blocks, lanes, .. } = &mut *scratch;
    let jac = blocks.all();
    lanes.resize(jac.max_width(), [0.0; 4]);
    jac.mul(&mut vel, &data.qvel, lanes);
    data.scratch.give(scratch);
    let rows =
        data.efc_aref.iter_mut().zip(&vel).zip(&data.efc_KBIP).zip(data.efc_pos.iter().zip(&data.efc_margin));
    for (((aref, v), [k, b, imp, _]), (pos, margin)) in rows {
        *aref = -b * v - k * imp * (pos - margin);
    }
    data.efc_vel = vel;
    if data.ne > 0 {
        subtract_drift(model, data);
    }
}
