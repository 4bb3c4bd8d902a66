//! Regulators, derivatives of trajectories and iterative LQR.

#![allow(clippy::needless_pass_by_value)] // arguments are made for the call

use crate::args::Values;
use crate::call::{PyData, PyModel, run};
use crate::errors::{claim, invalid};
use crate::functions::functions;
use crate::signals::watched;
use kinetree_control as control;
use kinetree_control::{Ilqr, Norm, QuadraticCost, SensorTerm, Settings, Status};
use kinetree_model::Model;
use numpy::PyArray1;
use pyo3::prelude::*;

type Array<'py> = Bound<'py, PyArray1<f64>>;

/// A term of a sensor: index, target, weights of steps and of the end, name of the norm, its width.
type Term = (usize, Vec<f64>, f64, f64, String, f64);

/// `A`, `B`, `C` and `D` of all steps of a trajectory, flat.
#[pyfunction]
fn control_transitions<'py>(
    py: Python<'py>,
    m: PyModel<'_, 'py>,
    states: Values,
    controls: Values,
    sensors: bool,
) -> PyResult<[Array<'py>; 4]> {
    let model = &*m.get().sound()?;
    let size = control::state_size(model).map_err(invalid)?;
    claim_derivatives(model, states.values.len() / size, sensors)?;
    let found = py
        .detach(|| watched(|| control::transitions(model, &states.values, &controls.values, sensors)))?
        .map_err(invalid)?;
    Ok([found.a, found.b, found.c, found.d].map(|list| PyArray1::from_vec(py, list)))
}

/// An error when there is no memory for the derivatives of so many steps.
fn claim_derivatives(model: &Model, steps: usize, sensors: bool) -> PyResult<()> {
    let (nx, nu) = (2 * model.nv + model.na, model.nu);
    let rows = nx + if sensors { model.nsensordata } else { 0 };
    let bytes = [rows, nx + nu, steps, size_of::<f64>()].into_iter().try_fold(1, usize::checked_mul);
    claim("the derivatives", bytes.unwrap_or(usize::MAX))
}

/// Gain and cost of a linear-quadratic regulator.
#[pyfunction]
fn control_lqr<'py>(
    py: Python<'py>,
    a: Values,
    b: Values,
    q: Values,
    r: Values,
    nx: usize,
    nu: usize,
) -> PyResult<[Array<'py>; 2]> {
    let solve = || control::lqr(&a.values, &b.values, &q.values, &r.values, nx, nu);
    let found = py.detach(solve).map_err(invalid)?;
    Ok([found.gain, found.cost].map(|list| PyArray1::from_vec(py, list)))
}

/// Gains and costs of a regulator along a trajectory.
#[pyfunction]
fn control_tvlqr<'py>(
    py: Python<'py>,
    a: Values,
    b: Values,
    q: Values,
    r: Values,
    q_end: Values,
    nx: usize,
    nu: usize,
) -> PyResult<[Array<'py>; 2]> {
    let solve = || control::tvlqr(&a.values, &b.values, &q.values, &r.values, &q_end.values, nx, nu);
    let found = py.detach(solve).map_err(invalid)?;
    Ok([found.gain, found.cost].map(|list| PyArray1::from_vec(py, list)))
}

/// A cost from the lists that describe it, those that were given.
fn cost_of(
    model: &Model,
    target: Option<(Vec<f64>, Vec<f64>)>,
    [running, terminal, controls, control_target]: [Option<Vec<f64>>; 4],
    terms: Vec<Term>,
) -> PyResult<QuadraticCost> {
    let mut cost = QuadraticCost::new(model);
    if let Some((qpos, qvel)) = target {
        cost = cost.target(&qpos, &qvel).map_err(invalid)?;
    }
    if let Some(weights) = running {
        cost = cost.running_weights(&weights).map_err(invalid)?;
    }
    if let Some(weights) = terminal {
        cost = cost.terminal_weights(&weights).map_err(invalid)?;
    }
    if let Some(weights) = controls {
        cost = cost.control_weights(&weights).map_err(invalid)?;
    }
    if let Some(controls) = control_target {
        cost = cost.control_target(&controls).map_err(invalid)?;
    }
    for (sensor, target, running, terminal, norm, width) in terms {
        let norm = match norm.as_str() {
            "quadratic" => Norm::Quadratic,
            "length" => Norm::Length { width },
            "absolute" => Norm::Absolute { width },
            other => {
                return Err(invalid(format!(
                    "there is no norm '{other}'; there are 'quadratic', 'length' and 'absolute'"
                )));
            }
        };
        cost = cost.sensor(model, SensorTerm { sensor, target, running, terminal, norm }).map_err(invalid)?;
    }
    Ok(cost)
}

/// The name of a status.
fn name(status: Status) -> &'static str {
    match status {
        Status::Improved => "improved",
        Status::Rejected => "rejected",
        Status::Converged => "converged",
        Status::Stuck => "stuck",
        Status::IterationLimit => "iteration limit",
        Status::Interrupted => "interrupted",
    }
}

/// What iterative LQR has found: states, controls, sensors and gains, flat; costs, iterations, status.
type Found<'py> = ([Array<'py>; 4], Vec<f64>, usize, &'static str);

/// Iterative LQR from the state of a data.
#[pyfunction]
fn control_ilqr<'py>(
    py: Python<'py>,
    m: PyModel<'_, 'py>,
    d: PyData<'_, 'py>,
    controls: Values,
    steps: usize,
    target: Option<(Vec<f64>, Vec<f64>)>,
    weights: [Option<Vec<f64>>; 4],
    terms: Vec<Term>,
    iterations: usize,
    tolerance: f64,
    regularization: f64,
    limits: bool,
) -> PyResult<Found<'py>> {
    let cost = {
        let model = &*m.get().sound()?;
        claim_derivatives(model, steps, !terms.is_empty())?;
        cost_of(model, target, weights, terms)?
    };
    let settings = Settings { iterations, tolerance, regularization, limits, ..Settings::default() };
    let found = run(m, d, |model, data| {
        let start = data.clone();
        Ilqr::new(model, steps, settings)?.solve(&cost, &start, &controls.values)
    })?
    .map_err(invalid)?;
    let path = found.trajectory;
    let lists = [path.states, path.controls, path.sensors, found.gains];
    Ok((lists.map(|list| PyArray1::from_vec(py, list)), found.costs, found.iterations, name(found.status)))
}

/// Adds the functions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    functions!(module; control_transitions control_lqr control_tvlqr control_ilqr);
    Ok(())
}
