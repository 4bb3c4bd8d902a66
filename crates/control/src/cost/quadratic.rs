//! Quadratic costs of state and controls, and norms of sensor values.

use super::function::{Cost, Expansion, Point, SensorJacobian};
use super::norm::Norm;
use crate::error::{ControlError, expect, expect_positive, expect_weights};
use crate::tangent::{State, difference, dimension, right_jacobian_inverse, rotations};
use kinetree_model::Model;

/// A cost of a sensor: `weight · norm(sensor − target)`.
#[derive(Clone, Debug, PartialEq)]
pub struct SensorTerm {
    /// Index of the sensor.
    pub sensor: usize,
    /// Values that cost nothing, as many as the sensor has.
    pub target: Vec<f64>,
    /// Weight at each step.
    pub running: f64,
    /// Weight at the end.
    pub terminal: f64,
    /// How the residuals become a cost.
    pub norm: Norm,
}

/// `½ eᵀ W e + ½ (u − ū)ᵀ R (u − ū)` with diagonal weights and the difference `e` of the state from a target
/// in the tangent space, and terms of sensors. A weight that is not set is zero.
#[derive(Clone, Debug)]
pub struct QuadraticCost {
    sizes: [usize; 3],
    nu: usize,
    qpos: Vec<f64>,
    qvel: Vec<f64>,
    act: Vec<f64>,
    running: Vec<f64>,
    terminal: Vec<f64>,
    control_target: Vec<f64>,
    controls: Vec<f64>,
    /// First dof of each rotation.
    rotations: Vec<usize>,
    /// Terms of sensors, with the addresses of their values.
    sensors: Vec<(usize, SensorTerm)>,
}

impl QuadraticCost {
    /// A cost that is zero everywhere. Its target is the model's reference position at rest, without
    /// activation and controls.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        let nx = dimension(model);
        Self {
            sizes: [model.nq, model.nv, model.na],
            nu: model.nu,
            qpos: model.qpos0.to_vec(),
            qvel: vec![0.0; model.nv],
            act: vec![0.0; model.na],
            running: vec![0.0; nx],
            terminal: vec![0.0; nx],
            control_target: vec![0.0; model.nu],
            controls: vec![0.0; model.nu],
            rotations: rotations(model),
            sensors: Vec::new(),
        }
    }

    /// Sets the state that costs nothing, `nq` and `nv` numbers.
    ///
    /// # Errors
    /// When a list has the wrong length, or a number is not finite.
    pub fn target(mut self, qpos: &[f64], qvel: &[f64]) -> Result<Self, ControlError> {
        expect("the target of positions", qpos, self.sizes[0])?;
        expect("the target of velocities", qvel, self.sizes[1])?;
        self.qpos.copy_from_slice(qpos);
        self.qvel.copy_from_slice(qvel);
        Ok(self)
    }

    /// Sets the weights of the state's difference at each step, `2 nv + na` numbers.
    ///
    /// # Errors
    /// When the list has the wrong length, or a weight is negative or not finite.
    pub fn running_weights(mut self, weights: &[f64]) -> Result<Self, ControlError> {
        expect_weights("the list of running weights", weights, self.running.len())?;
        self.running.copy_from_slice(weights);
        Ok(self)
    }

    /// Sets the weights of the last state's difference, `2 nv + na` numbers.
    ///
    /// # Errors
    /// When the list has the wrong length, or a weight is negative or not finite.
    pub fn terminal_weights(mut self, weights: &[f64]) -> Result<Self, ControlError> {
        expect_weights("the list of terminal weights", weights, self.terminal.len())?;
        self.terminal.copy_from_slice(weights);
        Ok(self)
    }

    /// Sets the weights of controls, `nu` numbers.
    ///
    /// # Errors
    /// When the list has the wrong length, or a weight is negative or not finite.
    pub fn control_weights(mut self, weights: &[f64]) -> Result<Self, ControlError> {
        expect_weights("the list of control weights", weights, self.nu)?;
        self.controls.copy_from_slice(weights);
        Ok(self)
    }

    /// Sets the controls that cost nothing, `nu` numbers.
    ///
    /// # Errors
    /// When the list has the wrong length, or a number is not finite.
    pub fn control_target(mut self, controls: &[f64]) -> Result<Self, ControlError> {
        expect("the target of controls", controls, self.nu)?;
        self.control_target.copy_from_slice(controls);
        Ok(self)
    }

    /// Adds a cost of a sensor.
    ///
    /// # Errors
    /// When there is no such sensor, the target has another number of values, or a weight or width makes no
    /// sense.
    pub fn sensor(mut self, model: &Model, term: SensorTerm) -> Result<Self, ControlError> {
        if term.sensor >= model.nsensor {
            return Err(ControlError::NoSensor { index: term.sensor, nsensor: model.nsensor });
        }
        expect("the target of the sensor", &term.target, model.sensor_dim[term.sensor] as usize)?;
        expect_weights("the list of weights of the sensor", &[term.running, term.terminal], 2)?;
        if let Some(width) = term.norm.width() {
            expect_positive("the width of the norm", width)?;
        }
        self.sensors.push((model.sensor_adr[term.sensor] as usize, term));
        Ok(self)
    }

    /// The state's difference from the target.
    fn error(&self, point: &Point<'_>) -> Vec<f64> {
        let mut error = vec![0.0; self.running.len()];
        let target = State { qpos: &self.qpos, qvel: &self.qvel, act: &self.act };
        difference(
            point.model,
            target,
            State { qpos: point.qpos, qvel: point.qvel, act: point.act },
            &mut error,
        );
        error
    }

    fn state_value(&self, point: &Point<'_>, weights: &[f64]) -> f64 {
        if weights.iter().all(|weight| *weight == 0.0) {
            return 0.0;
        }
        0.5 * self.error(point).iter().zip(weights).map(|(e, weight)| weight * e * e).sum::<f64>()
    }

    fn sensor_value(&self, point: &Point<'_>, weight: impl Fn(&SensorTerm) -> f64) -> f64 {
        let term = |(address, term): &(usize, SensorTerm)| {
            weight(term) * term.norm.value(&residuals(point, *address, term))
        };
        self.sensors.iter().map(term).sum()
    }

    /// Adds gradient `Jᵀ W e` and Hessian `Jᵀ W J`, where `J`, the Jacobian of the difference, is the
    /// identity but for a block of each rotation.
    fn expand_state(&self, point: &Point<'_>, weights: &[f64], out: &mut Expansion) {
        if weights.iter().all(|weight| *weight == 0.0) {
            return;
        }
        let (error, nx) = (self.error(point), weights.len());
        let mut is_rotation = vec![false; nx];
        for &dof in &self.rotations {
            is_rotation[dof..dof + 3].fill(true);
            let jacobian = right_jacobian_inverse([error[dof], error[dof + 1], error[dof + 2]]);
            for i in 0..3 {
                for k in 0..3 {
                    let weighted = jacobian[k][i] * weights[dof + k];
                    out.x[dof + i] += weighted * error[dof + k];
                    for j in 0..3 {
                        out.xx[(dof + i) * nx + dof + j] += weighted * jacobian[k][j];
                    }
                }
            }
        }
        for i in (0..nx).filter(|&i| !is_rotation[i]) {
            out.x[i] += weights[i] * error[i];
            out.xx[i * nx + i] += weights[i];
        }
    }

    fn expand_sensors(
        &self,
        point: &Point<'_>,
        sensors: SensorJacobian<'_>,
        weight: impl Fn(&SensorTerm) -> f64,
        out: &mut Expansion,
    ) {
        let (nx, nu) = (self.running.len(), self.nu);
        for (address, term) in &self.sensors {
            let (weight, n) = (weight(term), term.target.len());
            if weight == 0.0 {
                continue;
            }
            let (mut gradient, mut hessian) = (vec![0.0; n], vec![0.0; n * n]);
            term.norm.derivatives(&residuals(point, *address, term), &mut gradient, &mut hessian);
            gradient.iter_mut().chain(&mut hessian).for_each(|value| *value *= weight);
            // controls do not count at the end
            let ju = if point.ctrl.is_empty() { &[] } else { &sensors.d[address * nu..(address + n) * nu] };
            out.add_residuals(&gradient, &hessian, &sensors.c[address * nx..(address + n) * nx], ju);
        }
    }
}

/// A sensor's difference from its target.
fn residuals(point: &Point<'_>, address: usize, term: &SensorTerm) -> Vec<f64> {
    point.sensordata[address..].iter().zip(&term.target).map(|(value, target)| value - target).collect()
}

impl Cost for QuadraticCost {
    fn uses_sensors(&self) -> bool {
        !self.sensors.is_empty()
    }

    fn running(&self, _step: usize, point: &Point<'_>) -> f64 {
        let terms = point.ctrl.iter().zip(&self.control_target).zip(&self.controls);
        let controls: f64 = terms.map(|((u, target), weight)| weight * (u - target) * (u - target)).sum();
        self.state_value(point, &self.running)
            + 0.5 * controls
            + self.sensor_value(point, |term| term.running)
    }

    fn terminal(&self, point: &Point<'_>) -> f64 {
        self.state_value(point, &self.terminal) + self.sensor_value(point, |term| term.terminal)
    }

    fn expand_running(
        &self,
        _step: usize,
        point: &Point<'_>,
        sensors: SensorJacobian<'_>,
        out: &mut Expansion,
    ) {
        self.expand_state(point, &self.running, out);
        for i in 0..self.nu {
            out.u[i] += self.controls[i] * (point.ctrl[i] - self.control_target[i]);
            out.uu[i * self.nu + i] += self.controls[i];
        }
        self.expand_sensors(point, sensors, |term| term.running, out);
    }

    fn expand_terminal(&self, point: &Point<'_>, sensors: SensorJacobian<'_>, out: &mut Expansion) {
        self.expand_state(point, &self.terminal, out);
        self.expand_sensors(point, sensors, |term| term.terminal, out);
    }
}
