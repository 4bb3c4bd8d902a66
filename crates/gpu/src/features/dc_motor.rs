//! DC motors: actuators with up to five activations each, of which the kernels know by their addresses.

use crate::features::parameters::{Table, UNBOUNDED};
use kinetree_model::Model;
use kinetree_model::enums::{BiasType, DisableBit, DynType, GainType};

/// Below this a denominator is not divided by, as on the processor.
const MINVAL: f64 = 1e-15;

/// Activations that a motor may have, in their order: slew-limited control, integral of the controller,
/// temperature above ambient, deflection of bristles, current.
const SLOTS: usize = 5;

/// Whether an actuator is a DC motor in all of its parts.
pub(crate) fn is_motor(model: &Model, u: usize) -> bool {
    model.actuator_dyntype[u] == DynType::Dcmotor as i32
        && model.actuator_gaintype[u] == GainType::Dcmotor as i32
        && model.actuator_biastype[u] == BiasType::Dcmotor as i32
}

/// The motors of a model, by the numbers of their actuators.
pub(crate) fn motors(model: &Model) -> Vec<usize> {
    (0..model.nu).filter(|&u| is_motor(model, u)).collect()
}

/// Whether the current of a motor is one of its activations exactly when its parameters ask for it; a program
/// may have changed them since the model was compiled.
pub(crate) fn is_consistent(model: &Model, u: usize) -> bool {
    (model.actuator_dynprm[u][0] > 0.0) == (slots(model, u)[SLOTS - 1] >= 0)
}

/// Addresses of a motor's activations, -1 for those that it does not have.
fn slots(model: &Model, u: usize) -> [i32; SLOTS] {
    let (gain, dynamics) = (&model.actuator_gainprm[u], &model.actuator_dynprm[u]);
    let mut next = 0;
    [dynamics[7], gain[5], dynamics[2], dynamics[5], dynamics[0]].map(|parameter| {
        let slot = next;
        next += i32::from(parameter > 0.0);
        let is_there = parameter > 0.0 && slot < model.actuator_actnum[u];
        if is_there { model.actuator_actadr[u] + slot } else { -1 }
    })
}

/// Writes what the kernels read; nothing where there are no motors.
pub(crate) fn write_motors(model: &Model, table: &mut Table) {
    let list = motors(model);
    if list.is_empty() {
        return;
    }
    let index = |u: usize| list.iter().position(|&motor| motor == u).map_or(-1, |m| m as i32);
    table.ints("MOTOR", (0..model.nu).map(index));
    table.ints("MOTOR_ACTNUM", list.iter().map(|&u| model.actuator_actnum[u]));
    // without actuation nothing moves; otherwise bristles do, even of motors that are switched off
    let off = model.disabled(DisableBit::Actuation);
    let slots = |&u: &usize| if off { [-1; SLOTS] } else { slots(model, u) };
    table.ints("MOTOR_SLOTS", list.iter().flat_map(slots));
    let has_current = |&u: &usize| if model.actuator_dynprm[u][0] > 0.0 { 1 } else { -1 };
    table.ints("MOTOR_HAS_CURRENT", list.iter().map(has_current));
    table.quantity("MOTOR_TIMESTEP", model.opt.timestep);
    let names = numbers(model, list[0]).map(|(name, _)| name);
    names.iter().enumerate().for_each(|(k, name)| table.size(name, k));
    table.size("MOTOR_WIDTH", names.len());
    table.floats("MOTOR_NUMBERS", list.iter().flat_map(|&u| numbers(model, u).map(|(_, value)| value)));
}

/// What kernels know of a motor: the name of each parameter's offset, and its value.
fn numbers(model: &Model, u: usize) -> [(&'static str, f64); 26] {
    let (gain, bias) = (&model.actuator_gainprm[u], &model.actuator_biasprm[u]);
    let dynamics = &model.actuator_dynprm[u];
    let bound = |limit: f64| if limit > 0.0 { limit } else { UNBOUNDED };
    let (h, tau) = (model.opt.timestep, dynamics[0].max(MINVAL));
    [
        ("MOTOR_RESISTANCE", gain[0]),
        ("MOTOR_CONSTANT", gain[1]),
        ("MOTOR_TEMPERATURE_COEFFICIENT", gain[2]),
        ("MOTOR_REFERENCE_TEMPERATURE", gain[3]),
        ("MOTOR_PROPORTIONAL", gain[4]),
        ("MOTOR_INTEGRAL", gain[5]),
        ("MOTOR_DERIVATIVE", gain[6]),
        ("MOTOR_MAX_VOLTAGE", bound(gain[7])),
        ("MOTOR_INPUT_MODE", f64::from(gain[8] as i32)),
        ("MOTOR_ELECTRICAL_TIME", dynamics[0]),
        ("MOTOR_MAX_CURRENT_RATE", bound(dynamics[1])),
        ("MOTOR_THERMAL_RESISTANCE", dynamics[2]),
        ("MOTOR_THERMAL_CAPACITANCE", dynamics[3]),
        ("MOTOR_AMBIENT_TEMPERATURE", dynamics[4]),
        ("MOTOR_BRISTLE_STIFFNESS", dynamics[5]),
        ("MOTOR_BRISTLE_DAMPING", dynamics[6]),
        ("MOTOR_SLEW_RATE", dynamics[7]),
        ("MOTOR_MAX_INTEGRAL", bound(dynamics[8])),
        ("MOTOR_COGGING", bias[0]),
        ("MOTOR_POLES", bias[1]),
        ("MOTOR_PHASE", bias[2]),
        ("MOTOR_COULOMB", bias[3]),
        ("MOTOR_STATIC_FRICTION", bias[4]),
        ("MOTOR_STRIBECK_VELOCITY", bias[5].max(MINVAL)),
        // the current of constant voltage and velocity has a closed solution
        ("MOTOR_CURRENT_STEP", tau * (1.0 - (-h / tau).exp())),
        ("MOTOR_VELOCITY_DERIVATIVE", force_derivative(model, u)),
    ]
}

/// Derivative of a motor's force over its velocity as implicit integrators take it: back-EMF and controller,
/// all at once or by the share of the current's change that one step reaches, and damping of bristles.
fn force_derivative(model: &Model, u: usize) -> f64 {
    let (gain, dynamics) = (&model.actuator_gainprm[u], &model.actuator_dynprm[u]);
    let voltage_derivative = match gain[8] as i32 {
        1 => -gain[6],
        2 => -gain[4],
        _ => 0.0,
    };
    let share = match dynamics[0] {
        time if time > 0.0 => 1.0 - (-model.opt.timestep / time).exp(),
        _ => 1.0,
    };
    share * gain[1] * (voltage_derivative - gain[1]) / gain[0].max(MINVAL) - dynamics[6].max(0.0)
}
