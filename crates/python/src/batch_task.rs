//! A step of a task as vector environments make it: actions go in, and all that is told about the step comes
//! out as new arrays, in one call. What little a processor's caches keep of the interpreter while worlds are
//! stepped makes anything more in Python slow.

#![allow(clippy::needless_pass_by_value)] // arguments are made for the call

use crate::args::Values;
use crate::batch::CoreBatch;
use crate::errors::invalid;
use kinetree_batch::BatchSim;
use numpy::ndarray::{Array2, ArrayView2};
use numpy::{PyArray1, PyArray2, PyArrayDyn};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Observations, rewards, terminated, truncated, infos, worlds whose episode has ended, and whether a world
/// has failed.
type Told<'py> = (
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyDict>,
    Vec<usize>,
    bool,
);

/// Numbers of an array in double precision, and whether they were in single precision.
fn numbers(actions: &Bound<'_, PyAny>) -> PyResult<(Values, bool)> {
    if actions.cast::<PyArrayDyn<f32>>().is_err() {
        return Ok((actions.extract()?, false));
    }
    let Values { values, shape } = actions.extract::<Values<f32>>()?;
    Ok((Values { values: values.into_iter().map(f64::from).collect(), shape }, true))
}

/// A table with a row for each world.
fn table(numbers: &[f64], worlds: usize) -> PyResult<ArrayView2<'_, f64>> {
    let shape = (worlds, numbers.len() / worlds.max(1));
    ArrayView2::from_shape(shape, numbers).map_err(invalid)
}

#[pymethods]
impl CoreBatch {
    /// Takes actions over as controls, if all are finite. Returns whether they were in single precision.
    fn take_actions(&self, actions: &Bound<'_, PyAny>) -> PyResult<bool> {
        let (Values { values: actions, shape }, single_precision) = numbers(actions)?;
        let (worlds, columns) = {
            let batch = self.read()?;
            (batch.len(), batch.control_columns())
        };
        if shape != [worlds, columns] {
            return Err(PyValueError::new_err(format!(
                "actions must have shape ({worlds}, {columns}), a row for each world, but have {shape:?}"
            )));
        }
        if let Some(place) = actions.iter().position(|action| !action.is_finite()) {
            let (world, column) = (place / columns, place % columns);
            let value = if actions[place].is_nan() { "nan".to_owned() } else { actions[place].to_string() };
            return Err(PyValueError::new_err(format!(
                "action {column} of world {world} is {value}; actions must be finite numbers"
            )));
        }
        self.with(|batch| batch.controls_mut().copy_from_slice(&actions))?;
        Ok(single_precision)
    }

    /// Makes a step of the task; worlds in `fresh` begin an episode with the state in the table instead.
    fn act<'py>(&self, py: Python<'py>, fresh: Vec<usize>, single_precision: bool) -> PyResult<Told<'py>> {
        let fresh = self.flags(&fresh)?;
        self.with(BatchSim::copy_observations)?;
        let stepped = self.make_steps(py, 1, &fresh, single_precision);
        let copy = self.with(BatchSim::take_copy)?;
        stepped?;
        let batch = self.read()?;
        let worlds = batch.len();
        let observations =
            Array2::from_shape_vec((worlds, copy.len() / worlds.max(1)), copy).map_err(invalid)?;
        let (terminated, truncated) = (batch.terminated(), batch.truncated());
        Ok((
            PyArray2::from_owned_array(py, observations),
            PyArray1::from_slice(py, batch.rewards()),
            PyArray1::from_slice(py, terminated),
            PyArray1::from_slice(py, truncated),
            self.metrics().infos(py, &table(batch.metrics(), worlds)?, &fresh)?,
            (0..worlds).filter(|world| terminated[*world] | truncated[*world]).collect(),
            batch.errors().iter().any(Option::is_some),
        ))
    }
}

impl CoreBatch {
    /// A flag for each world, true for those in a list; none at all for an empty list.
    fn flags(&self, list: &[usize]) -> PyResult<Vec<bool>> {
        let worlds = self.read()?.len();
        let mut flags = vec![false; if list.is_empty() { 0 } else { worlds }];
        for world in list {
            let flag = flags.get_mut(*world).ok_or_else(|| {
                PyIndexError::new_err(format!("there is no world {world}; there are {worlds}"))
            })?;
            *flag = true;
        }
        Ok(flags)
    }
}
