//! The one place with `unsafe` code: shared memory between Rust and NumPy.
//!
//! A [`Shared`] owns a `Model` or a `Data` that NumPy arrays may view. Python holds the arrays and the owner, and Python
//! code may write to them at any time it runs, so Rust references are made only for the length of one call. A flag
//! refuses a second mutable borrow, which could otherwise happen when the interpreter lock is released during a step.

#![allow(unsafe_code)]

use numpy::ndarray::{ArrayViewD, IxDyn};
use numpy::{Element, PyArrayDyn};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};

/// A value that Rust calls borrow one at a time and NumPy arrays may view.
pub(crate) struct Shared<T> {
    value: UnsafeCell<T>,
    busy: AtomicBool,
}

// SAFETY: access to the value goes through `with`, which admits one caller at a time; views are only touched by Python
// code that holds the interpreter lock, as with any NumPy array shared between threads.
unsafe impl<T: Send> Sync for Shared<T> {}
unsafe impl<T: Send> Send for Shared<T> {}

impl<T> Shared<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { value: UnsafeCell::new(value), busy: AtomicBool::new(false) }
    }

    /// Runs `f` with exclusive access; an error when another thread is inside.
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

    /// Shared access for read-only use of immutable parts.
    pub(crate) fn read(&self) -> &T {
        // SAFETY: callers use this for models, which no Rust call mutates while others read them.
        unsafe { &*self.value.get() }
    }
}

/// Makes a writable array over memory that `owner` holds.
///
/// The vectors of a model and the fixed vectors of a data keep their length, hence their place, for as long as the owner
/// lives. Views of dynamic arrays are valid until the next call that changes them.
pub(crate) fn view<'py, T: Element>(
    slice: &mut [T],
    shape: &[usize],
    owner: Bound<'py, PyAny>,
) -> Bound<'py, PyArrayDyn<T>> {
    debug_assert_eq!(slice.len(), shape.iter().product::<usize>());
    // SAFETY: the slice has as many values as the shape; the array keeps `owner`, and with it the memory, alive.
    unsafe {
        let array = ArrayViewD::from_shape_ptr(IxDyn(shape), slice.as_mut_ptr());
        PyArrayDyn::borrow_from_array(&array, owner)
    }
}
