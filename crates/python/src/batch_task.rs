//! A step of a task as vector environments make it: actions go in, and all that is told about the step comes
//! out as new arrays, in one call. What little a processor's caches keep of the interpreter while worlds are
//! stepped makes anything more in Python slow.

use crate::args::Values;
use crate::batch::{CoreBatch, invalid};
use kinetree_batch::BatchSim;
use numpy::ndarray::{Array2, ArrayView2, Axis, s};
use numpy::{PyArray1, PyArray2, PyArrayDyn, ToPyArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::ops::Range;

/// What the infos of a task are called.
pub(crate) struct Metrics {
    /// Columns in the table, name, and the name of the marks of worlds that have it.
    parts: Vec<(Range<usize>, Py<PyString>, Py<PyString>)>,
    /// How many of them any state has; the others are those of steps.
    of_states: usize,
}

impl Metrics {
    pub(crate) fn of(py: Python<'_>, batch: &BatchSim) -> Self {
        let [states, steps] = batch.metric_parts();
        let width = states.last().map_or(0, |part| part.columns.end);
        let shifted =
            steps.iter().map(|part| (part.name, part.columns.start + width..part.columns.end + width));
        let all = states.iter().map(|part| (part.name, part.columns.clone())).chain(shifted);
        let key = |name: &str| PyString::intern(py, name).unbind();
        let parts = all.map(|(name, columns)| (columns, key(name), key(&format!("_{name}")))).collect();
        Self { parts, of_states: states.len() }
    }

    /// The metrics by name: a number for each world, or a row.
    fn values<'py>(&self, py: Python<'py>, table: &ArrayView2<'_, f64>) -> PyResult<Bound<'py, PyDict>> {
        let values = PyDict::new(py);
        for (columns, name, _) in &self.parts {
            let name = name.bind(py);
            if columns.len() == 1 {
                values.set_item(name, table.index_axis(Axis(1), columns.start).to_pyarray(py))?;
            } else {
                values.set_item(name, table.slice(s![.., columns.clone()]).to_pyarray(py))?;
            }
        }
        Ok(values)
    }

    /// Which worlds have them: those that have just begun an episode have none of a step.
    fn marks<'py>(
        &self,
        py: Python<'py>,
        worlds: usize,
        fresh: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let marks = PyDict::new(py);
        for (i, (_, _, mark)) in self.parts.iter().enumerate() {
            let mask = match fresh {
                Some(fresh) if i >= self.of_states => PyArray1::from_iter(py, fresh.iter().map(|f| *f == 0)),
                _ => PyArray1::from_iter(py, std::iter::repeat_n(true, worlds)),
            };
            marks.set_item(mark.bind(py), mask)?;
        }
        Ok(marks)
    }
}

/// Observations, rewards, terminated, truncated, metrics and their marks, and whether a world has failed.
type Told<'py> = (
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyDict>,
    Bound<'py, PyDict>,
    bool,
);

/// Numbers of an array, in double precision.
fn numbers(actions: &Bound<'_, PyAny>) -> PyResult<Values> {
    if actions.cast::<PyArrayDyn<f32>>().is_err() {
        return actions.extract();
    }
    let Values { values, shape } = actions.extract::<Values<f32>>()?;
    Ok(Values { values: values.into_iter().map(f64::from).collect(), shape })
}

/// A table with a row for each world.
fn table(numbers: &[f64], worlds: usize) -> PyResult<ArrayView2<'_, f64>> {
    let shape = (worlds, numbers.len() / worlds.max(1));
    ArrayView2::from_shape(shape, numbers).map_err(invalid)
}

#[pymethods]
impl CoreBatch {
    /// Takes actions over as controls, if all are finite.
    fn take_actions(&self, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let Values { values: actions, shape } = numbers(actions)?;
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
        self.with(|batch| batch.controls_mut().copy_from_slice(&actions))
    }

    /// Makes a step of the task; worlds in the mask begin an episode with the state in the table instead.
    fn act<'py>(
        &self,
        py: Python<'py>,
        fresh: Option<Values<u8>>,
        single_precision: bool,
    ) -> PyResult<Told<'py>> {
        let begun = fresh.as_ref().map(|mask| mask.values.clone());
        self.with(BatchSim::copy_observations)?;
        let stepped = self.advance(py, 1, fresh, single_precision);
        let copy = self.with(BatchSim::take_copy)?;
        stepped?;
        let batch = self.read()?;
        let worlds = batch.len();
        let observations =
            Array2::from_shape_vec((worlds, copy.len() / worlds.max(1)), copy).map_err(invalid)?;
        let metrics = self.metrics();
        Ok((
            PyArray2::from_owned_array(py, observations),
            PyArray1::from_slice(py, batch.rewards()),
            PyArray1::from_slice(py, batch.terminated()),
            PyArray1::from_slice(py, batch.truncated()),
            metrics.values(py, &table(batch.metrics(), worlds)?)?,
            metrics.marks(py, worlds, begun.as_deref())?,
            batch.errors().iter().any(Option::is_some),
        ))
    }
}
