//! NumPy views of fields, and copies of Python values into fields.

use crate::memory::view;
use kinetree_model::{FieldMut, FieldSliceMut};
use numpy::{Element, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A writable view of a flat field, shaped.
pub(crate) fn field_view<'py>(
    field: FieldMut<'_>,
    shape: &[usize],
    owner: Bound<'py, PyAny>,
) -> Bound<'py, PyAny> {
    macro_rules! make {
        ($s:expr) => {
            view($s, shape, owner).into_any()
        };
    }
    match field.data {
        FieldSliceMut::F64(s) => make!(s),
        FieldSliceMut::F32(s) => make!(s),
        FieldSliceMut::I32(s) => make!(s),
        FieldSliceMut::I64(s) => make!(s),
        FieldSliceMut::U64(s) => make!(s),
        FieldSliceMut::U8(s) => make!(s),
    }
}

/// Copies a flat array-like into a field of the same number of values.
pub(crate) fn assign(field: FieldMut<'_>, value: &Bound<'_, PyAny>) -> PyResult<()> {
    fn copy<T: Element + Copy>(name: &str, dst: &mut [T], value: &Bound<'_, PyAny>) -> PyResult<()> {
        let array: PyReadonlyArray1<'_, T> = value.extract()?;
        let src = array.as_slice()?;
        if src.len() != dst.len() {
            let (n, m) = (src.len(), dst.len());
            return Err(PyValueError::new_err(format!("`{name}` has {m} values, but {n} were given")));
        }
        dst.copy_from_slice(src);
        Ok(())
    }
    match field.data {
        FieldSliceMut::F64(s) => copy(field.name, s, value),
        FieldSliceMut::F32(s) => copy(field.name, s, value),
        FieldSliceMut::I32(s) => copy(field.name, s, value),
        FieldSliceMut::I64(s) => copy(field.name, s, value),
        FieldSliceMut::U64(s) => copy(field.name, s, value),
        FieldSliceMut::U8(s) => copy(field.name, s, value),
    }
}
