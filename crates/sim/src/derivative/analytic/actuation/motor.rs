//! DC motors, linearized: their force and all their activations after the step, with derivatives.
//!
//! The formulas are those of `actuation/dcmotor.rs`, evaluated on numbers that carry their derivatives with
//! length, velocity, control and the five activations that a motor may have.

use super::transmission::{add_length_derivative, add_rate_derivative};
use crate::actuation::dcmotor::Motor;
use crate::actuation::mj_actuator_disabled;
use crate::actuation::transmission::moment_arms;
use crate::derivative::analytic::gradient::Gradient;
use crate::derivative::jet::Jet as JetOf;
use kinetree_math::MINVAL;
use kinetree_math::dense::add_scaled;
use kinetree_model::{Data, Model};

/// Most activations that a motor has.
const STATES: usize = 5;

const LENGTH: usize = 0;

const VELOCITY: usize = 1;

const CONTROL: usize = 2;

const FIRST_STATE: usize = 3;

const INPUTS: usize = FIRST_STATE + STATES;

type Jet = JetOf<INPUTS>;

/// Derivatives of a motor with length, velocity, control and its activations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MotorDerivatives {
    pub(crate) actuator: usize,
    /// First activation and their number.
    first: usize,
    count: usize,
    force: [f64; INPUTS],
    /// Of each activation after the step.
    next: [[f64; INPUTS]; STATES],
}

/// Clips as the motor does: a lower limit first, then an upper one.
fn clip(x: Jet, low: impl Into<Jet>, high: impl Into<Jet>) -> Jet {
    x.max(low.into()).min(high.into())
}

/// A motor and its inputs.
struct Inputs<'a> {
    motor: &'a Motor,
    length: Jet,
    velocity: Jet,
    /// After the slew limit.
    control: Jet,
    states: [Jet; STATES],
}

impl Inputs<'_> {
    fn state(&self, slot: Option<usize>) -> Option<Jet> {
        slot.and_then(|slot| self.states.get(slot).copied())
    }

    fn voltage(&self) -> Jet {
        let Self { motor, length, velocity, control, .. } = self;
        let integral = self.state(motor.slots().integral).unwrap_or(Jet::new(0.0));
        let voltage = match motor.input_mode {
            ..=0 => *control,
            1 => {
                (*control - *length) * motor.proportional + integral * motor.integral
                    - *velocity * motor.derivative
            }
            _ => (*control - *velocity) * motor.proportional + (integral - *length) * motor.integral,
        };
        let limit = motor.max_voltage;
        if limit > 0.0 { clip(voltage, -limit, limit) } else { voltage }
    }

    fn resistance(&self) -> Jet {
        let motor = self.motor;
        let Some(rise) = self.state(motor.slots().temperature) else { return Jet::new(motor.resistance) };
        let above = rise + (motor.ambient_temperature - motor.reference_temperature);
        (above * motor.temperature_coefficient + 1.0) * motor.resistance
    }

    /// Decay rate of the bristles.
    fn bristle_rate(&self) -> Jet {
        let motor = self.motor;
        let ratio = self.velocity / motor.stribeck_velocity.max(MINVAL);
        let g = (-(ratio * ratio)).exp() * (motor.static_friction - motor.coulomb) + motor.coulomb;
        -(self.velocity.abs() * motor.bristle_stiffness) / g.max(Jet::new(MINVAL))
    }

    /// Rate of the integral where no limit holds it.
    fn integral_rate(&self) -> Jet {
        if self.motor.input_mode == 1 { self.control - self.length } else { self.control }
    }

    /// Activations after a step of length `dt`. Where nothing drives them, only bristles change.
    fn next(&self, dt: f64, driven: bool) -> [Jet; STATES] {
        let motor = self.motor;
        let slots = motor.slots();
        let mut next = self.states;
        if let (Some(slot), Some(bristle)) = (slots.bristle, self.state(slots.bristle)) {
            let rate = self.bristle_rate();
            let decay = (rate * dt).exp();
            let input =
                if rate.value.abs() > MINVAL { (decay - 1.0) / rate } else { rate * (0.5 * dt * dt) + dt };
            next[slot] = decay * bristle + input * self.velocity;
        }
        if !driven {
            return next;
        }
        if let Some(slot) = slots.slew {
            next[slot] = self.control;
        }
        if let (Some(slot), Some(integral)) = (slots.integral, self.state(slots.integral)) {
            // the rate that the limit holds back is cut off as well: at the limit the next value is constant
            next[slot] = integral + self.integral_rate() * dt;
            if motor.max_integral > 0.0 {
                next[slot] = clip(next[slot], -motor.max_integral, motor.max_integral);
            }
        }
        let (voltage, resistance) = (self.voltage(), self.resistance());
        let target = (voltage - self.velocity * motor.constant) / resistance;
        if let (Some(slot), Some(rise)) = (slots.temperature, self.state(slots.temperature)) {
            let current = self.state(slots.current).unwrap_or(target);
            let heat = resistance * current * current - rise / motor.thermal_resistance;
            next[slot] = rise + heat * (dt / motor.thermal_capacitance);
        }
        if let (Some(slot), Some(current)) = (slots.current, self.state(slots.current)) {
            let mut rate = (target - current) / motor.electrical_time;
            let limit = motor.max_current_rate;
            if limit > 0.0 {
                rate = clip(rate, -limit, limit);
            }
            let tau = motor.electrical_time.max(MINVAL);
            next[slot] = current + rate * (tau * (1.0 - libm::exp(-dt / tau)));
        }
        next
    }

    /// Force of the windings, before its limit. `current` is the activation that replaces the voltage.
    fn winding_force(&self, current: Option<Jet>) -> Jet {
        let motor = self.motor;
        if motor.electrical_time > 0.0 {
            let input = current.unwrap_or_else(|| self.input_voltage());
            return input * motor.constant;
        }
        let gain = Jet::new(motor.constant) / self.resistance().max(Jet::new(MINVAL));
        gain * self.input_voltage() - gain * (self.velocity * motor.constant)
    }

    /// In voltage mode the control as it is.
    fn input_voltage(&self) -> Jet {
        if self.motor.input_mode <= 0 { self.control } else { self.voltage() }
    }

    /// Cogging and friction.
    fn mechanical_force(&self, [amplitude, poles, phase]: [f64; 3]) -> Jet {
        let motor = self.motor;
        let mut force = Jet::new(0.0);
        if amplitude != 0.0 {
            force = (self.length * poles + phase).sin() * amplitude;
        }
        if let Some(bristle) = self.state(motor.slots().bristle) {
            let rate = self.bristle_rate() * bristle + self.velocity;
            force = force - bristle * motor.bristle_stiffness - rate * motor.bristle_damping;
        }
        force
    }
}

impl MotorDerivatives {
    /// Derivatives of a motor with a control that has been clamped, and that its own follows if `followed`.
    pub(crate) fn new(model: &Model, data: &Data, i: usize, ctrl: f64, followed: bool) -> Self {
        let motor = Motor::new(model, i);
        let first = usize::try_from(model.actuator_actadr[i]).unwrap_or(0);
        let count = (model.actuator_actnum[i].max(0) as usize).min(STATES);
        let states = std::array::from_fn(|slot| {
            if slot < count { Jet::input(data.act[first + slot], FIRST_STATE + slot) } else { Jet::new(0.0) }
        });
        let mut control = Jet::input(ctrl, CONTROL);
        if !followed {
            control = Jet::new(ctrl);
        }
        if let Some(slot) = motor.slots().slew {
            let reach = motor.slew_rate * model.opt.timestep;
            control = clip(control, states[slot] - reach, states[slot] + reach);
        }
        let inputs = Inputs {
            motor: &motor,
            length: Jet::input(data.actuator_length[i], LENGTH),
            velocity: Jet::input(data.actuator_velocity[i], VELOCITY),
            control,
            states,
        };
        let driven = !mj_actuator_disabled(model, i);
        let next = inputs.next(model.opt.timestep, driven);
        let mut force = Jet::new(0.0);
        if driven {
            let last = count.checked_sub(1);
            let early = model.actuator_actearly[i] != 0;
            force = inputs.winding_force(last.map(|slot| if early { next[slot] } else { states[slot] }));
            let [low, high] = model.actuator_forcerange[i];
            if model.actuator_forcelimited[i] != 0 && (force.value <= low || force.value >= high) {
                force = Jet::new(force.value.clamp(low.min(high), high.max(low)));
            }
            let [amplitude, poles, phase, ..] = model.actuator_biasprm[i];
            force = force + inputs.mechanical_force([amplitude, poles, phase]);
        }
        Self { actuator: i, first, count, force: force.derivative, next: next.map(|jet| jet.derivative) }
    }

    /// Derivatives of the force with length, velocity and control.
    pub(crate) fn force_by_inputs(&self) -> [f64; 3] {
        [LENGTH, VELOCITY, CONTROL].map(|input| self.force[input])
    }

    /// Addresses of the activations, and the derivative of the force with each.
    pub(crate) fn force_derivatives(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        (0..self.count).map(|slot| (self.first + slot, self.force[FIRST_STATE + slot]))
    }

    /// Subtracts the derivative with respect to activations from `∂g`.
    pub(crate) fn subtract_activations(&self, data: &Data, gradient: &mut Gradient) {
        let (columns, arms) = moment_arms(data, self.actuator);
        for (at, derivative) in self.force_derivatives() {
            for (&k, arm) in columns.iter().zip(arms) {
                gradient.add_activation(k as usize, at, -arm * derivative);
            }
        }
    }

    /// Addresses of the activations.
    pub(crate) fn activations(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.count
    }

    /// Adds `scale` times the derivative of the next activation at an address with all inputs of a step.
    pub(crate) fn add_next_derivative(
        &self,
        model: &Model,
        data: &Data,
        field: &crate::derivative::analytic::motion::MotionField,
        at: usize,
        scale: f64,
        inputs: &mut [f64],
    ) {
        let (nv, na) = (model.nv, model.na);
        let next = &self.next[at - self.first];
        let i = self.actuator;
        let (by_length, by_rate) = (scale * next[LENGTH], scale * next[VELOCITY]);
        if by_length != 0.0 {
            add_length_derivative(model, data, i, by_length, &mut inputs[..nv]);
        }
        if by_rate != 0.0 {
            add_rate_derivative(model, data, i, (field, &data.qvel), by_rate, &mut inputs[..nv]);
            let (columns, arms) = moment_arms(data, i);
            for (&j, arm) in columns.iter().zip(arms) {
                inputs[nv + j as usize] += by_rate * arm;
            }
        }
        inputs[2 * nv + na + i] += scale * next[CONTROL];
        add_scaled(&mut inputs[2 * nv + self.first..], &next[FIRST_STATE..][..self.count], scale);
    }
}
