//! Control by samples.

use super::cost::{CostLists, claim_memory};
use super::outcome::outcome;
use crate::args::Values;
use crate::call::{PyData, PyModel, run};
use crate::callbacks::refuse_callbacks_on_threads;
use crate::errors::invalid;
use kinetree_control::{Method, Planner, SampledSolution, Sampler, SamplerSettings};
use numpy::PyArray1;
use pyo3::prelude::*;

type Array<'py> = Bound<'py, PyArray1<f64>>;

/// What a search by samples has found: states, controls, sensors and knots, flat; costs; whether it was
/// interrupted.
type Found<'py> = ([Array<'py>; 4], Vec<f64>, bool);

/// A method by its name and up to two numbers.
pub(super) fn method_of(name: &str, first: f64, second: f64) -> PyResult<Method> {
    let mut method = name.parse().map_err(invalid)?;
    match &mut method {
        Method::Predictive => {}
        Method::CrossEntropy { elites, least_spread } => (*elites, *least_spread) = (first as usize, second),
        Method::PathIntegral { temperature } => *temperature = first,
    }
    Ok(method)
}

fn found<'py>(py: Python<'py>, solution: SampledSolution) -> Found<'py> {
    let path = solution.trajectory;
    let lists = [path.states, path.controls, path.sensors, solution.knots];
    (lists.map(|list| PyArray1::from_vec(py, list)), solution.costs, solution.is_interrupted)
}

/// A search over splines of controls from the state of a data. An exception that ends it early, as Ctrl-C
/// raises, has what was found until then as `solution`.
#[pyfunction]
pub(super) fn control_sample<'py>(
    py: Python<'py>,
    m: PyModel<'_, 'py>,
    d: PyData<'_, 'py>,
    steps: usize,
    cost: CostLists,
    method: (String, f64, f64),
    samples: usize,
    knots: (usize, Option<Values>),
    interpolation: &str,
    noise: f64,
    seed: u64,
    iterations: usize,
) -> PyResult<Found<'py>> {
    refuse_callbacks_on_threads()?;
    let method = method_of(&method.0, method.1, method.2)?;
    let interpolation = interpolation.parse().map_err(invalid)?;
    let (knots, begin) = knots;
    let settings = SamplerSettings { method, samples, knots, interpolation, noise, seed };
    let cost = {
        let model = &*m.get().sound()?;
        let planner = Planner::Sampler(settings.clone());
        claim_memory("the samples", planner.bytes(model, steps, cost.has_sensors()))?;
        cost.build(model)?
    };
    let mut result = None;
    let ended = run(m, d, |model, data| {
        let solve = || {
            let mut sampler = Sampler::new(model, steps, settings)?;
            if let Some(begin) = &begin {
                sampler.set_knots(&begin.values)?;
            }
            sampler.solve(&cost, data, iterations)
        };
        result = Some(solve());
    });
    outcome(py, ended, result, found)
}
