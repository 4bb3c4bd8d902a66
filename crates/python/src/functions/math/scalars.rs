//! Functions of numbers, muscles and friction pyramids.

use super::functions;
use crate::args::{Fixed, Out, Values, filled};
use crate::errors::fatal;
use kinetree_math::misc;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// The smaller number.
#[pyfunction]
fn mju_min(a: f64, b: f64) -> f64 {
    if a <= b { a } else { b }
}

/// The larger number.
#[pyfunction]
fn mju_max(a: f64, b: f64) -> f64 {
    if a >= b { a } else { b }
}

/// `x` limited to an interval.
#[pyfunction]
fn mju_clip(x: f64, min: f64, max: f64) -> f64 {
    misc::clip(x, min, max)
}

/// -1, 0 or 1.
#[pyfunction]
fn mju_sign(x: f64) -> f64 {
    misc::sign(x)
}

/// The nearest integer.
#[pyfunction]
fn mju_round(x: f64) -> i32 {
    misc::round(x)
}

/// Whether a number is not finite or too large for a simulation.
#[pyfunction]
fn mju_isBad(x: f64) -> i32 {
    i32::from(misc::is_bad(x))
}

/// Smooth step from 0 to 1 with flat ends.
#[pyfunction]
fn mju_sigmoid(x: f64) -> f64 {
    misc::sigmoid(x)
}

/// Element of the Halton sequence of a prime base.
#[pyfunction]
fn mju_Halton(index: i32, base: i32) -> PyResult<f64> {
    if base < 2 {
        return Err(fatal("mju_Halton: the base must be at least 2"));
    }
    Ok(misc::halton(index, base))
}

/// Position of a spring-damper after time `dt`.
#[pyfunction]
#[allow(non_snake_case)]
fn mju_springDamper(pos0: f64, vel0: f64, Kp: f64, Kv: f64, dt: f64) -> f64 {
    misc::spring_damper(pos0, vel0, Kp, Kv, dt)
}

/// Active force of a muscle per unit of activation.
#[pyfunction]
fn mju_muscleGain(len: f64, vel: f64, lengthrange: Fixed<2>, acc0: f64, prm: Fixed<9>) -> f64 {
    misc::muscle_gain(len, vel, &lengthrange.0, acc0, &prm.0)
}

/// Passive force of a muscle.
#[pyfunction]
fn mju_muscleBias(len: f64, lengthrange: Fixed<2>, acc0: f64, prm: Fixed<9>) -> f64 {
    misc::muscle_bias(len, &lengthrange.0, acc0, &prm.0)
}

/// Time derivative of a muscle's activation.
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

/// Contact force as a combination of pyramid edges.
#[pyfunction]
fn mju_encodePyramid(pyramid: Out<'_>, force: Values, mu: Values) -> PyResult<()> {
    check_pyramid(pyramid.len(), force.len(), mu.len())?;
    let mut edges = filled(0.0, pyramid.len())?;
    misc::encode_pyramid(&mut edges, &force.values, &mu.values);
    pyramid.write(&edges)
}

/// Combination of pyramid edges as a contact force.
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
