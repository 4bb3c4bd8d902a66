//! The one place with `unsafe` code: memory shared between Rust and NumPy.
//!
//! A [`Shared`] owns a `Model` or a `Data` whose fixed-size vectors NumPy arrays may view. Those vectors keep their length,
//! hence their place, for as long as the owner lives; arrays whose size changes are never viewed, only copied. Python code
//! may write to the views at any time it runs, so Rust references are made only for the length of one call, and a flag
//! refuses a second mutable borrow, which could otherwise happen when the interpreter lock is released during a step.

#![allow(unsafe_code)]

use numpy::ndarray::{ArrayViewD, IxDyn};
use numpy::{Element, PyArrayDyn};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::cell::UnsafeCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A value that Rust calls borrow one at a time and NumPy arrays may view.
pub(crate) struct Shared<T> {
    value: UnsafeCell<T>,
    busy: AtomicBool,
}

// SAFETY: mutable access goes through `with`, which admits one caller at a time; views are only touched by Python code that
// holds the interpreter lock, as with any NumPy array shared between threads.
unsafe impl<T: Send> Sync for Shared<T> {}

impl<T> Shared<T> {
    pub(crate) fn new(value: T) -> Arc<Self> {
        Arc::new(Self { value: UnsafeCell::new(value), busy: AtomicBool::new(false) })
    }

    /// Runs `f` with exclusive access; an error when another thread, or a call further up the stack, is inside.
    pub(crate) fn with<R>(&self, f: impl FnOnce(&mut T) -> R) -> PyResult<R> {
        if self.busy.swap(true, Ordering::Acquire) {
            return Err(PyRuntimeError::new_err(
                "this object is in use by another thread or by a call further up the stack",
            ));
        }
        struct Release<'a>(&'a AtomicBool);
        impl Drop for Release<'_> {
            fn drop(&mut self) {
                self.0.store(false, Ordering::Release);
            }
        }
        let _release = Release(&self.busy);
        // SAFETY: the flag makes this the only reference made through `with`.
        Ok(f(unsafe { &mut *self.value.get() }))
    }

    /// Shared access.
    pub(crate) fn read(&self) -> &T {
        // SAFETY: used for models, whose vectors are never resized; and for data inside a callback of the call that has
        // exclusive access, which waits for the callback.
        unsafe { &*self.value.get() }
    }
}

/// Keeps shared memory alive: the base object of every view.
#[pyclass(frozen, module = "kinetree._core")]
pub(crate) struct Owner {
    _memory: Box<dyn std::any::Any + Send + Sync>,
}

impl Owner {
    pub(crate) fn of<T: Send + 'static>(py: Python<'_>, memory: &Arc<Shared<T>>) -> PyResult<Py<Self>> {
        Py::new(py, Self { _memory: Box::new(Arc::clone(memory)) })
    }
}

/// Makes a writable array over memory that `owner` keeps alive.
pub(crate) fn view<'py, T: Element>(
    slice: &mut [T],
    shape: &[usize],
    owner: &Bound<'py, Owner>,
) -> Bound<'py, PyArrayDyn<T>> {
    assert_eq!(slice.len(), shape.iter().product::<usize>(), "shape and memory must agree");
    // SAFETY: the slice has as many values as the shape; the array keeps `owner`, and with it the memory, alive.
    unsafe {
        let array = ArrayViewD::from_shape_ptr(IxDyn(shape), slice.as_mut_ptr());
        PyArrayDyn::borrow_from_array(&array, owner.clone().into_any())
    }
}
