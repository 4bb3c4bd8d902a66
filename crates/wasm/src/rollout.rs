//! Trajectories: many steps in one call.

use crate::data::DataHandle;
use crate::errors::{Outcome, failure, set};
use crate::model::ModelHandle;
use js_sys::{Float64Array, Object};
use kinetree_model::enums::StateBit;
use kinetree_model::{STATE_FULLPHYSICS, begin_trajectory, mj_get_state, mj_state_size};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Trajectories from several first states (full physics states, one after the other), with controls for each
/// step of each. Returns an object with `state` and `sensordata`: for each trajectory and step a row.
///
/// # Errors
/// When the arrays do not belong together, or a step fails.
#[wasm_bindgen]
pub fn rollout(
    model: &ModelHandle,
    data: &mut DataHandle,
    first: &[f64],
    controls: &[f64],
    steps: usize,
) -> Outcome<JsValue> {
    let checked = model.checked()?;
    let size = mj_state_size(checked, STATE_FULLPHYSICS).map_err(failure)?;
    let (count, rest) = (first.len() / size.max(1), first.len() % size.max(1));
    if rest != 0 {
        return Err(failure(format!("first states have {size} numbers each; {} are given", first.len())));
    }
    let nu = checked.nu;
    // memory has 32-bit addresses: large numbers of steps overflow
    let rows = |width: usize| count.checked_mul(steps).and_then(|rows| rows.checked_mul(width));
    if !controls.is_empty() && rows(nu) != Some(controls.len()) {
        return Err(failure(format!(
            "controls of {count} trajectories of {steps} steps are {count} × {steps} × {nu} numbers; {} are given",
            controls.len()
        )));
    }
    let (mut state, mut sensors) = (Vec::new(), Vec::new());
    let too_many = || failure(format!("there is no memory for {count} trajectories of {steps} steps"));
    state.try_reserve_exact(rows(size).ok_or_else(too_many)?).map_err(|_| too_many())?;
    sensors.try_reserve_exact(rows(checked.nsensordata).ok_or_else(too_many)?).map_err(|_| too_many())?;
    data.with(model, |model, data| {
        for (i, first) in first.chunks_exact(size).enumerate() {
            let driven = if controls.is_empty() { 0 } else { StateBit::Ctrl as u32 };
            begin_trajectory(model, data, first, None, driven).map_err(|problem| problem.to_string())?;
            for step in 0..steps {
                if let Some(row) = controls.chunks_exact(model.nu.max(1)).nth(i * steps + step) {
                    data.ctrl.copy_from_slice(&row[..model.nu]);
                }
                // after a bad state the rest of the trajectory repeats the last result
                if data.warning.iter().all(|warning| warning.number == 0) {
                    data.step(model).map_err(|problem| problem.to_string())?;
                }
                let place = state.len();
                state.resize(place + size, 0.0);
                mj_get_state(model, data, &mut state[place..], STATE_FULLPHYSICS)
                    .map_err(|problem| problem.to_string())?;
                sensors.extend_from_slice(&data.sensordata);
            }
        }
        Ok::<_, String>(())
    })?;
    let result: JsValue = Object::new().into();
    set(&result, "state", Float64Array::from(&state[..]));
    set(&result, "sensordata", Float64Array::from(&sensors[..]));
    Ok(result)
}

/// Components of states by name and bit, a line each.
#[wasm_bindgen(js_name = stateComponents)]
#[must_use]
pub fn state_components() -> String {
    let named = [
        ("time", StateBit::Time as u32),
        ("qpos", StateBit::Qpos as u32),
        ("qvel", StateBit::Qvel as u32),
        ("act", StateBit::Act as u32),
        ("ctrl", StateBit::Ctrl as u32),
        ("warmstart", StateBit::Warmstart as u32),
        ("physics", kinetree_model::STATE_PHYSICS),
        ("fullphysics", STATE_FULLPHYSICS),
        ("user", kinetree_model::STATE_USER),
        ("integration", kinetree_model::STATE_INTEGRATION),
    ];
    named.iter().map(|(name, bits)| format!("{name}\t{bits}\n")).collect()
}
