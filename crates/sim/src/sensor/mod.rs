//! Sensors.
//!
//! Each sensor belongs to the stage whose results it needs: position, velocity or acceleration. Values are
//! clamped at the sensor's cutoff. A sensor with delay reads from its history, a sensor with a sampling
//! interval keeps its last values between ticks.

mod acceleration;
mod contact;
mod context;
mod description;
mod geometry;
mod position;
mod rangefinder;
mod tactile;
mod velocity;

pub(crate) use acceleration::touch_force;
pub use contact::contact_sight;
pub(crate) use context::{SensorContext, SensorScratch};
pub use geometry::{PixelRays, focal_pixels};
pub(crate) use position::{geoms_of, object_quat};

use crate::history::{history_insert, mj_read_sensor, sensor_buffer};
use crate::plugin::PluginMemory;
use crate::sleep::awake_lists::{ASLEEP, Visit};
use crate::sleep::sensor_sleep_state;
use description::{Sensor, unsupported};
use kinetree_math::misc::clip;
use kinetree_model::enums::{DataType, DisableBit, SensorType, Stage};
use kinetree_model::{Data, Model, SensorError};
use std::ops::Range;

/// Computes the sensors that need positions only.
///
/// # Errors
/// At the first sensor that cannot be computed; the others still are.
pub(crate) fn mj_sensor_pos(
    model: &Model,
    data: &mut Data,
    context: &mut SensorContext<'_>,
) -> Result<(), SensorError> {
    compute_stage(model, data, context, Stage::Pos)
}

/// Computes the sensors that need velocities.
///
/// # Errors
/// At the first sensor that cannot be computed; the others still are.
pub(crate) fn mj_sensor_vel(
    model: &Model,
    data: &mut Data,
    context: &mut SensorContext<'_>,
) -> Result<(), SensorError> {
    compute_stage(model, data, context, Stage::Vel)
}

/// Computes the sensors that need accelerations and forces.
///
/// # Errors
/// At the first sensor that cannot be computed; the others still are.
pub(crate) fn mj_sensor_acc(
    model: &Model,
    data: &mut Data,
    context: &mut SensorContext<'_>,
) -> Result<(), SensorError> {
    compute_stage(model, data, context, Stage::Acc)
}

/// Computes all sensors of one stage.
fn compute_stage(
    model: &Model,
    data: &mut Data,
    context: &mut SensorContext<'_>,
    stage: Stage,
) -> Result<(), SensorError> {
    if (model.nsensor == 0 && model.nplugin == 0) || model.disabled(DisableBit::Sensor) {
        return Ok(());
    }
    let filtered = Visit::bodies(model, data).filtered;
    let (mut result, mut users, mut plugins) = (Ok(()), false, false);
    // sensors may compute what they need in `data`, so that values go to a buffer first
    let mut values = std::mem::take(&mut context.scratch.values);
    for sensor in 0..model.nsensor {
        if model.sensor_needstage[sensor] != stage
            || (filtered && sensor_sleep_state(model, data, sensor) == ASLEEP)
        {
            continue;
        }
        let range = sensordata_range(model, sensor);
        if model.sensor_type[sensor] == SensorType::User {
            data.sensordata[range].fill(0.0);
            users = true;
            continue;
        }
        if model.sensor_type[sensor] == SensorType::Plugin {
            plugins = true;
            continue;
        }
        values.clear();
        values.extend_from_slice(&data.sensordata[range.clone()]);
        result = result.and(compute_or_read(model, data, context, sensor, &mut values));
        data.sensordata[range].copy_from_slice(&values);
    }
    context.scratch.values = values;
    if users {
        compute_user_sensors(model, data, context, stage);
    }
    if plugins {
        compute_plugin_sensors(model, data, context, stage);
    }
    for id in 0..model.nplugin {
        if PluginMemory::senses_at_once(model, data, id, stage) {
            compute_at_once(model, data, context, stage, id);
        }
    }
    result
}

/// Lets a plugin instance compute all its sensors of a stage, then clamps them.
fn compute_at_once(
    model: &Model,
    data: &mut Data,
    context: &mut SensorContext<'_>,
    stage: Stage,
    instance: usize,
) {
    prepare_stage(model, data, context, stage);
    context.nested.plugins.sense_at_once(model, data, instance);
    for sensor in (0..model.nsensor).filter(|&i| model.sensor_plugin[i] == instance as i32) {
        if model.sensor_type[sensor] == SensorType::Plugin && model.sensor_needstage[sensor] == stage {
            apply_cutoff(model, sensor, &mut data.sensordata[sensordata_range(model, sensor)]);
        }
    }
}

/// Computes the sensors of plugins of a stage, then clamps them.
fn compute_plugin_sensors(model: &Model, data: &mut Data, context: &mut SensorContext<'_>, stage: Stage) {
    prepare_stage(model, data, context, stage);
    for sensor in 0..model.nsensor {
        if model.sensor_type[sensor] == SensorType::Plugin
            && model.sensor_needstage[sensor] == stage
            && context.nested.plugins.sense(model, data, sensor)
        {
            apply_cutoff(model, sensor, &mut data.sensordata[sensordata_range(model, sensor)]);
        }
    }
}

/// Computes what sensors of unknown needs may want of a stage.
fn prepare_stage(model: &Model, data: &mut Data, context: &mut SensorContext<'_>, stage: Stage) {
    match stage {
        Stage::Vel => context.need_subtree_velocities(model, data),
        Stage::Acc => context.need_body_forces(model, data),
        Stage::None | Stage::Pos => {}
    }
}

/// Where the values of a sensor are in `sensordata`.
fn sensordata_range(model: &Model, sensor: usize) -> Range<usize> {
    let first = model.sensor_adr[sensor] as usize;
    first..first + model.sensor_dim[sensor] as usize
}

/// Lets the callback fill in user sensors of a stage, then clamps them.
fn compute_user_sensors(model: &Model, data: &mut Data, context: &mut SensorContext<'_>, stage: Stage) {
    prepare_stage(model, data, context, stage);
    if let Some(callback) = &model.callbacks.sensor {
        context.nested.allow(data, |data| (callback.0)(model, data, stage as i32));
    }
    for sensor in 0..model.nsensor {
        if model.sensor_type[sensor] == SensorType::User && model.sensor_needstage[sensor] == stage {
            apply_cutoff(model, sensor, &mut data.sensordata[sensordata_range(model, sensor)]);
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
    context: &mut SensorContext<'_>,
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
    compute(model, data, context, sensor, out)
}

/// Computes the values of one sensor into `out` and clamps it.
///
/// # Errors
/// When the kind of sensor is not available.
fn compute(
    model: &Model,
    data: &mut Data,
    context: &mut SensorContext<'_>,
    index: usize,
    out: &mut [f64],
) -> Result<(), SensorError> {
    let sensor = Sensor::new(model, index)?;
    context.prepare(model, data, sensor.kind);
    match Stage::try_from(model.sensor_needstage[index]) {
        Ok(Stage::Pos) => position::compute(model, data, context.scratch, &sensor, out)?,
        Ok(Stage::Vel) => velocity::compute(model, data, &sensor, out)?,
        Ok(Stage::Acc) => acceleration::compute(model, data, context.scratch, &sensor, out)?,
        Ok(Stage::None) | Err(_) => return Err(unsupported(model, index)),
    }
    apply_cutoff(model, index, out);
    Ok(())
}

/// Clamps sensor values: both sides of real values, the upper side of positive values. Contact and from-to
/// sensors use the cutoff in other ways.
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

/// Puts the values of sensors with history into their delay lines; called once a step, at its start time.
///
/// # Errors
/// At the first delayed sensor that cannot be computed.
pub(crate) fn advance_sensor_history(
    model: &Model,
    data: &mut Data,
    context: &mut SensorContext<'_>,
) -> Result<(), SensorError> {
    let mut result = Ok(());
    let mut values = std::mem::take(&mut context.scratch.values);
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
        values.clear();
        values.extend_from_slice(&data.sensordata[sensordata_range(model, sensor)]);
        if model.sensor_delay[sensor] > 0.0 {
            result = result.and(compute(model, data, context, sensor, &mut values));
        }
        history_insert(&mut data.history[range], n, dim, data.time).copy_from_slice(&values);
    }
    context.scratch.values = values;
    result
}
