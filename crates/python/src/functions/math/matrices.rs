//! Dense matrices, row-major.

use super::functions;
use crate::args::{Fixed, Out, OutFixed, Values, filled};
use crate::errors::fatal;
use crate::panics::guarded;
use kinetree_math::Vec3;
use kinetree_math::boxqp::{BoxQp, BoxQpError};
use kinetree_math::dense::{self, RankOne};
use kinetree_math::rot::mat3;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// Order of a square matrix.
fn square(name: &str, (rows, cols): (usize, usize)) -> PyResult<usize> {
    if rows == cols {
        Ok(rows)
    } else {
        Err(PyTypeError::new_err(format!("{name} should be a square matrix")))
    }
}

/// Product of a 3 × 3 matrix and a vector: `res = mat vec`. `res` (3 values) is written; `mat` has 9 values,
/// `vec` 3.
#[pyfunction]
fn mju_mulMatVec3(res: OutFixed<'_, 3>, mat: Fixed<9>, vec: Fixed<3>) {
    res.write(&(mat3(&mat.0) * Vec3::from(vec.0)).into());
}

/// Product of a transposed 3 × 3 matrix and a vector: `res = matᵀ vec`. `res` (3 values) is written; `mat`
/// has 9 values, `vec` 3.
#[pyfunction]
fn mju_mulMatTVec3(res: OutFixed<'_, 3>, mat: Fixed<9>, vec: Fixed<3>) {
    res.write(&mat3(&mat.0).tr_mul(&Vec3::from(vec.0)).into());
}

/// Product of a matrix and a vector: `res = mat vec`. `mat` has shape (r, c), `vec` (c,); `res` (r,) is
/// written.
#[pyfunction]
fn mju_mulMatVec(res: Out<'_>, mat: Values, vec: Values) -> PyResult<()> {
    let (rows, cols) = mat.shape();
    res.expect("res", rows)?;
    vec.expect("vec", cols)?;
    let mut result = filled(0.0, rows)?;
    dense::mul_mat_vec(&mut result, &mat.values, &vec.values);
    res.write(&result)
}

/// Product of a transposed matrix and a vector: `res = matᵀ vec`. `mat` has shape (r, c), `vec` (r,); `res`
/// (c,) is written.
#[pyfunction]
fn mju_mulMatTVec(res: Out<'_>, mat: Values, vec: Values) -> PyResult<()> {
    let (rows, cols) = mat.shape();
    res.expect("res", cols)?;
    vec.expect("vec", rows)?;
    let mut result = filled(0.0, cols)?;
    dense::mul_mat_t_vec(&mut result, &mat.values, &vec.values);
    res.write(&result)
}

/// The bilinear form `vec1ᵀ mat vec2`, for `vec1` of shape (r,), `mat` (r, c) and `vec2` (c,).
#[pyfunction]
fn mju_mulVecMatVec(vec1: Values, mat: Values, vec2: Values) -> PyResult<f64> {
    mat.expect_shape("mat", vec1.len(), vec2.len())?;
    Ok(dense::mul_vec_mat_vec(&vec1.values, &mat.values, &vec2.values))
}

/// Product of two matrices: `res = mat1 mat2`. `mat1` has shape (r, k), `mat2` (k, c); `res` (r, c) is
/// written.
#[pyfunction]
fn mju_mulMatMat(res: Out<'_>, mat1: Values, mat2: Values) -> PyResult<()> {
    let ((r1, c1), (r2, c2)) = (mat1.shape(), mat2.shape());
    inner("columns of mat1", c1, "rows of mat2", r2)?;
    res.expect_shape("res", r1, c2)?;
    let mut result = filled(0.0, r1 * c2)?;
    dense::mul_mat_mat(&mut result, &mat1.values, &mat2.values, r1, c1, c2);
    res.write(&result)
}

/// Product with a transposed matrix: `res = mat1 mat2ᵀ`. `mat1` has shape (r, k), `mat2` (c, k); `res` (r,
/// c) is written.
#[pyfunction]
fn mju_mulMatMatT(res: Out<'_>, mat1: Values, mat2: Values) -> PyResult<()> {
    let ((r1, c1), (r2, c2)) = (mat1.shape(), mat2.shape());
    inner("columns of mat1", c1, "columns of mat2", c2)?;
    res.expect_shape("res", r1, r2)?;
    let mut result = filled(0.0, r1 * r2)?;
    dense::mul_mat_mat_t(&mut result, &mat1.values, &mat2.values, r1, c1, r2);
    res.write(&result)
}

/// Product of a transposed matrix: `res = mat1ᵀ mat2`. `mat1` has shape (k, r), `mat2` (k, c); `res` (r, c)
/// is written.
#[pyfunction]
fn mju_mulMatTMat(res: Out<'_>, mat1: Values, mat2: Values) -> PyResult<()> {
    let ((r1, c1), (r2, c2)) = (mat1.shape(), mat2.shape());
    inner("rows of mat1", r1, "rows of mat2", r2)?;
    res.expect_shape("res", c1, c2)?;
    let mut result = filled(0.0, c1 * c2)?;
    dense::mul_mat_t_mat(&mut result, &mat1.values, &mat2.values, r1, c1, c2);
    res.write(&result)
}

fn inner(what1: &str, n1: usize, what2: &str, n2: usize) -> PyResult<()> {
    if n1 == n2 {
        Ok(())
    } else {
        Err(PyTypeError::new_err(format!("{what1} ({n1}) should equal {what2} ({n2})")))
    }
}

/// Weighted square of a matrix: `res = matᵀ diag(d) mat`.
///
/// Args:
///     res: array (c, c) that gets the product.
///     mat: matrix, shape (r, c).
///     diag: weights of the rows, shape (r,); None for ones.
#[pyfunction]
#[pyo3(signature = (res, mat, diag))]
fn mju_sqrMatTD(res: Out<'_>, mat: Values, diag: Option<Values>) -> PyResult<()> {
    let (rows, cols) = mat.shape();
    res.expect_shape("res", cols, cols)?;
    if let Some(diag) = &diag {
        diag.expect("diag", rows)?;
    }
    let mut result = filled(0.0, cols * cols)?;
    dense::sqr_mat_td(&mut result, &mat.values, diag.as_ref().map(|d| d.values.as_slice()), rows, cols);
    res.write(&result)
}

/// Transposes a matrix: `res = matᵀ`. `mat` has shape (r, c); `res` (c, r) is written.
#[pyfunction]
fn mju_transpose(res: Out<'_>, mat: Values) -> PyResult<()> {
    let (rows, cols) = mat.shape();
    res.expect_shape("res", cols, rows)?;
    let mut result = filled(0.0, rows * cols)?;
    dense::transpose(&mut result, &mat.values, rows, cols);
    res.write(&result)
}

/// Symmetric part of a square matrix: `res = (mat + matᵀ) / 2`. `mat` and `res` have shape (n, n).
#[pyfunction]
fn mju_symmetrize(res: Out<'_>, mat: Values) -> PyResult<()> {
    let n = square("mat", mat.shape())?;
    res.expect_shape("res", n, n)?;
    let mut result = filled(0.0, n * n)?;
    dense::symmetrize(&mut result, &mat.values, n);
    res.write(&result)
}

/// Sets the square matrix `mat`, shape (n, n), to the identity.
#[pyfunction]
fn mju_eye(mat: Out<'_>) -> PyResult<()> {
    let n = square("mat", mat.shape())?;
    let mut result = filled(0.0, n * n)?;
    dense::identity(&mut result, n);
    mat.write(&result)
}

/// Cholesky factorization `mat = L Lᵀ` in place; returns the rank.
///
/// Args:
///     mat: symmetric matrix, shape (n, n); its lower triangle becomes `L`.
///     mindiag: pivots below this are replaced by it and lower the rank.
#[pyfunction]
fn mju_cholFactor(mat: Out<'_>, mindiag: f64) -> PyResult<usize> {
    let n = square("mat", mat.shape())?;
    let mut values = mat.read()?;
    let rank = dense::chol_factor(&mut values, n, mindiag);
    mat.write(&values)?;
    Ok(rank)
}

/// Solves `L Lᵀ res = vec` with a Cholesky factor. `mat` (n, n) comes from `mju_cholFactor`, `vec` has shape
/// (n,); `res` (n,) is written.
#[pyfunction]
fn mju_cholSolve(res: Out<'_>, mat: Values, vec: Values) -> PyResult<()> {
    let n = square("mat", mat.shape())?;
    res.expect("res", n)?;
    vec.expect("vec", n)?;
    let mut x = vec.values;
    dense::chol_solve(&mut x, &mat.values);
    res.write(&x)
}

/// Rank-one update of a Cholesky factor, in place; returns the rank.
///
/// Args:
///     mat: factor `L`, shape (n, n); becomes that of `L Lᵀ ± x xᵀ`.
///     x: the vector, shape (n,); it is overwritten.
///     flg_plus: whether `x xᵀ` is added; otherwise it is subtracted.
#[pyfunction]
fn mju_cholUpdate(mat: Out<'_>, x: Out<'_>, flg_plus: i64) -> PyResult<usize> {
    let n = square("mat", mat.shape())?;
    x.expect("x", n)?;
    let (mut values, mut vector) = (mat.read()?, x.read()?);
    let sign = if flg_plus != 0 { RankOne::Add } else { RankOne::Subtract };
    let rank = dense::chol_update(&mut values, &mut vector, sign);
    mat.write(&values)?;
    x.write(&vector)?;
    Ok(rank)
}

/// Minimizes `½ xᵀ H x + gᵀ x` between bounds, by projected Newton steps.
///
/// Returns the number of variables that are not at a bound, or -1 when `H` is not positive definite on them.
///
/// Args:
///     res: starting point, shape (n,); gets the solution.
///     R: working memory of `n * (n + 7)` values; the factor of the free part of `H` is returned in it.
///     index: int32 array (n,) that gets the free variables, or None.
///     H: symmetric matrix, shape (n, n).
///     g: linear term, shape (n,).
///     lower: lower bounds, shape (n,), or None.
///     upper: upper bounds, shape (n,), or None.
#[pyfunction]
#[pyo3(signature = (res, R, index, H, g, lower, upper))]
fn mju_boxQP(
    res: Out<'_>,
    R: Out<'_>,
    index: Option<Out<'_, i32>>,
    H: Values,
    g: Values,
    lower: Option<Values>,
    upper: Option<Values>,
) -> PyResult<i64> {
    let n = res.len();
    R.expect("R", n * (n + 7))?;
    H.expect_shape("H", n, n)?;
    g.expect("g", n)?;
    if let Some(index) = &index {
        index.expect("index", n)?;
    }
    for (name, bound) in [("lower", &lower), ("upper", &upper)] {
        if let Some(bound) = bound {
            bound.expect(name, n)?;
        }
    }
    let bound = |values: &Option<Values>| values.as_ref().map(|v| v.values.clone());
    let (lower, upper) = (bound(&lower), bound(&upper));
    let mut x = res.read()?;
    let mut solver = BoxQp::default();
    let result = guarded(|| solver.solve(&mut x, &H.values, &g.values, lower.as_deref(), upper.as_deref()))?;
    let rank = match result {
        Ok(rank) => rank as i64,
        Err(BoxQpError::NotPositiveDefinite | BoxQpError::NoDescent) => -1,
        Err(problem) => return Err(fatal(problem)),
    };
    res.write(&x)?;
    let mut factor = R.read()?;
    let count = solver.factor().len().min(factor.len());
    factor[..count].copy_from_slice(&solver.factor()[..count]);
    R.write(&factor)?;
    if let Some(index) = index {
        let mut ids = index.read()?;
        let free = solver.free();
        ids[..free.len().min(n)].copy_from_slice(&free[..free.len().min(n)]);
        index.write(&ids)?;
    }
    Ok(rank)
}

/// Prints the matrix `mat`, shape (r, c), with `print`.
#[pyfunction]
fn mju_printMat(py: Python<'_>, mat: Values) -> PyResult<()> {
    let (_, cols) = mat.shape();
    let mut text = String::new();
    for row in mat.values.chunks(cols.max(1)) {
        text.push_str(&row.iter().map(|x| format!("{x:.8}")).collect::<Vec<_>>().join(" "));
        text.push('\n');
    }
    py.import("builtins")?.call_method1("print", (text,))?;
    Ok(())
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    functions!(module; mju_mulMatVec3 mju_mulMatTVec3 mju_mulMatVec mju_mulMatTVec mju_mulVecMatVec mju_mulMatMat
        mju_mulMatMatT mju_mulMatTMat mju_sqrMatTD mju_transpose mju_symmetrize mju_eye mju_cholFactor mju_cholSolve
        mju_cholUpdate mju_boxQP mju_printMat);
    Ok(())
}
