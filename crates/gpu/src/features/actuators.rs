//! Actuators: gains, biases, ranges and activations.

use crate::features::parameters::{Table, UNBOUNDED};
use kinetree_model::Model;
use kinetree_model::enums::{BiasType, DisableBit, DynType, GainType};
use kinetree_sim::mj_actuator_disabled;

/// Writes what the kernels read of actuators.
pub(crate) fn write_actuators(model: &Model, table: &mut Table) {
    let off = model.disabled(DisableBit::Actuation);
    let clamp = !model.disabled(DisableBit::Clampctrl);
    let (nu, h) = (model.nu, model.opt.timestep);
    let bounds = |limited: bool, range: [f64; 2]| if limited { range } else { [-UNBOUNDED, UNBOUNDED] };
    let ranges = |u: usize| {
        let ctrl = bounds(clamp && model.actuator_ctrllimited[u] != 0, model.actuator_ctrlrange[u]);
        let force = bounds(!off && model.actuator_forcelimited[u] != 0, model.actuator_forcerange[u]);
        let act = bounds(model.actuator_actlimited[u] != 0, model.actuator_actrange[u]);
        [ctrl, force, act].concat()
    };
    table.floats("ACTUATOR_RANGES", (0..nu).flat_map(ranges));
    let enabled = |u: usize| f64::from(!off && !mj_actuator_disabled(model, u));
    table.floats("ACTUATOR_ENABLED", (0..nu).map(enabled));
    let gain = |u: usize| {
        let [a, b, c, ..] = model.actuator_gainprm[u];
        match GainType::try_from(model.actuator_gaintype[u]) {
            Ok(GainType::Affine) => [a, b, c],
            Ok(GainType::Fixed) => [a, 0.0, 0.0],
            _ => [0.0; 3],
        }
    };
    table.floats("ACTUATOR_GAIN", (0..nu).flat_map(gain));
    let bias = |u: usize| {
        let [a, b, c, ..] = model.actuator_biasprm[u];
        if model.actuator_biastype[u] == BiasType::Affine as i32 { [a, b, c] } else { [0.0; 3] }
    };
    table.floats("ACTUATOR_BIAS", (0..nu).flat_map(bias));
    let tau = |u: usize| model.actuator_dynprm[u][0].max(1e-15);
    table.floats("ACTUATOR_TAU", (0..nu).map(tau));
    // what a rate is multiplied with; the exact filter solves its equation, and what is off stays
    let step = |u: usize| match model.actuator_dyntype[u] {
        _ if enabled(u) == 0.0 => 0.0,
        kind if kind == DynType::Filterexact as i32 => tau(u) * (1.0 - (-h / tau(u)).exp()),
        _ => h,
    };
    table.floats("ACTUATOR_STEP", (0..nu).map(step));
    table.ints("ACTUATOR_DYNTYPE", model.actuator_dyntype.iter().copied());
    table.ints("ACTUATOR_ACTADR", model.actuator_actadr.iter().copied());
    table.ints("ACTUATOR_ACTEARLY", model.actuator_actearly.iter().map(|&early| i32::from(early)));
}
