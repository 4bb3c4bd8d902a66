//! State vectors, keyframes, copies of data, and delayed controls and sensors.

use super::functions;
use crate::args::{Out, Values, filled};
use crate::call::{PyData, PyModel, change, check_pair, peek, quick, restore};
use crate::errors::{fatal, index};
use kinetree_model as model;
use kinetree_model::{Data, Model, StateError};
use kinetree_sim::Interpolation;
use numpy::PyArrayDyn;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Number of values of a state vector; a wrong signature is a fatal error.
fn state_size(model: &Model, sig: i64) -> PyResult<(u32, usize)> {
    let bad = || fatal(format!("mj_stateSize: invalid state signature {sig} >= 2^mjNSTATE"));
    let signature = u32::try_from(sig).map_err(|_| bad())?;
    let size = model::mj_state_size(model, signature).map_err(|e| match e {
        StateError::InvalidSignature { .. } => bad(),
        other => fatal(other),
    })?;
    Ok((signature, size))
}

fn check_state(found: usize, expected: usize) -> PyResult<()> {
    if found == expected {
        return Ok(());
    }
    Err(PyTypeError::new_err("state size should equal mj_stateSize(m, sig)"))
}

/// Number of values of a state vector.
///
/// Args:
///     m: the model, an `MjModel`.
///     sig: which components, a combination of `mjtState` bits such as `mjSTATE_INTEGRATION`.
#[pyfunction]
fn mj_stateSize(m: PyModel<'_, '_>, sig: i64) -> PyResult<usize> {
    Ok(state_size(&*m.get().read()?, sig)?.1)
}

/// Copies components of a world's state into a vector.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     state: array of `mj_stateSize(m, sig)` values that gets them.
///     sig: which components, a combination of `mjtState` bits such as `mjSTATE_INTEGRATION`.
///
/// Example::
///
///     sig = kinetree.mjtState.mjSTATE_INTEGRATION
///     state = np.empty(kinetree.mj_stateSize(model, sig))
///     kinetree.mj_getState(model, data, state, sig)
#[pyfunction]
fn mj_getState(m: PyModel<'_, '_>, d: PyData<'_, '_>, state: Out<'_>, sig: i64) -> PyResult<()> {
    let (sig, size) = state_size(&*m.get().read()?, sig)?;
    check_state(state.len(), size)?;
    let mut values = filled(0.0, size)?;
    peek(m, d, |m, d| model::mj_get_state(m, d, &mut values, sig))?.map_err(fatal)?;
    state.write(&values)
}

/// Sets components of a world's state from a vector that `mj_getState` has filled.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     state: `mj_stateSize(m, sig)` values.
///     sig: which components, a combination of `mjtState` bits such as `mjSTATE_INTEGRATION`.
#[pyfunction]
fn mj_setState(m: PyModel<'_, '_>, d: PyData<'_, '_>, state: Values, sig: i64) -> PyResult<()> {
    let (sig, size) = state_size(&*m.get().read()?, sig)?;
    check_state(state.len(), size)?;
    d.get().set_diverged(false);
    quick(m, d, |m, d| model::mj_set_state(m, d, &state.values, sig))?.map_err(fatal)
}

/// Copies some components out of a state vector into a smaller one.
///
/// Args:
///     m: the model, an `MjModel`.
///     src: the state vector.
///     srcsig: its components, `mjtState` bits.
///     dst: array of `mj_stateSize(m, dstsig)` values that gets the result.
///     dstsig: the components wanted, a subset of `srcsig`.
#[pyfunction]
fn mj_extractState(m: PyModel<'_, '_>, src: Values, srcsig: i64, dst: Out<'_>, dstsig: i64) -> PyResult<()> {
    let model = &*m.get().sound()?;
    let (srcsig, srcsize) = state_size(model, srcsig)?;
    let (dstsig, dstsize) = state_size(model, dstsig)?;
    src.expect("src", srcsize)?;
    dst.expect("dst", dstsize)?;
    let mut values = filled(0.0, dstsize)?;
    model::mj_extract_state(model, &src.values, srcsig, &mut values, dstsig).map_err(fatal)?;
    dst.write(&values)
}

/// Copies components of the state from one world to another of the same model.
///
/// Args:
///     m: the model, an `MjModel`.
///     src: the `MjData` to read.
///     dst: the `MjData` to write.
///     sig: which components, a combination of `mjtState` bits such as `mjSTATE_INTEGRATION`.
#[pyfunction]
fn mj_copyState(m: PyModel<'_, '_>, src: PyData<'_, '_>, dst: PyData<'_, '_>, sig: i64) -> PyResult<()> {
    let (sig, size) = state_size(&*m.get().read()?, sig)?;
    let mut values = filled(0.0, size)?;
    quick(m, src, |m, d| model::mj_get_state(m, d, &mut values, sig))?.map_err(fatal)?;
    dst.get().set_diverged(src.get().has_diverged());
    quick(m, dst, |m, d| model::mj_set_state(m, d, &values, sig))?.map_err(fatal)
}

/// Copies a whole world: state, inputs and results.
///
/// Args:
///     dest: the `MjData` to write.
///     m: the model of both.
///     src: the `MjData` to read.
#[pyfunction]
fn mj_copyData(dest: PyData<'_, '_>, m: PyModel<'_, '_>, src: PyData<'_, '_>) -> PyResult<()> {
    check_pair(m.get(), src.get())?;
    if dest.is(src) {
        return Ok(());
    }
    let copy: Data = src.get().with(m.py(), |d| d.clone())?;
    dest.get().set_diverged(src.get().has_diverged());
    restore(m, dest, |_, d| d.copy_from(&copy))?;
    dest.get().suspect();
    Ok(())
}

/// Resets a world: state and inputs to the model's initial values (`qpos0`, no velocity, time 0), results to
/// zero.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
#[pyfunction]
fn mj_resetData(m: PyModel<'_, '_>, d: PyData<'_, '_>) -> PyResult<()> {
    d.get().set_diverged(false);
    restore(m, d, model::mj_reset_data)
}

/// Resets a world to a keyframe of the model.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     key: index of the keyframe; an index that does not exist resets as `mj_resetData` does.
#[pyfunction]
fn mj_resetDataKeyframe(m: PyModel<'_, '_>, d: PyData<'_, '_>, key: i64) -> PyResult<()> {
    d.get().set_diverged(false);
    restore(m, d, |m, d| match usize::try_from(key) {
        Ok(key) if key < m.nkey => model::mj_reset_data_keyframe(m, d, key),
        _ => model::mj_reset_data(m, d).map_err(Into::into),
    })
}

/// Resets a world as `mj_resetData` does.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     debug_value: ignored: no array is left uninitialized, so that there is nothing to mark.
#[pyfunction]
fn mj_resetDataDebug(m: PyModel<'_, '_>, d: PyData<'_, '_>, debug_value: u8) -> PyResult<()> {
    // no array of this engine is left uninitialized, so there is nothing to mark
    let _ = debug_value;
    d.get().set_diverged(false);
    restore(m, d, model::mj_reset_data)
}

/// Stores the current state of a world as a keyframe of the model: `time`, `qpos`, `qvel`, `act`, `ctrl` and
/// mocap poses.
///
/// Args:
///     m: the model, whose `key_…` fields are written.
///     d: its data, an `MjData`.
///     k: index of the keyframe.
///
/// Raises:
///     FatalError: `k` is not smaller than `m.nkey`.
#[pyfunction]
fn mj_setKeyframe(m: PyModel<'_, '_>, d: PyData<'_, '_>, k: i64) -> PyResult<()> {
    let key = usize::try_from(k).map_err(|_| fatal("mj_setKeyframe: keyframe index cannot be negative"))?;
    change(m, d, |m, d| model::mj_set_keyframe(m, d, key))?.map_err(|error| match error {
        StateError::NoKeyframe { nkey, .. } => {
            fatal(format!("mj_setKeyframe: index must be smaller than {nkey} (keyframes allocated in model)"))
        }
        other => fatal(other),
    })
}

fn interpolation(interp: i64) -> Option<Interpolation> {
    i32::try_from(interp).ok().filter(|&i| i >= 0).map(Interpolation::from)
}

/// The control of an actuator at an earlier time, from its history.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     id: id of the actuator; it keeps a history when it has a delay.
///     time: the time (s).
///     interp: order of interpolation, 0 (hold), 1 (linear) or 2 (cubic); negative for that of the
///         model.
#[pyfunction]
fn mj_readCtrl(m: PyModel<'_, '_>, d: PyData<'_, '_>, id: i64, time: f64, interp: i64) -> PyResult<f64> {
    peek(m, d, |m, d| {
        let id = index("actuator", id, m.nu)?;
        kinetree_sim::mj_read_ctrl(m, d, id, time, interpolation(interp)).map_err(fatal)
    })?
}

/// The values of a sensor at an earlier time, from its history.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     id: id of the sensor.
///     time: the time (s).
///     result: array of `m.sensor_dim[id]` values; it is written and returned.
///     interp: order of interpolation, 0 (hold), 1 (linear) or 2 (cubic); negative for that of the
///         model.
#[pyfunction]
fn mj_readSensor<'py>(
    m: PyModel<'_, 'py>,
    d: PyData<'_, 'py>,
    id: i64,
    time: f64,
    result: Out<'py>,
    interp: i64,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let model = &*m.get().sound()?;
    let id = index("sensor", id, model.nsensor)?;
    result.expect("result", model.sensor_dim[id].max(0) as usize)?;
    let mut values = result.read()?;
    peek(m, d, |m, d| kinetree_sim::mj_read_sensor(m, d, id, time, &mut values, interpolation(interp)))?
        .map_err(fatal)?;
    result.write(&values)?;
    Ok(result.into_array())
}

/// Fills the control history of an actuator.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     id: id of the actuator.
///     times: times (s), one per sample, increasing; None keeps those that are there.
///     values: controls, as many as samples.
///
/// Raises:
///     ValueError: the actuator keeps no history.
#[pyfunction]
#[pyo3(signature = (m, d, id, times, values))]
fn mj_initCtrlHistory(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    id: i64,
    times: Option<Values>,
    values: Values,
) -> PyResult<()> {
    let model = &*m.get().sound()?;
    let id = index("actuator", id, model.nu)?;
    let count = model.actuator_history[id][0].max(0) as usize;
    check_history(&times, &values, count, 1)?;
    let times = times.map(|t| t.values);
    quick(m, d, |m, d| kinetree_sim::mj_init_ctrl_history(m, d, id, times.as_deref(), Some(&values.values)))?
        .map_err(fatal)
}

/// Fills the history of a sensor.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     id: id of the sensor.
///     times: times (s), one per sample, increasing; None keeps those that are there.
///     values: sensor values, shape (samples, `m.sensor_dim[id]`).
///     phase: time (s) from which the sensor's interval is counted.
///
/// Raises:
///     ValueError: the sensor keeps no history.
#[pyfunction]
#[pyo3(signature = (m, d, id, times, values, phase))]
fn mj_initSensorHistory(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    id: i64,
    times: Option<Values>,
    values: Values,
    phase: f64,
) -> PyResult<()> {
    let model = &*m.get().sound()?;
    let id = index("sensor", id, model.nsensor)?;
    let count = model.sensor_history[id][0].max(0) as usize;
    check_history(&times, &values, count, model.sensor_dim[id].max(0) as usize)?;
    let times = times.map(|t| t.values);
    quick(m, d, |m, d| {
        kinetree_sim::mj_init_sensor_history(m, d, id, times.as_deref(), Some(&values.values), phase)
    })?
    .map_err(fatal)
}

fn check_history(times: &Option<Values>, values: &Values, count: usize, dim: usize) -> PyResult<()> {
    if count == 0 {
        return Err(PyValueError::new_err("this element keeps no history"));
    }
    if let Some(times) = times {
        times.expect("times", count)?;
    }
    values.expect_shape("values", count, dim)
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    functions!(module; mj_stateSize mj_getState mj_setState mj_extractState mj_copyState mj_copyData
        mj_resetData mj_resetDataKeyframe mj_resetDataDebug mj_setKeyframe mj_readCtrl mj_readSensor mj_initCtrlHistory
        mj_initSensorHistory);
    Ok(())
}
