//! Jacobians as matrices of their own: comfortable, and for programs that can afford to allocate.
//!
//! They hold NaN where an argument does not fit the model; the functions that end in `_into` fill slices
//! without allocating, and return an error instead.

use crate::arguments::ArgumentError;
use crate::entry;
use kinetree_model::{Data, Model};
use nalgebra::{DMatrix, Vector3};

/// Matrices of three rows of `nv`, row-major slices that `fill` has filled; not numbers when it fails.
fn matrices<const N: usize>(
    nv: usize,
    fill: impl FnOnce([&mut [f64]; N]) -> Result<(), ArgumentError>,
) -> [DMatrix<f64>; N] {
    let mut values = [const { Vec::new() }; N];
    values.iter_mut().for_each(|v| v.resize(3 * nv, 0.0));
    if fill(values.each_mut().map(Vec::as_mut_slice)).is_err() {
        values.iter_mut().for_each(|v| v.fill(f64::NAN));
    }
    values.map(|v| DMatrix::from_row_slice(3, nv, &v))
}

/// Jacobian of a world-frame point on a body: `(jacp, jacr)`, both `3 × nv`, with `v_point = jacp · qvel` and
/// `ω = jacr · qvel`. All zeros for the world body. Columns are as follows, with `r` from the joint's anchor
/// to the point:
///
/// | Joint | `jacp` column | `jacr` column |
/// |---|---|---|
/// | hinge | `axis × r` | `axis` |
/// | slide | `axis` | `0` |
/// | ball, dof i | `(R eᵢ) × r` | `R eᵢ` |
/// | free, dof 0–2 | `eᵢ` | `0` |
/// | free, dof 3–5 | `(R eᵢ) × r` | `R eᵢ` |
///
/// All values are NaN when the data was made for another model or there is no such body;
/// [`mj_jac_into`](crate::mj_jac_into) returns an error instead.
#[must_use]
pub fn mj_jac(
    model: &Model,
    data: &Data,
    body_id: usize,
    point: &Vector3<f64>,
) -> (DMatrix<f64>, DMatrix<f64>) {
    let [jacp, jacr] = matrices(model.nv, |[jacp, jacr]| {
        entry::mj_jac_into(model, data, Some(jacp), Some(jacr), &(*point).into(), body_id)
    });
    (jacp, jacr)
}

/// The position at an index, or one that is not a number.
fn position(positions: &[[f64; 3]], index: usize) -> Vector3<f64> {
    positions.get(index).map_or(Vector3::repeat(f64::NAN), |&p| Vector3::from(p))
}

/// The body at an index, or one that does not exist.
fn body_of(bodies: &[i32], index: usize) -> usize {
    bodies.get(index).map_or(usize::MAX, |&body| body as usize)
}

/// Jacobian of a body's origin: `(jacp, jacr)`, as [`mj_jac`].
#[must_use]
pub fn mj_jac_body(model: &Model, data: &Data, body_id: usize) -> (DMatrix<f64>, DMatrix<f64>) {
    mj_jac(model, data, body_id, &position(&data.xpos, body_id))
}

/// Jacobian of a site: `(jacp, jacr)`, as [`mj_jac`].
#[must_use]
pub fn mj_jac_site(model: &Model, data: &Data, site_id: usize) -> (DMatrix<f64>, DMatrix<f64>) {
    mj_jac(model, data, body_of(&model.site_bodyid, site_id), &position(&data.site_xpos, site_id))
}

/// Spatial Jacobian of a point on a body, `6 × nv`: rows 0–2 angular, rows 3–5 linear, as [`mj_jac`].
#[must_use]
pub fn mj_jac_point(model: &Model, data: &Data, body_id: usize, point: &Vector3<f64>) -> DMatrix<f64> {
    let (jacp, jacr) = mj_jac(model, data, body_id, point);
    let mut jac = DMatrix::zeros(6, model.nv);
    jac.rows_mut(0, 3).copy_from(&jacr);
    jac.rows_mut(3, 3).copy_from(&jacp);
    jac
}

/// Spatial Jacobian of a body's centre of mass, `6 × nv`: rows 0–2 angular, rows 3–5 linear, as [`mj_jac`].
#[must_use]
pub fn mj_jac_body_com(model: &Model, data: &Data, body_id: usize) -> DMatrix<f64> {
    mj_jac_point(model, data, body_id, &position(&data.xipos, body_id))
}

/// Spatial Jacobian of a geom's centre, `6 × nv`: rows 0–2 angular, rows 3–5 linear, as [`mj_jac`].
#[must_use]
pub fn mj_jac_geom(model: &Model, data: &Data, geom_id: usize) -> DMatrix<f64> {
    mj_jac_point(model, data, body_of(&model.geom_bodyid, geom_id), &position(&data.geom_xpos, geom_id))
}

/// Jacobians of a point and of a direction attached to a body, both `3 × nv`; NaN as with [`mj_jac`].
#[must_use]
pub fn mj_jac_point_axis(
    model: &Model,
    data: &Data,
    body_id: usize,
    point: &Vector3<f64>,
    axis: &Vector3<f64>,
) -> (DMatrix<f64>, DMatrix<f64>) {
    let [point, axis] = matrices(model.nv, |[jac_point, jac_axis]| {
        let (point, axis) = ((*point).into(), (*axis).into());
        entry::mj_jac_point_axis_into(model, data, Some(jac_point), Some(jac_axis), &point, &axis, body_id)
    });
    (point, axis)
}

/// Time derivative of the Jacobian of a point on a body: `(jacp_dot, jacr_dot)`, both `3 × nv`; NaN as with
/// [`mj_jac`].
#[must_use]
pub fn mj_jac_dot(
    model: &Model,
    data: &Data,
    body_id: usize,
    point: &Vector3<f64>,
) -> (DMatrix<f64>, DMatrix<f64>) {
    let [jacp, jacr] = matrices(model.nv, |[jacp, jacr]| {
        entry::mj_jac_dot_into(model, data, Some(jacp), Some(jacr), &(*point).into(), body_id)
    });
    (jacp, jacr)
}

/// Jacobian of the centre of mass of the subtree of a body, `3 × nv`; NaN as with [`mj_jac`].
#[must_use]
pub fn mj_jac_subtree_com(model: &Model, data: &Data, body_id: usize) -> DMatrix<f64> {
    let [jacp] = matrices(model.nv, |[jacp]| entry::mj_jac_subtree_com_into(model, data, jacp, body_id));
    jacp
}

/// Matrix that maps `qvel` to the angular momentum of the subtree of a body about its centre of mass, `3 ×
/// nv`; NaN as with [`mj_jac`].
#[must_use]
pub fn mj_angmom_mat(model: &Model, data: &Data, body_id: usize) -> DMatrix<f64> {
    let [mat] = matrices(model.nv, |[mat]| entry::mj_angmom_mat_into(model, data, mat, body_id));
    mat
}
