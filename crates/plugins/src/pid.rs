//! `mujoco.pid`: an actuator with a proportional, an integral and a derivative part.
//!
//! `f = kp e + ki ∫e + kd ė` with the error `e` between the set point and the length of the actuator. The set
//! point is the control or, for an actuator with dynamics, its last activation. The integral and the last set
//! point are activations, so that they are part of the state: the first ones of the actuator, as far as `ki`
//! and `slewmax` ask for them.

use kinetree_math::MINVAL;
use kinetree_math::misc::clip;
use kinetree_model::enums::DynType;
use kinetree_model::plugin::{
    Attribute, AttributeKind, Capabilities, Plugin, PluginConfig, PluginInstance, PluginResult, PluginWorld,
};
use kinetree_model::{Data, Model};

/// The PID actuator.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pid;

static ATTRIBUTES: [Attribute; 5] = [
    Attribute::new("kp", AttributeKind::Number, "0", "Gain of the error."),
    Attribute::new("ki", AttributeKind::Number, "0", "Gain of the integral of the error."),
    Attribute::new("kd", AttributeKind::Number, "0", "Gain of the rate of the error."),
    Attribute::new("imax", AttributeKind::Number, "", "Largest force of the integral; none: unlimited."),
    Attribute::new("slewmax", AttributeKind::Number, "", "Largest rate of the set point; none: unlimited."),
];

impl Plugin for Pid {
    fn name(&self) -> &str {
        "mujoco.pid"
    }

    fn attributes(&self) -> &[Attribute] {
        &ATTRIBUTES
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::ACTUATOR
    }

    fn instance(
        &self,
        model: &Model,
        id: usize,
        config: &PluginConfig,
    ) -> PluginResult<Box<dyn PluginInstance>> {
        let gains = Gains::read(config)?;
        let mut actuators = (0..model.nu).filter(|&i| model.actuator_plugin[i] == id as i32).peekable();
        if actuators.peek().is_none() {
            return Err("no actuator uses it".into());
        }
        for actuator in actuators {
            gains.check_activations(model, actuator)?;
        }
        Ok(Box::new(gains))
    }
}

/// The gains of an instance.
#[derive(Clone, Copy, Debug)]
struct Gains {
    kp: f64,
    ki: f64,
    kd: f64,
    /// Largest integral of the error.
    integral_max: Option<f64>,
    /// Largest rate of the set point.
    slew_max: Option<f64>,
}

/// The activations of an actuator that belong to the controller.
struct Memory {
    integral: f64,
    /// The last set point, when there was a step before.
    last: Option<f64>,
}

impl Gains {
    fn read(config: &PluginConfig) -> PluginResult<Self> {
        let ki = config.number("ki")?;
        // the limit is one of the force
        let force_max = config.given_number("imax")?.filter(|_| ki != 0.0);
        let gains = Self {
            kp: config.number("kp")?,
            ki,
            kd: config.number("kd")?,
            integral_max: force_max.map(|force| force / ki),
            slew_max: config.given_number("slewmax")?,
        };
        if gains.integral_max.is_some_and(|max| max < 0.0) {
            return Err("'imax' cannot be negative".into());
        }
        if gains.slew_max.is_some_and(|max| max < 0.0) {
            return Err("'slewmax' cannot be negative".into());
        }
        Ok(gains)
    }

    /// The actuator must have room for the integral, the last set point and its own dynamics.
    fn check_activations(&self, model: &Model, actuator: usize) -> PluginResult<()> {
        let kind = model.actuator_dyntype[actuator];
        let own = [DynType::Filter, DynType::Filterexact, DynType::Integrator];
        let wanted = i32::from(self.ki != 0.0)
            + i32::from(self.slew_max.is_some())
            + i32::from(own.iter().any(|&own| kind == own));
        let found = model.actuator_actnum[actuator];
        if found == wanted {
            return Ok(());
        }
        Err(format!(
            "actuator {actuator} has {found} activations and needs {wanted}: give it actdim=\"{wanted}\""
        ))
    }

    fn memory(&self, model: &Model, data: &Data, actuator: usize) -> Memory {
        let mut next = model.actuator_actadr[actuator].max(0) as usize;
        let mut memory = Memory { integral: 0.0, last: None };
        if self.ki != 0.0 {
            memory.integral = data.act[next];
            next += 1;
        }
        if self.slew_max.is_some() && data.time > 0.0 {
            memory.last = Some(data.act[next]);
        }
        memory
    }

    /// The set point; that at the end of the step when `early`.
    fn set_point(&self, model: &Model, data: &Data, actuator: usize, memory: &Memory, early: bool) -> f64 {
        let mut target = if model.actuator_dyntype[actuator] == DynType::None {
            let [low, high] = model.actuator_ctrlrange[actuator];
            let ctrl = data.ctrl[actuator];
            if model.actuator_ctrllimited[actuator] != 0 { clip(ctrl, low, high) } else { ctrl }
        } else {
            let last = last_activation(model, actuator);
            if early { next_activation(model, data, actuator, last) } else { data.act[last] }
        };
        if let (Some(rate), Some(last)) = (self.slew_max, memory.last) {
            let reach = rate * model.opt.timestep;
            target = clip(target, last - reach, last + reach);
        }
        target
    }

    /// The integral of the error at the end of the step.
    fn next_integral(&self, model: &Model, memory: &Memory, error: f64) -> f64 {
        let integral = memory.integral + error * model.opt.timestep;
        self.integral_max.map_or(integral, |max| clip(integral, -max, max))
    }
}

/// Index of the activation that the dynamics of an actuator drive.
fn last_activation(model: &Model, actuator: usize) -> usize {
    (model.actuator_actadr[actuator] + model.actuator_actnum[actuator] - 1).max(0) as usize
}

/// The activation that the dynamics of an actuator drive at the end of the step.
fn next_activation(model: &Model, data: &Data, actuator: usize, address: usize) -> f64 {
    let (act, rate, dt) = (data.act[address], data.act_dot[address], model.opt.timestep);
    let next = if model.actuator_dyntype[actuator] == DynType::Filterexact {
        let tau = model.actuator_dynprm[actuator][0].max(MINVAL);
        act + rate * tau * (1.0 - libm::exp(-dt / tau))
    } else {
        act + rate * dt
    };
    if model.actuator_actlimited[actuator] == 0 {
        return next;
    }
    let [low, high] = model.actuator_actrange[actuator];
    clip(next, low, high)
}

impl PluginInstance for Gains {
    fn act_dot(&mut self, world: PluginWorld<'_>, actuator: usize, act_dot: &mut [f64]) -> PluginResult<()> {
        let PluginWorld { model, data, .. } = world;
        let memory = self.memory(model, data, actuator);
        let target = self.set_point(model, data, actuator, &memory, false);
        let error = target - data.actuator_length[actuator];
        let first = model.actuator_actadr[actuator].max(0) as usize;
        let (mut next, dt) = (0, model.opt.timestep);
        if self.ki != 0.0 {
            act_dot[next] = (self.next_integral(model, &memory, error) - data.act[first + next]) / dt;
            next += 1;
        }
        if self.slew_max.is_some() {
            act_dot[next] = (target - data.act[first + next]) / dt;
        }
        Ok(())
    }

    fn actuator_force(&mut self, world: PluginWorld<'_>, actuator: usize) -> PluginResult<f64> {
        let PluginWorld { model, data, .. } = world;
        let memory = self.memory(model, data, actuator);
        let early = model.actuator_actearly[actuator] != 0;
        let target = self.set_point(model, data, actuator, &memory, early);
        let error = target - data.actuator_length[actuator];
        let target_rate = if model.actuator_dyntype[actuator] == DynType::None {
            0.0
        } else {
            data.act_dot[last_activation(model, actuator)]
        };
        let error_rate = target_rate - data.actuator_velocity[actuator];
        let integral = if self.ki != 0.0 { self.next_integral(model, &memory, error) } else { 0.0 };
        Ok(self.kp * error + self.kd * error_rate + self.ki * integral)
    }
}
