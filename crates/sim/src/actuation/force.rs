//! Scalar force of one actuator: gain times control or activation, plus bias.

use super::activation::mj_next_activation;
use super::dcmotor;
use kinetree_math::misc::{muscle_bias, muscle_gain};
use kinetree_model::enums::{BiasType, GainType};
use kinetree_model::{Data, Model};

/// The first nine of ten parameters: those of a muscle.
pub(crate) fn muscle_prm(prm: &[f64; 10]) -> [f64; 9] {
    std::array::from_fn(|i| prm[i])
}

/// Force of an actuator before clamping.
pub(super) fn actuator_force(model: &Model, data: &Data, actuator: usize, ctrl: f64) -> f64 {
    let (length, velocity) = (data.actuator_length[actuator], data.actuator_velocity[actuator]);
    let (range, acc0) = (&model.actuator_lengthrange[actuator], model.actuator_acc0[actuator]);
    let prm = &model.actuator_gainprm[actuator];
    let gain_type = GainType::try_from(model.actuator_gaintype[actuator]);
    let mut input = ctrl;
    let gain = match gain_type {
        Ok(GainType::Fixed) => prm[0],
        Ok(GainType::Affine) => prm[0] + prm[1] * length + prm[2] * velocity,
        Ok(GainType::Muscle) => muscle_gain(length, velocity, range, acc0, &muscle_prm(prm)),
        Ok(GainType::Dcmotor) => {
            input = dcmotor::input_voltage(model, data, actuator, ctrl);
            dcmotor::gain(model, data, actuator)
        }
        Ok(GainType::User) | Err(_) => {
            model.callbacks.act_gain.as_ref().map_or(1.0, |callback| (callback.0)(model, data, actuator))
        }
    };

    // activation replaces control, except that a DC motor without current state is driven by its voltage
    let stateless_motor = gain_type == Ok(GainType::Dcmotor) && model.actuator_dynprm[actuator][0] <= 0.0;
    let count = model.actuator_actnum[actuator] as usize;
    if count > 0 && !stateless_motor {
        let last = model.actuator_actadr[actuator] as usize + count - 1;
        input = if model.actuator_actearly[actuator] != 0 {
            mj_next_activation(model, data, actuator, last, data.act_dot[last])
        } else {
            data.act[last]
        };
    }

    let prm = &model.actuator_biasprm[actuator];
    let bias = match BiasType::try_from(model.actuator_biastype[actuator]) {
        Ok(BiasType::None) => 0.0,
        Ok(BiasType::Affine) => prm[0] + prm[1] * length + prm[2] * velocity,
        Ok(BiasType::Muscle) => muscle_bias(length, range, acc0, &muscle_prm(prm)),
        Ok(BiasType::Dcmotor) => dcmotor::back_emf(model, data, actuator, gain),
        Ok(BiasType::User) | Err(_) => {
            model.callbacks.act_bias.as_ref().map_or(0.0, |callback| (callback.0)(model, data, actuator))
        }
    };
    gain * input + bias
}
