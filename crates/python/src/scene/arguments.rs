//! Structs as arguments: objects of `kinetree.scene` that keep their fields in an array of bytes.

use super::record::Record;
use crate::memory::{copy_in, copy_out};
use numpy::{PyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// The attribute that has the bytes of a struct.
pub(super) const BYTES: &str = "_bytes";

/// A struct that a function reads, and may write.
pub(crate) struct Struct<'py, T> {
    pub(crate) value: T,
    bytes: Bound<'py, PyArrayDyn<u8>>,
}

impl<'py, T: Record> FromPyObject<'_, 'py> for Struct<'py, T> {
    type Error = PyErr;

    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let wrong = || {
            let found = obj
                .get_type()
                .name()
                .map_or_else(|_| "something else".into(), |n: Bound<'_, PyString>| n.to_string());
            PyTypeError::new_err(format!("expected {}, found {found}", T::NAME))
        };
        let name = obj.get_type().getattr("_record_name").map_err(|_| wrong())?;
        if name.extract::<String>()? != T::NAME {
            return Err(wrong());
        }
        let bytes = obj.getattr(BYTES).map_err(|_| wrong())?;
        let bytes = bytes.cast_into::<PyArrayDyn<u8>>().map_err(|_| wrong())?;
        let mut own = vec![0; bytes.len()];
        if own.len() != T::SIZE || !copy_out(&bytes, &mut own) {
            return Err(wrong());
        }
        Ok(Self { value: T::read(&own), bytes })
    }
}

impl<T: Record> Struct<'_, T> {
    /// Writes the value back to the object.
    pub(crate) fn store(&self) -> PyResult<()> {
        let mut own = vec![0; T::SIZE];
        self.value.write(&mut own);
        if copy_in(&self.bytes, &own) {
            return Ok(());
        }
        Err(PyTypeError::new_err(format!("this {} cannot be written to", T::NAME)))
    }
}
