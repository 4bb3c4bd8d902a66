//! Constraint rows: everything that the solver may push on, as rows of one Jacobian.
//!
//! Each row has a Jacobian `J`, a violation `pos`, a regularizer `R` and a reference acceleration `aref`; the solver finds forces
//! such that `J qacc` comes close to `aref` as far as `R` and the limits on the forces allow. Rows come in a fixed order: equalities,
//! friction losses (dofs, tendons), limits (joints, tendons), contacts.

mod chain;
mod contact_force;
mod contact_rows;
mod equality;
mod friction;
mod impedance;
mod jacobian_drift;
mod limit;
mod product;
mod project;
mod reference;
mod rows;
mod update;

pub use chain::{merge_chain, point_column};
pub use contact_force::mj_contact_force;
pub use product::{mj_mul_jac_t_vec, mj_mul_jac_vec};
pub use project::{mj_is_dual, mj_project_constraint};
pub use reference::mj_reference_constraint;
pub use update::{RowsView, constraint_update, mj_constraint_update};

use kinetree_model::enums::DisableBit;
use kinetree_model::{Data, Model};
use rows::{RowScratch, clear_rows, finish_rows};

pub(crate) use project::project;
pub(crate) use rows::row_runs;

/// Makes all constraint rows from positions and contacts: Jacobian, violation, impedance, regularizer.
pub fn mj_make_constraint(model: &Model, data: &mut Data) {
    clear_rows(model, data);
    if model.disabled(DisableBit::Constraint) {
        return;
    }
    let mut scratch = data.scratch.take::<RowScratch>();
    if !model.disabled(DisableBit::Equality) {
        equality::add_rows(model, data, &mut scratch);
    }
    if !model.disabled(DisableBit::Frictionloss) {
        friction::add_rows(model, data, &mut scratch);
    }
    if !model.disabled(DisableBit::Limit) {
        limit::add_rows(model, data, &mut scratch);
    }
    if !model.disabled(DisableBit::Contact) {
        contact_rows::add_rows(model, data, &mut scratch);
    }
    data.scratch.give(scratch);
    finish_rows(model, data);
    data.maxuse_con = data.maxuse_con.max(data.ncon);
    data.maxuse_efc = data.maxuse_efc.max(data.nefc);
    impedance::make_impedance(model, data);
}
