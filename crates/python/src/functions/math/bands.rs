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

/// Index of a diagonal entry.
#[pyfunction]
fn mju_bandDiag(i: i64, ntotal: usize, nband: usize, ndense: usize) -> PyResult<usize> {
    let band = band(ntotal, nband, ndense)?;
    Ok(band.diag(index("row", i, ntotal)?))
}

/// Band matrix as a full one; with `flg_sym` the upper triangle too.
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

/// Full matrix as a band one.
#[pyfunction]
fn mju_dense2Band(res: Out<'_>, mat: Values, ntotal: usize, nband: usize, ndense: usize) -> PyResult<()> {
    let band = band(ntotal, nband, ndense)?;
    mat.expect_shape("mat", ntotal, ntotal)?;
    res.expect("res", band.len())?;
    let mut result = filled(0.0, band.len())?;
    guarded(|| band.from_dense(&mut result, &mat.values))?;
    res.write(&result)
}

/// Product of a band matrix and the columns of `vec`, which are stored one after the other.
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

/// Cholesky factorization; adds `diagadd + diagmul·diagonal` to the diagonal. Returns the smallest pivot, 0
/// on failure.
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

/// Solves with a band Cholesky factor.
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
