//! Functions of numbers, muscles and friction pyramids.

use super::functions;
use crate::args::{Fixed, Out, Values, filled};
use crate::errors::fatal;
use kinetree_math::misc;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// The smaller of two numbers `a` and `b`.
#[pyfunction]
fn mju_min(a: f64, b: f64) -> f64 {
    if a <= b { a } else { b }
}

/// The larger of two numbers `a` and `b`.
#[pyfunction]
fn mju_max(a: f64, b: f64) -> f64 {
    if a >= b { a } else { b }
}

/// The number `x` limited to the interval from `min` to `max`.
#[pyfunction]
fn mju_clip(x: f64, min: f64, max: f64) -> f64 {
    misc::clip(x, min, max)
}

/// Sign of the number `x`: -1, 0 or 1.
#[pyfunction]
fn mju_sign(x: f64) -> f64 {
    misc::sign(x)
}

/// The integer nearest to the number `x`.
#[pyfunction]
fn mju_round(x: f64) -> i32 {
    misc::round(x)
}

/// 1 if `x` is not finite or larger than `mjMAXVAL`, so that no simulation can go on with it; else 0.
#[pyfunction]
fn mju_isBad(x: f64) -> i32 {
    i32::from(misc::is_bad(x))
}

/// Polynomial that rises from 0 at `x = 0` to 1 at `x = 1` with two derivatives that vanish at both ends;
/// constant beyond.
#[pyfunction]
fn mju_sigmoid(x: f64) -> f64 {
    misc::sigmoid(x)
}

/// Element of the Halton sequence, quasi-random numbers between 0 and 1.
///
/// Args:
///     index: which element.
///     base: base of the sequence, a prime, at least 2.
#[pyfunction]
fn mju_Halton(index: i32, base: i32) -> PyResult<f64> {
    if base < 2 {
        return Err(fatal("mju_Halton: the base must be at least 2"));
    }
    Ok(misc::halton(index, base))
}

/// Position of a free spring-damper of unit mass after some time, in closed form.
///
/// Args:
///     pos0: position at the start (m).
///     vel0: velocity at the start (m/s).
///     Kp: stiffness per mass (1/s²).
///     Kv: damping per mass (1/s).
///     dt: the time (s).
#[pyfunction]
#[allow(non_snake_case)]
fn mju_springDamper(pos0: f64, vel0: f64, Kp: f64, Kv: f64, dt: f64) -> f64 {
    misc::spring_damper(pos0, vel0, Kp, Kv, dt)
}

/// Gain of a muscle: its active force, negative, at full activation.
///
/// Args:
///     len: length of the actuator (m or rad).
///     vel: its velocity.
///     lengthrange: shortest and longest length, shape (2,).
///     acc0: acceleration that a unit force causes at `qpos0`, `m.actuator_acc0`.
///     prm: range (2), force, scale, lmin, lmax, vmax, fpmax, fvmax; shape (9,).
#[pyfunction]
fn mju_muscleGain(len: f64, vel: f64, lengthrange: Fixed<2>, acc0: f64, prm: Fixed<9>) -> f64 {
    misc::muscle_gain(len, vel, &lengthrange.0, acc0, &prm.0)
}

/// Bias of a muscle: its passive force, negative.
///
/// Args:
///     len: length of the actuator (m or rad).
///     lengthrange: shortest and longest length, shape (2,).
///     acc0: acceleration that a unit force causes at `qpos0`, `m.actuator_acc0`.
///     prm: range (2), force, scale, lmin, lmax, vmax, fpmax, fvmax; shape (9,).
#[pyfunction]
fn mju_muscleBias(len: f64, lengthrange: Fixed<2>, acc0: f64, prm: Fixed<9>) -> f64 {
    misc::muscle_bias(len, &lengthrange.0, acc0, &prm.0)
}

/// Time derivative of the activation of a muscle.
///
/// Args:
///     ctrl: control, limited to 0 … 1.
///     act: activation.
///     prm: time constants of activation and deactivation (s), and the width of the smooth
///         switch; shape (3,).
#[pyfunction]
fn mju_muscleDynamics(ctrl: f64, act: f64, prm: Fixed<3>) -> f64 {
    misc::muscle_dynamics(ctrl, act, &prm.0)
}

/// Checks the sizes of pyramid and force for a number of friction coefficients.
fn check_pyramid(pyramid: usize, force: usize, mu: usize) -> PyResult<()> {
    if pyramid == 2 * mu && force == mu + 1 {
        return Ok(());
    }
    Err(PyTypeError::new_err(format!(
        "with {mu} friction coefficients, pyramid has {} and force {} values",
        2 * mu,
        mu + 1
    )))
}

/// Writes a contact force as a combination of the edges of a friction pyramid.
///
/// Args:
///     pyramid: array of `2 * dim - 2` values that gets the edge forces.
///     force: normal and friction forces, `dim` values.
///     mu: friction coefficients, `dim - 1` values.
#[pyfunction]
fn mju_encodePyramid(pyramid: Out<'_>, force: Values, mu: Values) -> PyResult<()> {
    check_pyramid(pyramid.len(), force.len(), mu.len())?;
    let mut edges = filled(0.0, pyramid.len())?;
    misc::encode_pyramid(&mut edges, &force.values, &mu.values);
    pyramid.write(&edges)
}

/// Contact force of a combination of the edges of a friction pyramid.
///
/// Args:
///     force: array of `dim` values that gets normal and friction forces.
///     pyramid: edge forces, `2 * dim - 2` values.
///     mu: friction coefficients, `dim - 1` values.
#[pyfunction]
fn mju_decodePyramid(force: Out<'_>, pyramid: Values, mu: Values) -> PyResult<()> {
    check_pyramid(pyramid.len(), force.len(), mu.len())?;
    let mut result = filled(0.0, force.len())?;
    misc::decode_pyramid(&mut result, &pyramid.values, &mu.values);
    force.write(&result)
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    functions!(module; mju_min mju_max mju_clip mju_sign mju_round mju_isBad mju_sigmoid mju_Halton mju_springDamper
        mju_muscleGain mju_muscleBias mju_muscleDynamics mju_encodePyramid mju_decodePyramid);
    Ok(())
}
