//! Armature of tendons: inertia along their lengths, with what actuators lend them.

use crate::features::nonlinear_transmission::NonlinearTransmissions;
use crate::features::parameters::Table;
use kinetree_model::Model;
use kinetree_sim::tendon_constants;

/// Whether a tendon has some.
pub(crate) fn has_armature(model: &Model) -> bool {
    (0..model.ntendon).any(|t| tendon_constants(model, t).0 != 0.0)
}

/// Writes the armature of each tendon and, where some are spatial, their stretches; nothing where there is
/// none.
pub(crate) fn write_armature(model: &Model, transmissions: &NonlinearTransmissions, table: &mut Table) {
    if !has_armature(model) {
        return;
    }
    table.floats("TENDON_ARMATURE", (0..model.ntendon).map(|t| tendon_constants(model, t).0));
    table.size("NARMED", model.ntendon);
    if !transmissions.is_empty() {
        let items = |t: usize| {
            let range = transmissions.items_of(model.nu + t);
            [range.start as i32, range.end as i32]
        };
        table.ints("ARMED_ITEMS", (0..model.ntendon).flat_map(items));
    }
}
