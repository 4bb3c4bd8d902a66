//! Regulators, derivatives of trajectories and iterative LQR.

use super::cost::{CostLists, claim_memory};
use super::outcome::outcome;
use crate::args::Values;
use crate::call::{PyData, PyModel, run};
use crate::callbacks::refuse_callbacks_on_threads;
use crate::errors::invalid;
use crate::signals::watched;
use kinetree_control as control;
use kinetree_control::{Ilqr, Planner, Settings, Solution, Status};
use numpy::PyArray1;
use pyo3::prelude::*;

type Array<'py> = Bound<'py, PyArray1<f64>>;

/// `A`, `B`, `C` and `D` of all steps of a trajectory, flat.
#[pyfunction]
pub(super) fn control_transitions<'py>(
    py: Python<'py>,
    m: PyModel<'_, 'py>,
    states: Values,
    controls: Values,
    sensors: bool,
) -> PyResult<[Array<'py>; 4]> {
    refuse_callbacks_on_threads()?;
    let model = &*m.get().sound()?;
    let size = control::state_size(model).map_err(invalid)?;
    claim_memory("the derivatives", control::transition_bytes(model, states.values.len() / size, sensors))?;
    let found = py
        .detach(|| watched(|| control::transitions(model, &states.values, &controls.values, sensors)))?
        .map_err(invalid)?;
    Ok([found.a, found.b, found.c, found.d].map(|list| PyArray1::from_vec(py, list)))
}

/// Gain and cost of a linear-quadratic regulator.
#[pyfunction]
pub(super) fn control_lqr<'py>(
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
pub(super) fn control_tvlqr<'py>(
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

/// What a search has found, as lists of Python.
fn found<'py>(py: Python<'py>, solution: Solution) -> Found<'py> {
    let path = solution.trajectory;
    let lists = [path.states, path.controls, path.sensors, solution.gains];
    let status = name(solution.status);
    (lists.map(|list| PyArray1::from_vec(py, list)), solution.costs, solution.iterations, status)
}

/// Iterative LQR from the state of a data. An exception that ends it early, as Ctrl-C raises, has what was
/// found until then as `solution`.
#[pyfunction]
pub(super) fn control_ilqr<'py>(
    py: Python<'py>,
    m: PyModel<'_, 'py>,
    d: PyData<'_, 'py>,
    controls: Values,
    steps: usize,
    cost: CostLists,
    iterations: usize,
    tolerance: f64,
    regularization: f64,
    limits: bool,
) -> PyResult<Found<'py>> {
    refuse_callbacks_on_threads()?;
    let settings = Settings { iterations, tolerance, regularization, limits, ..Settings::default() };
    let cost = {
        let model = &*m.get().sound()?;
        let planner = Planner::Ilqr(settings.clone());
        claim_memory("the search", planner.bytes(model, steps, cost.has_sensors()))?;
        cost.build(model)?
    };
    let mut result = None;
    let ended = run(m, d, |model, data| {
        let solve = || Ilqr::new(model, steps, settings)?.solve(&cost, data, &controls.values);
        result = Some(solve());
    });
    outcome(py, ended, result, found)
}
