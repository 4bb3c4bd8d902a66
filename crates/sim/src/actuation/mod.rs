//! Actuation: from controls and activations to actuator forces and generalized forces.
//!
//! `force = gain(length, velocity) · (ctrl or activation) + bias(length, velocity)`, clamped, and mapped to
//! the dofs by the transpose of the moment arms. Activations have dynamics of their own, whose derivative is
//! computed here.

mod activation;
pub(crate) mod dcmotor;
mod force;
pub(crate) mod length_range;
pub(crate) mod transmission;

use crate::forces::passive::has_gravity;
use crate::history::mj_read_ctrl;
use crate::nested::NestedCalls;
use crate::sleep::actuator_sleep_state;
use crate::sleep::awake_lists::ASLEEP;
pub(crate) use activation::mj_next_activation;
pub(crate) use force::muscle_prm;
use kinetree_math::misc::{clip, is_bad};
use kinetree_math::sparse::{Csr, Pattern, mul_mat_t_vec};
use kinetree_model::enums::{BiasType, DisableBit, EnableBit, GainType, JointType, TrnType, Warning};
use kinetree_model::{Data, Model};

/// Whether the group of an actuator is switched off.
#[must_use]
pub fn mj_actuator_disabled(model: &Model, actuator: usize) -> bool {
    let group = model.actuator_group[actuator];
    (0..=30).contains(&group) && model.opt.disableactuator & (1 << group) != 0
}

/// Working memory of actuation.
#[derive(Debug, Default)]
pub(crate) struct ActuationScratch {
    /// Controls after delay and clamping.
    ctrl: Vec<f64>,
    /// Sum of the actuator forces on each tendon.
    tendon_force: Vec<f64>,
}

/// Computes `act_dot`, `actuator_force` and `qfrc_actuator` from the state and the controls.
pub(crate) fn mj_fwd_actuation(
    model: &Model,
    data: &mut Data,
    scratch: &mut ActuationScratch,
    nested: &mut NestedCalls,
) {
    data.actuator_force.fill(0.0);
    if model.nu == 0 || model.disabled(DisableBit::Actuation) {
        data.qfrc_actuator.fill(0.0);
        return;
    }
    let sleep_enabled = model.enabled(EnableBit::Sleep);
    let asleep =
        |data: &Data, actuator: usize| sleep_enabled && actuator_sleep_state(model, data, actuator) == ASLEEP;

    let n = model.nu;
    let some_skipped = sleep_enabled || model.opt.disableactuator != 0 || model.nplugin > 0;
    let skipped = |data: &Data, actuator: usize| {
        some_skipped
            && (asleep(data, actuator)
                || mj_actuator_disabled(model, actuator)
                || model.actuator_plugin[actuator] >= 0)
    };

    let ActuationScratch { ctrl, tendon_force } = scratch;
    ctrl.resize(n, 0.0);
    read_controls(model, data, ctrl);
    if model.na > 0 {
        for actuator in 0..n {
            if !asleep(data, actuator) {
                activation::set_act_dot(model, data, actuator, ctrl, nested);
            }
        }
        if model.nplugin > 0 {
            nested.plugins.set_act_dot(model, data);
        }
    }
    let (gaintype, biastype) = (&model.actuator_gaintype[..n], &model.actuator_biastype[..n]);
    let (states, gain, input) = (&model.actuator_actnum[..n], &model.actuator_gainprm[..n], &ctrl[..n]);
    // most are motors, which have neither bias nor state
    let is_motor = |actuator: usize| {
        (gaintype[actuator] == GainType::Fixed)
            & (biastype[actuator] == BiasType::None)
            & (states[actuator] == 0)
    };
    if !some_skipped && (0..n).fold(true, |all, actuator| all & is_motor(actuator)) {
        for ((force, gain), input) in data.actuator_force.iter_mut().zip(gain).zip(input) {
            *force = gain[0] * input + 0.0;
        }
    } else {
        for actuator in 0..n {
            if !skipped(data, actuator) {
                data.actuator_force[actuator] = force::actuator_force(model, data, actuator, input[actuator]);
            }
        }
    }
    if model.nplugin > 0 {
        nested.plugins.set_actuator_forces(model, data);
    }

    limit_tendon_forces(model, data, tendon_force);
    let limited = &model.actuator_forcelimited[..n];
    let any_limited = limited.iter().fold(0, |any, &limited| any | limited) != 0;
    let is_dc = |kind: i32| kind == BiasType::Dcmotor;
    if any_limited || biastype.iter().fold(false, |any, &kind| any | is_dc(kind)) {
        for actuator in 0..n {
            if limited[actuator] != 0 {
                let [low, high] = model.actuator_forcerange[actuator];
                data.actuator_force[actuator] = clip(data.actuator_force[actuator], low, high);
            }
            if is_dc(biastype[actuator]) && !skipped(data, actuator) {
                data.actuator_force[actuator] += dcmotor::mechanical_force(model, data, actuator);
            }
        }
    }
    map_to_dofs(model, data);
}

/// Controls after delay and clamping; all are zero when one is not a number or too large.
fn read_controls(model: &Model, data: &mut Data, ctrl: &mut [f64]) {
    let clamp = !model.disabled(DisableBit::Clampctrl);
    let n = model.nu;
    let (delay, limited) = (&model.actuator_delay[..n], &model.actuator_ctrllimited[..n]);
    let (range, ctrl) = (&model.actuator_ctrlrange[..n], &mut ctrl[..n]);
    let given = &data.ctrl[..n];
    ctrl.copy_from_slice(given);
    if delay.iter().fold(false, |any, &delay| any | (delay != 0.0)) {
        for actuator in 0..n {
            if delay[actuator] != 0.0 {
                ctrl[actuator] = mj_read_ctrl(model, data, actuator, data.time, None);
            }
        }
    }
    let mut bad = false;
    for (value, (&limited, &[low, high])) in ctrl.iter_mut().zip(limited.iter().zip(range)) {
        let clipped = clip(*value, low, high);
        *value = if clamp & (limited != 0) { clipped } else { *value };
        bad |= is_bad(*value);
    }
    if bad && let Some(first) = ctrl.iter().position(|&value| is_bad(value)) {
        data.warn(Warning::Badctrl, first as i32);
        ctrl.fill(0.0);
    }
}

/// Scales the forces of all actuators of a tendon so that their sum is within the tendon's range.
fn limit_tendon_forces(model: &Model, data: &mut Data, total: &mut Vec<f64>) {
    if model.ntendon == 0 {
        return;
    }
    let limited_tendon = |actuator: usize| {
        if model.actuator_trntype[actuator] != TrnType::Tendon {
            return None;
        }
        let tendon = model.actuator_trnid[actuator][0] as usize;
        (model.tendon_actfrclimited[tendon] != 0).then_some(tendon)
    };
    if !(0..model.nu).any(|actuator| limited_tendon(actuator).is_some()) {
        return;
    }
    total.clear();
    total.resize(model.ntendon, 0.0);
    for actuator in 0..model.nu {
        if let Some(tendon) = limited_tendon(actuator) {
            total[tendon] += data.actuator_force[actuator];
        }
    }
    for actuator in 0..model.nu {
        let Some(tendon) = limited_tendon(actuator) else { continue };
        let (force, [low, high]) = (total[tendon], model.tendon_actfrcrange[tendon]);
        if force != 0.0 {
            if force < low {
                data.actuator_force[actuator] *= low / force;
            } else if force > high {
                data.actuator_force[actuator] *= high / force;
            }
        }
    }
}

/// Generalized forces of actuators, with gravity compensation where joints ask for it as actuation, clamped
/// per joint.
fn map_to_dofs(model: &Model, data: &mut Data) {
    let moments = Pattern::new(&data.moment_rownnz, &data.moment_rowadr, &data.moment_colind);
    mul_mat_t_vec(&mut data.qfrc_actuator, Csr::new(moments, &data.actuator_moment), &data.actuator_force);

    let gravcomp = model.ngravcomp > 0 && has_gravity(model);
    let any_limited = model.jnt_actfrclimited.iter().fold(0, |any, &limited| any | limited) != 0;
    if !(gravcomp || any_limited) {
        return;
    }
    for joint in 0..model.njnt {
        let dof = model.jnt_dofadr[joint] as usize;
        if gravcomp && model.jnt_actgravcomp[joint] != 0 {
            let count = match JointType::try_from(model.jnt_type[joint]) {
                Ok(JointType::Free) => 6,
                Ok(JointType::Ball) => 3,
                _ => 1,
            };
            for i in dof..dof + count {
                data.qfrc_actuator[i] += data.qfrc_gravcomp[i];
            }
        }
        if model.jnt_actfrclimited[joint] != 0 {
            let [low, high] = model.jnt_actfrcrange[joint];
            data.qfrc_actuator[dof] = clip(data.qfrc_actuator[dof], low, high);
        }
    }
}
