//! Sensors.
//!
//! Each sensor belongs to the stage whose results it needs: position, velocity or acceleration. Readings are clamped at the
//! sensor's cutoff. A sensor with delay reads from its history, a sensor with a sampling interval keeps its last reading
//! between ticks.

mod acceleration;
mod contact;
mod geometry;
mod position;
mod rangefinder;
mod tactile;
mod velocity;

pub use geometry::PixelRays;

use crate::forces::bias::mj_rne_post_constraint;
use crate::history::{history_insert, mj_read_sensor, sensor_buffer};
use crate::kinematics::velocity::mj_subtree_vel;
use crate::sleep::awake_lists::{ASLEEP, Visit};
use crate::sleep::sensor_sleep_state;
use kinetree_math::misc::clip;
use kinetree_model::enums::{DataType, DisableBit, SensorType, Stage};
use kinetree_model::{Data, Model, SensorError};
use std::ops::Range;

/// The error of a sensor whose kind is not available at the stage it belongs to.
fn unsupported(model: &Model, sensor: usize) -> SensorError {
    SensorError::Unsupported { sensor, kind: model.sensor_type[sensor] }
}

/// Computes the sensors that need positions only.
///
/// # Errors
/// At the first sensor that cannot be computed; the others still are.
pub(crate) fn mj_sensor_pos(model: &Model, data: &mut Data) -> Result<(), SensorError> {
    compute_stage(model, data, Stage::Pos)
}

/// Computes the sensors that need velocities.
///
/// # Errors
/// At the first sensor that cannot be computed; the others still are.
pub(crate) fn mj_sensor_vel(model: &Model, data: &mut Data) -> Result<(), SensorError> {
    compute_stage(model, data, Stage::Vel)
}

/// Computes the sensors that need accelerations and forces.
///
/// # Errors
/// At the first sensor that cannot be computed; the others still are.
pub(crate) fn mj_sensor_acc(model: &Model, data: &mut Data) -> Result<(), SensorError> {
    compute_stage(model, data, Stage::Acc)
}

/// Computes all sensors of one stage.
fn compute_stage(model: &Model, data: &mut Data, stage: Stage) -> Result<(), SensorError> {
    if model.nsensor == 0 || model.disabled(DisableBit::Sensor) {
        return Ok(());
    }
    let filtered = Visit::bodies(model, data).filtered;
    let (mut result, mut users) = (Ok(()), false);
    // sensors may compute what they need in `data`, so that a reading goes to a buffer first
    let mut reading = data.scratch.take_f64(0);
    for sensor in 0..model.nsensor {
        if model.sensor_needstage[sensor] != stage as i32
            || (filtered && sensor_sleep_state(model, data, sensor) == ASLEEP)
        {
            continue;
        }
        let range = readings_of(model, sensor);
        if model.sensor_type[sensor] == SensorType::User {
            data.sensordata[range].fill(0.0);
            users = true;
            continue;
        }
        reading.clear();
        reading.extend_from_slice(&data.sensordata[range.clone()]);
        result = result.and(compute_or_read(model, data, sensor, &mut reading));
        data.sensordata[range].copy_from_slice(&reading);
    }
    data.scratch.give_f64(reading);
    if users {
        compute_user_sensors(model, data, stage);
    }
    result
}

/// Where the readings of a sensor are in `sensordata`.
fn readings_of(model: &Model, sensor: usize) -> Range<usize> {
    let first = model.sensor_adr[sensor] as usize;
    first..first + model.sensor_dim[sensor] as usize
}

/// Lets the callback fill in user sensors of a stage, then clamps them.
fn compute_user_sensors(model: &Model, data: &mut Data, stage: Stage) {
    if stage == Stage::Vel && !data.flg_subtreevel {
        mj_subtree_vel(model, data);
    }
    if stage == Stage::Acc && !data.flg_rnepost {
        mj_rne_post_constraint(model, data);
    }
    if let Some(callback) = &model.callbacks.sensor {
        (callback.0)(model, data, stage as i32);
    }
    for sensor in 0..model.nsensor {
        if model.sensor_type[sensor] == SensorType::User && model.sensor_needstage[sensor] == stage as i32 {
            apply_cutoff(model, sensor, &mut data.sensordata[readings_of(model, sensor)]);
        }
    }
}

/// Whether a sensor with a sampling interval ticks at the current time. `last` is the time of its last tick.
fn ticks(model: &Model, data: &Data, sensor: usize, last: f64) -> bool {
    last + model.sensor_interval[sensor][0] <= data.time
}

/// Reading of a sensor now: computed, or taken from its history when it is delayed or between two ticks.
fn compute_or_read(
    model: &Model,
    data: &mut Data,
    sensor: usize,
    out: &mut [f64],
) -> Result<(), SensorError> {
    if let Some((range, _)) = sensor_buffer(model, sensor) {
        let delayed = model.sensor_delay[sensor] > 0.0;
        let waiting =
            model.sensor_interval[sensor][0] > 0.0 && !ticks(model, data, sensor, data.history[range.start]);
        if delayed || waiting {
            mj_read_sensor(model, data, sensor, data.time, out, None);
            return Ok(());
        }
    }
    mj_compute_sensor(model, data, sensor, out)
}

/// Computes the reading of one sensor into `out` and clamps it.
///
/// # Errors
/// When the kind of sensor is not available.
pub(crate) fn mj_compute_sensor(
    model: &Model,
    data: &mut Data,
    sensor: usize,
    out: &mut [f64],
) -> Result<(), SensorError> {
    match Stage::try_from(model.sensor_needstage[sensor]) {
        Ok(Stage::Pos) => position::compute(model, data, sensor, out)?,
        Ok(Stage::Vel) => velocity::compute(model, data, sensor, out)?,
        Ok(Stage::Acc) => acceleration::compute(model, data, sensor, out)?,
        Ok(Stage::None) | Err(_) => return Err(unsupported(model, sensor)),
    }
    apply_cutoff(model, sensor, out);
    Ok(())
}

/// Clamps a reading: both sides of real values, the upper side of positive values. Contact and from-to sensors use the cutoff
/// in other ways.
fn apply_cutoff(model: &Model, sensor: usize, out: &mut [f64]) {
    let cutoff = model.sensor_cutoff[sensor];
    let kind = model.sensor_type[sensor];
    if cutoff <= 0.0 || kind == SensorType::Contact || kind == SensorType::Geomfromto {
        return;
    }
    match DataType::try_from(model.sensor_datatype[sensor]) {
        Ok(DataType::Real) => out.iter_mut().for_each(|x| *x = clip(*x, -cutoff, cutoff)),
        Ok(DataType::Positive) => out.iter_mut().for_each(|x| *x = x.min(cutoff)),
        Ok(DataType::Axis | DataType::Quaternion) | Err(_) => {}
    }
}

/// Puts the readings of sensors with history into their delay lines; called once a step, at its start time.
///
/// # Errors
/// At the first delayed sensor that cannot be computed.
pub(crate) fn advance_sensor_history(model: &Model, data: &mut Data) -> Result<(), SensorError> {
    let mut result = Ok(());
    let mut reading = data.scratch.take_f64(0);
    for sensor in 0..model.nsensor {
        let Some((range, n)) = sensor_buffer(model, sensor) else { continue };
        let dim = model.sensor_dim[sensor] as usize;
        let interval = model.sensor_interval[sensor][0];
        if interval > 0.0 {
            if !ticks(model, data, sensor, data.history[range.start]) {
                continue;
            }
            // ticks stay on their own clock, whatever the time step
            data.history[range.start] += interval;
        }
        reading.clear();
        reading.extend_from_slice(&data.sensordata[readings_of(model, sensor)]);
        if model.sensor_delay[sensor] > 0.0 {
            result = result.and(mj_compute_sensor(model, data, sensor, &mut reading));
        }
        history_insert(&mut data.history[range], n, dim, data.time).copy_from_slice(&reading);
    }
    data.scratch.give_f64(reading);
    result
}
