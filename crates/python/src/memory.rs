//! The one place with `unsafe` code: memory shared between Rust and NumPy.
//!
//! A [`Shared`] owns a `Model` or a `Data` whose fixed-size vectors NumPy arrays may view. Those vectors keep their length,
//! hence their place, for as long as the owner lives; arrays whose size changes are never viewed, only copied. Python code
//! may write to the views at any time it runs, so Rust references are made only for the length of one call, and a flag
//! refuses a second mutable borrow, which could otherwise happen when the interpreter lock is released during a step.
//!
//! A call may lend its borrow to Python code that it calls back ([`Shared::lend`]): calls made from there borrow anew from
//! the lent reference, and the lender gets it back when they are done.
//!
//! Arrays that Python passes as arguments are copied in and out while the interpreter lock is held, so that arguments
//! may overlap each other and the memory of models and data.

#![allow(unsafe_code)]

use numpy::ndarray::{ArrayViewD, IxDyn};
use numpy::{Element, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods, npyffi};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::cell::UnsafeCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

/// A value that Rust calls borrow one at a time and NumPy arrays may view.
pub(crate) struct Shared<T> {
    value: UnsafeCell<T>,
    /// the reference that a call lends while Python code runs inside it; null otherwise
    lent: AtomicPtr<T>,
    busy: AtomicBool,
}

// SAFETY: mutable access goes through `with`, which admits one caller at a time; views are only touched by Python code that
// holds the interpreter lock, as with any NumPy array shared between threads.
unsafe impl<T: Send> Sync for Shared<T> {}

/// Clears the flag when a borrow ends.
struct Release<'a>(&'a AtomicBool);

impl Drop for Release<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl<T> Shared<T> {
    pub(crate) fn new(value: T) -> Arc<Self> {
        Arc::new(Self {
            value: UnsafeCell::new(value),
            lent: AtomicPtr::new(std::ptr::null_mut()),
            busy: AtomicBool::new(false),
        })
    }

    /// Runs `f` with exclusive access; an error when another thread, or a call further up the stack, is inside.
    pub(crate) fn with<R>(&self, f: impl FnOnce(&mut T) -> R) -> PyResult<R> {
        if self.busy.swap(true, Ordering::Acquire) {
            return Err(PyRuntimeError::new_err(
                "this object is in use by another thread or by a call further up the stack",
            ));
        }
        let _release = Release(&self.busy);
        let lent = self.lent.load(Ordering::Relaxed);
        let pointer = if lent.is_null() { self.value.get() } else { lent };
        // SAFETY: the flag makes this the only reference in use: a lender waits until its borrowers are done.
        Ok(f(unsafe { &mut *pointer }))
    }

    /// Lets calls made by `f` borrow `value`, which the caller has borrowed from this object. Another object's value is not
    /// lent: its owner remains in use.
    pub(crate) fn lend<R>(&self, value: &mut T, f: impl FnOnce() -> R) -> R {
        if std::ptr::eq(value, self.value.get()) { self.open(value, f) } else { f() }
    }

    /// Like [`Self::lend`], for a caller that has only a shared reference at hand.
    pub(crate) fn lend_shared<R>(&self, f: impl FnOnce() -> R) -> R {
        self.open(self.lent.load(Ordering::Relaxed), f)
    }

    fn open<R>(&self, value: *mut T, f: impl FnOnce() -> R) -> R {
        struct Reclaim<'a, T>(&'a Shared<T>, *mut T);
        impl<T> Drop for Reclaim<'_, T> {
            fn drop(&mut self) {
                // wait for other threads that used the opportunity to borrow; they may need the interpreter lock to finish
                while self.0.busy.swap(true, Ordering::Acquire) {
                    Python::attach(|py| py.detach(std::thread::yield_now));
                }
                self.0.lent.store(self.1, Ordering::Relaxed);
            }
        }
        let _reclaim = Reclaim(self, self.lent.swap(value, Ordering::Relaxed));
        self.busy.store(false, Ordering::Release);
        f()
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

/// Copies the values of an array into `out`, which has as many; `false` when they are not contiguous in row order.
pub(crate) fn copy_out<T: Element + Copy>(array: &Bound<'_, PyArrayDyn<T>>, out: &mut [T]) -> bool {
    array.len() == out.len() && copy_out_part(array, out)
}

/// Copies the first values of a contiguous array into `out`; `false` when it has fewer.
pub(crate) fn copy_out_part<T: Element + Copy>(array: &Bound<'_, PyArrayDyn<T>>, out: &mut [T]) -> bool {
    // SAFETY: the interpreter lock is held and the slice lives only for the copy.
    match unsafe { array.as_slice() } {
        Ok(values) if array.is_c_contiguous() && values.len() >= out.len() => {
            out.copy_from_slice(&values[..out.len()]);
            true
        }
        _ => false,
    }
}

/// Copies values into a contiguous array that has as many; `false` when it cannot hold them.
pub(crate) fn copy_in<T: Element + Copy>(array: &Bound<'_, PyArrayDyn<T>>, values: &[T]) -> bool {
    array.len() == values.len() && copy_in_part(array, 0, values)
}

/// Copies values into a contiguous array, from place `first` on; `false` when it cannot hold them.
pub(crate) fn copy_in_part<T: Element + Copy>(
    array: &Bound<'_, PyArrayDyn<T>>,
    first: usize,
    values: &[T],
) -> bool {
    if !is_writable(array) || !array.is_c_contiguous() {
        return false;
    }
    // SAFETY: the interpreter lock is held and the slice lives only for the copy.
    match unsafe { array.as_slice_mut() } {
        Ok(target) => match target.get_mut(first..).and_then(|rest| rest.get_mut(..values.len())) {
            Some(part) => {
                part.copy_from_slice(values);
                true
            }
            None => false,
        },
        Err(_) => false,
    }
}

/// Whether NumPy allows writing to the array.
pub(crate) fn is_writable<T: Element>(array: &Bound<'_, PyArrayDyn<T>>) -> bool {
    // SAFETY: the pointer is that of a live array.
    unsafe { (*array.as_array_ptr()).fields.flags & npyffi::NPY_ARRAY_WRITEABLE != 0 }
}
