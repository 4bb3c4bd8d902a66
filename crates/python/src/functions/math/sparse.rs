//! Sparse matrices in compressed rows.

use super::functions;
use crate::args::{Out, Values, filled};
use crate::panics::guarded;
use kinetree_math::sparse::{Csr, CsrBuf, Pattern, dense_to_sparse, sparse_to_dense};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Writes a matrix in compressed rows; returns 1 when there is not enough room for its entries, else 0.
///
/// Args:
///     res: array that gets the entries.
///     mat: the matrix, shape (r, c).
///     rownnz: int32 array (r,) that gets the number of entries of each row.
///     rowadr: int32 array (r,) that gets the index of the first entry of each row.
///     colind: int32 array as long as `res` that gets the column of each entry.
#[pyfunction]
fn mju_dense2sparse(
    res: Out<'_>,
    mat: Values,
    rownnz: Out<'_, i32>,
    rowadr: Out<'_, i32>,
    colind: Out<'_, i32>,
) -> PyResult<i32> {
    let (rows, cols) = mat.shape();
    rownnz.expect("rownnz", rows)?;
    rowadr.expect("rowadr", rows)?;
    colind.expect("colind", res.len())?;
    let mut sparse = CsrBuf::default();
    dense_to_sparse(&mut sparse, &mat.values, rows, cols);
    let count = sparse.val.len();
    if count > res.len() {
        return Ok(1);
    }
    let (mut values, mut columns) = (res.read()?, colind.read()?);
    values[..count].copy_from_slice(&sparse.val);
    columns[..count].copy_from_slice(&sparse.colind);
    res.write(&values)?;
    colind.write(&columns)?;
    rownnz.write(&sparse.rownnz)?;
    rowadr.write(&sparse.rowadr)?;
    Ok(0)
}

/// Writes a matrix in compressed rows as a full one.
///
/// Args:
///     res: array (r, c) that gets the matrix.
///     mat: the entries.
///     rownnz: number of entries of each row, shape (r,).
///     rowadr: index of the first entry of each row, shape (r,).
///     colind: column of each entry.
#[pyfunction]
fn mju_sparse2dense(
    res: Out<'_>,
    mat: Values,
    rownnz: Values<i32>,
    rowadr: Values<i32>,
    colind: Values<i32>,
) -> PyResult<()> {
    let (rows, cols) = res.shape();
    rownnz.expect("rownnz", rows)?;
    rowadr.expect("rowadr", rows)?;
    colind.expect("colind", mat.len())?;
    check_pattern(&rownnz, &rowadr, &colind, cols)?;
    let pattern = Pattern { rownnz: &rownnz.values, rowadr: &rowadr.values, colind: &colind.values };
    let mut result = filled(0.0, rows * cols)?;
    guarded(|| sparse_to_dense(&mut result, Csr { pattern, val: &mat.values }, cols))?;
    res.write(&result)
}

/// An error unless all rows are within the entries and all columns within the matrix.
fn check_pattern(
    rownnz: &Values<i32>,
    rowadr: &Values<i32>,
    colind: &Values<i32>,
    cols: usize,
) -> PyResult<()> {
    let bad_row = rownnz
        .values
        .iter()
        .zip(&rowadr.values)
        .any(|(&n, &a)| n < 0 || a < 0 || a as usize + n as usize > colind.len());
    if bad_row || colind.values.iter().any(|&c| c < 0 || c as usize >= cols) {
        return Err(PyValueError::new_err("the sparse pattern points outside the matrix"));
    }
    Ok(())
}

/// Prints a matrix in compressed rows: one line per row with column and value of each entry.
///
/// Args:
///     mat: the entries.
///     rownnz: number of entries of each row.
///     rowadr: index of the first entry of each row.
///     colind: column of each entry.
#[pyfunction]
fn mju_printMatSparse(
    py: Python<'_>,
    mat: Values,
    rownnz: Values<i32>,
    rowadr: Values<i32>,
    colind: Values<i32>,
) -> PyResult<()> {
    if rownnz.len() != rowadr.len() || mat.len() != colind.len() {
        return Err(PyTypeError::new_err("the arrays of the sparse matrix do not fit each other"));
    }
    check_pattern(&rownnz, &rowadr, &colind, usize::MAX)?;
    let mut text = String::new();
    for (&n, &a) in rownnz.values.iter().zip(&rowadr.values) {
        for at in a as usize..(a + n) as usize {
            text.push_str(&format!("{:2}: {:9.6}  ", colind.values[at], mat.values[at]));
        }
        text.push('\n');
    }
    py.import("builtins")?.call_method1("print", (text,))?;
    Ok(())
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    functions!(module; mju_dense2sparse mju_sparse2dense mju_printMatSparse);
    Ok(())
}
