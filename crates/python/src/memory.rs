//! The one place with `unsafe` code: memory shared between Rust and NumPy.
//!
//! # What is guaranteed
//!
//! A [`Shared`] owns a `Model`, a `Data`, a `BatchSim` or a `SoftWorld` whose fixed-size arrays NumPy arrays
//! may view.
//!
//! - **Views do not dangle.** A view keeps its owner alive, and the arrays that are viewed cannot be moved,
//!   replaced or resized while the owner lives: their type ([`kinetree_model::FixedArray`]) does not allow
//!   it, whatever a stage does and wherever it panics. Arrays whose size changes are never viewed, only
//!   copied; `_arrays` cannot reach them. The tables of a `BatchSim` are boxed slices in private fields that
//!   are set when it is made and handed out as slices of numbers; its flags and failures are copied. Vertices
//!   of deformable bodies are arrays of such a type, too (`VertexArray`), and a `SoftWorld` only adds bodies.
//! - **Rust calls do not overlap.** Rust references to the value are made for the length of one call: many
//!   that read, or one that writes. Concurrent access raises an exception.
//! - **Callbacks get what the engine has.** A call may lend its borrow to Python code that it calls back:
//!   mutable ([`Shared::lend`]), and calls made from there borrow anew from the lent reference; or for
//!   reading only ([`Shared::lend_shared`]), and calls made from there that would write are refused. The
//!   lender goes on when the borrowers are done.
//!
//! # What is not
//!
//! Python code may write numbers to a view at any time it runs, so also while another thread steps with the
//! interpreter lock released. That is a race on plain numbers, as with any two threads that share a NumPy
//! array, and nothing here prevents it: the result of that step means nothing, and a step whose parents are
//! rewritten under it may not end. No pointer, length, enum or reference lies in memory that can be viewed,
//! and every integer is compared with the length of what it indexes at the place of use, so that wrong
//! numbers lead to wrong numbers or to an exception. But a compiler may rely on numbers behind a shared
//! reference not to change between that comparison and the use; so this is what happens in practice, not what
//! the language guarantees. Programs that write integers of a model that another thread steps with are wrong
//! programs.
//!
//! Arrays that Python passes as arguments are copied in and out while the interpreter lock is held, so that
//! arguments may overlap each other and the memory of models and data.

#![allow(unsafe_code)]

use kinetree_math::Vec3;
use kinetree_model::{Field, FieldMut, FieldSliceMut, Model};
use kinetree_threads::OfProcess;
use numpy::ndarray::{ArrayView1, ArrayViewD, IxDyn, ShapeBuilder};
use numpy::{Element, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods, npyffi};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::cell::UnsafeCell;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A value that Rust calls borrow, many to read or one to write, and NumPy arrays may view.
pub(crate) struct Shared<T> {
    value: UnsafeCell<T>,
    access: Mutex<Access<T>>,
}

/// Who may borrow the value now, and from where.
struct Access<T> {
    /// the value itself, or the reference that a call lends while Python code runs inside it
    source: *mut T,
    state: State,
    readers: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// To be read or written.
    Open,
    /// To be read: a call lends a shared reference.
    ReadOnly,
    /// In use by a call that writes.
    Taken,
}

// SAFETY: references to the value are made by `with` and `read` only, which admit one writer or many readers
// at a time; a lender does not use its own reference until the borrowers are done. The pointer in `Access` is
// to the value or to a reference derived from it. Views are only touched by Python code that holds the
// interpreter lock, as with any NumPy array shared between threads.
unsafe impl<T: Send + Sync> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for Shared<T> {}

/// A shared borrow, until it is dropped.
pub(crate) struct Reader<'a, T> {
    value: &'a T,
    owner: &'a Shared<T>,
}

impl<T> Deref for Reader<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.value
    }
}

impl<T> Drop for Reader<'_, T> {
    fn drop(&mut self) {
        self.owner.access().readers -= 1;
    }
}

/// Ends an exclusive borrow when it is dropped.
struct Writer<'a, T>(&'a Shared<T>);

impl<T> Drop for Writer<'_, T> {
    fn drop(&mut self) {
        self.0.access().state = State::Open;
    }
}

/// Takes a borrow back that was lent.
struct Lender<'a, T> {
    owner: &'a Shared<T>,
    source: *mut T,
    state: State,
    readers: usize,
}

impl<T> Drop for Lender<'_, T> {
    fn drop(&mut self) {
        loop {
            let mut access = self.owner.access();
            if access.state != State::Taken && access.readers == 0 {
                (access.source, access.state, access.readers) = (self.source, self.state, self.readers);
                return;
            }
            drop(access);
            // other threads used the opportunity to borrow; they may need the interpreter lock to finish
            Python::attach(|py| py.detach(std::thread::yield_now));
        }
    }
}

impl<T> Shared<T> {
    pub(crate) fn new(value: T) -> Arc<Self> {
        let access = Access { source: std::ptr::null_mut(), state: State::Open, readers: 0 };
        let shared = Arc::new(Self { value: UnsafeCell::new(value), access: Mutex::new(access) });
        shared.access().source = shared.value.get();
        shared
    }

    fn access(&self) -> MutexGuard<'_, Access<T>> {
        self.access.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `f` with exclusive access; an error when another thread, or a call further up the stack, is
    /// inside.
    pub(crate) fn with<R>(&self, f: impl FnOnce(&mut T) -> R) -> PyResult<R> {
        let source = {
            let mut access = self.access();
            match access.state {
                State::Open if access.readers == 0 => access.state = State::Taken,
                State::ReadOnly => return Err(read_only()),
                _ => return Err(in_use()),
            }
            access.source
        };
        let _writer = Writer(self);
        // SAFETY: the state makes this the only reference in use: a lender waits until its borrowers are
        // done.
        Ok(f(unsafe { &mut *source }))
    }

    /// Shared access; an error when another thread, or a call further up the stack, has exclusive access.
    pub(crate) fn read(&self) -> PyResult<Reader<'_, T>> {
        let mut access = self.access();
        if access.state == State::Taken {
            return Err(in_use());
        }
        access.readers += 1;
        // SAFETY: nobody has or gets exclusive access as long as there are readers.
        Ok(Reader { value: unsafe { &*access.source }, owner: self })
    }

    /// Lets calls made by `f` borrow `value`, which the caller has borrowed from this object. Another
    /// object's value is not lent: its owner remains in use.
    pub(crate) fn lend<R>(&self, value: &mut T, f: impl FnOnce() -> R) -> R {
        self.lend_as(value, State::Open, f)
    }

    /// Like [`Self::lend`], for a caller that has only a shared reference: calls made by `f` may read.
    pub(crate) fn lend_shared<R>(&self, value: &T, f: impl FnOnce() -> R) -> R {
        self.lend_as(std::ptr::from_ref(value).cast_mut(), State::ReadOnly, f)
    }

    fn lend_as<R>(&self, value: *mut T, state: State, f: impl FnOnce() -> R) -> R {
        if !std::ptr::eq(value, self.value.get()) {
            return f();
        }
        let _lender = {
            let mut access = self.access();
            let lender =
                Lender { owner: self, source: access.source, state: access.state, readers: access.readers };
            (access.source, access.state, access.readers) = (value, state, 0);
            lender
        };
        f()
    }
}

fn in_use() -> PyErr {
    PyRuntimeError::new_err("this object is in use by another thread or by a call further up the stack")
}

fn read_only() -> PyErr {
    PyRuntimeError::new_err("this object cannot be changed here: the callback was given it for reading only")
}

/// Keeps shared memory alive: the base object of every view.
#[pyclass(frozen, module = "kinetree._core")]
pub(crate) struct Owner {
    _memory: Box<dyn std::any::Any + Send + Sync>,
}

impl Owner {
    pub(crate) fn of<T: Send + Sync + 'static>(
        py: Python<'_>,
        memory: &Arc<Shared<T>>,
    ) -> PyResult<Py<Self>> {
        Py::new(py, Self { _memory: Box::new(Arc::clone(memory)) })
    }

    /// Like [`Self::of`], for memory that a child of this process must not drop: it never gives the reference
    /// back.
    pub(crate) fn of_process<T: Send + Sync + 'static>(
        py: Python<'_>,
        memory: &Arc<Shared<T>>,
    ) -> PyResult<Py<Self>> {
        Py::new(py, Self { _memory: Box::new(OfProcess::new(Arc::clone(memory))) })
    }
}

/// Makes a writable array over memory that `owner` keeps alive.
pub(crate) fn view<'py, T: Element>(
    slice: &mut [T],
    shape: &[usize],
    owner: &Bound<'py, Owner>,
) -> Bound<'py, PyArrayDyn<T>> {
    assert_eq!(slice.len(), shape.iter().product::<usize>(), "shape and memory must agree");
    // SAFETY: the slice has as many values as the shape, and is memory of `owner`.
    unsafe { view_at(slice.as_mut_ptr(), shape, owner) }
}

/// Makes a writable array of shape `(n, 3)` over vectors that `owner` keeps alive.
pub(crate) fn view_vectors<'py>(
    vectors: &mut [Vec3],
    owner: &Bound<'py, Owner>,
) -> Bound<'py, PyArrayDyn<f64>> {
    const { assert!(size_of::<Vec3>() == size_of::<[f64; 3]>()) };
    // SAFETY: a vector is three numbers one after the other and nothing else; the slice is memory of `owner`.
    unsafe { view_at(vectors.as_mut_ptr().cast(), &[vectors.len(), 3], owner) }
}

/// Makes a writable array over one number of each of some records that `owner` keeps alive. `number` finds it
/// within a record.
pub(crate) fn view_column<'py, R, T: Element>(
    records: &mut [R],
    number: impl FnOnce(&mut R) -> &mut T,
    owner: &Bound<'py, Owner>,
) -> Bound<'py, PyArrayDyn<T>> {
    const { assert!(size_of::<R>().is_multiple_of(size_of::<T>())) };
    let (count, start) = (records.len(), records.as_mut_ptr());
    let Some(first) = records.first_mut() else {
        return PyArrayDyn::zeros(owner.py(), vec![0_usize], false);
    };
    let offset = std::ptr::from_mut(number(first)).addr().wrapping_sub(start.addr());
    assert!(offset + size_of::<T>() <= size_of::<R>(), "the number must lie in the record");
    // SAFETY: the number lies at this offset in each record, and the records are memory of `owner`; the array
    // keeps `owner`, and with it the memory, alive.
    unsafe {
        let pointer = start.cast::<u8>().add(offset).cast::<T>();
        let shape = [count].strides([size_of::<R>() / size_of::<T>()]);
        let array = ArrayView1::from_shape_ptr(shape, pointer).into_dyn();
        PyArrayDyn::borrow_from_array(&array, owner.clone().into_any())
    }
}

/// Makes a writable array over memory that `owner` keeps alive.
///
/// # Safety
/// As many values as the shape has lie at `pointer` as long as `owner` lives.
unsafe fn view_at<'py, T: Element>(
    pointer: *mut T,
    shape: &[usize],
    owner: &Bound<'py, Owner>,
) -> Bound<'py, PyArrayDyn<T>> {
    // SAFETY: by the contract; the array keeps `owner`, and with it the memory, alive.
    unsafe {
        let array = ArrayViewD::from_shape_ptr(IxDyn(shape), pointer);
        PyArrayDyn::borrow_from_array(&array, owner.clone().into_any())
    }
}

/// Where an array of a model lies.
enum Place {
    F64(*mut f64),
    F32(*mut f32),
    I32(*mut i32),
    I64(*mut i64),
    U64(*mut u64),
    U8(*mut u8),
}

impl Place {
    /// Where an array lies, and how long it is.
    fn of(data: FieldSliceMut<'_>) -> (Self, usize) {
        match data {
            FieldSliceMut::F64(s) => (Self::F64(s.as_mut_ptr()), s.len()),
            FieldSliceMut::F32(s) => (Self::F32(s.as_mut_ptr()), s.len()),
            FieldSliceMut::I32(s) => (Self::I32(s.as_mut_ptr()), s.len()),
            FieldSliceMut::I64(s) => (Self::I64(s.as_mut_ptr()), s.len()),
            FieldSliceMut::U64(s) => (Self::U64(s.as_mut_ptr()), s.len()),
            FieldSliceMut::U8(s) => (Self::U8(s.as_mut_ptr()), s.len()),
        }
    }
}

/// A field of a model that can be viewed.
struct Viewable {
    name: &'static str,
    place: Place,
    shape: Vec<usize>,
}

impl Viewable {
    fn all(fields: Vec<FieldMut<'_>>, shapes: Vec<Vec<usize>>) -> Vec<Self> {
        let viewable = |(field, shape): (FieldMut<'_>, Vec<usize>)| {
            let (place, len) = Place::of(field.data);
            assert_eq!(len, shape.iter().product::<usize>(), "shape and memory must agree");
            Self { name: field.name, place, shape }
        };
        fields.into_iter().zip(shapes).map(viewable).collect()
    }

    /// A writable array.
    ///
    /// # Safety
    /// The field belongs to the memory of `owner`.
    unsafe fn view<'py>(&self, owner: &Bound<'py, Owner>) -> Bound<'py, PyAny> {
        let shape = &self.shape;
        // SAFETY: by the contract; the fields of a model keep place and length as long as it lives.
        unsafe {
            match self.place {
                Place::F64(p) => view_at(p, shape, owner).into_any(),
                Place::F32(p) => view_at(p, shape, owner).into_any(),
                Place::I32(p) => view_at(p, shape, owner).into_any(),
                Place::I64(p) => view_at(p, shape, owner).into_any(),
                Place::U64(p) => view_at(p, shape, owner).into_any(),
                Place::U8(p) => view_at(p, shape, owner).into_any(),
            }
        }
    }
}

/// The arrays and options of a model. Views of them are made when they are asked for, also while somebody
/// reads the model.
pub(crate) struct ModelViews {
    owner: Py<Owner>,
    arrays: Vec<Viewable>,
    options: Vec<(&'static str, Vec<Viewable>)>,
}

// SAFETY: the pointers are only used with the interpreter lock held, like every use of the views made from
// them.
unsafe impl Send for ModelViews {}
// SAFETY: as above.
unsafe impl Sync for ModelViews {}

impl ModelViews {
    /// Notes where everything lies; `shapes` gives the shapes that views shall have.
    pub(crate) fn new(
        py: Python<'_>,
        model: &Arc<Shared<Model>>,
        shapes: impl Fn(&[Field<'_>]) -> Vec<Vec<usize>>,
    ) -> PyResult<Self> {
        let owner = Owner::of(py, model)?;
        model.with(|m| {
            let (of_arrays, of_opt, of_stat) =
                (shapes(&m.fields()), shapes(&m.opt.fields()), shapes(&m.stat.fields()));
            let of_groups: Vec<_> = m.vis.groups().iter().map(|(_, fields)| shapes(fields)).collect();
            let mut options = vec![
                ("opt", Viewable::all(m.opt.fields_mut(), of_opt)),
                ("stat", Viewable::all(m.stat.fields_mut(), of_stat)),
            ];
            for ((group, fields), shapes) in m.vis.groups_mut().into_iter().zip(of_groups) {
                options.push((group, Viewable::all(fields, shapes)));
            }
            Self { owner, arrays: Viewable::all(m.fields_mut(), of_arrays), options }
        })
    }

    /// A writable view of the array at this place of the field table.
    pub(crate) fn array<'py>(&self, py: Python<'py>, field: usize) -> Option<Bound<'py, PyAny>> {
        // SAFETY: the arrays are of the model that `owner` keeps alive.
        self.arrays.get(field).map(|array| unsafe { array.view(self.owner.bind(py)) })
    }

    /// Writable views of all options: a dictionary for each group.
    pub(crate) fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let groups = PyDict::new(py);
        for (group, fields) in &self.options {
            let dict = PyDict::new(py);
            for field in fields {
                // SAFETY: the options are of the model that `owner` keeps alive.
                dict.set_item(field.name, unsafe { field.view(self.owner.bind(py)) })?;
            }
            groups.set_item(group, dict)?;
        }
        Ok(groups)
    }
}

/// Copies the values of an array into `out`, which has as many; `false` when they are not contiguous in row
/// order.
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

/// Appends the values of an array to a list; `false` when they are not contiguous in row order.
pub(crate) fn append<T: Element + Copy>(array: &Bound<'_, PyArrayDyn<T>>, list: &mut Vec<T>) -> bool {
    // SAFETY: the interpreter lock is held and the slice lives only for the copy.
    match unsafe { array.as_slice() } {
        Ok(values) if array.is_c_contiguous() => {
            list.extend_from_slice(values);
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
