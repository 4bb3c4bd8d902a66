//! Calls of engine functions from Python: checks, exclusive access, callbacks, and failures as exceptions.

use crate::callbacks;
use crate::data::CoreData;
use crate::errors::{Outcome, fatal};
use crate::model::CoreModel;
use crate::panics::guarded;
use crate::signals::{raise_kept, watched};
use kinetree_model::{Data, Model};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::fmt::Display;
use std::sync::Arc;

/// A model argument.
pub(crate) type PyModel<'a, 'py> = &'a Bound<'py, CoreModel>;
/// A data argument.
pub(crate) type PyData<'a, 'py> = &'a Bound<'py, CoreData>;

/// An error unless the data has the sizes of the model.
fn check_sizes(m: &CoreModel, d: &CoreData) -> PyResult<()> {
    if m.signature == d.signature {
        return Ok(());
    }
    Err(PyValueError::new_err("the data was made for a model of other sizes or structure"))
}

/// An error unless the data has the sizes of the model, and both are fit for use.
pub(crate) fn check_pair(m: &CoreModel, d: &CoreData) -> PyResult<()> {
    check_sizes(m, d)?;
    d.check_whole()?;
    m.check_indices()
}

/// Puts the objects of a call within reach of callbacks.
fn enter(m: PyModel<'_, '_>, d: PyData<'_, '_>) -> callbacks::Entered {
    callbacks::enter(|| (m.clone().into_any().unbind(), Arc::new(d.clone().unbind())))
}

/// Runs `f` with exclusive access to the data and shared access to the model, the interpreter lock released.
pub(crate) fn run<R: Send>(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    f: impl FnOnce(&Model, &mut Data) -> R + Send,
) -> PyResult<R> {
    let py = m.py();
    check_pair(m.get(), d.get())?;
    let model = &*m.get().read()?;
    let frame = enter(m, d);
    let mut raised = None;
    let result = d.get().with(py, |data| {
        d.get().check_written(model, data)?;
        let (before, time) = (data.warning, data.time);
        let core = d.get();
        let work = |data: &mut Data| py.detach(|| watched(|| core.unbroken(|| f(model, data))));
        let result = core.track(data, work);
        if data.warning != before {
            raised = Some((before, data.warning, time));
        }
        result
    });
    frame.finish()?;
    if let Some((before, after, time)) = raised {
        callbacks::tell_warnings(py, &before, &after, time)?;
    }
    result?.flatten()
}

/// Runs `f` like [`run`], but keeps the interpreter lock: for functions that take no longer than releasing
/// it.
pub(crate) fn quick<R>(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    f: impl FnOnce(&Model, &mut Data) -> R,
) -> PyResult<R> {
    check_pair(m.get(), d.get())?;
    let model = &*m.get().read()?;
    let frame = enter(m, d);
    let result = d.get().with(m.py(), |data| {
        d.get().check_written(model, data)?;
        d.get().unbroken(|| f(model, data))
    });
    frame.finish()?;
    result.flatten()
}

/// Runs `f` like [`quick`], with shared access to the data: also in callbacks that have it for reading only.
pub(crate) fn peek<R>(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    f: impl FnOnce(&Model, &Data) -> R,
) -> PyResult<R> {
    check_pair(m.get(), d.get())?;
    let (model, data) = (&*m.get().read()?, &*d.get().read(m.py())?);
    d.get().check_written(model, data)?;
    raise_kept(guarded(|| f(model, data)))
}

/// Runs `f` like [`quick`], also on a data that a call has left half changed, and which `f` makes whole
/// again.
pub(crate) fn restore<R, E: Display>(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    f: impl FnOnce(&Model, &mut Data) -> Result<R, E>,
) -> PyResult<R> {
    check_sizes(m.get(), d.get())?;
    m.get().check_indices()?;
    let model = &*m.get().read()?;
    let frame = enter(m, d);
    let result = d.get().with(m.py(), |data| {
        let result = d.get().unbroken(|| f(model, data))?.map_err(fatal)?;
        d.get().set_whole();
        Ok(result)
    });
    frame.finish()?;
    result.flatten()
}

/// Runs `f` with exclusive access to model and data, the interpreter lock held.
pub(crate) fn change<R>(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    f: impl FnOnce(&mut Model, &mut Data) -> R,
) -> PyResult<R> {
    check_sizes(m.get(), d.get())?;
    d.get().check_whole()?;
    m.get().check_edited_indices()?;
    let frame = enter(m, d);
    let result = d.get().with(m.py(), |data| {
        let (mut begun, mut ended) = (false, false);
        d.get().check_written(&*m.get().unchecked()?, data)?;
        let result = m.get().edit(|model| {
            begun = true;
            let result = f(model, data);
            ended = true;
            result
        });
        if begun && !ended {
            d.get().set_broken(true);
        }
        result
    });
    frame.finish()?;
    result.flatten()
}

/// Runs a pipeline stage; a failure of the engine is a `FatalError`.
pub(crate) fn stage<R: Outcome + Send>(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    f: impl FnOnce(&Model, &mut Data) -> R + Send,
) -> PyResult<()> {
    run(m, d, |m, d| f(m, d).outcome())?.map_err(fatal)
}
