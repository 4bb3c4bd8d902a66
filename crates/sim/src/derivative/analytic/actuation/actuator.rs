//! Actuator forces and activations, linearized.
//!
//! `f = gain(l, v) u + bias(l, v)` with input `u`, the control or the activation. The derivatives of `f` go
//! to the joints along the moment arms, whose own derivatives are in `transmission.rs`; DC motors are in
//! `motor.rs`.

use super::motor::MotorDerivatives;
use crate::actuation::dcmotor::{has_motor_part, is_motor};
use crate::actuation::transmission::moment_arms;
use crate::actuation::{mj_actuator_disabled, muscle_prm};
use crate::derivative::analytic::gradient::Gradient;
use crate::derivative::error::DerivativeError;
use crate::history::mj_read_ctrl;
use kinetree_math::MINVAL;
use kinetree_math::misc::{
    clip, muscle_bias_length_derivative, muscle_dynamics_derivatives, muscle_gain,
    muscle_gain_length_derivative, muscle_gain_velocity_derivative,
};
use kinetree_model::enums::{BiasType, DisableBit, DynType, GainType, TrnType};
use kinetree_model::{Data, Model};

/// Derivatives of one actuator.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ActuatorDerivatives {
    /// Of the force with length.
    pub(crate) length: f64,
    /// Of the force with velocity.
    pub(crate) velocity: f64,
    /// Of the force with the activation.
    pub(crate) activation: f64,
    /// Of the force with the control.
    pub(crate) control: f64,
    /// Of the next activation with the activation.
    pub(crate) next_activation: f64,
    /// Of the next activation with the control.
    pub(crate) next_control: f64,
    /// Of the clamped control with the control: one inside its range, zero outside.
    pub(crate) clamped_control: f64,
}

/// The control of an actuator after delay and clamping, and whether it follows the control of the data.
pub(crate) fn effective_control(model: &Model, data: &Data, i: usize) -> (f64, bool) {
    let delayed = model.actuator_delay[i] != 0.0 && model.actuator_history[i][0] > 0;
    let given = if delayed { mj_read_ctrl(model, data, i, data.time, None) } else { data.ctrl[i] };
    let [low, high] = model.actuator_ctrlrange[i];
    if model.actuator_ctrllimited[i] == 0 || model.disabled(DisableBit::Clampctrl) {
        return (given, !delayed);
    }
    (clip(given, low, high), !delayed && low <= given && given <= high)
}

/// Derivatives of all actuators, and of DC motors what they have besides.
pub(crate) fn set_derivatives(
    model: &Model,
    data: &Data,
    derivatives: &mut Vec<ActuatorDerivatives>,
    motors: &mut Vec<MotorDerivatives>,
) {
    derivatives.clear();
    derivatives.resize(model.nu, ActuatorDerivatives::default());
    motors.clear();
    let idle = model.disabled(DisableBit::Actuation);
    for (i, derivatives) in derivatives.iter_mut().enumerate() {
        // an activation that nothing drives stays
        derivatives.next_activation = 1.0;
        if idle {
            continue;
        }
        let (ctrl, followed) = effective_control(model, data, i);
        if is_motor(model, i) {
            let motor = MotorDerivatives::new(model, data, i, ctrl, followed);
            [derivatives.length, derivatives.velocity, derivatives.control] = motor.force_by_inputs();
            motors.push(motor);
            continue;
        }
        set_activation(model, data, i, ctrl, derivatives);
        if !mj_actuator_disabled(model, i) {
            set_force(model, data, i, ctrl, derivatives);
        }
        if followed {
            derivatives.clamped_control = 1.0;
        } else {
            (derivatives.control, derivatives.next_control) = (0.0, 0.0);
        }
    }
}

/// Derivatives of the next activation.
fn set_activation(model: &Model, data: &Data, i: usize, ctrl: f64, derivatives: &mut ActuatorDerivatives) {
    let Some(at) = activation(model, i) else { return };
    let (prm, act) = (&model.actuator_dynprm[i], data.act[at]);
    let kind = DynType::try_from(model.actuator_dyntype[i]);
    // derivatives of act_dot with control and activation
    let (by_ctrl, by_act) = match kind {
        Ok(DynType::Integrator) => (1.0, 0.0),
        Ok(DynType::Filter | DynType::Filterexact) => {
            let tau = prm[0].max(MINVAL);
            (1.0 / tau, -1.0 / tau)
        }
        Ok(DynType::Muscle) => muscle_dynamics_derivatives(ctrl, act, &[prm[0], prm[1], prm[2]]),
        _ => (0.0, 0.0),
    };
    let dt = model.opt.timestep;
    let time = if kind == Ok(DynType::Filterexact) {
        let tau = prm[0].max(MINVAL);
        tau * (1.0 - libm::exp(-dt / tau))
    } else {
        dt
    };
    let driven = if mj_actuator_disabled(model, i) { 0.0 } else { 1.0 };
    let next = act + driven * data.act_dot[at] * time;
    let [low, high] = model.actuator_actrange[i];
    let clamped = model.actuator_actlimited[i] != 0 && (next < low || next > high);
    let free = if clamped { 0.0 } else { 1.0 };
    derivatives.next_activation = free * (1.0 + driven * by_act * time);
    derivatives.next_control = free * driven * by_ctrl * time;
}

/// Address of the activation that drives an actuator. Those of a DC motor have derivatives of their own.
pub(crate) fn activation(model: &Model, i: usize) -> Option<usize> {
    if is_motor(model, i) {
        return None;
    }
    let first = usize::try_from(model.actuator_actadr[i]).ok()?;
    (first + model.actuator_actnum[i] as usize).checked_sub(1)
}

/// Derivatives of the force; needs those of the activation.
fn set_force(model: &Model, data: &Data, i: usize, ctrl: f64, derivatives: &mut ActuatorDerivatives) {
    let [low, high] = model.actuator_forcerange[i];
    let force = data.actuator_force[i];
    if model.actuator_forcelimited[i] != 0 && (force <= low || force >= high) {
        return;
    }
    let (length, velocity) = (data.actuator_length[i], data.actuator_velocity[i]);
    let (range, acc0) = (&model.actuator_lengthrange[i], model.actuator_acc0[i]);
    let (prm, bias) = (&model.actuator_gainprm[i], &model.actuator_biasprm[i]);
    let (gain, by_length, by_velocity) = match GainType::try_from(model.actuator_gaintype[i]) {
        Ok(GainType::Affine) => (prm[0] + prm[1] * length + prm[2] * velocity, prm[1], prm[2]),
        Ok(GainType::Muscle) => {
            let prm = muscle_prm(prm);
            (
                muscle_gain(length, velocity, range, acc0, &prm),
                muscle_gain_length_derivative(length, velocity, range, acc0, &prm),
                muscle_gain_velocity_derivative(length, velocity, range, acc0, &prm),
            )
        }
        // of a callback that is not there
        Ok(GainType::User) | Err(_) => (1.0, 0.0, 0.0),
        _ => (prm[0], 0.0, 0.0),
    };
    let input = match activation(model, i) {
        None => {
            derivatives.control = gain;
            ctrl
        }
        Some(at) if model.actuator_actearly[i] != 0 => {
            derivatives.control = gain * derivatives.next_control;
            derivatives.activation = gain * derivatives.next_activation;
            crate::actuation::mj_next_activation(model, data, i, at, data.act_dot[at])
        }
        Some(at) => {
            derivatives.activation = gain;
            data.act[at]
        }
    };
    (derivatives.length, derivatives.velocity) = (by_length * input, by_velocity * input);
    match BiasType::try_from(model.actuator_biastype[i]) {
        Ok(BiasType::Affine) => {
            derivatives.length += bias[1];
            derivatives.velocity += bias[2];
        }
        Ok(BiasType::Muscle) => {
            derivatives.length += muscle_bias_length_derivative(length, range, acc0, &muscle_prm(bias));
        }
        _ => {}
    }
}

/// Says what of an actuator has no derivatives.
pub(crate) fn check(model: &Model, i: usize) -> Result<(), DerivativeError> {
    let refuse = |what| Err(DerivativeError::Unsupported(what));
    if has_motor_part(model, i) && !is_motor(model, i) {
        return refuse("an actuator that is a DC motor in part");
    }
    let calls = &model.callbacks;
    if (model.actuator_biastype[i] == BiasType::User && calls.act_bias.is_some())
        || (model.actuator_gaintype[i] == GainType::User && calls.act_gain.is_some())
        || (model.actuator_dyntype[i] == DynType::User && calls.act_dyn.is_some())
    {
        return refuse("an actuator with a callback");
    }
    let follows_velocity = (model.actuator_gaintype[i] == GainType::Affine
        && model.actuator_gainprm[i][2] != 0.0)
        || (model.actuator_biastype[i] == BiasType::Affine && model.actuator_biasprm[i][2] != 0.0)
        || model.actuator_gaintype[i] == GainType::Muscle
        || is_motor(model, i);
    if model.actuator_trntype[i] == TrnType::Body && follows_velocity {
        return refuse("adhesion that depends on velocity");
    }
    Ok(())
}

/// Derivatives of the input of a gain with activation and control, in these fields.
pub(crate) fn input_derivatives(
    model: &Model,
    i: usize,
    derivatives: &ActuatorDerivatives,
) -> ActuatorDerivatives {
    let (activation, control) = match activation(model, i) {
        None => (0.0, derivatives.clamped_control),
        Some(_) if model.actuator_actearly[i] != 0 => (derivatives.next_activation, derivatives.next_control),
        Some(_) => (1.0, 0.0),
    };
    ActuatorDerivatives { activation, control, ..ActuatorDerivatives::default() }
}

/// Subtracts the derivatives with respect to velocities, activations and controls from `∂g`; velocities of
/// tendons are gathered with their other forces.
pub(crate) fn subtract_inputs(
    model: &Model,
    data: &Data,
    i: usize,
    derivatives: &ActuatorDerivatives,
    gradient: &mut Gradient,
) {
    let (columns, arms) = moment_arms(data, i);
    let on_tendon = model.actuator_trntype[i] == TrnType::Tendon;
    for (&k, arm) in columns.iter().zip(arms) {
        let k = k as usize;
        gradient.add_control(k, i, -arm * derivatives.control);
        if let Some(at) = activation(model, i) {
            gradient.add_activation(k, at, -arm * derivatives.activation);
        }
        if derivatives.velocity != 0.0 && !on_tendon {
            for (&j, other) in columns.iter().zip(arms) {
                gradient.add_velocity(k, j as usize, -arm * derivatives.velocity * other);
            }
        }
    }
}
