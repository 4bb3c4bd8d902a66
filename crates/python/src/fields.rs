//! NumPy views and copies of fields, and copies of Python values into fields.

use crate::memory::{Owner, view};
use kinetree_model::{Field, FieldMut, FieldSlice, FieldSliceMut};
use numpy::{Element, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Shape as NumPy users expect it: two dimensions at most, one where there is one column.
pub(crate) fn numpy_shape(shape: [usize; 3], table: bool) -> Vec<usize> {
    let columns = shape[1] * shape[2];
    if columns == 1 && !table { vec![shape[0]] } else { vec![shape[0], columns] }
}

/// Shapes of fields, in order.
pub(crate) fn shapes(fields: &[Field<'_>]) -> Vec<Vec<usize>> {
    fields.iter().map(|f| numpy_shape(f.shape, is_table(f.name))).collect()
}

/// Whether an array has a number of columns that the model chooses, so that it is a table even with one
/// column.
fn is_table(name: &str) -> bool {
    name.ends_with("_user") || (name.starts_with("key_") && name != "key_time")
}

/// A writable view of a field.
fn field_view<'py>(field: FieldMut<'_>, shape: &[usize], owner: &Bound<'py, Owner>) -> Bound<'py, PyAny> {
    match field.data {
        FieldSliceMut::F64(s) => view(s, shape, owner).into_any(),
        FieldSliceMut::F32(s) => view(s, shape, owner).into_any(),
        FieldSliceMut::I32(s) => view(s, shape, owner).into_any(),
        FieldSliceMut::I64(s) => view(s, shape, owner).into_any(),
        FieldSliceMut::U64(s) => view(s, shape, owner).into_any(),
        FieldSliceMut::U8(s) => view(s, shape, owner).into_any(),
    }
}

/// Writable views of fields by name.
pub(crate) fn views<'py>(
    fields: Vec<FieldMut<'_>>,
    shapes: &[Vec<usize>],
    owner: &Bound<'py, Owner>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(owner.py());
    for (field, shape) in fields.into_iter().zip(shapes) {
        dict.set_item(field.name, field_view(field, shape, owner))?;
    }
    Ok(dict)
}

/// A copy of a field.
pub(crate) fn field_copy<'py>(
    py: Python<'py>,
    data: FieldSlice<'_>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    fn copy<'py, T: Element + Copy>(
        py: Python<'py>,
        s: &[T],
        shape: &[usize],
    ) -> PyResult<Bound<'py, PyAny>> {
        if s.is_empty() {
            return Ok(PyArrayDyn::<T>::zeros(py, shape.to_vec(), false).into_any());
        }
        let array = numpy::PyArray1::from_slice(py, s);
        Ok(array.reshape(shape.to_vec())?.into_any())
    }
    match data {
        FieldSlice::F64(s) => copy(py, s, shape),
        FieldSlice::F32(s) => copy(py, s, shape),
        FieldSlice::I32(s) => copy(py, s, shape),
        FieldSlice::I64(s) => copy(py, s, shape),
        FieldSlice::U64(s) => copy(py, s, shape),
        FieldSlice::U8(s) => copy(py, s, shape),
    }
}

/// Copies an array into a field of the same number of values; whether integers have changed.
pub(crate) fn assign(field: FieldMut<'_>, value: &Bound<'_, PyAny>) -> PyResult<bool> {
    fn copy<T: Element + Copy + PartialEq>(
        name: &str,
        dst: &mut [T],
        value: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        let array: PyReadonlyArrayDyn<'_, T> = value.cast::<PyArrayDyn<T>>()?.readonly();
        let src = array.as_slice()?;
        if src.len() != dst.len() {
            let (n, m) = (src.len(), dst.len());
            return Err(PyValueError::new_err(format!("`{name}` has {m} values, but {n} were given")));
        }
        let changes = dst != src;
        dst.copy_from_slice(src);
        Ok(changes)
    }
    match field.data {
        FieldSliceMut::F64(s) => copy(field.name, s, value).map(|_| false),
        FieldSliceMut::F32(s) => copy(field.name, s, value).map(|_| false),
        FieldSliceMut::I32(s) => copy(field.name, s, value),
        FieldSliceMut::I64(s) => copy(field.name, s, value),
        FieldSliceMut::U64(s) => copy(field.name, s, value),
        FieldSliceMut::U8(s) => copy(field.name, s, value),
    }
}

/// Fills fields from a dictionary that has them all.
pub(crate) fn fill(fields: Vec<FieldMut<'_>>, values: &Bound<'_, PyDict>) -> PyResult<()> {
    for field in fields {
        let value = values.get_item(field.name)?.ok_or_else(|| PyKeyError::new_err(field.name))?;
        assign(field, &value)?;
    }
    Ok(())
}
