//! DC motor: voltage control with optional PI(D) loop and slew limit, winding resistance that grows with
//! temperature, current with electrical time constant, LuGre friction and cogging.
//!
//! Up to five activations, each present when its parameter is positive, in this order: slew-limited control,
//! integral of the controller, temperature above ambient, bristle deflection, current.

use kinetree_math::MINVAL;
use kinetree_math::misc::{clip, stribeck};
use kinetree_model::enums::{BiasType, DynType, GainType};
use kinetree_model::{Data, Model};

/// Whether gain, bias and activation of an actuator are all those of a motor.
pub(crate) fn is_motor(model: &Model, i: usize) -> bool {
    model.actuator_gaintype[i] == GainType::Dcmotor
        && model.actuator_biastype[i] == BiasType::Dcmotor
        && (model.actuator_dyntype[i] == DynType::Dcmotor || model.actuator_actnum[i] == 0)
}

/// Whether gain, bias or activation of an actuator is that of a motor.
pub(crate) fn has_motor_part(model: &Model, i: usize) -> bool {
    model.actuator_gaintype[i] == GainType::Dcmotor
        || model.actuator_biastype[i] == BiasType::Dcmotor
        || model.actuator_dyntype[i] == DynType::Dcmotor
}

/// Parameters of a motor, named.
pub(crate) struct Motor {
    pub(crate) resistance: f64,
    pub(crate) constant: f64,
    pub(crate) temperature_coefficient: f64,
    pub(crate) reference_temperature: f64,
    pub(crate) proportional: f64,
    pub(crate) integral: f64,
    pub(crate) derivative: f64,
    pub(crate) max_voltage: f64,
    /// 0 voltage, 1 position, 2 velocity.
    pub(crate) input_mode: i32,
    pub(crate) electrical_time: f64,
    pub(crate) max_current_rate: f64,
    pub(crate) thermal_resistance: f64,
    pub(crate) thermal_capacitance: f64,
    pub(crate) ambient_temperature: f64,
    pub(crate) bristle_stiffness: f64,
    pub(crate) bristle_damping: f64,
    pub(crate) slew_rate: f64,
    pub(crate) max_integral: f64,
    pub(crate) coulomb: f64,
    pub(crate) static_friction: f64,
    pub(crate) stribeck_velocity: f64,
    pub(crate) activations: usize,
}

/// Which activation of the motor is what, counted from its first.
#[derive(Clone, Copy, Default)]
pub(crate) struct Slots {
    pub(crate) slew: Option<usize>,
    pub(crate) integral: Option<usize>,
    pub(crate) temperature: Option<usize>,
    pub(crate) bristle: Option<usize>,
    pub(crate) current: Option<usize>,
}

impl Motor {
    pub(crate) fn new(model: &Model, actuator: usize) -> Self {
        let gain = &model.actuator_gainprm[actuator];
        let dynamics = &model.actuator_dynprm[actuator];
        let bias = &model.actuator_biasprm[actuator];
        Self {
            resistance: gain[0],
            constant: gain[1],
            temperature_coefficient: gain[2],
            reference_temperature: gain[3],
            proportional: gain[4],
            integral: gain[5],
            derivative: gain[6],
            max_voltage: gain[7],
            input_mode: gain[8] as i32,
            electrical_time: dynamics[0],
            max_current_rate: dynamics[1],
            thermal_resistance: dynamics[2],
            thermal_capacitance: dynamics[3],
            ambient_temperature: dynamics[4],
            bristle_stiffness: dynamics[5],
            bristle_damping: dynamics[6],
            slew_rate: dynamics[7],
            max_integral: dynamics[8],
            coulomb: bias[3],
            static_friction: bias[4],
            stribeck_velocity: bias[5],
            activations: usize::try_from(model.actuator_actnum[actuator]).unwrap_or(0),
        }
    }

    pub(crate) fn slots(&self) -> Slots {
        let mut next = 0;
        // a program may have asked for more than there was when the model was compiled
        let mut slot = |present: bool| {
            next += usize::from(present);
            next.checked_sub(1).filter(|&slot| present && slot < self.activations)
        };
        Slots {
            slew: slot(self.slew_rate > 0.0),
            integral: slot(self.integral > 0.0),
            temperature: slot(self.thermal_resistance > 0.0),
            bristle: slot(self.bristle_stiffness > 0.0),
            current: slot(self.electrical_time > 0.0),
        }
    }

    /// Voltage that the controller puts out.
    fn voltage(&self, ctrl: f64, length: f64, velocity: f64, integral: f64) -> f64 {
        let voltage = match self.input_mode {
            ..=0 => ctrl,
            1 => self.proportional * (ctrl - length) + self.integral * integral - self.derivative * velocity,
            _ => self.proportional * (ctrl - velocity) + self.integral * (integral - length),
        };
        if self.max_voltage > 0.0 { clip(voltage, -self.max_voltage, self.max_voltage) } else { voltage }
    }

    /// Resistance at `rise` above ambient temperature.
    fn hot_resistance(&self, rise: f64) -> f64 {
        let above = rise + self.ambient_temperature - self.reference_temperature;
        self.resistance * (1.0 + self.temperature_coefficient * above)
    }

    /// Decay rate of the bristle deflection at some velocity, not positive.
    fn bristle_rate(&self, velocity: f64) -> f64 {
        let g = stribeck(velocity, self.coulomb, self.static_friction, self.stribeck_velocity);
        -self.bristle_stiffness * velocity.abs() / g.max(MINVAL)
    }

    /// Rate of the integral, held when it would grow beyond its limit.
    fn integral_rate(&self, ctrl: f64, length: f64, integral: f64) -> f64 {
        let rate = if self.input_mode == 1 { ctrl - length } else { ctrl };
        if self.max_integral > 0.0 {
            if integral >= self.max_integral {
                return rate.min(0.0);
            }
            if integral <= -self.max_integral {
                return rate.max(0.0);
            }
        }
        rate
    }
}

/// Derivatives of all activations of a motor. A limited slew rate also replaces the control.
pub(super) fn set_act_dot(model: &Model, data: &mut Data, actuator: usize, ctrl: &mut [f64]) {
    let motor = Motor::new(model, actuator);
    let slots = motor.slots();
    let first = model.actuator_actadr[actuator] as usize;
    let (length, velocity) = (data.actuator_length[actuator], data.actuator_velocity[actuator]);
    let dt = model.opt.timestep;
    if let Some(slot) = slots.slew {
        let previous = data.act[first + slot];
        let reach = motor.slew_rate * dt;
        let limited = clip(ctrl[actuator], previous - reach, previous + reach);
        data.act_dot[first + slot] = (limited - previous) / dt;
        ctrl[actuator] = limited;
    }
    let ctrl = ctrl[actuator];
    let integral = slots.integral.map_or(0.0, |slot| data.act[first + slot]);
    if let Some(slot) = slots.integral {
        data.act_dot[first + slot] = motor.integral_rate(ctrl, length, integral);
    }
    let voltage = motor.voltage(ctrl, length, velocity, integral);
    let mut resistance = motor.resistance;
    if let Some(slot) = slots.temperature {
        // Joule heat against conduction
        let rise = data.act[first + slot];
        resistance = motor.hot_resistance(rise);
        let current = match slots.current {
            Some(slot) => data.act[first + slot],
            None => (voltage - motor.constant * velocity) / resistance,
        };
        data.act_dot[first + slot] =
            (resistance * current * current - rise / motor.thermal_resistance) / motor.thermal_capacitance;
    }
    if let Some(slot) = slots.bristle {
        data.act_dot[first + slot] = motor.bristle_rate(velocity) * data.act[first + slot] + velocity;
    }
    if let Some(slot) = slots.current {
        let target = voltage / resistance - motor.constant / resistance * velocity;
        let rate = (target - data.act[first + slot]) / motor.electrical_time;
        let limit = motor.max_current_rate;
        data.act_dot[first + slot] = if limit > 0.0 { clip(rate, -limit, limit) } else { rate };
    }
}

/// Value of the activation in `slot` after one step: exact for current and bristle at constant input, Euler
/// otherwise.
pub(super) fn next_activation(
    model: &Model,
    data: &Data,
    actuator: usize,
    slot: usize,
    act: f64,
    act_dot: f64,
) -> f64 {
    let motor = Motor::new(model, actuator);
    let slots = motor.slots();
    let dt = model.opt.timestep;
    let slot = Some(slot);
    if slot == slots.current {
        let tau = motor.electrical_time.max(MINVAL);
        return act + act_dot * tau * (1.0 - libm::exp(-dt / tau));
    }
    if slot == slots.bristle {
        let velocity = data.actuator_velocity[actuator];
        let rate = motor.bristle_rate(velocity);
        let decay = libm::exp(rate * dt);
        let input = if rate.abs() > MINVAL { (decay - 1.0) / rate } else { dt };
        return decay * act + input * velocity;
    }
    let next = act + act_dot * dt;
    if slot == slots.integral && motor.max_integral > 0.0 {
        return clip(next, -motor.max_integral, motor.max_integral);
    }
    next
}

/// Force per unit of current, or per unit of voltage when current is not a state.
pub(super) fn gain(model: &Model, data: &Data, actuator: usize) -> f64 {
    let motor = Motor::new(model, actuator);
    if motor.electrical_time > 0.0 {
        return motor.constant;
    }
    let resistance = match motor.slots().temperature {
        Some(slot) => motor.hot_resistance(data.act[model.actuator_actadr[actuator] as usize + slot]),
        None => motor.resistance,
    };
    motor.constant / resistance.max(MINVAL)
}

/// Voltage that drives a motor whose current is not a state. In voltage mode it is the control as it is.
pub(super) fn input_voltage(model: &Model, data: &Data, actuator: usize, ctrl: f64) -> f64 {
    let motor = Motor::new(model, actuator);
    if motor.input_mode <= 0 {
        return ctrl;
    }
    let first = model.actuator_actadr[actuator];
    let integral = motor.slots().integral.map_or(0.0, |slot| data.act[first as usize + slot]);
    motor.voltage(ctrl, data.actuator_length[actuator], data.actuator_velocity[actuator], integral)
}

/// Force of the voltage that the rotating motor induces; part of the current's dynamics when current is a
/// state.
pub(super) fn back_emf(model: &Model, data: &Data, actuator: usize, gain: f64) -> f64 {
    if model.actuator_dynprm[actuator][0] > 0.0 {
        return 0.0;
    }
    -gain * model.actuator_gainprm[actuator][1] * data.actuator_velocity[actuator]
}

/// Cogging and friction, which do not pass through the windings and so are not limited by the force range.
pub(super) fn mechanical_force(model: &Model, data: &Data, actuator: usize) -> f64 {
    let motor = Motor::new(model, actuator);
    let [amplitude, poles, phase, ..] = model.actuator_biasprm[actuator];
    let mut force = 0.0;
    if amplitude != 0.0 {
        force += amplitude * libm::sin(poles * data.actuator_length[actuator] + phase);
    }
    if let Some(slot) = motor.slots().bristle {
        let address = model.actuator_actadr[actuator] as usize + slot;
        force -= motor.bristle_stiffness * data.act[address] + motor.bristle_damping * data.act_dot[address];
    }
    force
}
