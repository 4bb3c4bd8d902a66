//! System identification.

use super::cost::claim_memory;
use super::outcome::outcome;
use crate::args::Values;
use crate::call::PyModel;
use crate::callbacks::refuse_callbacks_on_threads;
use crate::errors::invalid;
use crate::model::Loaded;
use crate::signals::watched;
use kinetree_control::sysid::{
    Channel, Identification, IdentifySettings, IdentifyStatus, Quantity, Recording, Unknown, identify,
};
use kinetree_model::Model;
use numpy::PyArray1;
use pyo3::prelude::*;

type Array<'py> = Bound<'py, PyArray1<f64>>;

/// A quantity: its kind, the index of the object, the field; initial values, bounds, means and deviations of
/// the prior.
type UnknownLists =
    ((String, usize, String), Option<Vec<f64>>, [Option<Vec<f64>>; 2], Option<(Vec<f64>, Vec<f64>)>);

/// A recording: start and whether it is free; controls, channels and what was measured; deviations.
type RecordingLists = (Values, bool, Values, Vec<(String, usize)>, Values, Option<Vec<f64>>);

/// Name, value, deviation, interval, whether the value is at a bound.
type EstimateLists = (String, f64, f64, [f64; 2], bool);

/// What was identified: estimates, covariance, undetermined directions; the model; starts, predicted channels
/// and noise of each recording; costs, status, shares of analytic steps.
type Found<'py> = (
    Vec<EstimateLists>,
    Array<'py>,
    Vec<Vec<(usize, f64)>>,
    Loaded,
    [Vec<Array<'py>>; 3],
    Vec<f64>,
    &'static str,
    [f64; 2],
);

fn unknown((quantity, initial, [lower, upper], prior): UnknownLists) -> PyResult<Unknown> {
    let (kind, index, field) = quantity;
    let quantity = match kind.as_str() {
        "mass" => Quantity::Mass(index),
        "inertia" => Quantity::Inertia(index),
        "damping" => Quantity::Damping(index),
        "armature" => Quantity::Armature(index),
        "frictionloss" => Quantity::FrictionLoss(index),
        "stiffness" => Quantity::Stiffness(index),
        "gain" => Quantity::Gain(index),
        "servo_damping" => Quantity::ServoDamping(index),
        "friction" => Quantity::Friction(index),
        "delay" => Quantity::Delay(index),
        "field" => Quantity::Field(field, index),
        other => return Err(invalid(format!("there is no quantity '{other}'"))),
    };
    Ok(Unknown { quantity, initial, lower, upper, prior })
}

fn recording(
    (start, free_start, controls, channels, measured, noise): RecordingLists,
) -> PyResult<Recording> {
    let channel = |(kind, index): (String, usize)| match kind.as_str() {
        "position" => Ok(Channel::Position(index)),
        "velocity" => Ok(Channel::Velocity(index)),
        "sensor" => Ok(Channel::Sensor(index)),
        other => Err(invalid(format!("there is no channel '{other}'"))),
    };
    Ok(Recording {
        start: start.values,
        free_start,
        controls: controls.values,
        channels: channels.into_iter().map(channel).collect::<PyResult<_>>()?,
        measured: measured.values,
        noise,
    })
}

/// Numbers of the Jacobian of the longest recording, and of all states.
fn numbers(model: &Model, unknowns: &[Unknown], recordings: &[Recording]) -> Option<usize> {
    let count = unknowns.iter().map(|unknown| unknown.quantity.count()).sum::<usize>();
    let width = count.checked_add(2 * model.nv + model.na)?;
    let rows = recordings.iter().map(|recording| recording.measured.len()).max().unwrap_or(0);
    let state = |recording: &Recording| recording.steps().checked_mul(recording.start.len() + model.nu);
    let states = recordings.iter().map(state).try_fold(0_usize, |sum, next| sum.checked_add(next?))?;
    rows.checked_mul(width)?.checked_add(states.checked_mul(2)?)
}

fn found<'py>(py: Python<'py>, found: Identification) -> Found<'py> {
    let estimate = |estimate: kinetree_control::sysid::Estimate| {
        (estimate.name, estimate.value, estimate.deviation, estimate.interval, estimate.at_bound)
    };
    let arrays = |lists: Vec<Vec<f64>>| lists.into_iter().map(|list| PyArray1::from_vec(py, list)).collect();
    let status = match found.status {
        IdentifyStatus::Converged => "converged",
        IdentifyStatus::IterationLimit => "iteration limit",
        IdentifyStatus::Interrupted => "interrupted",
    };
    (
        found.estimates.into_iter().map(estimate).collect(),
        PyArray1::from_vec(py, found.covariance),
        found.undetermined,
        Loaded::new(found.model),
        [found.starts, found.predicted, found.noise].map(arrays),
        found.costs,
        status,
        found.analytic,
    )
}

/// Identifies quantities of a model. An exception that ends it early, as Ctrl-C raises, has what was found
/// until then as `solution`.
#[pyfunction]
pub(super) fn sysid_identify<'py>(
    py: Python<'py>,
    m: PyModel<'_, 'py>,
    unknowns: Vec<UnknownLists>,
    recordings: Vec<RecordingLists>,
    iterations: usize,
    tolerance: f64,
    confidence: f64,
    undetermined: f64,
) -> PyResult<Found<'py>> {
    refuse_callbacks_on_threads()?;
    let unknowns: Vec<Unknown> = unknowns.into_iter().map(unknown).collect::<PyResult<_>>()?;
    let recordings: Vec<Recording> = recordings.into_iter().map(recording).collect::<PyResult<_>>()?;
    let settings = IdentifySettings { iterations, tolerance, confidence, undetermined };
    let model = &*m.get().sound()?;
    claim_memory("the identification", numbers(model, &unknowns, &recordings))?;
    let mut result = None;
    let ended = py.detach(|| watched(|| result = Some(identify(model, &unknowns, &recordings, &settings))));
    outcome(py, ended, result, found)
}
