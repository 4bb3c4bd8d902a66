//! Sensors, linearized: `C` and `D`.
//!
//! A reading depends on positions, velocities and the acceleration that forward dynamics find:
//! `∂s = s_q ∂q + s_v ∂v + s_u ∂u + s_a ∂a`, with `∂a` of the linearization. Readings of frames are vectors
//! `Fᵀ x` with the axes `F` of the world, of the frame itself or of a reference, so that a turn `Ω` of those
//! axes changes them by `Fᵀ (∂x − Ω × x)`.

use super::actuator;
use super::linearize::Linearization;
use super::motion::{at_point, for_each_moving};
use super::narrow_slope::NarrowProbe;
use super::point_motion::{Fields, PointMotion};
use super::sensor_force::ForceSlopes;
use super::tendon::{add_rate_slope, is_fixed, tendon_row};
use super::transmission::{add_length_slope, add_rate_slope as add_actuator_rate, straight_dof};
use super::{Point, momentum};
use crate::contact::distance::DistanceScratch;
use crate::derivative::DerivativeError;
use crate::history::sensor_buffer;
use crate::kinematics::poses::unit_quat;
use crate::sensor::object_quat;
use crate::support::object_frame;
use kinetree_math::rot::{mat3, quat_conj, quat_mul};
use kinetree_math::spatial::{Vec6, angular};
use kinetree_math::{Mat3, Quat, Vec3};
use kinetree_model::enums::{CamLight, DataType, DisableBit, ObjType, SensorType, TrnType};
use kinetree_model::{Data, Model};

/// Slopes of the components of one sensor. Working memory.
#[derive(Default)]
pub(super) struct SensorSlopes {
    /// With `(q, v, act, ctrl)`, row by row.
    inputs: Vec<f64>,
    /// With the acceleration.
    acceleration: Vec<f64>,
    rate_slope: Vec<f64>,
    pub(super) momentum: Vec<f64>,
    pub(super) force: ForceSlopes,
    pub(super) probe: NarrowProbe,
    pub(super) search: DistanceScratch,
    nv: usize,
    width: usize,
}

/// Which of the inputs changes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Position,
    Velocity,
    Acceleration,
}

impl SensorSlopes {
    /// Writes the rows of all sensors: `c` has rows for the state, `d` for the controls.
    ///
    /// # Errors
    /// At the first sensor that has no analytic derivative.
    pub(super) fn write(
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
    /// inverse dynamics: a row of all readings for each dof.
    ///
    /// # Errors
    /// At the first sensor that has no analytic derivative.
    pub(super) fn write_inverse(
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

    /// Sets the slopes of one sensor, those with the acceleration apart.
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

    /// Adds what comes through the acceleration to component `k`.
    fn complete(&mut self, linear: &Linearization, k: usize) {
        let row = &mut self.inputs[k * self.width..(k + 1) * self.width];
        for (dof, &by) in self.acceleration[k * self.nv..(k + 1) * self.nv].iter().enumerate() {
            if by != 0.0 {
                kinetree_math::dense::add_scaled(row, &linear.slope[dof * self.width..], by);
            }
        }
    }

    /// Adds to the slope of component `k` with the position, velocity or acceleration of a dof.
    pub(super) fn add(&mut self, change: Change, k: usize, dof: usize, value: f64) {
        match change {
            Change::Position => self.inputs[k * self.width + dof] += value,
            Change::Velocity => self.inputs[k * self.width + self.nv + dof] += value,
            Change::Acceleration => self.acceleration[k * self.nv + dof] += value,
        }
    }

    pub(super) fn add_vector(&mut self, change: Change, dof: usize, value: &[f64]) {
        for (k, x) in value.iter().enumerate() {
            self.add(change, k, dof, *x);
        }
    }

    /// Slopes of the first component with positions.
    pub(super) fn positions(&mut self) -> &mut [f64] {
        &mut self.inputs[..self.nv]
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
            // a jump has no slope on either side
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
        let mut slope = std::mem::take(&mut self.rate_slope);
        slope.clear();
        slope.resize(self.nv, 0.0);
        add_rate_slope(model, data, tendon, fields.velocity, scale, &mut slope);
        for (j, value) in slope.iter().enumerate() {
            self.add(Change::Position, 0, j, *value);
        }
        self.rate_slope = slope;
    }

    /// Adds the slope of an actuator's length, times a factor.
    fn actuator_length(&mut self, model: &Model, data: &Data, i: usize, scale: f64) {
        add_length_slope(model, data, i, scale, &mut self.inputs[..self.nv]);
    }

    /// Adds the slope of an actuator's velocity, times a factor.
    fn actuator_rate(&mut self, model: &Model, data: &Data, fields: &Fields<'_>, i: usize, scale: f64) {
        let (columns, arms) = actuator::moment(data, i);
        for (&j, arm) in columns.iter().zip(arms) {
            self.add(Change::Velocity, 0, j as usize, scale * arm);
        }
        let moving = (fields.velocity, &data.qvel[..]);
        add_actuator_rate(model, data, i, moving, scale, &mut self.inputs[..self.nv]);
    }

    /// Adds the slope of an actuator's force, times a factor.
    fn actuator_force(&mut self, model: &Model, data: &Data, linear: &Linearization, i: usize, scale: f64) {
        let slopes = linear.actuators[i];
        self.actuator_length(model, data, i, scale * slopes.length);
        self.actuator_rate(model, data, &linear.fields(), i, scale * slopes.velocity);
        self.inputs[2 * self.nv + model.na + i] += scale * slopes.control;
        if let Some(at) = actuator::activation(model, i) {
            self.inputs[2 * self.nv + at] += scale * slopes.activation;
        }
        for motor in linear.motors.iter().filter(|motor| motor.actuator == i) {
            for (at, slope) in motor.force_slopes() {
                self.inputs[2 * self.nv + at] += scale * slope;
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
            let (columns, arms) = actuator::moment(data, i);
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

    fn orientation(&mut self, model: &Model, data: &Data, sensor: usize) -> Result<(), DerivativeError> {
        let (object, reference) = objects(model, data, sensor)?;
        let quat = |(kind, id): (i32, i32)| {
            object_quat(model, data, (kind, id))
                .ok_or_else(|| refusal("a sensor of an object without a frame"))
        };
        let own = quat((model.sensor_objtype[sensor], model.sensor_objid[sensor]))?;
        let before: Quat = match &reference {
            Some(_) => quat_conj(&quat((model.sensor_reftype[sensor], model.sensor_refid[sensor]))?),
            None => [1.0, 0.0, 0.0, 0.0],
        };
        let bodies = [object.point.body, reference.map_or(0, |frame| frame.point.body)];
        for_each_moving(model, bodies, |j, moves| {
            let turn = moves.map(|moves| if moves { angular(&data.cdof[j]) } else { Vec3::zeros() });
            let half = (turn[0] - turn[1]) * 0.5;
            let change = quat_mul(&quat_mul(&before, &[0.0, half.x, half.y, half.z]), &own);
            self.add_vector(Change::Position, j, &change);
        });
        Ok(())
    }

    /// Vectors of frames.
    fn frame(
        &mut self,
        model: &Model,
        data: &Data,
        fields: &Fields<'_>,
        sensor: usize,
        kind: SensorType,
    ) -> Result<(), DerivativeError> {
        let vector = FrameReading::of(kind)?;
        let (object, reference) = objects(model, data, sensor)?;
        let reference = reference.filter(|_| vector.is_relative());
        let still = Frame { point: Point { body: 0, ..object.point }, axes: Mat3::identity() };
        let frames = [object, reference.unwrap_or(still)];
        let at = [0, 1].map(|k| {
            let Point { body, offset, .. } = frames[k].point;
            if k == 1 && reference.is_none() {
                return PointMotion::STILL;
            }
            PointMotion::new(&fields.velocity.body[body], &fields.acceleration.body[body], &offset)
        });
        let apart = match reference {
            Some(reference) => object.point.pos - reference.point.pos,
            None => object.point.pos,
        };
        let axes = if vector.in_own_axes() { object.axes } else { frames[1].axes };
        let value = vector.value(model, &at, &apart, &object.axes);
        let bodies = frames.map(|frame| frame.point.body);
        for change in [Change::Position, Change::Velocity, Change::Acceleration] {
            for_each_moving(model, bodies, |j, moves| {
                let axis = &data.cdof[j];
                let [own, other] = [0, 1].map(|k| {
                    if moves[k] {
                        Moved::new(model, data, fields, (j, axis), change, &frames[k].point, &at[k])
                    } else {
                        Moved::NONE
                    }
                });
                let mut slope = vector.slope(&at, &apart, &value, [&own, &other]);
                let turn = if vector.in_own_axes() { own.turn } else { other.turn };
                slope -= turn.cross(&value);
                self.add_vector(change, j, axes.tr_mul(&slope).as_slice());
            });
        }
        Ok(())
    }
}

fn refusal(what: &'static str) -> DerivativeError {
    DerivativeError::Unsupported(what)
}

/// Whether a reading is at the cutoff of its sensor.
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

/// A frame that is fixed to a body.
#[derive(Clone, Copy)]
struct Frame {
    point: Point,
    axes: Mat3,
}

/// The frames of a sensor's object and of its reference.
fn objects(model: &Model, data: &Data, sensor: usize) -> Result<(Frame, Option<Frame>), DerivativeError> {
    let frame = |kind: i32, id: i32| {
        let missing = refusal("a sensor of an object without a frame");
        let fixed = |id: usize| model.cam_mode.get(id).is_some_and(|&mode| mode == CamLight::Fixed);
        if kind == ObjType::Camera && !usize::try_from(id).is_ok_and(fixed) {
            return Err(refusal("a sensor of a camera that follows something"));
        }
        let found = object_frame(model, data, kind, id).map_err(|_| missing)?;
        let point = Point::new(model, data, found.body, &Vec3::from(*found.pos));
        Ok(Frame { point, axes: mat3(found.mat) })
    };
    let object = frame(model.sensor_objtype[sensor], model.sensor_objid[sensor])?;
    let reference = (model.sensor_refid[sensor] >= 0)
        .then(|| frame(model.sensor_reftype[sensor], model.sensor_refid[sensor]))
        .transpose()?;
    Ok((object, reference))
}

/// What a change of one dof does to a frame.
struct Moved {
    motion: PointMotion,
    point: Vec3,
    turn: Vec3,
}

impl Moved {
    const NONE: Self =
        Self { motion: PointMotion::STILL, point: Vec3::new(0.0, 0.0, 0.0), turn: Vec3::new(0.0, 0.0, 0.0) };

    fn new(
        model: &Model,
        data: &Data,
        fields: &Fields<'_>,
        (dof, axis): (usize, &Vec6),
        change: Change,
        at: &Point,
        motion: &PointMotion,
    ) -> Self {
        let none = Vec3::zeros();
        let (dv, da, point, turn) = match change {
            Change::Position => {
                let (dv, da) = fields.position_change(at.body, dof, axis);
                (dv, da, at_point(axis, &at.offset), angular(axis))
            }
            Change::Velocity => (*axis, fields.velocity_change(model, data, at.body, dof, axis), none, none),
            Change::Acceleration => ([0.0; 6], *axis, none, none),
        };
        Self { motion: motion.change(&dv, &da, &point, &at.offset), point, turn }
    }
}

/// Vectors that sensors of frames read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FrameReading {
    Position,
    Axis(usize),
    LinearVelocity,
    AngularVelocity,
    LinearAcceleration,
    AngularAcceleration,
    /// In the axes of the frame itself.
    Velocimeter,
    Gyro,
    Accelerometer,
    Magnetometer,
}

impl FrameReading {
    fn of(kind: SensorType) -> Result<Self, DerivativeError> {
        Ok(match kind {
            SensorType::Framepos => Self::Position,
            SensorType::Framexaxis => Self::Axis(0),
            SensorType::Frameyaxis => Self::Axis(1),
            SensorType::Framezaxis => Self::Axis(2),
            SensorType::Framelinvel => Self::LinearVelocity,
            SensorType::Frameangvel => Self::AngularVelocity,
            SensorType::Framelinacc => Self::LinearAcceleration,
            SensorType::Frameangacc => Self::AngularAcceleration,
            SensorType::Velocimeter => Self::Velocimeter,
            SensorType::Gyro => Self::Gyro,
            SensorType::Accelerometer => Self::Accelerometer,
            SensorType::Magnetometer => Self::Magnetometer,
            SensorType::Geomnormal | SensorType::Geomfromto => {
                return Err(refusal("an analytic derivative of the nearest points of geoms"));
            }
            SensorType::Contact => return Err(refusal("an analytic derivative of a contact sensor")),
            SensorType::Tactile => return Err(refusal("an analytic derivative of a tactile sensor")),
            _ => return Err(refusal("an analytic derivative of a sensor of this kind")),
        })
    }

    fn in_own_axes(self) -> bool {
        matches!(self, Self::Velocimeter | Self::Gyro | Self::Accelerometer | Self::Magnetometer)
    }

    /// Whether it is taken relative to the reference, where there is one.
    fn is_relative(self) -> bool {
        let acceleration = matches!(self, Self::LinearAcceleration | Self::AngularAcceleration);
        !acceleration && !self.in_own_axes()
    }

    /// The vector in world axes, from the motions of frame and reference.
    fn value(self, model: &Model, at: &[PointMotion; 2], apart: &Vec3, axes: &Mat3) -> Vec3 {
        match self {
            Self::Position => *apart,
            Self::Axis(k) => axes.column(k).into_owned(),
            Self::LinearVelocity => at[0].velocity - at[1].velocity + apart.cross(&at[1].spin),
            Self::AngularVelocity => at[0].spin - at[1].spin,
            Self::Velocimeter => at[0].velocity,
            Self::Gyro => at[0].spin,
            Self::LinearAcceleration | Self::Accelerometer => at[0].acceleration,
            Self::AngularAcceleration => at[0].spin_rate,
            Self::Magnetometer => Vec3::from(model.opt.magnetic),
        }
    }

    fn slope(self, at: &[PointMotion; 2], apart: &Vec3, value: &Vec3, [own, other]: [&Moved; 2]) -> Vec3 {
        let (d, e) = (&own.motion, &other.motion);
        match self {
            Self::Position => own.point - other.point,
            Self::Axis(_) => own.turn.cross(value),
            Self::LinearVelocity => {
                d.velocity - e.velocity + (own.point - other.point).cross(&at[1].spin) + apart.cross(&e.spin)
            }
            Self::AngularVelocity => d.spin - e.spin,
            Self::Velocimeter => d.velocity,
            Self::Gyro => d.spin,
            Self::LinearAcceleration | Self::Accelerometer => d.acceleration,
            Self::AngularAcceleration => d.spin_rate,
            Self::Magnetometer => Vec3::zeros(),
        }
    }
}
