//! State vectors, resets, keyframes, delayed controls and sensors.

use crate::export;
use crate::ffi::fault::{Served, fault};
use crate::ffi::handle::{DataPtr, ModelPtr, change, run};
use crate::ffi::pointer::{In, Out, count};
use crate::functions::index;
use kinetree_model as model;
use kinetree_model::{Model, StateError};
use kinetree_sim as sim;
use kinetree_sim::Interpolation;

/// The components of a signature and how many numbers they have.
fn state_size(m: &Model, sig: i32) -> Served<(u32, usize)> {
    let bad = || format!("mj_stateSize: invalid state signature {sig} >= 2^mjNSTATE");
    let Ok(signature) = u32::try_from(sig) else { return fault(bad()) };
    match model::mj_state_size(m, signature) {
        Ok(size) => Ok((signature, size)),
        Err(StateError::InvalidSignature { .. }) => fault(bad()),
        Err(other) => Err(other.into()),
    }
}

fn interpolation(order: i32) -> Option<Interpolation> {
    (order >= 0).then(|| Interpolation::from(order))
}

/// Where the values of a sample lie in a history, if no interpolation is needed: before the first, after the
/// last, at the time of one, or always with zero-order hold.
pub fn sample_at(buffer: &[f64], n: usize, dim: usize, t: f64, order: i32) -> Option<usize> {
    let cursor = *buffer.get(1)? as usize;
    let slot = |i: usize| (cursor + 1 + i) % n;
    let time = |i: usize| buffer[2 + slot(i)];
    let place = |i: usize| Some(2 + n + slot(i) * dim);
    if t <= time(0) + kinetree_math::MINVAL {
        return place(0);
    }
    if t >= time(n - 1) - kinetree_math::MINVAL {
        return place(n - 1);
    }
    let next = (0..n).find(|&i| time(i) >= t - kinetree_math::MINVAL)?;
    if (time(next) - t).abs() < kinetree_math::MINVAL {
        return place(next);
    }
    if order == 0 { place(next - 1) } else { None }
}

/// Times of samples, which may be missing, and their values.
type Samples<'a> = (Option<&'a [f64]>, &'a [f64]);

fn samples<'a>(times: In<'a, f64>, values: In<'a, f64>, count: usize, dim: usize) -> Served<Samples<'a>> {
    Ok((times.optional(count)?, values.list(count * dim)?))
}

/// Resets a data, and says which plugin could not.
fn reset(m: ModelPtr<'_>, d: DataPtr<'_>, f: impl FnOnce(&Model, &mut model::Data) -> Served) -> Served {
    run(m, d, |m, d| -> Served {
        f(m, d)?;
        Ok(sim::report_reset(m, d)?)
    })
}

export! {
    fn mj_stateSize(m: ModelPtr<'_>, sig: i32) -> i32 { Ok(state_size(m.get()?, sig)?.1 as i32) }
    fn mj_getState(m: ModelPtr<'_>, d: DataPtr<'_>, state: Out<'_, f64>, sig: i32) {
        let m = m.get()?;
        let (sig, size) = state_size(m, sig)?;
        Ok(model::mj_get_state(m, d.read()?, state.list(size)?, sig)?)
    }
    fn mj_setState(m: ModelPtr<'_>, d: DataPtr<'_>, state: In<'_, f64>, sig: i32) {
        let (sig, size) = state_size(m.get()?, sig)?;
        let state = state.list(size)?.to_vec();
        run(m, d, |m, d| model::mj_set_state(m, d, &state, sig))
    }
    fn mj_extractState(m: ModelPtr<'_>, src: In<'_, f64>, srcsig: i32, dst: Out<'_, f64>, dstsig: i32) {
        let m = m.get()?;
        if srcsig < 0 {
            return fault(format!("mj_extractState: invalid srcsig {srcsig} < 0"));
        }
        if dstsig & srcsig != dstsig {
            return fault("mj_extractState: dstsig is not a subset of srcsig");
        }
        let ((srcsig, from), (dstsig, to)) = (state_size(m, srcsig)?, state_size(m, dstsig)?);
        Ok(model::mj_extract_state(m, src.list(from)?, srcsig, dst.list(to)?, dstsig)?)
    }
    fn mj_copyState(m: ModelPtr<'_>, src: DataPtr<'_>, dst: DataPtr<'_>, sig: i32) {
        let (sig, size) = state_size(m.get()?, sig)?;
        let mut state = vec![0.0; size];
        model::mj_get_state(m.get()?, src.read()?, &mut state, sig)?;
        run(m, dst, |m, d| model::mj_set_state(m, d, &state, sig))
    }
    fn mj_resetData(m: ModelPtr<'_>, d: DataPtr<'_>) {
        d.raw()?.forget_stack();
        reset(m, d, |m, d| model::mj_reset_data(m, d).map_err(Into::into))
    }
    fn mj_resetDataDebug(m: ModelPtr<'_>, d: DataPtr<'_>, debug_value: u8) {
        // no array of this engine is left uninitialized, so there is nothing to mark
        let _ = debug_value;
        d.raw()?.forget_stack();
        reset(m, d, |m, d| model::mj_reset_data(m, d).map_err(Into::into))
    }
    fn mj_resetDataKeyframe(m: ModelPtr<'_>, d: DataPtr<'_>, key: i32) {
        d.raw()?.forget_stack();
        reset(m, d, |m, d| {
            match usize::try_from(key) {
                Ok(key) if key < m.nkey => model::mj_reset_data_keyframe(m, d, key)?,
                _ => model::mj_reset_data(m, d)?,
            }
            Ok(())
        })
    }
    fn mj_setKeyframe(m: ModelPtr<'_>, d: DataPtr<'_>, k: i32) {
        let Ok(key) = usize::try_from(k) else { return fault("mj_setKeyframe: keyframe index cannot be negative") };
        let nkey = m.get()?.nkey;
        if key >= nkey {
            return fault(format!("mj_setKeyframe: index must be smaller than {nkey} (keyframes allocated in model)"));
        }
        change(m, d, |m, d| model::mj_set_keyframe(m, d, key))
    }
    fn mj_readCtrl(m: ModelPtr<'_>, d: DataPtr<'_>, id: i32, time: f64, interp: i32) -> f64 {
        let m = m.get()?;
        Ok(sim::mj_read_ctrl(m, d.read()?, index("actuator", id, m.nu)?, time, interpolation(interp))?)
    }
    fn mj_readSensor(
        m: ModelPtr<'_>, d: DataPtr<'_>, id: i32, time: f64, result: Out<'_, f64>, interp: i32,
    ) -> *const f64 {
        let m = m.get()?;
        let d = d.read()?;
        let sensor = index("sensor", id, m.nsensor)?;
        if m.sensor_history[sensor][0] <= 0 {
            return Ok(d.sensordata[count(m.sensor_adr[sensor])..].as_ptr());
        }
        let (n, dim) = (count(m.sensor_history[sensor][0]), count(m.sensor_dim[sensor]));
        let buffer = &d.history[count(m.sensor_historyadr[sensor])..];
        let order = if interp >= 0 { interp } else { m.sensor_history[sensor][1] };
        if let Some(at) = sample_at(buffer, n, dim, time - m.sensor_delay[sensor], order) {
            return Ok(buffer[at..].as_ptr());
        }
        let mut values = vec![0.0; dim];
        sim::mj_read_sensor(m, d, sensor, time, &mut values, interpolation(interp))?;
        result.write(&values)?;
        Ok(std::ptr::null())
    }
    fn mj_initCtrlHistory(m: ModelPtr<'_>, d: DataPtr<'_>, id: i32, times: In<'_, f64>, values: In<'_, f64>) {
        run(m, d, |m, d| -> Served {
            let id = index("actuator", id, m.nu)?;
            let (times, values) = samples(times, values, count(m.actuator_history[id][0]), 1)?;
            Ok(sim::mj_init_ctrl_history(m, d, id, times, Some(values))?)
        })
    }
    fn mj_initSensorHistory(
        m: ModelPtr<'_>, d: DataPtr<'_>, id: i32, times: In<'_, f64>, values: In<'_, f64>, phase: f64,
    ) {
        run(m, d, |m, d| -> Served {
            let id = index("sensor", id, m.nsensor)?;
            let samples = samples(times, values, count(m.sensor_history[id][0]), count(m.sensor_dim[id]))?;
            Ok(sim::mj_init_sensor_history(m, d, id, samples.0, Some(samples.1), phase)?)
        })
    }
}
