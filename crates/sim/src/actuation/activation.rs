//! Dynamics of activations: their derivative, and the value they have after one step.

use super::dcmotor;
use crate::nested::NestedCalls;
use kinetree_math::MINVAL;
use kinetree_math::misc::{clip, muscle_dynamics};
use kinetree_model::enums::DynType;
use kinetree_model::{Data, Model};

/// Computes `act_dot` of one actuator. A DC motor with limited slew rate also replaces its control.
pub(super) fn set_act_dot(
    model: &Model,
    data: &mut Data,
    actuator: usize,
    ctrl: &mut [f64],
    nested: &mut NestedCalls,
) {
    let Ok(first) = usize::try_from(model.actuator_actadr[actuator]) else { return };
    let count = model.actuator_actnum[actuator] as usize;
    data.act_dot[first..first + count].fill(0.0);
    if count == 0 {
        return;
    }
    // built-in dynamics drive the last activation; a plugin keeps its own before it
    let last = first + count - 1;
    let prm = &model.actuator_dynprm[actuator];
    match DynType::try_from(model.actuator_dyntype[actuator]) {
        Ok(DynType::Integrator) => data.act_dot[last] = ctrl[actuator],
        Ok(DynType::Filter | DynType::Filterexact) => {
            data.act_dot[last] = (ctrl[actuator] - data.act[last]) / prm[0].max(MINVAL);
        }
        Ok(DynType::Muscle) => {
            data.act_dot[last] = muscle_dynamics(ctrl[actuator], data.act[last], &[prm[0], prm[1], prm[2]]);
        }
        Ok(DynType::Dcmotor) => dcmotor::set_act_dot(model, data, actuator, ctrl),
        Ok(DynType::None | DynType::User) | Err(_) => {
            if let Some(callback) = &model.callbacks.act_dyn {
                let act_dot = nested.allow(data, |data| (callback.0)(model, data, actuator));
                if count == 1 {
                    data.act_dot[last] = act_dot;
                }
            }
        }
    }
}

/// Value of activation `address` of an actuator after one time step with derivative `act_dot`, clamped to its
/// range.
#[must_use]
pub(crate) fn mj_next_activation(
    model: &Model,
    data: &Data,
    actuator: usize,
    address: usize,
    act_dot: f64,
) -> f64 {
    next_activation(model, data, actuator, address, data.act[address], act_dot)
}

/// Like [`mj_next_activation`], from the given activation.
#[must_use]
pub(crate) fn next_activation(
    model: &Model,
    data: &Data,
    actuator: usize,
    address: usize,
    act: f64,
    act_dot: f64,
) -> f64 {
    let dt = model.opt.timestep;
    let kind = model.actuator_dyntype[actuator];
    if kind == DynType::Dcmotor {
        let slot = address - model.actuator_actadr[actuator] as usize;
        return dcmotor::next_activation(model, data, actuator, slot, act, act_dot);
    }
    let next = if kind == DynType::Filterexact {
        // exact solution of the filter with constant input
        let tau = model.actuator_dynprm[actuator][0].max(MINVAL);
        act + act_dot * tau * (1.0 - libm::exp(-dt / tau))
    } else {
        act + act_dot * dt
    };
    if model.actuator_actlimited[actuator] == 0 {
        return next;
    }
    let [low, high] = model.actuator_actrange[actuator];
    clip(next, low, high)
}
