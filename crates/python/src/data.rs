//! `CoreData`: one world, which the Python class `MjData` extends.
//!
//! Arrays whose size the model fixes are viewed without a copy. Arrays whose size changes from step to step
//! may move, so Python gets a copy of them; until the next call, the same copy is handed out again, and what
//! Python has written to it is copied back before the call begins. To Python code they look like views.

use crate::callbacks::DataObject;
use crate::contact::{contact_arrays, contacts_from_arrays};
use crate::errors::{claim, fatal};
use crate::fields::{assign, field_copy, numpy_shape, shapes, views};
use crate::health;
use crate::lock::Brief;
use crate::memory::{Owner, Reader, Shared};
use crate::model::CoreModel;
use crate::panics::guarded;
use crate::stats;
use kinetree_model::{Data, Model};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Copies of dynamic arrays that Python may have written to.
#[derive(Default)]
struct Snapshots {
    arrays: Vec<(&'static str, Arc<Py<PyAny>>)>,
    contacts: Option<Arc<Py<PyDict>>>,
    /// Statistics of the solver: unlike the others, they follow the data as long as they are held.
    solver: Option<Arc<Py<PyDict>>>,
    /// Whether the engine has written statistics since Python saw them.
    solver_is_old: bool,
    /// How often they were forgotten: a copy made before that is none of the present data.
    age: u64,
}

impl Snapshots {
    /// The copy of an array by its name, if there is one, and the age.
    fn array(&self, name: &str) -> (Option<Arc<Py<PyAny>>>, u64) {
        let found = self.arrays.iter().find(|(known, _)| *known == name);
        (found.map(|(_, array)| Arc::clone(array)), self.age)
    }

    /// Forgets all copies and returns them.
    fn take(&mut self) -> Self {
        self.age += 1;
        let (arrays, contacts) = (std::mem::take(&mut self.arrays), self.contacts.take());
        let (solver, solver_is_old) = (self.solver.clone(), self.solver_is_old);
        Self { arrays, contacts, solver, solver_is_old, age: self.age }
    }
}

/// One world.
#[pyclass(frozen, subclass, weakref, module = "kinetree._core")]
pub(crate) struct CoreData {
    data: Arc<Shared<Data>>,
    owner: Py<Owner>,
    /// the model's signature
    pub(crate) signature: u64,
    /// whether it is the engine that left the state without meaning, if it is
    diverged: AtomicBool,
    /// whether a call has panicked in the middle of changing the data, since it was last reset
    broken: AtomicBool,
    /// whether a program may have written something to contacts or rows that is no index
    suspect: AtomicBool,
    snapshots: Brief<Snapshots>,
}

impl CoreData {
    fn of(py: Python<'_>, data: Data, signature: u64, diverged: bool) -> PyResult<Self> {
        let data = Shared::new(data);
        let owner = Owner::of(py, &data)?;
        Ok(Self {
            data,
            owner,
            signature,
            diverged: AtomicBool::new(diverged),
            broken: AtomicBool::new(false),
            suspect: AtomicBool::new(false),
            snapshots: Brief::default(),
        })
    }

    /// Runs a function of the engine and keeps track of who is to blame when the state is not a number: a
    /// program that has written it, or the engine, which then resets it. Calls made by callbacks find the
    /// engine's state.
    pub(crate) fn track<R>(&self, data: &mut Data, f: impl FnOnce(&mut Data) -> R) -> R {
        let written = !self.has_diverged() && !health::is_finite(data);
        self.set_diverged(!written);
        let result = f(data);
        self.set_diverged(!written && !health::is_finite(data));
        result
    }

    /// Whether numbers that are not finite in the state are the engine's.
    pub(crate) fn has_diverged(&self) -> bool {
        self.diverged.load(Ordering::Relaxed)
    }

    /// Says whose a state is that is not finite.
    pub(crate) fn set_diverged(&self, diverged: bool) {
        self.diverged.store(diverged, Ordering::Relaxed);
    }

    /// Runs `f` with exclusive access, the interpreter lock held.
    pub(crate) fn with<R>(&self, py: Python<'_>, f: impl FnOnce(&mut Data) -> R) -> PyResult<R> {
        self.data.with(|d| {
            self.write_back(py, d)?;
            let result = f(d);
            self.show_solver(py, d)?;
            Ok(result)
        })?
    }

    /// Copies the statistics of the solver to where Python sees them, if it does.
    fn show_solver(&self, py: Python<'_>, data: &Data) -> PyResult<()> {
        let arrays = self.snapshots.with(|snapshots| {
            snapshots.solver_is_old = false;
            snapshots.solver.clone()
        });
        arrays.map_or(Ok(()), |arrays| stats::show_solver(arrays.bind(py), &data.solver))
    }

    /// Runs `f` with exclusive access on any thread, without the interpreter lock.
    pub(crate) fn exclusive<R>(&self, f: impl FnOnce(&mut Data) -> R) -> PyResult<R> {
        self.snapshots.with(|snapshots| snapshots.solver_is_old = snapshots.solver.is_some());
        self.data.with(f)
    }

    /// Shared access. What Python wrote to copies of dynamic arrays counts, unless the data cannot be changed
    /// now.
    pub(crate) fn read(&self, py: Python<'_>) -> PyResult<Reader<'_, Data>> {
        self.check_whole()?;
        // a callback that has the data for reading only cannot: there, copies are written back afterwards
        if let Ok(written) = self.data.with(|d| self.write_back(py, d)) {
            written?;
        }
        self.data.read()
    }

    /// Runs a function that changes the data; a panic leaves the data unusable until it is reset.
    pub(crate) fn unbroken<R>(&self, f: impl FnOnce() -> R) -> PyResult<R> {
        let result = guarded(f);
        if result.is_err() {
            self.set_broken(true);
        }
        result
    }

    /// An error when a call has panicked in the middle of changing the data.
    pub(crate) fn check_whole(&self) -> PyResult<()> {
        if self.broken.load(Ordering::Relaxed) {
            return Err(fatal(
                "a call has failed in the middle of changing this data; reset it with mj_resetData, or copy another one to it",
            ));
        }
        Ok(())
    }

    /// Says whether a call has panicked in the middle of changing the data.
    pub(crate) fn set_broken(&self, broken: bool) {
        self.broken.store(broken, Ordering::Relaxed);
    }

    /// Forgets what was wrong with the data: it was set anew throughout.
    pub(crate) fn set_whole(&self) {
        self.set_broken(false);
        self.suspect.store(false, Ordering::Relaxed);
    }

    /// Copies what Python wrote to the snapshots into the data and forgets them.
    fn write_back(&self, py: Python<'_>, data: &mut Data) -> PyResult<()> {
        let Snapshots { arrays, contacts, solver, solver_is_old, .. } = self.snapshots.with(Snapshots::take);
        match solver {
            Some(_) if solver_is_old => self.show_solver(py, data)?,
            Some(solver) => stats::take_solver(solver.bind(py), &mut data.solver)?,
            None => {}
        }
        if let Some(contacts) = contacts {
            self.suspect();
            contacts_from_arrays(contacts.bind(py), &mut data.contact)?;
        }
        for (name, array) in arrays {
            if let Some(field) = data.dynamic_field_mut(name)
                && (assign(field, array.bind(py))? || name == "efc_J")
            {
                self.suspect();
            }
        }
        Ok(())
    }

    /// Says that a program may have written something to contacts or rows that is no index.
    pub(crate) fn suspect(&self) {
        self.suspect.store(true, Ordering::Relaxed);
    }

    /// An error when a program has written something that is no index where the engine expects one.
    pub(crate) fn check_written(&self, model: &Model, data: &Data) -> PyResult<()> {
        data.check_lists(model).map_err(fatal)?;
        if self.suspect.load(Ordering::Relaxed) {
            data.check(model).map_err(fatal)?;
            data.check_indices(model).map_err(fatal)?;
            self.suspect.store(false, Ordering::Relaxed);
        }
        Ok(())
    }
}

/// What a data takes besides its arrays.
const BYTES_BESIDES: usize = size_of::<Data>() + 8192;

/// About how much memory a data takes.
fn bytes_of(d: &Data) -> usize {
    let elements: usize = d.fields().iter().map(|field| field.shape.iter().product::<usize>()).sum();
    BYTES_BESIDES + elements * size_of::<f64>() + size_of_val(&d.contact[..])
}

impl DataObject for Py<CoreData> {
    fn object(&self, py: Python<'_>) -> Py<PyAny> {
        self.clone_ref(py).into_any()
    }

    fn lend(&self, py: Python<'_>, data: &mut Data, f: &mut dyn FnMut() -> PyResult<()>) -> PyResult<()> {
        self.get().show_solver(py, data)?;
        self.get().data.lend(data, f)?;
        self.get().write_back(py, data)
    }

    fn lend_shared(&self, data: &Data, f: &mut dyn FnMut() -> PyResult<()>) -> PyResult<()> {
        self.get().data.lend_shared(data, f)
    }
}

#[pymethods]
impl CoreData {
    #[new]
    #[pyo3(signature = (model, source=None))]
    fn new(py: Python<'_>, model: &CoreModel, source: Option<&Self>) -> PyResult<Self> {
        match source {
            Some(other) => {
                other.check_whole()?;
                let data =
                    other.with(py, |d| claim("a copy of the data", bytes_of(d)).map(|()| d.clone()))??;
                let copy = Self::of(py, data, other.signature, other.has_diverged())?;
                copy.suspect();
                Ok(copy)
            }
            None => {
                model.check_indices()?;
                let m = &*model.read()?;
                claim("a data of this model", m.sizes().data_bytes() + BYTES_BESIDES)?;
                let data = guarded(|| Data::new(m))?;
                if let Some(fault) = kinetree_sim::initial_sleep_fault(m, &data).map_err(fatal)? {
                    return Err(fatal(fault));
                }
                Self::of(py, data, model.signature, false)
            }
        }
    }

    /// Writable views of the arrays whose size the model fixes.
    fn _arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.data.with(|d| {
            let n = d.fields().len() - Data::DYNAMIC.len();
            let shapes = shapes(&d.fields()[..n]);
            views(d.fixed_fields_mut(), &shapes, self.owner.bind(py))
        })?
    }

    /// Writable views of energies, counters and timers.
    fn _statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.data.with(|d| stats::views(d, self.owner.bind(py)))?
    }

    /// Statistics of the solver: an array for each number, which follow the data.
    fn _solver<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        if let Some(arrays) = self.snapshots.with(|snapshots| snapshots.solver.clone()) {
            // threads that work without the interpreter do not show what they have done
            if let Ok(shown) = self.data.with(|d| self.write_back(py, d)) {
                shown?;
            }
            return Ok(arrays.bind(py).clone());
        }
        let arrays = stats::solver_arrays(py)?;
        stats::show_solver(&arrays, &self.data.read()?.solver)?;
        let own = Arc::new(arrays.unbind());
        // another thread may have come in between
        let (kept, _spare) = self.snapshots.with(|snapshots| match &snapshots.solver {
            Some(known) => (Arc::clone(known), Some(own)),
            None => {
                snapshots.solver = Some(Arc::clone(&own));
                (own, None)
            }
        });
        Ok(kept.bind(py).clone())
    }

    /// An array whose size changes from step to step.
    fn _dynamic<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        loop {
            let (found, age) = self.snapshots.with(|snapshots| snapshots.array(name));
            if let Some(array) = found {
                return Ok(array.bind(py).clone());
            }
            let (name, array) = {
                let data = self.data.read()?;
                let field = data.fields().into_iter().find(|f| f.name == name);
                let field = field.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
                (field.name, field_copy(py, field.data, &numpy_shape(field.shape, false))?)
            };
            if array.len()? == 0 {
                return Ok(array);
            }
            // a view of the copy: like the reference's, it does not own its memory
            let view = array.call_method0("view")?;
            let kept = Arc::new(view.clone().unbind());
            // a finalizer or another thread may have come in between
            let is_kept = self.snapshots.with(|snapshots| {
                let is_new = snapshots.age == age && snapshots.array(name).0.is_none();
                is_new.then(|| snapshots.arrays.push((name, kept))).is_some()
            });
            if is_kept {
                return Ok(view);
            }
        }
    }

    /// All contacts: an array for each field.
    fn _contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        loop {
            let (found, age) = self.snapshots.with(|snapshots| (snapshots.contacts.clone(), snapshots.age));
            if let Some(contacts) = found {
                return Ok(contacts.bind(py).clone());
            }
            let list = self.data.read()?.contact.clone();
            let contacts = contact_arrays(py, &list)?;
            let kept = Arc::new(contacts.clone().unbind());
            // a finalizer or another thread may have come in between
            let is_kept = self.snapshots.with(|snapshots| {
                let is_new = snapshots.age == age && snapshots.contacts.is_none();
                is_new.then(|| snapshots.contacts = Some(kept)).is_some()
            });
            if is_kept {
                return Ok(contacts);
            }
        }
    }

    /// Sets the number of contacts, rows and Jacobian entries; new ones are zero.
    fn _resize(&self, py: Python<'_>, ncon: usize, nefc: usize, nj: usize) -> PyResult<()> {
        // an allocation that fails ends the process, so what no memory can hold is refused
        if ncon.max(nefc).max(nj) > MAX_ROWS {
            return Err(fatal(format!("no memory for {ncon} contacts and {nefc} rows")));
        }
        self.suspect();
        self.with(py, |d| {
            d.contact.resize(ncon, kinetree_model::Contact::default());
            (d.ncon, d.nefc, d.nJ) = (ncon, nefc, nj);
            let rows: Vec<(&'static str, &'static str)> =
                d.fields().iter().map(|f| (f.name, f.rows)).collect();
            for (name, rows) in rows {
                match rows {
                    "nefc" => d.resize_dynamic(name, nefc),
                    "nJ" => d.resize_dynamic(name, nj),
                    _ => true,
                };
            }
        })
    }

    /// Sets a dynamic array, its length included.
    fn _set_dynamic(
        &self,
        py: Python<'_>,
        name: &str,
        value: &Bound<'_, PyAny>,
        rows: usize,
    ) -> PyResult<()> {
        self.with(py, |d| {
            if !d.resize_dynamic(name, rows) {
                return Err(PyKeyError::new_err(name.to_string()));
            }
            match d.dynamic_field_mut(name) {
                Some(field) => {
                    self.suspect();
                    assign(field, value).map(|_| ())
                }
                None => Err(PyKeyError::new_err(name.to_string())),
            }
        })?
    }

    /// Replaces the contact list.
    fn _set_contacts(&self, py: Python<'_>, contacts: &Bound<'_, PyDict>, count: usize) -> PyResult<()> {
        self.with(py, |d| {
            self.suspect();
            d.contact.resize(count, kinetree_model::Contact::default());
            d.ncon = count;
            contacts_from_arrays(contacts, &mut d.contact)
        })?
    }

    /// Simulation time (s).
    #[getter]
    fn time(&self) -> PyResult<f64> {
        Ok(self.data.read()?.time)
    }

    #[setter]
    fn set_time(&self, value: f64) -> PyResult<()> {
        self.data.with(|d| d.time = value)
    }

    /// A number that tells which models this data fits.
    #[getter(signature)]
    fn get_signature(&self) -> u64 {
        self.signature
    }

    /// Address of the memory, to tell objects apart.
    #[getter]
    fn _address(&self) -> usize {
        Arc::as_ptr(&self.data) as usize
    }

    /// Copies everything from another data of the same model.
    fn _copy_from(&self, py: Python<'_>, source: &Self) -> PyResult<()> {
        source.check_whole()?;
        let copy = source.with(py, |d| d.clone())?;
        self.with(py, |d| {
            d.copy_from(&copy).map_err(|e| PyValueError::new_err(e.to_string()))?;
            self.set_diverged(source.has_diverged());
            self.set_whole();
            self.suspect();
            Ok(())
        })?
    }

    /// Panics in the middle of a call, as a fault of the engine would: for tests of what follows.
    fn _panic(&self) -> PyResult<()> {
        self.unbroken(|| panic!("as asked"))
    }

    /// Names of the counts and flags.
    #[staticmethod]
    fn _scalar_names() -> Vec<&'static str> {
        Data::SCALARS.iter().map(|s| s.name).collect()
    }

    /// A count or flag by its place in the list of names.
    fn _scalar(&self, index: usize) -> PyResult<usize> {
        let scalar = Data::SCALARS.get(index).ok_or_else(|| PyKeyError::new_err(index))?;
        Ok((scalar.get)(&*self.data.read()?))
    }

    /// Sets a count or flag by its place in the list of names.
    fn _set_scalar(&self, index: usize, value: usize) -> PyResult<()> {
        let scalar = Data::SCALARS.get(index).ok_or_else(|| PyKeyError::new_err(index))?;
        self.suspect();
        self.data.with(|d| (scalar.set)(d, value))
    }

    /// Warnings, timers, energies and solver statistics.
    fn _stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        stats::stats(py, &*self.data.read()?)
    }

    /// Sets warnings, timers, energies and solver statistics.
    fn _set_stats(&self, stats: &Bound<'_, PyDict>) -> PyResult<()> {
        self.data.with(|d| stats::set_stats(stats, d))?
    }
}

/// Most contacts, rows or Jacobian entries that Python code may ask for.
const MAX_ROWS: usize = 10_000_000;
