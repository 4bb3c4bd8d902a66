//! Muscles: curves of force over length and velocity, and the dynamics of their activation.

use crate::features::parameters::Table;
use kinetree_model::Model;
use kinetree_model::enums::{BiasType, DynType, GainType};

/// What of an actuator comes from a muscle.
const GAIN: i32 = 1;
const BIAS: i32 = 2;

/// Whether a model has muscles.
pub(crate) fn has_muscles(model: &Model) -> bool {
    (0..model.nu).any(|u| kind(model, u) != 0 || model.actuator_dyntype[u] == DynType::Muscle as i32)
}

fn kind(model: &Model, u: usize) -> i32 {
    let gain = if model.actuator_gaintype[u] == GainType::Muscle as i32 { GAIN } else { 0 };
    let bias = if model.actuator_biastype[u] == BiasType::Muscle as i32 { BIAS } else { 0 };
    gain | bias
}

/// Writes what the kernels read; nothing where there are none.
pub(crate) fn write_muscles(model: &Model, table: &mut Table) {
    if !has_muscles(model) {
        return;
    }
    table.ints("MUSCLE_KIND", (0..model.nu).map(|u| kind(model, u)));
    let numbers = |u: usize| {
        [numbers(model, u, &model.actuator_gainprm[u]), numbers(model, u, &model.actuator_biasprm[u])]
    };
    table.floats("MUSCLE_NUMBERS", (0..model.nu).flat_map(numbers).flatten());
    let dynamics = |u: usize| [0, 1, 2].map(|k| model.actuator_dynprm[u][k]);
    table.floats("MUSCLE_DYNAMICS", (0..model.nu).flat_map(dynamics));
}

/// First length, inverse optimal length, first normalized length, inverse velocity scale, peak force,
/// least and largest length, force of lengthening and of stretching.
fn numbers(model: &Model, u: usize, prm: &[f64; 10]) -> [f64; 9] {
    let [r0, r1, force, scale, least, most, vmax, stretched, lengthened, _] = *prm;
    let [l0, l1] = model.actuator_lengthrange[u];
    let optimal = (l1 - l0) / (r1 - r0).max(1e-15);
    let peak = if force < 0.0 { scale / model.actuator_acc0[u].max(1e-15) } else { force };
    let speed = (optimal * vmax).max(1e-15);
    [l0, 1.0 / optimal.max(1e-15), r0, 1.0 / speed, peak, least, most, lengthened, stretched]
}
