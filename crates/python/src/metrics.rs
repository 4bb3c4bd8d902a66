//! Metrics of tasks as vector environments tell them: arrays by name, and marks of the worlds that have them.

use kinetree_batch::BatchSim;
use numpy::ndarray::{ArrayView2, Axis, s};
use numpy::{PyArray1, ToPyArray};
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

    /// The metrics by name, a number for each world or a row, and which worlds have them: those that have
    /// just begun an episode have none of a step.
    pub(crate) fn infos<'py>(
        &self,
        py: Python<'py>,
        table: &ArrayView2<'_, f64>,
        fresh: &[bool],
    ) -> PyResult<Bound<'py, PyDict>> {
        let infos = PyDict::new(py);
        let (worlds, steps) = (table.nrows(), fresh.is_empty() || fresh.contains(&false));
        for (i, (columns, name, mark)) in self.parts.iter().enumerate() {
            let of_state = i < self.of_states;
            if !of_state && !steps {
                break;
            }
            let (name, mark) = (name.bind(py), mark.bind(py));
            if columns.len() == 1 {
                infos.set_item(name, table.index_axis(Axis(1), columns.start).to_pyarray(py))?;
            } else {
                infos.set_item(name, table.slice(s![.., columns.clone()]).to_pyarray(py))?;
            }
            let has = |world| of_state || fresh.get(world) != Some(&true);
            infos.set_item(mark, PyArray1::from_iter(py, (0..worlds).map(has)))?;
        }
        Ok(infos)
    }
}
