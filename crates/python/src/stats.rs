//! Warnings, timers, energies and solver statistics as plain lists.

use kinetree_model::Data;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Everything in one dictionary.
pub(crate) fn stats<'py>(py: Python<'py>, d: &Data) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("energy", d.energy)?;
    dict.set_item("solver_niter", d.solver_niter.to_vec())?;
    dict.set_item("solver_nnz", d.solver_nnz.to_vec())?;
    dict.set_item("solver_fwdinv", d.solver_fwdinv)?;
    dict.set_item("warning", d.warning.iter().map(|w| (w.lastinfo, w.number)).collect::<Vec<_>>())?;
    dict.set_item("timer", d.timer.iter().map(|t| (t.duration, t.number)).collect::<Vec<_>>())?;
    let solver: Vec<_> = d
        .solver
        .iter()
        .map(|s| (s.improvement, s.gradient, s.lineslope, s.nactive, s.nchange, s.neval, s.nupdate))
        .collect();
    dict.set_item("solver", solver)?;
    Ok(dict)
}
