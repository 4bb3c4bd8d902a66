//! Velocity derivatives of actuator forces.

use super::sparse_row::add_outer_product;
use crate::actuation::{mj_actuator_disabled, mj_next_activation, muscle_prm};
use crate::sleep::actuator_sleep_state;
use crate::sleep::awake_lists::{ASLEEP, some_asleep};
use kinetree_math::MINVAL;
use kinetree_math::misc::muscle_gain_velocity_derivative;
use kinetree_model::enums::{BiasType, DisableBit, DynType, GainType, TrnType};
use kinetree_model::{Data, Model};

/// Adds the derivative of all actuator forces to `qDeriv`.
pub(crate) fn add_actuator_derivative(model: &Model, data: &mut Data) {
    if model.disabled(DisableBit::Actuation) {
        return;
    }
    let asleep = some_asleep(model, data);
    for actuator in 0..model.nu {
        if asleep && actuator_sleep_state(model, data, actuator) == ASLEEP {
            continue;
        }
        let derivative = actuator_damping(model, data, actuator);
        if derivative != 0.0 {
            let start = data.moment_rowadr[actuator] as usize;
            let row = start..start + data.moment_rownnz[actuator] as usize;
            let (values, columns) = (&data.actuator_moment[row.clone()], &data.moment_colind[row]);
            add_outer_product(model, &mut data.qDeriv, values, columns, derivative);
        }
    }
}

/// Derivative of an actuator's force with its velocity as the implicit integrators take it: none where the
/// force is switched off or at its limit.
pub(crate) fn actuator_damping(model: &Model, data: &Data, actuator: usize) -> f64 {
    if mj_actuator_disabled(model, actuator) || is_saturated(model, data, actuator) {
        0.0
    } else {
        force_derivative(model, data, actuator)
    }
}

/// Whether the force sits on its limit, where it no longer follows the velocity.
pub(crate) fn is_saturated(model: &Model, data: &Data, actuator: usize) -> bool {
    let force = data.actuator_force[actuator];
    let [low, high] = model.actuator_forcerange[actuator];
    let own = model.actuator_forcelimited[actuator] != 0 && (force <= low || force >= high);
    own || model.reference().actuator_saturation() && is_target_saturated(model, data, actuator)
}

/// Whether the forces of all actuators on the joint or tendon that an actuator drives sit on the limit of
/// that.
fn is_target_saturated(model: &Model, data: &Data, actuator: usize) -> bool {
    let Ok(target) = usize::try_from(model.actuator_trnid[actuator][0]) else { return false };
    match TrnType::try_from(model.actuator_trntype[actuator]) {
        Ok(TrnType::Joint | TrnType::Jointinparent) if model.jnt_actfrclimited[target] != 0 => {
            let [low, high] = model.jnt_actfrcrange[target];
            let force = data.qfrc_actuator[model.jnt_dofadr[target] as usize];
            force <= low || force >= high
        }
        Ok(TrnType::Tendon) if model.tendon_actfrclimited[target] != 0 => {
            let drives = |&other: &usize| {
                model.actuator_trntype[other] == TrnType::Tendon
                    && model.actuator_trnid[other][0] == target as i32
            };
            let force: f64 = (0..model.nu).filter(drives).map(|other| data.actuator_force[other]).sum();
            let [low, high] = model.tendon_actfrcrange[target];
            // forces were scaled to add up to the limit, and do so up to rounding
            let slack = ROUNDING * force.abs();
            force <= low + slack || force >= high - slack
        }
        _ => false,
    }
}

/// Relative error of a sum of scaled forces.
const ROUNDING: f64 = 1e-14;

/// Derivative of an actuator's force with respect to its velocity.
fn force_derivative(model: &Model, data: &Data, actuator: usize) -> f64 {
    let gain = &model.actuator_gainprm[actuator];
    let mut derivative = 0.0;
    match BiasType::try_from(model.actuator_biastype[actuator]) {
        Ok(BiasType::Affine) => derivative = model.actuator_biasprm[actuator][2],
        Ok(BiasType::Dcmotor) if model.actuator_dynprm[actuator][0] <= 0.0 => {
            // back electromotive force of a motor without inductance
            derivative = -gain[1] * gain[1] / gain[0].max(MINVAL);
        }
        _ => {}
    }
    let gain_derivative = match GainType::try_from(model.actuator_gaintype[actuator]) {
        Ok(GainType::Affine) => gain[2],
        Ok(GainType::Muscle) => {
            let (length, velocity) = (data.actuator_length[actuator], data.actuator_velocity[actuator]);
            let (range, acc0) = (&model.actuator_lengthrange[actuator], model.actuator_acc0[actuator]);
            muscle_gain_velocity_derivative(length, velocity, range, acc0, &muscle_prm(gain))
        }
        Ok(GainType::Dcmotor) => {
            derivative += motor_derivative(model, actuator);
            0.0
        }
        _ => 0.0,
    };
    if gain_derivative != 0.0 {
        derivative += gain_derivative * input(model, data, actuator);
    }
    derivative
}

/// What the gain multiplies: the control, which is not clamped here, or the last activation.
pub(crate) fn input(model: &Model, data: &Data, actuator: usize) -> f64 {
    if model.actuator_dyntype[actuator] == DynType::None {
        return data.ctrl[actuator];
    }
    // a program may have given dynamics to an actuator that has no activation
    let last = model.actuator_actadr[actuator] + model.actuator_actnum[actuator] - 1;
    let Some(last) = usize::try_from(last).ok().filter(|_| model.actuator_actnum[actuator] > 0) else {
        return data.ctrl[actuator];
    };
    if model.actuator_actearly[actuator] != 0 {
        mj_next_activation(model, data, actuator, last, data.act_dot[last])
    } else {
        data.act[last]
    }
}

/// DC motor: controller damping, current dynamics and bristle damping.
fn motor_derivative(model: &Model, actuator: usize) -> f64 {
    let (dynamics, gain) = (&model.actuator_dynprm[actuator], &model.actuator_gainprm[actuator]);
    let (time_constant, bristle_damping) = (dynamics[0], dynamics[6]);
    let (resistance, torque_constant) = (gain[0].max(MINVAL), gain[1]);
    let voltage_derivative = match gain[8] as i32 {
        1 => -gain[6],
        2 => -gain[4],
        _ => 0.0,
    };
    let mut derivative = if time_constant > 0.0 {
        // share of the steady-state change of current that one step reaches
        let share = 1.0 - libm::exp(-model.opt.timestep / time_constant);
        torque_constant * (voltage_derivative - torque_constant) * share / resistance
    } else {
        torque_constant * voltage_derivative / resistance
    };
    if bristle_damping > 0.0 {
        derivative -= bristle_damping;
    }
    derivative
}
