//! Symmetric matrices that are a band with dense rows at the end.

use super::functions;
use crate::args::{Out, Values, filled};
use crate::errors::index;
use crate::panics::guarded;
use kinetree_math::band::Band;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

fn band(ntotal: usize, nband: usize, ndense: usize) -> PyResult<Band> {
    if ndense > ntotal || nband == 0 {
        return Err(PyValueError::new_err("a band needs ndense <= ntotal and nband >= 1"));
    }
    Ok(Band::new(ntotal, nband, ndense))
}

/// Index of a diagonal entry in a band matrix: a symmetric one with a band, and dense rows at its end.
///
/// Args:
///     i: which diagonal entry.
///     ntotal: order of the whole matrix.
///     nband: width of the band, the diagonal included.
///     ndense: number of dense rows at the end.
#[pyfunction]
fn mju_bandDiag(i: i64, ntotal: usize, nband: usize, ndense: usize) -> PyResult<usize> {
    let band = band(ntotal, nband, ndense)?;
    Ok(band.diag(index("row", i, ntotal)?))
}

/// Writes a band matrix as a full one.
///
/// Args:
///     res: array (ntotal, ntotal) that gets the matrix.
///     mat: band matrix, its values in one row.
///     ntotal: order of the whole matrix.
///     nband: width of the band, the diagonal included.
///     ndense: number of dense rows at the end.
///     flg_sym: whether the upper triangle is written, too.
#[pyfunction]
fn mju_band2Dense(
    res: Out<'_>,
    mat: Values,
    ntotal: usize,
    nband: usize,
    ndense: usize,
    flg_sym: i64,
) -> PyResult<()> {
    let band = band(ntotal, nband, ndense)?;
    mat.expect("mat", band.len())?;
    res.expect_shape("res", ntotal, ntotal)?;
    let mut result = filled(0.0, ntotal * ntotal)?;
    guarded(|| band.to_dense(&mut result, &mat.values, flg_sym != 0))?;
    res.write(&result)
}

/// Writes a full symmetric matrix as a band matrix.
///
/// Args:
///     res: array that gets the band matrix.
///     mat: full matrix, shape (ntotal, ntotal).
///     ntotal: order of the whole matrix.
///     nband: width of the band, the diagonal included.
///     ndense: number of dense rows at the end.
#[pyfunction]
fn mju_dense2Band(res: Out<'_>, mat: Values, ntotal: usize, nband: usize, ndense: usize) -> PyResult<()> {
    let band = band(ntotal, nband, ndense)?;
    mat.expect_shape("mat", ntotal, ntotal)?;
    res.expect("res", band.len())?;
    let mut result = filled(0.0, band.len())?;
    guarded(|| band.from_dense(&mut result, &mat.values))?;
    res.write(&result)
}

/// Multiplies vectors by a band matrix.
///
/// Args:
///     res: array of `ntotal * nvec` values that gets the products.
///     mat: band matrix.
///     vec: `nvec` vectors of `ntotal` values, one after the other.
///     ntotal: order of the whole matrix.
///     nband: width of the band, the diagonal included.
///     ndense: number of dense rows at the end.
///     nvec: number of vectors.
///     flg_sym: whether the matrix is symmetric; otherwise only its lower triangle counts.
#[pyfunction]
fn mju_bandMulMatVec(
    res: Out<'_>,
    mat: Values,
    vec: Values,
    ntotal: usize,
    nband: usize,
    ndense: usize,
    nvec: usize,
    flg_sym: i64,
) -> PyResult<()> {
    let band = band(ntotal, nband, ndense)?;
    mat.expect("mat", band.len())?;
    vec.expect("vec", ntotal * nvec)?;
    res.expect("res", ntotal * nvec)?;
    let mut result = filled(0.0, ntotal * nvec)?;
    guarded(|| {
        for (out, v) in result.chunks_exact_mut(ntotal.max(1)).zip(vec.values.chunks_exact(ntotal.max(1))) {
            band.mul_mat_vec(out, &mat.values, v, flg_sym != 0);
        }
    })?;
    res.write(&result)
}

/// Cholesky factorization of a band matrix in place; returns the smallest pivot, 0 on failure.
///
/// Args:
///     mat: band matrix; becomes the factor.
///     ntotal: order of the whole matrix.
///     nband: width of the band, the diagonal included.
///     ndense: number of dense rows at the end.
///     diagadd: added to each diagonal entry before.
///     diagmul: each diagonal entry times this is added to it before.
#[pyfunction]
fn mju_cholFactorBand(
    mat: Out<'_>,
    ntotal: usize,
    nband: usize,
    ndense: usize,
    diagadd: f64,
    diagmul: f64,
) -> PyResult<f64> {
    let band = band(ntotal, nband, ndense)?;
    mat.expect("mat", band.len())?;
    let mut values = mat.read()?;
    let pivot = guarded(|| band.chol_factor(&mut values, diagadd, diagmul))?;
    mat.write(&values)?;
    Ok(pivot)
}

/// Solves a linear system with the factor of a band matrix.
///
/// Args:
///     res: array (ntotal,) that gets the solution.
///     mat: factor from `mju_cholFactorBand`.
///     vec: right-hand side, shape (ntotal,).
///     ntotal: order of the whole matrix.
///     nband: width of the band, the diagonal included.
///     ndense: number of dense rows at the end.
#[pyfunction]
fn mju_cholSolveBand(
    res: Out<'_>,
    mat: Values,
    vec: Values,
    ntotal: usize,
    nband: usize,
    ndense: usize,
) -> PyResult<()> {
    let band = band(ntotal, nband, ndense)?;
    mat.expect("mat", band.len())?;
    vec.expect("vec", ntotal)?;
    if res.len() != ntotal {
        return Err(PyTypeError::new_err("res should have ntotal values"));
    }
    let mut x = vec.values;
    guarded(|| band.chol_solve(&mut x, &mat.values))?;
    res.write(&x)
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    functions!(module; mju_bandDiag mju_band2Dense mju_dense2Band mju_bandMulMatVec mju_cholFactorBand mju_cholSolveBand);
    Ok(())
}
