//! Arguments of Python functions: array-likes that are copied in, arrays that results are written to.
//!
//! Inputs may be anything that NumPy turns into an array. Outputs must be writable, contiguous arrays of the
//! exact element type, since results go into them. Wrong sizes and types are `TypeError`s that name the
//! argument.

use crate::memory::{append, copy_in, copy_out, is_writable};
use numpy::{Element, PyArrayDyn, PyUntypedArrayMethods, dtype};
use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A list of equal values; a `MemoryError` when there is no memory for it, as from NumPy.
pub(crate) fn filled<T: Clone>(value: T, count: usize) -> PyResult<Vec<T>> {
    let mut list = room(count)?;
    list.resize(count, value);
    Ok(list)
}

/// An empty list with room for so many values; a `MemoryError` when there is no memory for it.
pub(crate) fn room<T>(count: usize) -> PyResult<Vec<T>> {
    let mut list = Vec::new();
    // what is left then is enough for all that is too small to ask
    let is_free = kinetree_model::claim("values", count.saturating_mul(size_of::<T>())).is_ok();
    if is_free && list.try_reserve_exact(count).is_ok() {
        return Ok(list);
    }
    let bytes = count as u128 * size_of::<T>() as u128;
    Err(PyMemoryError::new_err(format!("no memory for {count} values ({bytes} bytes)")))
}

/// Any numbers, with the shape they came in.
pub(crate) struct Values<T = f64> {
    pub(crate) values: Vec<T>,
    pub(crate) shape: Vec<usize>,
}

/// A string, also when it comes as bytes.
pub(crate) struct Text(pub(crate) String);

impl<'py> FromPyObject<'_, 'py> for Text {
    type Error = PyErr;

    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match obj.cast::<PyBytes>() {
            Ok(bytes) => Ok(Self(String::from_utf8_lossy(bytes.as_bytes()).into_owned())),
            Err(_) => obj.extract().map(Self),
        }
    }
}

/// Exactly `N` numbers.
pub(crate) struct Fixed<const N: usize>(pub(crate) [f64; N]);

/// An array that a result is written to.
pub(crate) struct Out<'py, T: Element = f64>(Bound<'py, PyArrayDyn<T>>);

/// An array of exactly `N` numbers that a result is written to.
pub(crate) struct OutFixed<'py, const N: usize>(Out<'py>);

/// The contiguous array of type `T` that NumPy makes of a value; the value itself when it is one.
fn as_array<'py, T: Element>(obj: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    if let Ok(array) = obj.cast::<PyArrayDyn<T>>()
        && array.is_c_contiguous()
    {
        return Ok(array.clone());
    }
    let py = obj.py();
    let numpy = numpy::get_array_module(py)?;
    let array = numpy
        .call_method1("ascontiguousarray", (obj, dtype::<T>(py)))
        .map_err(|e| PyTypeError::new_err(format!("not an array of numbers: {}", e.value(py))))?;
    Ok(array.cast_into::<PyArrayDyn<T>>()?)
}

impl<'py, T: Element + Copy + Default> FromPyObject<'_, 'py> for Values<T> {
    type Error = PyErr;

    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let array = as_array::<T>(&obj)?;
        let mut values = room(array.len())?;
        if !append(&array, &mut values) {
            return Err(PyTypeError::new_err("the array is not contiguous"));
        }
        Ok(Self { values, shape: array.shape().to_vec() })
    }
}

impl<'py, const N: usize> FromPyObject<'_, 'py> for Fixed<N> {
    type Error = PyErr;

    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let array = as_array::<f64>(&obj)?;
        let mut values = [0.0; N];
        if !copy_out(&array, &mut values) {
            let n = array.len();
            return Err(PyTypeError::new_err(format!("expected {N} numbers, found {n}")));
        }
        Ok(Self(values))
    }
}

impl<'py, T: Element> FromPyObject<'_, 'py> for Out<'py, T> {
    type Error = PyErr;

    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let Ok(array) = obj.cast::<PyArrayDyn<T>>() else {
            let name = dtype::<T>(obj.py());
            return Err(PyTypeError::new_err(format!(
                "expected an array of {name} that a result can be written to"
            )));
        };
        if !array.is_c_contiguous() || !is_writable(&array) {
            return Err(PyTypeError::new_err("the array must be writable and contiguous in row order"));
        }
        Ok(Self(array.to_owned()))
    }
}

impl<'py, const N: usize> FromPyObject<'_, 'py> for OutFixed<'py, N> {
    type Error = PyErr;

    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let out = Out::extract(obj)?;
        let n = out.len();
        if n != N {
            return Err(PyTypeError::new_err(format!("expected an array of {N} numbers, found {n}")));
        }
        Ok(Self(out))
    }
}

impl<'py, T: Element + Copy + Default> Out<'py, T> {
    /// The array.
    pub(crate) fn array(&self) -> &Bound<'py, PyArrayDyn<T>> {
        &self.0
    }

    /// The array itself.
    pub(crate) fn into_array(self) -> Bound<'py, PyArrayDyn<T>> {
        self.0
    }

    /// Number of values.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Rows and columns; one column for a vector.
    pub(crate) fn shape(&self) -> (usize, usize) {
        rows_cols(self.0.shape())
    }

    /// The present values.
    pub(crate) fn read(&self) -> PyResult<Vec<T>> {
        let mut values = room(self.len())?;
        append(&self.0, &mut values);
        Ok(values)
    }

    /// Writes as many values as the array has.
    pub(crate) fn write(&self, values: &[T]) -> PyResult<()> {
        if copy_in(&self.0, values) {
            return Ok(());
        }
        let (n, m) = (self.len(), values.len());
        Err(PyTypeError::new_err(format!("the result has {m} values, but the array has room for {n}")))
    }

    /// An error unless the array has `count` values.
    pub(crate) fn expect(&self, name: &str, count: usize) -> PyResult<()> {
        expect_len(name, self.len(), count)
    }

    /// An error unless the array is `rows` × `cols`, or flat with as many values.
    pub(crate) fn expect_shape(&self, name: &str, rows: usize, cols: usize) -> PyResult<()> {
        expect_matrix(name, self.0.shape(), rows, cols)
    }
}

impl<const N: usize> OutFixed<'_, N> {
    /// The present values.
    pub(crate) fn read(&self) -> [f64; N] {
        let mut values = [0.0; N];
        copy_out(&self.0.0, &mut values);
        values
    }

    /// Writes the values.
    pub(crate) fn write(&self, values: &[f64; N]) {
        copy_in(&self.0.0, values);
    }
}

impl<T> Values<T> {
    /// Number of values.
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// Rows and columns; one column for a vector.
    pub(crate) fn shape(&self) -> (usize, usize) {
        rows_cols(&self.shape)
    }

    /// An error unless there are `count` values.
    pub(crate) fn expect(&self, name: &str, count: usize) -> PyResult<()> {
        expect_len(name, self.len(), count)
    }

    /// An error unless the values are `rows` × `cols`, or flat and as many.
    pub(crate) fn expect_shape(&self, name: &str, rows: usize, cols: usize) -> PyResult<()> {
        expect_matrix(name, &self.shape, rows, cols)
    }
}

fn rows_cols(shape: &[usize]) -> (usize, usize) {
    match shape {
        [] => (1, 1),
        [n] => (*n, 1),
        [rows, rest @ ..] => (*rows, rest.iter().product()),
    }
}

fn expect_len(name: &str, found: usize, count: usize) -> PyResult<()> {
    if found == count {
        return Ok(());
    }
    Err(PyTypeError::new_err(format!("{name} should have {count} values, but has {found}")))
}

fn expect_matrix(name: &str, shape: &[usize], rows: usize, cols: usize) -> PyResult<()> {
    let flat = shape.len() <= 1 && shape.iter().product::<usize>() == rows * cols;
    if flat || shape == [rows, cols] {
        return Ok(());
    }
    Err(PyTypeError::new_err(format!("{name} should be of shape ({rows}, {cols}), but is {shape:?}")))
}
