//! States that are not finite numbers, written by a program.
//!
//! The engine resets a simulation whose state is not a number, and counts a warning: a step that diverges
//! must not end a long experiment. A state that a program has written so is a mistake in the program; to
//! reset it would hide the mistake and lose the state. So functions that begin with a state refuse it, and
//! leave it as it is. Controls are the exception: the engine takes bad ones for zero, and counts a warning.
//! Programs that were written for the reference wait for its warning instead of an exception: under
//! `as_mujoco` such states are the engine's, too.

use crate::errors::fatal;
use kinetree_model::Data;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether states that a program has written are left to the engine.
static ARE_THE_ENGINES: AtomicBool = AtomicBool::new(false);

/// Leaves states that are not finite to the engine, which resets them and counts a warning.
#[pyfunction]
fn _leave_states_to_engine() {
    ARE_THE_ENGINES.store(true, Ordering::Relaxed);
}

/// Whether all values are finite; without branches, since they nearly always are.
fn all_finite(values: &[f64]) -> bool {
    values.iter().fold(true, |all, x| all & x.is_finite())
}

/// Whether the state is finite, as far as steps change it.
pub(crate) fn is_finite(d: &Data) -> bool {
    d.time.is_finite() & all_finite(&d.qpos) & all_finite(&d.qvel) & all_finite(&d.act)
}

/// An error when a program has written numbers to the state or the inputs that are not finite. A state that
/// has `diverged` is the engine's.
pub(crate) fn refuse(d: &Data, diverged: bool) -> PyResult<()> {
    let diverged = diverged || ARE_THE_ENGINES.load(Ordering::Relaxed);
    let inputs = [
        ("qfrc_applied", 1, &d.qfrc_applied[..]),
        ("xfrc_applied", 6, d.xfrc_applied.as_flattened()),
        ("mocap_pos", 3, d.mocap_pos.as_flattened()),
        ("mocap_quat", 4, d.mocap_quat.as_flattened()),
    ];
    let inputs_finite = inputs.iter().fold(true, |all, (_, _, values)| all & all_finite(values));
    if inputs_finite && (diverged || is_finite(d)) {
        return Ok(());
    }
    let time = [d.time];
    let state =
        [("time", 0, time.as_slice()), ("qpos", 1, &d.qpos), ("qvel", 1, &d.qvel), ("act", 1, &d.act)];
    let state = state.iter().filter(|_| !diverged);
    for &(name, columns, values) in state.chain(&inputs) {
        if let Some(i) = values.iter().position(|x| !x.is_finite()) {
            return Err(fatal(message(&place(name, columns, i), values[i])));
        }
    }
    Ok(())
}

/// What to tell about a value, and what to do about it.
pub(crate) fn message(place: &str, value: f64) -> String {
    let value = if value.is_nan() { "NaN".to_owned() } else { value.to_string() };
    format!("{place} is {value}: write a finite number, or reset the data")
}

/// Name of a value with its index, in an array of so many columns; none for a single number.
fn place(name: &str, columns: usize, index: usize) -> String {
    match columns {
        0 => name.to_owned(),
        1 => format!("{name}[{index}]"),
        _ => format!("{name}[{}, {}]", index / columns, index % columns),
    }
}

/// Adds the function to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_leave_states_to_engine, module)?)
}
