//! Recorded trajectories: a state to begin with, controls, and what was measured after each step.

use crate::error::{ControlError, expect};
use crate::trajectory::state_size;
use kinetree_model::Model;
use kinetree_model::enums::{JointType, SensorType};

/// A number that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Position of a hinge or slide joint after the step, by the index of the joint.
    Position(usize),
    /// Velocity of a dof after the step.
    Velocity(usize),
    /// Number of `sensordata` as a step leaves it: a sensor of the state before the step.
    Sensor(usize),
}

/// A recorded trajectory.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// Integration state before the first step.
    pub start: Vec<f64>,
    /// Whether positions, velocities and activations of that state are only a first guess, and identified as
    /// well.
    pub free_start: bool,
    /// Rows of controls, one for each step.
    pub controls: Vec<f64>,
    /// What was measured.
    pub channels: Vec<Channel>,
    /// A row of the channels for each step; what is not a number was not measured.
    pub measured: Vec<f64>,
    /// Standard deviations of the channels' noise; when there are none they are estimated from the residuals.
    pub noise: Option<Vec<f64>>,
}

impl Recording {
    /// Number of steps.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.measured.len().checked_div(self.channels.len()).unwrap_or(0)
    }

    /// Checks that it fits a model.
    pub(crate) fn check(&self, model: &Model) -> Result<(), ControlError> {
        expect("the state of the start", &self.start, state_size(model)?)?;
        let steps = self.steps();
        if steps == 0 {
            return Err(ControlError::Unidentified("a recording has no steps, or nothing was measured"));
        }
        expect("the list of controls", &self.controls, steps * model.nu)?;
        if self.measured.len() != steps * self.channels.len() {
            let (what, expected) = ("the list of measured values", steps * self.channels.len());
            return Err(ControlError::Size { what, expected, found: self.measured.len() });
        }
        if let Some(index) = self.measured.iter().position(|value| value.is_infinite()) {
            return Err(ControlError::NotFinite { what: "the list of measured values", index });
        }
        if let Some(noise) = &self.noise {
            expect("the list of deviations", noise, self.channels.len())?;
            if let Some(value) = noise.iter().find(|value| **value <= 0.0) {
                return Err(ControlError::Setting {
                    what: "the deviation of a channel",
                    should: "above zero",
                    value: *value,
                });
            }
        }
        for channel in &self.channels {
            let (what, index, count) = match *channel {
                Channel::Position(joint) => ("a channel's joint", joint, model.njnt),
                Channel::Velocity(dof) => ("a channel's dof", dof, model.nv),
                Channel::Sensor(at) => ("a channel's number of sensordata", at, model.nsensordata),
            };
            if index >= count {
                let should = "one that the model has";
                return Err(ControlError::Setting { what, should, value: index as f64 });
            }
            if let Channel::Position(joint) = *channel
                && model.jnt_type[joint] != JointType::Hinge
                && model.jnt_type[joint] != JointType::Slide
            {
                return Err(ControlError::Setting {
                    what: "the joint of a measured position",
                    should: "a hinge or a slide; measure others by sensors",
                    value: joint as f64,
                });
            }
        }
        Ok(())
    }

    /// Whether sensors are measured, and whether one of them may depend on more than the motion.
    pub(crate) fn sensors(&self, model: &Model) -> (bool, bool) {
        let used = self.channels.iter().filter_map(|channel| match *channel {
            Channel::Sensor(at) => Some(at as i32),
            _ => None,
        });
        let mut found = (false, false);
        for at in used {
            let sensor = (0..model.nsensor).find(|&i| {
                let first = model.sensor_adr[i];
                (first..first + model.sensor_dim[i]).contains(&at)
            });
            found.0 = true;
            found.1 |= !sensor.is_some_and(|i| is_kinematic(model.sensor_type[i]));
        }
        found
    }
}

/// Whether a sensor sees positions and velocities alone.
fn is_kinematic(kind: i32) -> bool {
    matches!(
        SensorType::try_from(kind),
        Ok(SensorType::Jointpos
            | SensorType::Jointvel
            | SensorType::Tendonpos
            | SensorType::Tendonvel
            | SensorType::Actuatorpos
            | SensorType::Actuatorvel
            | SensorType::Ballquat
            | SensorType::Ballangvel
            | SensorType::Framepos
            | SensorType::Framequat
            | SensorType::Framexaxis
            | SensorType::Frameyaxis
            | SensorType::Framezaxis
            | SensorType::Framelinvel
            | SensorType::Frameangvel
            | SensorType::Velocimeter
            | SensorType::Gyro
            | SensorType::Magnetometer
            | SensorType::Clock)
    )
}

/// The controls of a step when each actuator sees its control some seconds later than recorded, straight
/// lines between the samples; and by how much they change with the delay.
pub(crate) fn delayed(
    controls: &[f64],
    nu: usize,
    step: usize,
    timestep: f64,
    delays: &[f64],
    out: &mut [f64],
    by_delay: &mut [f64],
) {
    for i in 0..nu {
        let at = |row: usize| controls[row * nu + i];
        let position = (step as f64 - delays[i] / timestep).max(0.0);
        // the interval that ends here: where the control goes when the delay grows
        let next = libm::ceil(position) as usize;
        let last = next.saturating_sub(1);
        let rise = at(next) - at(last);
        out[i] = if delays[i] == 0.0 { at(step) } else { at(next) - rise * (next as f64 - position) };
        by_delay[i] = -rise / timestep;
    }
}
