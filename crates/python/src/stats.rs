//! Warnings, timers, energies and solver statistics as plain lists.

use kinetree_model::{Data, SolverStat, TimerStat, WarningStat};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Everything in one dictionary.
pub(crate) fn stats<'py>(py: Python<'py>, d: &Data) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("energy", d.energy)?;
    dict.set_item("solver_niter", d.solver_niter.to_vec())?;
    dict.set_item("solver_nnz", d.solver_nnz.to_vec())?;
    dict.set_item("solver_fwdinv", d.solver_fwdinv)?;
    let pair = |counter: WarningStat| (counter.lastinfo, counter.number);
    dict.set_item("solver_unconverged", pair(d.solver_unconverged))?;
    dict.set_item("derivative_kinks", pair(d.derivative_kinks))?;
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

/// Sets everything from such a dictionary.
pub(crate) fn set_stats(dict: &Bound<'_, PyDict>, d: &mut Data) -> PyResult<()> {
    let get = |name: &'static str| dict.get_item(name)?.ok_or_else(|| PyKeyError::new_err(name));
    let wrong = |_| PyValueError::new_err("wrong number of statistics");
    d.energy = get("energy")?.extract()?;
    d.solver_fwdinv = get("solver_fwdinv")?.extract()?;
    d.solver_niter = get("solver_niter")?.extract::<Vec<i32>>()?.try_into().map_err(wrong)?;
    d.solver_nnz = get("solver_nnz")?.extract::<Vec<i32>>()?.try_into().map_err(wrong)?;
    let counter = |name| -> PyResult<WarningStat> {
        let (lastinfo, number) = get(name)?.extract()?;
        Ok(WarningStat { lastinfo, number })
    };
    d.solver_unconverged = counter("solver_unconverged")?;
    d.derivative_kinks = counter("derivative_kinks")?;
    let warnings: Vec<(i32, i32)> = get("warning")?.extract()?;
    for (w, (lastinfo, number)) in d.warning.iter_mut().zip(warnings) {
        *w = WarningStat { lastinfo, number };
    }
    let timers: Vec<(f64, i32)> = get("timer")?.extract()?;
    for (t, (duration, number)) in d.timer.iter_mut().zip(timers) {
        *t = TimerStat { duration, number };
    }
    let solver: Vec<(f64, f64, f64, i32, i32, i32, i32)> = get("solver")?.extract()?;
    d.solver = solver
        .into_iter()
        .map(|(improvement, gradient, lineslope, nactive, nchange, neval, nupdate)| SolverStat {
            improvement,
            gradient,
            lineslope,
            nactive,
            nchange,
            neval,
            nupdate,
        })
        .collect();
    Ok(())
}
