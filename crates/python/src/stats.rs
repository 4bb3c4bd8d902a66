//! Warnings, timers, energies and solver statistics: as views of the engine's memory, and as plain lists.

use crate::memory::{Owner, view, view_column};
use kinetree_model::consts::{NISLAND, NSOLVER};
use kinetree_model::{Data, SolverStat, TimerStat, WarningStat};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Writable views of what lies in the data itself: arrays by name, and for each list of records a dictionary
/// of arrays.
pub(crate) fn views<'py>(d: &mut Data, owner: &Bound<'py, Owner>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(owner.py());
    dict.set_item("energy", view(&mut d.energy, &[2], owner))?;
    dict.set_item("solver_fwdinv", view(&mut d.solver_fwdinv, &[2], owner))?;
    dict.set_item("solver_niter", view(&mut d.solver_niter, &[NISLAND], owner))?;
    dict.set_item("solver_nnz", view(&mut d.solver_nnz, &[NISLAND], owner))?;
    let counters = [
        ("warning", &mut d.warning[..]),
        ("solver_unconverged", std::slice::from_mut(&mut d.solver_unconverged)),
        ("derivative_kinks", std::slice::from_mut(&mut d.derivative_kinks)),
    ];
    for (name, records) in counters {
        let columns = PyDict::new(owner.py());
        columns.set_item("lastinfo", view_column(records, |w| &mut w.lastinfo, owner))?;
        columns.set_item("number", view_column(records, |w| &mut w.number, owner))?;
        dict.set_item(name, columns)?;
    }
    let columns = PyDict::new(owner.py());
    columns.set_item("duration", view_column(&mut d.timer, |t| &mut t.duration, owner))?;
    columns.set_item("number", view_column(&mut d.timer, |t| &mut t.number, owner))?;
    dict.set_item("timer", columns)?;
    Ok(dict)
}

macro_rules! solver_columns {
    ($( $name:ident: $t:ty ),*) => {
        /// Arrays for the statistics of as many iterations as are ever kept.
        pub(crate) fn solver_arrays(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
            let dict = PyDict::new(py);
            $( dict.set_item(stringify!($name), PyArray1::<$t>::zeros(py, NISLAND * NSOLVER, false))?; )*
            Ok(dict)
        }

        /// Copies the statistics into such arrays; what the engine has not kept is zero.
        pub(crate) fn show_solver(arrays: &Bound<'_, PyDict>, solver: &[SolverStat]) -> PyResult<()> {
            $( {
                let item = arrays.get_item(stringify!($name))?.ok_or_else(|| PyKeyError::new_err(stringify!($name)))?;
                let mut array = item.cast::<PyArray1<$t>>()?.try_readwrite()?;
                let values = array.as_slice_mut()?;
                let known = solver.len().min(values.len());
                for (value, stat) in values.iter_mut().zip(solver) {
                    *value = stat.$name;
                }
                values[known..].fill(<$t>::default());
            } )*
            Ok(())
        }

        /// Copies such arrays into the statistics, which only grow where something is not zero.
        pub(crate) fn take_solver(arrays: &Bound<'_, PyDict>, solver: &mut Vec<SolverStat>) -> PyResult<()> {
            $( {
                let item = arrays.get_item(stringify!($name))?.ok_or_else(|| PyKeyError::new_err(stringify!($name)))?;
                let array = item.cast::<PyArray1<$t>>()?.try_readonly()?;
                let values = array.as_slice()?;
                let used = values.iter().rposition(|&value| value != <$t>::default()).map_or(0, |last| last + 1);
                if used > solver.len() {
                    solver.resize(used.next_multiple_of(NSOLVER), SolverStat::default());
                }
                for (stat, &value) in solver.iter_mut().zip(values) {
                    stat.$name = value;
                }
            } )*
            Ok(())
        }
    };
}

solver_columns!(improvement: f64, gradient: f64, lineslope: f64, nactive: i32, nchange: i32, neval: i32, nupdate: i32);

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
