//! Gravity compensation that counts as force of actuators.

use crate::features::parameters::Table;
use kinetree_model::Model;
use kinetree_model::enums::DisableBit;

/// Whether actuators compensate gravity at joints.
pub(crate) fn has_carried(model: &Model) -> bool {
    model.ngravcomp > 0 && model.jnt_actgravcomp.iter().any(|&actgravcomp| actgravcomp != 0)
}

/// Writes which dofs have their gravity compensation counted as force of actuators; nothing where none has.
pub(crate) fn write_carried(model: &Model, table: &mut Table) {
    if !has_carried(model) {
        return;
    }
    // without actuation gravity is not compensated there at all
    let on = model.nu > 0 && !model.disabled(DisableBit::Actuation);
    table.quantity("CARRIED_SHARE", if on { 1.0 } else { 0.0 });
    let compensated = |&j: &i32| i32::from(model.jnt_actgravcomp[j as usize] != 0);
    table.ints("DOF_ACTGRAVCOMP", model.dof_jntid.iter().map(compensated));
}
