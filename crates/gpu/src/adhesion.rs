//! Adhesion: actuators that pull a body towards what it touches, along the mean of the normals of its
//! contacts.

use crate::table::Table;
use kinetree_model::Model;
use kinetree_model::enums::{BiasType, GainType, TrnType};

/// Actuators that adhere, by their numbers.
pub(crate) fn adhesive(model: &Model) -> Vec<usize> {
    (0..model.nu).filter(|&u| model.actuator_trntype[u] == TrnType::Body as i32).collect()
}

/// Whether there are some.
pub(crate) fn has_adhesion(model: &Model) -> bool {
    !adhesive(model).is_empty()
}

/// Whether the force of one of them depends on its velocity, which is known when contacts are.
pub(crate) fn has_moving_adhesion(model: &Model) -> bool {
    adhesive(model).into_iter().any(|u| {
        let gain =
            model.actuator_gaintype[u] == GainType::Affine as i32 && model.actuator_gainprm[u][2] != 0.0;
        let bias =
            model.actuator_biastype[u] == BiasType::Affine as i32 && model.actuator_biasprm[u][2] != 0.0;
        gain || bias
    })
}

/// Writes actuators and bodies; nothing where there are none.
pub(crate) fn write_adhesion(model: &Model, table: &mut Table) {
    let list = adhesive(model);
    if list.is_empty() {
        return;
    }
    // a varied field may not make a force depend on what the kernels do not look at
    table.flag("HAS_MOVING_ADHESION", has_moving_adhesion(model));
    table.size("NADHESION", list.len());
    table.ints("ADHESION_BODY", list.iter().map(|&u| model.actuator_trnid[u][0]));
    table.ints("ADHESION_ACTUATOR", list.iter().map(|&u| u as i32));
}
