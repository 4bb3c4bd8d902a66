//! Sensors, linearized: `C` and `D`.
//!
//! A sensor value depends on positions, velocities and the acceleration that forward dynamics find:
//! `∂s = s_q ∂q + s_v ∂v + s_u ∂u + s_a ∂a`, with `∂a` of the linearization. Values of frame sensors are
//! vectors

use super::rows::{Change, SensorDerivatives, refusal};
use crate::actuation::transmission::moment_arms;
use crate::derivative::analytic::actuation::actuator;
use crate::derivative::analytic::actuation::transmission::{
    add_length_derivative, add_rate_derivative as add_actuator_rate, straight_dof,
};
use crate::derivative::analytic::linearize::Linearization;
use crate::derivative::analytic::momentum;
use crate::derivative::analytic::point_motion::Fields;
use crate::derivative::analytic::tendon::force::{add_rate_derivative, is_fixed, tendon_row};
use crate::derivative::error::DerivativeError;
use crate::history::sensor_buffer;
use crate::kinematics::poses::unit_quat;
use kinetree_math::rot::quat_mul;
use kinetree_model::enums::{DataType, DisableBit, SensorType, TrnType};
use kinetree_model::{Data, Model};

impl SensorDerivatives {
    /// Writes the rows of all sensors: `c` has rows for the state, `d` for the controls.
    ///
    /// # Errors
    /// At the first sensor that has no analytic derivative.
    pub(crate) fn write(
        &mut self,
        model: &Model,
        data: &Data,
        linear: &Linearization,
        mut c: Option<&mut [f64]>,
        mut d: Option<&mut [f64]>,
    ) -> Result<(), DerivativeError> {
        let (nx, nu) = (2 * model.nv + model.na, model.nu);
        for sensor in 0..model.nsensor {
            self.begin(model, data, linear, sensor)?;
            let first = model.sensor_adr[sensor] as usize;
            for k in 0..model.sensor_dim[sensor] as usize {
                self.complete(linear, k);
                let row = &mut self.inputs[k * self.width..(k + 1) * self.width];
                if is_cut(model, data, sensor, k) {
                    row.fill(0.0);
                }
                if let Some(c) = &mut c {
                    c[(first + k) * nx..(first + k + 1) * nx].copy_from_slice(&row[..nx]);
                }
                if let Some(d) = &mut d {
                    d[(first + k) * nu..(first + k + 1) * nu].copy_from_slice(&row[nx..]);
                }
            }
        }
        Ok(())
    }

    /// Writes the derivatives of all sensors with respect to positions, velocities and accelerations, of
    /// inverse dynamics: a row of all sensor values for each dof.
    ///
    /// # Errors
    /// At the first sensor that has no analytic derivative.
    pub(crate) fn write_inverse(
        &mut self,
        model: &Model,
        data: &Data,
        linear: &Linearization,
        mut out: [Option<&mut [f64]>; 3],
    ) -> Result<(), DerivativeError> {
        let (nv, ns) = (model.nv, model.nsensordata);
        for sensor in 0..model.nsensor {
            let kind = SensorType::try_from(model.sensor_type[sensor]);
            if let Ok(SensorType::Actuatorfrc | SensorType::Jointactfrc | SensorType::Tendonactfrc) = kind {
                return Err(refusal("an analytic derivative of actuation in inverse dynamics"));
            }
            self.begin(model, data, linear, sensor)?;
            let first = model.sensor_adr[sensor] as usize;
            for k in 0..model.sensor_dim[sensor] as usize {
                let inputs = &self.inputs[k * self.width..];
                let by = [&inputs[..nv], &inputs[nv..2 * nv], &self.acceleration[k * nv..(k + 1) * nv]];
                let cut = is_cut(model, data, sensor, k);
                for (out, by) in out.iter_mut().zip(by) {
                    let Some(out) = out else { continue };
                    for (dof, value) in by.iter().enumerate() {
                        out[dof * ns + first + k] = if cut { 0.0 } else { *value };
                    }
                }
            }
        }
        Ok(())
    }

    /// Sets the derivatives of one sensor, those with the acceleration apart.
    fn begin(
        &mut self,
        model: &Model,
        data: &Data,
        linear: &Linearization,
        sensor: usize,
    ) -> Result<(), DerivativeError> {
        self.probe.begin();
        (self.nv, self.width) = (model.nv, 2 * model.nv + model.na + model.nu);
        let dim = model.sensor_dim[sensor] as usize;
        for (rows, width) in [(&mut self.inputs, self.width), (&mut self.acceleration, model.nv)] {
            rows.clear();
            rows.resize(dim * width, 0.0);
        }
        if model.disabled(DisableBit::Sensor) { Ok(()) } else { self.set(model, data, linear, sensor) }
    }

    fn set(
        &mut self,
        model: &Model,
        data: &Data,
        linear: &Linearization,
        sensor: usize,
    ) -> Result<(), DerivativeError> {
        if sensor_buffer(model, sensor).is_some() {
            return Err(refusal("an analytic derivative of a sensor with a history"));
        }
        let id = model.sensor_objid[sensor].max(0) as usize;
        let kind = SensorType::try_from(model.sensor_type[sensor]);
        let dof = |joint: usize| model.jnt_dofadr[joint] as usize;
        match kind {
            Ok(SensorType::Clock) => {}
            Ok(SensorType::Jointpos) => self.add(Change::Position, 0, dof(id), 1.0),
            Ok(SensorType::Jointvel) => self.add(Change::Velocity, 0, dof(id), 1.0),
            Ok(SensorType::Ballangvel) => {
                (0..3).for_each(|k| self.add(Change::Velocity, k, dof(id) + k, 1.0));
            }
            Ok(SensorType::Ballquat) => {
                let quat = unit_quat(&data.qpos, model.jnt_qposadr[id] as usize);
                for k in 0..3 {
                    let mut half = [0.0; 4];
                    half[k + 1] = 0.5;
                    self.add_vector(Change::Position, dof(id) + k, &quat_mul(&quat, &half));
                }
            }
            Ok(SensorType::Tendonpos) => self.tendon_length(model, data, id, 1.0),
            Ok(SensorType::Tendonvel) => self.tendon_rate(model, data, &linear.fields(), id, 1.0),
            Ok(SensorType::Actuatorpos) => self.actuator_length(model, data, id, 1.0),
            Ok(SensorType::Actuatorvel) => self.actuator_rate(model, data, &linear.fields(), id, 1.0),
            Ok(SensorType::Actuatorfrc) => self.actuator_force(model, data, linear, id, 1.0),
            Ok(SensorType::Subtreecom | SensorType::Subtreelinvel | SensorType::Subtreeangmom) => {
                self.subtree(model, data, &linear.fields(), id, model.sensor_type[sensor]);
            }
            Ok(SensorType::Framequat) => self.orientation(model, data, sensor)?,
            Ok(SensorType::Jointactfrc) => self.joint_actuation(model, data, linear, id)?,
            Ok(SensorType::Tendonactfrc) => {
                let drives = |i: &usize| {
                    model.actuator_trntype[*i] == TrnType::Tendon && model.actuator_trnid[*i][0] == id as i32
                };
                (0..model.nu).filter(drives).for_each(|i| self.actuator_force(model, data, linear, i, 1.0));
            }
            Ok(SensorType::Touch) => self.touch(model, data, linear, id)?,
            Ok(kind @ (SensorType::Force | SensorType::Torque)) => {
                self.body_force(model, data, linear, id, kind == SensorType::Torque)?;
            }
            Ok(
                kind @ (SensorType::Jointlimitpos
                | SensorType::Jointlimitvel
                | SensorType::Jointlimitfrc
                | SensorType::Tendonlimitpos
                | SensorType::Tendonlimitvel
                | SensorType::Tendonlimitfrc),
            ) => self.limit(model, data, linear, id, kind)?,
            Ok(SensorType::Camprojection) => {
                self.projection(model, data, id, model.sensor_refid[sensor] as usize)?;
            }
            Ok(SensorType::Rangefinder) => self.rangefinder(model, data, sensor)?,
            Ok(SensorType::Geomdist) => self.distance(model, data, sensor)?,
            // a jump has no derivative on either side
            Ok(SensorType::Insidesite) => {}
            Ok(SensorType::EKinetic) => self.kinetic_energy(model, data, linear),
            Ok(SensorType::EPotential) => self.potential_energy(model, data),
            Ok(kind) => self.frame(model, data, &linear.fields(), sensor, kind)?,
            Err(_) => return Err(refusal("a sensor of this kind")),
        }
        Ok(())
    }

    fn tendon_length(&mut self, model: &Model, data: &Data, tendon: usize, scale: f64) {
        let (columns, jacobian) = tendon_row(model, data, tendon);
        for (&j, value) in columns.iter().zip(jacobian) {
            self.add(Change::Position, 0, j as usize, scale * value);
        }
    }

    fn tendon_rate(&mut self, model: &Model, data: &Data, fields: &Fields<'_>, tendon: usize, scale: f64) {
        let (columns, jacobian) = tendon_row(model, data, tendon);
        for (&j, value) in columns.iter().zip(jacobian) {
            self.add(Change::Velocity, 0, j as usize, scale * value);
        }
        if is_fixed(model, tendon) {
            return;
        }
        let mut derivative = std::mem::take(&mut self.rate_derivative);
        derivative.clear();
        derivative.resize(self.nv, 0.0);
        add_rate_derivative(model, data, tendon, fields.velocity, scale, &mut derivative);
        for (j, value) in derivative.iter().enumerate() {
            self.add(Change::Position, 0, j, *value);
        }
        self.rate_derivative = derivative;
    }

    /// Adds the derivative of an actuator's length, times a factor.
    fn actuator_length(&mut self, model: &Model, data: &Data, i: usize, scale: f64) {
        add_length_derivative(model, data, i, scale, &mut self.inputs[..self.nv]);
    }

    /// Adds the derivative of an actuator's velocity, times a factor.
    fn actuator_rate(&mut self, model: &Model, data: &Data, fields: &Fields<'_>, i: usize, scale: f64) {
        let (columns, arms) = moment_arms(data, i);
        for (&j, arm) in columns.iter().zip(arms) {
            self.add(Change::Velocity, 0, j as usize, scale * arm);
        }
        let moving = (fields.velocity, &data.qvel[..]);
        add_actuator_rate(model, data, i, moving, scale, &mut self.inputs[..self.nv]);
    }

    /// Adds the derivative of an actuator's force, times a factor.
    fn actuator_force(&mut self, model: &Model, data: &Data, linear: &Linearization, i: usize, scale: f64) {
        let derivatives = linear.actuators[i];
        self.actuator_length(model, data, i, scale * derivatives.length);
        self.actuator_rate(model, data, &linear.fields(), i, scale * derivatives.velocity);
        self.inputs[2 * self.nv + model.na + i] += scale * derivatives.control;
        if let Some(at) = actuator::activation(model, i) {
            self.inputs[2 * self.nv + at] += scale * derivatives.activation;
        }
        for motor in linear.motors.iter().filter(|motor| motor.actuator == i) {
            for (at, derivative) in motor.force_derivatives() {
                self.inputs[2 * self.nv + at] += scale * derivative;
            }
        }
    }

    /// Force of all actuators on the dof of a joint.
    fn joint_actuation(
        &mut self,
        model: &Model,
        data: &Data,
        linear: &Linearization,
        joint: usize,
    ) -> Result<(), DerivativeError> {
        let dof = model.jnt_dofadr[joint] as usize;
        let [low, high] = model.jnt_actfrcrange[joint];
        let force = data.qfrc_actuator[dof];
        if model.jnt_actfrclimited[joint] != 0 && (force <= low || force >= high) {
            return Ok(());
        }
        if model.jnt_actgravcomp[joint] != 0 && model.ngravcomp > 0 {
            return Err(refusal("an analytic derivative of actuation that carries weights"));
        }
        for i in 0..model.nu {
            let (columns, arms) = moment_arms(data, i);
            let Some(at) = columns.iter().position(|&k| k as usize == dof) else { continue };
            let fixed = match TrnType::try_from(model.actuator_trntype[i]) {
                Ok(TrnType::Tendon) => is_fixed(model, model.actuator_trnid[i][0] as usize),
                _ => straight_dof(model, i).is_some(),
            };
            if !fixed {
                return Err(refusal("an analytic derivative of actuation whose moment arms change"));
            }
            self.actuator_force(model, data, linear, i, arms[at]);
        }
        Ok(())
    }

    fn subtree(&mut self, model: &Model, data: &Data, fields: &Fields<'_>, body: usize, kind: i32) {
        momentum::for_each_change(model, data, fields, body, |dof, by_position, by_velocity| {
            if kind == SensorType::Subtreecom {
                self.add_vector(Change::Position, dof, by_velocity.center.as_slice());
            } else if kind == SensorType::Subtreelinvel {
                self.add_vector(Change::Position, dof, by_position.velocity.as_slice());
                self.add_vector(Change::Velocity, dof, by_velocity.velocity.as_slice());
            } else {
                self.add_vector(Change::Position, dof, by_position.angular.as_slice());
                self.add_vector(Change::Velocity, dof, by_velocity.angular.as_slice());
            }
        });
    }
}

/// Whether a sensor value is at the cutoff of its sensor.
fn is_cut(model: &Model, data: &Data, sensor: usize, k: usize) -> bool {
    let cutoff = model.sensor_cutoff[sensor];
    let value = data.sensordata[model.sensor_adr[sensor] as usize + k];
    cutoff > 0.0
        && match DataType::try_from(model.sensor_datatype[sensor]) {
            Ok(DataType::Real) => value.abs() >= cutoff,
            Ok(DataType::Positive) => value >= cutoff,
            _ => false,
        }
}
