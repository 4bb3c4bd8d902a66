//! DLPack: memory of a device for other libraries, without copies.
//!
//! What the unsafe code relies on: a [`Managed`] is made on the heap and given away as the address of its
//! first field, which the protocol's structure is; a library that takes the capsule renames it and calls
//! `deleter` once, and a capsule that nobody has taken calls it when it goes. `deleter` gives the memory back
//! on whatever thread it is called, without the interpreter lock. A child of the process that has made a
//! tensor neither uses it nor gives it back: driver and memory are the parent's.

#![allow(unsafe_code)]

use crate::process::inherited;
use kinetree_gpu::{DeviceTensor, Precision};
use kinetree_threads::OfProcess;
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::{CStr, c_void};

/// `kDLCUDA`.
const CUDA: i32 = 2;
/// `kDLFloat`.
const FLOAT: u8 = 2;
/// What a capsule is called until somebody takes what is in it.
const UNTAKEN: &CStr = c"dltensor";

/// `DLTensor`.
#[repr(C)]
struct Tensor {
    data: *mut c_void,
    device_type: i32,
    device_id: i32,
    ndim: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

/// `DLManagedTensor`, and what it points to.
#[repr(C)]
struct Managed {
    tensor: Tensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Managed)>,
    shape: Vec<i64>,
    strides: Vec<i64>,
    owner: Owner,
}

/// A tensor that is dropped without the interpreter lock: its memory waits for what other libraries still do
/// with it, and that may wait for the interpreter.
struct Owner(Option<OfProcess<DeviceTensor>>);

impl Owner {
    fn new(tensor: DeviceTensor) -> Self {
        Self(Some(OfProcess::new(tensor)))
    }

    fn get(&self) -> PyResult<&DeviceTensor> {
        self.0.as_ref().and_then(OfProcess::get).ok_or_else(|| inherited("a tensor on a GPU"))
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        let tensor = self.0.take();
        // where the interpreter has ended, nobody waits for it: the closure is dropped with the tensor
        let _ = Python::try_attach(move |py| py.detach(move || drop(tensor)));
    }
}

/// Numbers of all worlds on the device.
#[pyclass(frozen, module = "kinetree._core")]
pub(crate) struct CoreTensor(Owner);

impl CoreTensor {
    pub(crate) fn new(tensor: DeviceTensor) -> Self {
        Self(Owner::new(tensor))
    }
}

#[pymethods]
impl CoreTensor {
    /// Worlds, and numbers of each.
    #[getter]
    fn shape(&self) -> PyResult<(usize, usize)> {
        Ok(self.0.get()?.shape().into())
    }

    /// Bits of a number.
    #[getter]
    fn bits(&self) -> PyResult<u64> {
        Ok(8 * self.0.get()?.precision().bytes())
    }

    /// Type and number of the device, as DLPack has them.
    fn __dlpack_device__(&self) -> PyResult<(i32, i32)> {
        Ok((CUDA, self.0.get()?.device()))
    }

    /// A capsule with the tensor. Simulators wait for the device before they return, and for CUDA before they
    /// go on, so that no stream has to wait.
    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<Bound<'py, PyAny>>,
        max_version: Option<Bound<'py, PyAny>>,
        dl_device: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = (stream, max_version);
        if copy == Some(true) {
            return Err(pyo3::exceptions::PyBufferError::new_err(
                "this tensor is not copied: copy what is made of it",
            ));
        }
        if let Some(device) = dl_device
            && device.extract::<(i32, i32)>()? != self.__dlpack_device__()?
        {
            return Err(pyo3::exceptions::PyBufferError::new_err("this tensor stays on its device"));
        }
        let managed = Box::into_raw(Box::new(managed(self.0.get()?)));
        // SAFETY: the address and the name are valid as long as the capsule is, which frees what is left in
        // it
        let capsule = unsafe { ffi::PyCapsule_New(managed.cast(), UNTAKEN.as_ptr(), Some(drop_capsule)) };
        if capsule.is_null() {
            // SAFETY: made above, and nobody else has it
            drop(unsafe { Box::from_raw(managed) });
            return Err(PyErr::fetch(py));
        }
        // SAFETY: a new reference
        Ok(unsafe { Bound::from_owned_ptr(py, capsule) })
    }
}

fn managed(owner: &DeviceTensor) -> Managed {
    let mut shape = owner.shape().map(|size| size as i64).to_vec();
    let mut strides = owner.strides().map(|size| size as i64).to_vec();
    let tensor = Tensor {
        data: owner.address() as *mut c_void,
        device_type: CUDA,
        device_id: owner.device(),
        ndim: 2,
        code: FLOAT,
        bits: if owner.precision() == Precision::Double { 64 } else { 32 },
        lanes: 1,
        // lists stay where they are when they move
        shape: shape.as_mut_ptr(),
        strides: strides.as_mut_ptr(),
        byte_offset: 0,
    };
    Managed {
        tensor,
        context: std::ptr::null_mut(),
        deleter: Some(delete),
        shape,
        strides,
        owner: Owner::new(owner.clone()),
    }
}

unsafe extern "C" fn delete(managed: *mut Managed) {
    if !managed.is_null() {
        // SAFETY: made by `__dlpack__`, and called once
        drop(unsafe { Box::from_raw(managed) });
    }
}

unsafe extern "C" fn drop_capsule(capsule: *mut ffi::PyObject) {
    // SAFETY: the interpreter calls it with a capsule of `__dlpack__`; under another name it has been taken
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, UNTAKEN.as_ptr()) == 1 {
            delete(ffi::PyCapsule_GetPointer(capsule, UNTAKEN.as_ptr()).cast());
        }
    }
}
