//! Delay lines of controls and sensors.
//!
//! A buffer of `n` samples of dimension `dim` is laid out as `[user, cursor, n times, n·dim values]`: a ring
//! whose newest sample is at `cursor`. Times increase from the oldest to the newest.

use kinetree_math::MINVAL;
use kinetree_model::{Data, Mismatch, Model};

/// What can be wrong with a request about history buffers.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum HistoryError {
    /// There is no such actuator or sensor.
    #[error("invalid id {0}")]
    InvalidId(usize),
    /// The actuator or sensor keeps no history.
    #[error("object {0} has no history buffer")]
    NoBuffer(usize),
    /// The given slices do not fit the buffer.
    #[error("expected {expected} numbers, found {found}")]
    WrongSize {
        /// Numbers that fit the buffer.
        expected: usize,
        /// Numbers that were given.
        found: usize,
    },
    /// Times do not increase strictly.
    #[error("times must be strictly increasing, but sample {0} is not later than the one before it")]
    NotIncreasing(usize),
    /// The data does not fit the model.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
}

/// How to read between two samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// The earlier sample.
    ZeroOrderHold,
    /// Straight line.
    Linear,
    /// Cubic Hermite spline with finite-difference tangents, flat at both ends.
    Cubic,
}

impl From<i32> for Interpolation {
    fn from(order: i32) -> Self {
        match order {
            ..=0 => Self::ZeroOrderHold,
            1 => Self::Linear,
            _ => Self::Cubic,
        }
    }
}

/// Position of the newest sample. The buffer is the caller's to write to: any number in it is one of `n`.
#[inline]
fn cursor_of(buffer: &[f64], n: usize) -> usize {
    (buffer[1] as usize).checked_rem(n).unwrap_or(0)
}

/// Physical position of the sample with logical index `i`, counted from the oldest.
#[inline]
fn physical(cursor: usize, n: usize, i: usize) -> usize {
    (cursor + 1 + i) % n
}

/// Smallest logical index whose time is not before `t`; `n` when all are.
fn first_not_before(times: &[f64], cursor: usize, t: f64) -> usize {
    let n = times.len();
    let (mut low, mut high) = (0, n);
    while low < high {
        let middle = (low + high) / 2;
        if times[physical(cursor, n, middle)] < t {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// Makes room for a sample at time `t` and returns the slice for its values. An existing sample of the same
/// time is overwritten; otherwise the oldest is dropped.
pub fn history_insert(buffer: &mut [f64], n: usize, dim: usize, t: f64) -> &mut [f64] {
    let mut cursor = cursor_of(buffer, n);
    let (head, values) = buffer.split_at_mut(2 + n);
    let times = &mut head[2..];
    let i = first_not_before(times, cursor, t);
    if i < n && (t - times[physical(cursor, n, i)]).abs() < MINVAL {
        let slot = physical(cursor, n, i);
        return &mut values[slot * dim..(slot + 1) * dim];
    }
    let slot = if i == 0 {
        physical(cursor, n, 0)
    } else if i == n {
        cursor = (cursor + 1) % n;
        cursor
    } else {
        // between samples: shift the older ones, dropping the oldest
        for j in 0..i - 1 {
            let (from, to) = (physical(cursor, n, j + 1), physical(cursor, n, j));
            times[to] = times[from];
            values.copy_within(from * dim..(from + 1) * dim, to * dim);
        }
        physical(cursor, n, i - 1)
    };
    times[slot] = t;
    head[1] = cursor as f64;
    &mut values[slot * dim..(slot + 1) * dim]
}

/// Reads the value at time `t` into `result`; before the oldest and after the newest sample the value is
/// constant.
pub fn history_read(
    buffer: &[f64],
    n: usize,
    dim: usize,
    result: &mut [f64],
    t: f64,
    interpolation: Interpolation,
) {
    let cursor = cursor_of(buffer, n);
    let times = &buffer[2..2 + n];
    let time = |i: usize| times[physical(cursor, n, i)];
    let value = |i: usize| &buffer[2 + n + physical(cursor, n, i) * dim..][..dim];
    if t <= time(0) + MINVAL {
        return result[..dim].copy_from_slice(value(0));
    }
    if t >= time(n - 1) - MINVAL {
        return result[..dim].copy_from_slice(value(n - 1));
    }
    let i = first_not_before(times, cursor, t);
    if (t - time(i)).abs() < MINVAL {
        return result[..dim].copy_from_slice(value(i));
    }
    // times that are all the same have nothing between them
    let Some(before) = i.checked_sub(1) else { return result[..dim].copy_from_slice(value(0)) };
    let (low, high) = (value(before), value(i));
    if interpolation == Interpolation::ZeroOrderHold {
        return result[..dim].copy_from_slice(low);
    }
    let dt = time(i) - time(i - 1);
    let a = (t - time(i - 1)) / dt;
    if interpolation == Interpolation::Linear {
        for d in 0..dim {
            result[d] = low[d] + a * (high[d] - low[d]);
        }
        return;
    }
    let (a2, a3) = (a * a, a * a * a);
    let (h00, h10) = (2.0 * a3 - 3.0 * a2 + 1.0, a3 - 2.0 * a2 + a);
    let (h01, h11) = (-2.0 * a3 + 3.0 * a2, a3 - a2);
    for d in 0..dim {
        let tangent_low = if i > 1 { (high[d] - value(i - 2)[d]) / (time(i) - time(i - 2)) } else { 0.0 };
        let tangent_high =
            if i < n - 1 { (value(i + 1)[d] - low[d]) / (time(i + 1) - time(i - 1)) } else { 0.0 };
        result[d] = h00 * low[d] + h10 * dt * tangent_low + h01 * high[d] + h11 * dt * tangent_high;
    }
}

/// Replaces all samples of a buffer. Without `times` the old ones stay, without `values` likewise.
fn history_init(
    buffer: &mut [f64],
    n: usize,
    times: Option<&[f64]>,
    values: Option<&[f64]>,
) -> Result<(), HistoryError> {
    if let Some(times) = times {
        check_size(times, n)?;
        if let Some(i) = times.windows(2).position(|pair| pair[1] - pair[0] < MINVAL) {
            return Err(HistoryError::NotIncreasing(i + 1));
        }
    }
    if let Some(values) = values {
        check_size(values, buffer.len() - 2 - n)?;
    }
    if let Some(times) = times {
        buffer[2..2 + n].copy_from_slice(times);
    }
    if let Some(values) = values {
        buffer[2 + n..].copy_from_slice(values);
    }
    buffer[1] = (n - 1) as f64;
    Ok(())
}

fn check_size(slice: &[f64], expected: usize) -> Result<(), HistoryError> {
    if slice.len() == expected {
        Ok(())
    } else {
        Err(HistoryError::WrongSize { expected, found: slice.len() })
    }
}

/// Range of the history buffer of an actuator, and its number of samples.
pub(crate) fn ctrl_buffer(model: &Model, actuator: usize) -> Option<(std::ops::Range<usize>, usize)> {
    let n = usize::try_from(model.actuator_history[actuator][0]).ok().filter(|&n| n > 0)?;
    let start = model.actuator_historyadr[actuator] as usize;
    Some((start..start + 2 + 2 * n, n))
}

/// Range of the history buffer of a sensor, and its number of samples.
pub(crate) fn sensor_buffer(model: &Model, sensor: usize) -> Option<(std::ops::Range<usize>, usize)> {
    let n = usize::try_from(model.sensor_history[sensor][0]).ok().filter(|&n| n > 0)?;
    let start = model.sensor_historyadr[sensor] as usize;
    Some((start..start + 2 + n + n * model.sensor_dim[sensor] as usize, n))
}

/// Control of an actuator as it arrives at `time`, after its delay. Without history, the current control.
#[must_use]
pub(crate) fn mj_read_ctrl(
    model: &Model,
    data: &Data,
    actuator: usize,
    time: f64,
    interpolation: Option<Interpolation>,
) -> f64 {
    let Some((range, n)) = ctrl_buffer(model, actuator) else { return data.ctrl[actuator] };
    let interpolation =
        interpolation.unwrap_or_else(|| Interpolation::from(model.actuator_history[actuator][1]));
    let mut value = [0.0];
    let t = time - model.actuator_delay[actuator];
    history_read(&data.history[range], n, 1, &mut value, t, interpolation);
    value[0]
}

/// Reading of a sensor as it arrives at `time`, after its delay, into `result`. Without history, the current
/// reading.
pub(crate) fn mj_read_sensor(
    model: &Model,
    data: &Data,
    sensor: usize,
    time: f64,
    result: &mut [f64],
    interpolation: Option<Interpolation>,
) {
    let dim = model.sensor_dim[sensor] as usize;
    let Some((range, n)) = sensor_buffer(model, sensor) else {
        let address = model.sensor_adr[sensor] as usize;
        return result[..dim].copy_from_slice(&data.sensordata[address..address + dim]);
    };
    let interpolation = interpolation.unwrap_or_else(|| Interpolation::from(model.sensor_history[sensor][1]));
    let t = time - model.sensor_delay[sensor];
    history_read(&data.history[range], n, dim, result, t, interpolation);
}

/// Fills the history of an actuator's control. Without `times` the old times stay.
///
/// # Errors
/// When the actuator has no history, the sizes do not fit, or times do not increase.
pub(crate) fn mj_init_ctrl_history(
    model: &Model,
    data: &mut Data,
    actuator: usize,
    times: Option<&[f64]>,
    values: Option<&[f64]>,
) -> Result<(), HistoryError> {
    if actuator >= model.nu {
        return Err(HistoryError::InvalidId(actuator));
    }
    let (range, n) = ctrl_buffer(model, actuator).ok_or(HistoryError::NoBuffer(actuator))?;
    history_init(&mut data.history[range], n, times, values)
}

/// Fills the history of a sensor and sets the time of its last tick. Without `times` the old times stay.
///
/// # Errors
/// When the sensor has no history, the sizes do not fit, or times do not increase.
pub(crate) fn mj_init_sensor_history(
    model: &Model,
    data: &mut Data,
    sensor: usize,
    times: Option<&[f64]>,
    values: Option<&[f64]>,
    phase: f64,
) -> Result<(), HistoryError> {
    if sensor >= model.nsensor {
        return Err(HistoryError::InvalidId(sensor));
    }
    let (range, n) = sensor_buffer(model, sensor).ok_or(HistoryError::NoBuffer(sensor))?;
    history_init(&mut data.history[range.clone()], n, times, values)?;
    data.history[range.start] = phase;
    Ok(())
}

/// Puts the current controls into their delay lines; called once a step, at its start time.
pub(crate) fn advance_ctrl_history(model: &Model, data: &mut Data) {
    for actuator in 0..model.nu {
        if let Some((range, n)) = ctrl_buffer(model, actuator) {
            history_insert(&mut data.history[range], n, 1, data.time)[0] = data.ctrl[actuator];
        }
    }
}
