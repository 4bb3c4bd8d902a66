//! Friction-loss rows: dry friction in dofs and tendons, a force bounded by a constant that opposes motion.

use super::rows::{RowBlock, RowScratch, add_block, add_friction};
use crate::sleep::awake_lists::{ASLEEP, some_asleep};
use crate::sleep::object_sleep_state;
use kinetree_model::enums::{ConstraintType, ObjType};
use kinetree_model::{Data, Model};

/// Adds a row for each dof and each tendon with friction loss.
pub(crate) fn add_rows(model: &Model, data: &mut Data, scratch: &mut RowScratch) {
    // all are looked at without leaving early, in lanes
    if model.dof_frictionloss.iter().fold(false, |any, &loss| any | (loss != 0.0)) {
        dof_rows(model, data, scratch);
    }
    for tendon in 0..model.ntendon {
        let loss = model.tendon_frictionloss[tendon];
        if loss <= 0.0 {
            continue;
        }
        let first_row = data.nefc as i32;
        tendon_row(model, data, scratch, tendon, 1.0);
        let block = RowBlock {
            kind: ConstraintType::FrictionTendon,
            id: tendon,
            pos: &[0.0],
            margin: 0.0,
            frictionloss: loss,
        };
        add_block(model, data, scratch, &block);
        if data.tendon_efcadr[tendon] == -1 {
            data.tendon_efcadr[tendon] = first_row;
        }
    }
}

/// Adds a row for each dof with friction loss.
fn dof_rows(model: &Model, data: &mut Data, scratch: &mut RowScratch) {
    let some_asleep = some_asleep(model, data);
    scratch.chain.clear();
    for (dof, &loss) in model.dof_frictionloss.iter().enumerate() {
        let asleep = || some_asleep && object_sleep_state(model, data, ObjType::Dof as i32, dof) == ASLEEP;
        if loss != 0.0 && !asleep() {
            scratch.chain.push(dof as i32);
        }
    }
    add_friction(model, data, scratch);
}

/// Puts the Jacobian of a tendon's length, times `scale`, into the scratch row.
pub(crate) fn tendon_row(model: &Model, data: &Data, scratch: &mut RowScratch, tendon: usize, scale: f64) {
    let adr = model.ten_J_rowadr[tendon] as usize;
    let nnz = model.ten_J_rownnz[tendon] as usize;
    scratch.chain.clear();
    scratch.chain.extend_from_slice(&model.ten_J_colind[adr..adr + nnz]);
    scratch.jac.clear();
    scratch.jac.extend(data.ten_J[adr..adr + nnz].iter().map(|x| x * scale));
}
