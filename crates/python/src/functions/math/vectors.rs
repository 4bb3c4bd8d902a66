//! Vectors of any length, and of three and four numbers.

use super::functions;
use crate::args::{Fixed, Out, OutFixed, Values, filled};
use kinetree_math::dense;
use pyo3::prelude::*;

/// Defines elementwise functions `res = f(vec1, vec2)` for vectors of three numbers and of any length.
macro_rules! binary {
    ($( $short:ident $long:ident $what:literal |$a:ident, $b:ident| $f:expr; )*) => { $(
        #[doc = concat!("Computes `", $what, "` in three dimensions: writes `res` from `vec1` and `vec2`, three values each.")]
        #[pyfunction]
        fn $short(res: OutFixed<'_, 3>, vec1: Fixed<3>, vec2: Fixed<3>) {
            res.write(&std::array::from_fn(|i| { let ($a, $b) = (vec1.0[i], vec2.0[i]); $f }));
        }

        #[doc = concat!("Computes `", $what, "`: writes `res` from `vec1` and `vec2`, arrays of equal length.")]
        #[pyfunction]
        fn $long(res: Out<'_>, vec1: Values, vec2: Values) -> PyResult<()> {
            vec1.expect("vec1", res.len())?;
            vec2.expect("vec2", res.len())?;
            let values: Vec<f64> = vec1.values.iter().zip(&vec2.values).map(|(&$a, &$b)| $f).collect();
            res.write(&values)
        }
    )* };
}

binary! {
    mju_add3 mju_add "res = vec1 + vec2" |a, b| a + b;
    mju_sub3 mju_sub "res = vec1 - vec2" |a, b| a - b;
}

/// Defines updates `res = f(res, vec)` for vectors of three numbers and of any length.
macro_rules! update {
    ($( $short:ident $long:ident ($( $s:ident )?) $what:literal |$a:ident, $b:ident| $f:expr; )*) => { $(
        #[doc = concat!("Computes `", $what, "` in three dimensions: changes `res`; `vec` has three values", $( ", `", stringify!($s), "` is a number", )? ".")]
        #[pyfunction]
        fn $short(res: OutFixed<'_, 3>, vec: Fixed<3> $(, $s: f64 )?) {
            let old = res.read();
            res.write(&std::array::from_fn(|i| { let ($a, $b) = (old[i], vec.0[i]); $f }));
        }

        #[doc = concat!("Computes `", $what, "`: changes `res`; `vec` has the same length", $( ", `", stringify!($s), "` is a number", )? ".")]
        #[pyfunction]
        fn $long(res: Out<'_>, vec: Values $(, $s: f64 )?) -> PyResult<()> {
            vec.expect("vec", res.len())?;
            let values: Vec<f64> = res.read()?.iter().zip(&vec.values).map(|(&$a, &$b)| $f).collect();
            res.write(&values)
        }
    )* };
}

update! {
    mju_addTo3 mju_addTo () "res = res + vec" |a, b| a + b;
    mju_subFrom3 mju_subFrom () "res = res - vec" |a, b| a - b;
    mju_addToScl3 mju_addToScl (scl) "res = res + vec*scl" |a, b| a + b * scl;
    mju_scl3 mju_scl (scl) "res = vec*scl" |_a, b| b * scl;
}

/// Adds a scaled vector, in three dimensions: `res = vec1 + vec2 * scl`. Writes `res`; `vec1` and `vec2`
/// have shape (3,), `scl` is a number.
#[pyfunction]
fn mju_addScl3(res: OutFixed<'_, 3>, vec1: Fixed<3>, vec2: Fixed<3>, scl: f64) {
    res.write(&std::array::from_fn(|i| vec1.0[i] + vec2.0[i] * scl));
}

/// Adds a scaled vector: `res = vec1 + vec2 * scl`. `res`, `vec1` and `vec2` are arrays of equal length;
/// `res` is written, `scl` is a number.
#[pyfunction]
fn mju_addScl(res: Out<'_>, vec1: Values, vec2: Values, scl: f64) -> PyResult<()> {
    vec1.expect("vec1", res.len())?;
    vec2.expect("vec2", res.len())?;
    let values: Vec<f64> = vec1.values.iter().zip(&vec2.values).map(|(a, b)| a + b * scl).collect();
    res.write(&values)
}

/// Sets the three values of `res` to 0.
#[pyfunction]
fn mju_zero3(res: OutFixed<'_, 3>) {
    res.write(&[0.0; 3]);
}

/// Sets the four values of `res` to 0.
#[pyfunction]
fn mju_zero4(res: OutFixed<'_, 4>) {
    res.write(&[0.0; 4]);
}

/// Sets all values of the array `res` to 0.
#[pyfunction]
fn mju_zero(res: Out<'_>) -> PyResult<()> {
    res.write(&filled(0.0, res.len())?)
}

/// Sets all values of the array `res` to the number `val`.
#[pyfunction]
fn mju_fill(res: Out<'_>, val: f64) -> PyResult<()> {
    res.write(&filled(val, res.len())?)
}

/// Copies the three values of `data` to `res`.
#[pyfunction]
fn mju_copy3(res: OutFixed<'_, 3>, data: Fixed<3>) {
    res.write(&data.0);
}

/// Copies the four values of `data` to `res`.
#[pyfunction]
fn mju_copy4(res: OutFixed<'_, 4>, data: Fixed<4>) {
    res.write(&data.0);
}

/// Copies the array `vec` to `res`, which has the same length.
#[pyfunction]
fn mju_copy(res: Out<'_>, vec: Values) -> PyResult<()> {
    vec.expect("vec", res.len())?;
    res.write(&vec.values)
}

/// Copies the float64 array `vec` to `res` in the engine's precision, which is float64 too.
#[pyfunction]
fn mju_d2n(res: Out<'_>, vec: Values) -> PyResult<()> {
    mju_copy(res, vec)
}

/// Copies the array `vec`, in the engine's precision, to the float64 array `res`.
#[pyfunction]
fn mju_n2d(res: Out<'_>, vec: Values) -> PyResult<()> {
    mju_copy(res, vec)
}

/// Copies the float32 array `vec` to the float64 array `res`, which has the same length.
#[pyfunction]
fn mju_f2n(res: Out<'_>, vec: Values<f32>) -> PyResult<()> {
    vec.expect("vec", res.len())?;
    res.write(&vec.values.iter().map(|&x| f64::from(x)).collect::<Vec<_>>())
}

/// Rounds the float64 array `vec` to the float32 array `res`, which has the same length.
#[pyfunction]
fn mju_n2f(res: Out<'_, f32>, vec: Values) -> PyResult<()> {
    vec.expect("vec", res.len())?;
    res.write(&vec.values.iter().map(|&x| x as f32).collect::<Vec<_>>())
}

/// Cross product of two vectors of three values: `res = a × b`. Writes `res`.
#[pyfunction]
fn mju_cross(res: OutFixed<'_, 3>, a: Fixed<3>, b: Fixed<3>) {
    let (a, b) = (a.0, b.0);
    res.write(&[a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]);
}

/// Scalar product of `vec1` and `vec2`, three values each.
#[pyfunction]
fn mju_dot3(vec1: Fixed<3>, vec2: Fixed<3>) -> f64 {
    let (a, b) = (vec1.0, vec2.0);
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Scalar product of `vec1` and `vec2`, arrays of equal length.
#[pyfunction]
fn mju_dot(vec1: Values, vec2: Values) -> PyResult<f64> {
    vec2.expect("vec2", vec1.len())?;
    Ok(dense::dot(&vec1.values, &vec2.values))
}

/// Euclidean distance between the points `pos1` and `pos2`, three values each.
#[pyfunction]
fn mju_dist3(pos1: Fixed<3>, pos2: Fixed<3>) -> f64 {
    let d: [f64; 3] = std::array::from_fn(|i| pos1.0[i] - pos2.0[i]);
    (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt()
}

/// Euclidean length of `vec`, three values.
#[pyfunction]
fn mju_norm3(vec: Fixed<3>) -> f64 {
    let v = vec.0;
    (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt()
}

/// Euclidean length of the array `res`, which is only read.
#[pyfunction]
fn mju_norm(res: Values) -> f64 {
    dense::norm(&res.values)
}

/// Scales `vec`, three values, to unit length in place and returns the length it had; a vector of length
/// zero becomes the x axis.
#[pyfunction]
fn mju_normalize3(vec: OutFixed<'_, 3>) -> f64 {
    let mut v = kinetree_math::Vec3::from(vec.read());
    let length = kinetree_math::rot::normalize3(&mut v);
    vec.write(&v.into());
    length
}

/// Scales the quaternion `vec` to unit length in place and returns the length it had; one of length zero
/// becomes the identity.
#[pyfunction]
fn mju_normalize4(vec: OutFixed<'_, 4>) -> f64 {
    let mut q = vec.read();
    let length = kinetree_math::rot::quat_normalize(&mut q);
    vec.write(&q);
    length
}

/// Scales the array `res` to unit length in place and returns the length it had.
#[pyfunction]
fn mju_normalize(res: Out<'_>) -> PyResult<f64> {
    let mut values = res.read()?;
    let length = dense::normalize(&mut values);
    res.write(&values)?;
    Ok(length)
}

/// Sum of the values of the array `vec`.
#[pyfunction]
fn mju_sum(vec: Values) -> f64 {
    dense::sum(&vec.values)
}

/// Sum of the absolute values of the array `vec`.
#[pyfunction]
fn mju_L1(vec: Values) -> f64 {
    dense::l1_norm(&vec.values)
}

/// 1 if all values of the array `vec` are 0, else 0.
#[pyfunction]
fn mju_isZero(vec: Values) -> i32 {
    i32::from(kinetree_math::misc::is_zero(&vec.values))
}

/// Sorts the float64 array `list` in increasing order, in place.
#[pyfunction]
fn mju_insertionSort(list: Out<'_>) -> PyResult<()> {
    let mut values = list.read()?;
    values.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    list.write(&values)
}

/// Sorts the int32 array `list` in increasing order, in place.
#[pyfunction]
fn mju_insertionSortInt(list: Out<'_, i32>) -> PyResult<()> {
    let mut values = list.read()?;
    values.sort_unstable();
    list.write(&values)
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    functions!(module; mju_add3 mju_add mju_sub3 mju_sub mju_addTo3 mju_addTo mju_subFrom3 mju_subFrom mju_addToScl3
        mju_addToScl mju_scl3 mju_scl mju_addScl3 mju_addScl mju_zero3 mju_zero4 mju_zero mju_fill mju_copy3 mju_copy4
        mju_copy mju_d2n mju_n2d mju_f2n mju_n2f mju_cross mju_dot3 mju_dot mju_dist3 mju_norm3 mju_norm mju_normalize3
        mju_normalize4 mju_normalize mju_sum mju_L1 mju_isZero mju_insertionSort mju_insertionSortInt);
    Ok(())
}
