//! Constraint rows: everything that the solver may push on, as rows of one Jacobian.
//!
//! Each row has a Jacobian `J`, a violation `pos`, a regularizer `R` and a reference acceleration `aref`; the
//! solver finds forces such that `J qacc` comes close to `aref` as far as `R` and the limits on the forces
//! allow. Rows come in a fixed order: equalities, friction losses (dofs, tendons), limits (joints, tendons),
//! contacts.

mod chain_cache;
mod contact_description;
mod contact_force;
mod contact_rows;
mod counted_weights;
mod dense_size;
mod equality;
mod fill;
mod flex_contact;
mod flex_equality;
mod friction;
mod impedance;
mod jacobian_drift;
mod limit;
mod motion;
mod product;
mod project;
mod reference;
mod rows;
mod update;

pub use impedance::{RowGains, contact_gains, row_gains};

pub(crate) use crate::flex::contact_bodies::PointWeights;

pub(crate) use contact_force::{force_of_rows, mj_contact_force};
pub(crate) use equality::{anchors, coupling_polynomial, weld_orientations};
pub(crate) use jacobian_drift::subtract_drift_from;
pub(crate) use product::{mj_mul_jac_t_vec, mj_mul_jac_vec, set_joint_forces};
pub use project::mj_is_dual;
pub(crate) use project::mj_project_constraint;
pub(crate) use reference::{mj_reference_constraint, reference_constraint};
pub(crate) use update::{RowsView, constraint_update, has_cones, mj_constraint_update, update_all_rows};

use kinetree_model::enums::DisableBit;
use kinetree_model::{Data, Model};
use rows::{clear_rows, finish_rows};

pub(crate) use project::{ProjectScratch, project};
pub(crate) use rows::{RowBlocks, RowScratch, row_runs};

/// Makes all constraint rows from positions and contacts: Jacobian, violation, impedance, regularizer.
pub(crate) fn mj_make_constraint(model: &Model, data: &mut Data, scratch: &mut RowScratch) {
    let blocks = make_constraint(model, data, scratch);
    scratch.reuse(blocks);
}

/// As [`mj_make_constraint`]; also returns the rows in blocks.
pub(crate) fn make_constraint(model: &Model, data: &mut Data, scratch: &mut RowScratch) -> RowBlocks {
    clear_rows(model, data);
    scratch.blocks.clear();
    if !model.disabled(DisableBit::Constraint) {
        if dense_size::rows_fit(model, data) {
            add_rows(model, data, scratch);
        } else {
            scratch.refused = true;
        }
    }
    scratch.finished_blocks()
}

fn add_rows(model: &Model, data: &mut Data, scratch: &mut RowScratch) {
    scratch.flex_weights.clear();
    if !model.disabled(DisableBit::Equality) {
        equality::add_rows(model, data, scratch);
    }
    if !model.disabled(DisableBit::Frictionloss) {
        friction::add_rows(model, data, scratch);
    }
    if !model.disabled(DisableBit::Limit) {
        limit::add_rows(model, data, scratch);
    }
    if !model.disabled(DisableBit::Contact) {
        contact_rows::add_rows(model, data, scratch);
    }
    finish_rows(model, data, scratch);
    data.maxuse_con = data.maxuse_con.max(data.ncon);
    data.maxuse_efc = data.maxuse_efc.max(data.nefc);
    let RowScratch { gains, flex_weights, contact_bodies, .. } = scratch;
    if flex_weights.miscounted {
        counted_weights::find(model, data, contact_bodies, &mut flex_weights.all);
    }
    impedance::make_impedance(model, data, gains, flex_weights, contact_bodies);
}
