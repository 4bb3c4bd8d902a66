//! Inertia matrix, positions and velocities, forces, names, masses and versions.

use super::functions;
use crate::args::{Fixed, Out, OutFixed, Text, Values, filled};
use crate::call::{PyData, PyModel, change, check_pair, peek, quick};
use crate::errors::{fatal, index};
use crate::panics::guarded;
use kinetree_math::sparse::Pattern;
use kinetree_model::enums::Cone;
use kinetree_model::{Data, Model};
use kinetree_sim as sim;
use kinetree_sim::ArgumentError;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// Multiplies a vector: `res` has `rows` values, `vec` has `cols`.
fn multiply(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    (res, rows): (&Out<'_>, usize),
    (vec, cols): (&Values, usize),
    f: impl FnOnce(&Model, &Data, &mut [f64], &[f64]) -> Result<(), ArgumentError>,
) -> PyResult<()> {
    res.expect("res", rows)?;
    vec.expect("vec", cols)?;
    let mut result = filled(0.0, rows)?;
    peek(m, d, |m, d| f(m, d, &mut result, &vec.values))?.map_err(fatal)?;
    res.write(&result)
}

/// Number of dofs and of constraint rows.
fn dims(m: PyModel<'_, '_>, d: PyData<'_, '_>) -> PyResult<(usize, usize)> {
    check_pair(m.get(), d.get())?;
    Ok((m.get().read()?.nv, d.get().read(m.py())?.nefc))
}

/// `res = M vec`.
#[pyfunction]
fn mj_mulM(m: PyModel<'_, '_>, d: PyData<'_, '_>, res: Out<'_>, vec: Values) -> PyResult<()> {
    let nv = m.get().read()?.nv;
    multiply(m, d, (&res, nv), (&vec, nv), sim::mj_mul_m)
}

/// `res = M^(1/2) vec`.
#[pyfunction]
fn mj_mulM2(m: PyModel<'_, '_>, d: PyData<'_, '_>, res: Out<'_>, vec: Values) -> PyResult<()> {
    let nv = m.get().read()?.nv;
    multiply(m, d, (&res, nv), (&vec, nv), sim::mj_mul_m2)
}

/// `res = J vec` with the constraint Jacobian.
#[pyfunction]
fn mj_mulJacVec(m: PyModel<'_, '_>, d: PyData<'_, '_>, res: Out<'_>, vec: Values) -> PyResult<()> {
    let (nv, nefc) = dims(m, d)?;
    multiply(m, d, (&res, nefc), (&vec, nv), sim::mj_mul_jac_vec)
}

/// `res = Jᵀ vec` with the constraint Jacobian.
#[pyfunction]
fn mj_mulJacTVec(m: PyModel<'_, '_>, d: PyData<'_, '_>, res: Out<'_>, vec: Values) -> PyResult<()> {
    let (nv, nefc) = dims(m, d)?;
    multiply(m, d, (&res, nv), (&vec, nefc), sim::mj_mul_jac_t_vec)
}

/// Writes a matrix in the order of `qM` as a full matrix, nv × nv.
#[pyfunction]
fn mj_fullM(m: PyModel<'_, '_>, dst: Out<'_>, M: Values) -> PyResult<()> {
    let model = &*m.get().sound()?;
    M.expect("M", model.nM)?;
    dst.expect_shape("dst", model.nv, model.nv)?;
    let mut full = filled(0.0, model.nv * model.nv)?;
    guarded(|| sim::mj_full_m(model, &mut full, &M.values))?;
    dst.write(&full)
}

/// Adds the inertia matrix to a sparse matrix.
#[pyfunction]
fn mj_addM(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    dst: Out<'_>,
    rownnz: Values<i32>,
    rowadr: Values<i32>,
    colind: Values<i32>,
) -> PyResult<()> {
    let model = &*m.get().sound()?;
    dst.expect("dst", model.nM)?;
    rownnz.expect("rownnz", model.nv)?;
    rowadr.expect("rowadr", model.nv)?;
    colind.expect("colind", model.nM)?;
    let mut values = dst.read()?;
    let pattern = Pattern { rownnz: &rownnz.values, rowadr: &rowadr.values, colind: &colind.values };
    peek(m, d, |m, d| sim::mj_add_m(m, d, &mut values, Some(pattern)))?.map_err(fatal)?;
    dst.write(&values)
}

/// Solves `M x = y` for each row of `y`.
#[pyfunction]
fn mj_solveM(m: PyModel<'_, '_>, d: PyData<'_, '_>, x: Out<'_>, y: Values) -> PyResult<()> {
    let mut values = rows_of(m, &x, y)?;
    peek(m, d, |m, d| sim::mj_solve_m(m, d, &mut values))?.map_err(fatal)?;
    x.write(&values)
}

/// Half of the solution of `M x = y` for each row of `y`, scaled by `sqrtInvD`.
#[pyfunction]
fn mj_solveM2(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    x: Out<'_>,
    y: Values,
    sqrtInvD: Values,
) -> PyResult<()> {
    sqrtInvD.expect("sqrtInvD", m.get().read()?.nv)?;
    let mut values = rows_of(m, &x, y)?;
    peek(m, d, |m, d| sim::mj_solve_m2(m, d, &mut values, &sqrtInvD.values))?.map_err(fatal)?;
    x.write(&values)
}

/// The values of `y`, which has as many rows of length nv as `x`; one row may be flat.
fn rows_of(m: PyModel<'_, '_>, x: &Out<'_>, y: Values) -> PyResult<Vec<f64>> {
    let nv = m.get().read()?.nv;
    let columns = |shape: (usize, usize), len: usize| if shape.1 == nv || len != nv { shape.1 } else { nv };
    if x.len() != y.len() {
        return Err(PyTypeError::new_err("x and y should have the same number of values"));
    }
    if columns(x.shape(), x.len()) != nv || columns(y.shape(), y.len()) != nv {
        return Err(PyTypeError::new_err("the rows of x and y should have nv values"));
    }
    Ok(y.values)
}

/// Recursive Newton–Euler: bias forces, and with `flg_acc` also `M qacc`, in `result`.
#[pyfunction]
fn mj_rne(m: PyModel<'_, '_>, d: PyData<'_, '_>, flg_acc: i64, result: Out<'_>) -> PyResult<()> {
    let nv = m.get().read()?.nv;
    result.expect("result", nv)?;
    let mut values = filled(0.0, nv)?;
    quick(m, d, |m, d| sim::mj_rne(m, d, flg_acc != 0, &mut values))?.map_err(fatal)?;
    result.write(&values)
}

/// Sets constraint states and forces for the residual `jar`; the cost goes to `cost`.
#[pyfunction]
#[pyo3(signature = (m, d, jar, cost, flg_coneHessian))]
fn mj_constraintUpdate(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    jar: Values,
    cost: Option<OutFixed<'_, 1>>,
    flg_coneHessian: i64,
) -> PyResult<()> {
    jar.expect("jar", dims(m, d)?.1)?;
    let value = quick(m, d, |m, d| sim::mj_constraint_update(m, d, &jar.values, flg_coneHessian != 0))?
        .map_err(fatal)?;
    if let Some(cost) = cost {
        cost.write(&[value]);
    }
    Ok(())
}

/// Velocity that takes `qpos1` to `qpos2` in time `dt`.
#[pyfunction]
fn mj_differentiatePos(
    m: PyModel<'_, '_>,
    qvel: Out<'_>,
    dt: f64,
    qpos1: Values,
    qpos2: Values,
) -> PyResult<()> {
    let model = &*m.get().sound()?;
    qvel.expect("qvel", model.nv)?;
    qpos1.expect("qpos1", model.nq)?;
    qpos2.expect("qpos2", model.nq)?;
    let mut values = filled(0.0, model.nv)?;
    guarded(|| sim::mj_differentiate_pos(model, &mut values, dt, &qpos1.values, &qpos2.values))?;
    qvel.write(&values)
}

/// Moves `qpos` with velocity `qvel` for time `dt`.
#[pyfunction]
fn mj_integratePos(m: PyModel<'_, '_>, qpos: Out<'_>, qvel: Values, dt: f64) -> PyResult<()> {
    let model = &*m.get().sound()?;
    qpos.expect("qpos", model.nq)?;
    qvel.expect("qvel", model.nv)?;
    let mut values = qpos.read()?;
    guarded(|| sim::mj_integrate_pos(model, &mut values, &qvel.values, dt))?;
    qpos.write(&values)
}

/// Normalizes all quaternions in `qpos`.
#[pyfunction]
fn mj_normalizeQuat(m: PyModel<'_, '_>, qpos: Out<'_>) -> PyResult<()> {
    let model = &*m.get().sound()?;
    qpos.expect("qpos", model.nq)?;
    let mut values = qpos.read()?;
    guarded(|| sim::mj_normalize_quat(model, &mut values))?;
    qpos.write(&values)
}

/// Position and orientation in the world of a frame given in a body, its inertial frame or a relative of it.
#[pyfunction]
fn mj_local2Global(
    d: PyData<'_, '_>,
    xpos: OutFixed<'_, 3>,
    xmat: OutFixed<'_, 9>,
    pos: Fixed<3>,
    quat: Fixed<4>,
    body: i64,
    sameframe: u8,
) -> PyResult<()> {
    let (p, r) = d.get().with(d.py(), |d| {
        let body = index("body", body, d.xpos.len())?;
        sim::mj_local_to_global(d, &pos.0, &quat.0, body, sameframe).map_err(fatal)
    })??;
    xpos.write(&p);
    xmat.write(&r);
    Ok(())
}

/// Velocity of an object (rotation, then translation), in its own frame with `flg_local`.
#[pyfunction]
fn mj_objectVelocity(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    objtype: i32,
    objid: i32,
    res: OutFixed<'_, 6>,
    flg_local: i64,
) -> PyResult<()> {
    let value = peek(m, d, |m, d| sim::mj_object_velocity(m, d, objtype, objid, flg_local != 0))?;
    res.write(&value.map_err(fatal)?);
    Ok(())
}

/// Acceleration of an object (rotation, then translation), in its own frame with `flg_local`.
#[pyfunction]
fn mj_objectAcceleration(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    objtype: i32,
    objid: i32,
    res: OutFixed<'_, 6>,
    flg_local: i64,
) -> PyResult<()> {
    let value = peek(m, d, |m, d| sim::mj_object_acceleration(m, d, objtype, objid, flg_local != 0))?;
    res.write(&value.map_err(fatal)?);
    Ok(())
}

/// Adds to `qfrc_target` what a force and a torque at a point of a body do to the joints.
#[pyfunction]
fn mj_applyFT(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    force: Fixed<3>,
    torque: Fixed<3>,
    point: Fixed<3>,
    body: i64,
    qfrc_target: Out<'_>,
) -> PyResult<()> {
    let model = &*m.get().sound()?;
    let body = index("body", body, model.nbody)?;
    qfrc_target.expect("qfrc_target", model.nv)?;
    let mut qfrc = qfrc_target.read()?;
    peek(m, d, |m, d| sim::mj_apply_ft(m, d, &force.0, &torque.0, &point.0, body, &mut qfrc))?
        .map_err(fatal)?;
    qfrc_target.write(&qfrc)
}

/// Force and torque of contact `id`, in the contact frame.
#[pyfunction]
fn mj_contactForce(m: PyModel<'_, '_>, d: PyData<'_, '_>, id: i64, result: OutFixed<'_, 6>) -> PyResult<()> {
    let id = usize::try_from(id).unwrap_or(usize::MAX);
    let force = peek(m, d, |m, d| sim::mj_contact_force(m, d, id))?.map_err(fatal)?;
    result.write(&force);
    Ok(())
}

/// Distance between two geoms, at most `distmax`; the segment between the nearest points goes to `fromto`.
#[pyfunction]
#[pyo3(signature = (m, d, geom1, geom2, distmax, fromto))]
fn mj_geomDistance(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    geom1: i64,
    geom2: i64,
    distmax: f64,
    fromto: Option<OutFixed<'_, 6>>,
) -> PyResult<f64> {
    let (distance, from, to) = quick(m, d, |m, d| {
        let geom1 = index("geom", geom1, m.ngeom)?;
        let geom2 = index("geom", geom2, m.ngeom)?;
        sim::mj_geom_distance(m, d, geom1, geom2, distmax).map_err(fatal)
    })??;
    if let Some(fromto) = fromto {
        fromto.write(&[from[0], from[1], from[2], to[0], to[1], to[2]]);
    }
    Ok(distance)
}

/// Recomputes everything in the model that depends on other fields, at the reference configuration.
#[pyfunction]
fn mj_setConst(m: PyModel<'_, '_>, d: PyData<'_, '_>) -> PyResult<()> {
    change(m, d, sim::mj_set_const)?.map_err(fatal)
}

/// Sum of all masses.
#[pyfunction]
fn mj_getTotalmass(m: PyModel<'_, '_>) -> PyResult<f64> {
    Ok(sim::mj_get_totalmass(&*m.get().read()?))
}

/// Scales masses and inertias to a total mass.
#[pyfunction]
fn mj_setTotalmass(m: PyModel<'_, '_>, newmass: f64) -> PyResult<()> {
    m.get().edit(|model| sim::mj_set_totalmass(model, newmass))
}

/// Whether friction cones are pyramids.
#[pyfunction]
fn mj_isPyramidal(m: PyModel<'_, '_>) -> PyResult<i32> {
    Ok(i32::from(m.get().read()?.opt.cone == Cone::Pyramidal))
}

/// Whether the constraint Jacobian is sparse.
#[pyfunction]
fn mj_isSparse(m: PyModel<'_, '_>) -> PyResult<i32> {
    Ok(i32::from(m.get().read()?.is_sparse()))
}

/// Whether the solver is a dual one.
#[pyfunction]
fn mj_isDual(m: PyModel<'_, '_>) -> PyResult<i32> {
    Ok(i32::from(sim::mj_is_dual(&*m.get().read()?)))
}

/// Id of the element of a type, an `mjtObj`, with a name; -1 when there is none.
#[pyfunction]
fn mj_name2id(m: PyModel<'_, '_>, r#type: i32, name: Text) -> PyResult<i32> {
    m.get()._name2id(r#type, &name.0)
}

/// Name of an element of a type, an `mjtObj`; None when it has none.
#[pyfunction]
fn mj_id2name(m: PyModel<'_, '_>, r#type: i32, id: i64) -> PyResult<Option<String>> {
    m.get()._id2name(r#type, id)
}

/// Version of the reference that this engine is compatible with, as an integer.
#[pyfunction]
fn mj_version() -> i32 {
    3_008_000
}

/// Version of the reference that this engine is compatible with.
#[pyfunction]
fn mj_versionString() -> &'static str {
    kinetree_model::consts::REFERENCE_VERSION
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    functions!(module; mj_mulM mj_mulM2 mj_mulJacVec mj_mulJacTVec mj_fullM mj_addM mj_solveM mj_solveM2 mj_rne
        mj_constraintUpdate mj_differentiatePos mj_integratePos mj_normalizeQuat mj_local2Global mj_objectVelocity
        mj_objectAcceleration mj_applyFT mj_contactForce mj_geomDistance mj_setConst mj_getTotalmass mj_setTotalmass
        mj_isPyramidal mj_isSparse mj_isDual mj_name2id mj_id2name mj_version mj_versionString);
    Ok(())
}
