//! Tendons: springs, dampers, and forces of actuators that are limited together.

use crate::features::parameters::Table;
use kinetree_model::Model;
use kinetree_model::enums::{DisableBit, TrnType};
use kinetree_sim::tendon_constants;

/// Writes lengths, stiffness, damping and force ranges.
pub(crate) fn write_tendons(model: &Model, table: &mut Table) {
    let springs = f64::from(!model.disabled(DisableBit::Spring));
    let dampers = f64::from(!model.disabled(DisableBit::Damper));
    let stiffness = |t: usize| {
        let [k1, k2] = model.tendon_stiffnesspoly[t];
        [model.tendon_stiffness[t], k1, k2].map(|k| k * springs)
    };
    let all = 0..model.ntendon;
    table.floats("TENDON_LENGTHSPRING", model.tendon_lengthspring.as_flattened().iter().copied());
    table.floats("TENDON_STIFFNESS", all.clone().flat_map(stiffness));
    if has_limited_tendons(model) {
        table.size("NTENDON", model.ntendon);
        table.floats("TENDON_ACTFRCRANGE", model.tendon_actfrcrange.as_flattened().iter().copied());
        table.ints("ACTUATOR_TENDON", (0..model.nu).map(|u| limited_tendon(model, u)));
    }
    table.floats("TENDON_DAMPING", all.flat_map(|t| tendon_constants(model, t).1.map(|b| b * dampers)));
}

/// Whether the forces of the actuators of a tendon are limited together.
pub(crate) fn has_limited_tendons(model: &Model) -> bool {
    (0..model.nu).any(|u| limited_tendon(model, u) >= 0)
}

/// The tendon that an actuator pulls, if its forces are limited; -1 otherwise.
fn limited_tendon(model: &Model, u: usize) -> i32 {
    let tendon = model.actuator_trnid[u][0];
    let pulls = model.actuator_trntype[u] == TrnType::Tendon as i32;
    if pulls && model.tendon_actfrclimited[tendon as usize] != 0 { tendon } else { -1 }
}
