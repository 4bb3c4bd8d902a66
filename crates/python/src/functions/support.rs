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

/// Multiplies a vector by the joint-space inertia matrix: `res = M vec`. Reads `d.M`.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     res: array (nv,) that gets the product.
///     vec: the vector, shape (nv,).
#[pyfunction]
fn mj_mulM(m: PyModel<'_, '_>, d: PyData<'_, '_>, res: Out<'_>, vec: Values) -> PyResult<()> {
    let nv = m.get().read()?.nv;
    multiply(m, d, (&res, nv), (&vec, nv), sim::mj_mul_m)
}

/// Multiplies a vector by a square root of the inertia matrix: `res = sqrt(D) L vec`, where `M = Lᵀ D L`.
/// Reads `d.qLD`.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     res: array (nv,) that gets the product.
///     vec: the vector, shape (nv,).
#[pyfunction]
fn mj_mulM2(m: PyModel<'_, '_>, d: PyData<'_, '_>, res: Out<'_>, vec: Values) -> PyResult<()> {
    let nv = m.get().read()?.nv;
    multiply(m, d, (&res, nv), (&vec, nv), sim::mj_mul_m2)
}

/// Multiplies a vector by the constraint Jacobian: `res = J vec`. Reads `d.efc_J`.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     res: array (nefc,) that gets the product.
///     vec: the vector in joint space, shape (nv,).
#[pyfunction]
fn mj_mulJacVec(m: PyModel<'_, '_>, d: PyData<'_, '_>, res: Out<'_>, vec: Values) -> PyResult<()> {
    let (nv, nefc) = dims(m, d)?;
    multiply(m, d, (&res, nefc), (&vec, nv), sim::mj_mul_jac_vec)
}

/// Multiplies a vector by the transposed constraint Jacobian: `res = Jᵀ vec`. Reads `d.efc_J`.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     res: array (nv,) that gets the product.
///     vec: the vector in constraint space, shape (nefc,).
#[pyfunction]
fn mj_mulJacTVec(m: PyModel<'_, '_>, d: PyData<'_, '_>, res: Out<'_>, vec: Values) -> PyResult<()> {
    let (nv, nefc) = dims(m, d)?;
    multiply(m, d, (&res, nv), (&vec, nefc), sim::mj_mul_jac_t_vec)
}

/// Writes an inertia matrix in the packed order of `d.qM` as a full symmetric matrix.
///
/// Args:
///     m: the model, an `MjModel`.
///     dst: array (nv, nv) that gets the matrix.
///     M: packed matrix, shape (nM,), usually `d.qM`.
///
/// Example::
///
///     full = np.zeros((model.nv, model.nv))
///     kinetree.mj_fullM(model, full, data.qM)
#[pyfunction]
fn mj_fullM(m: PyModel<'_, '_>, dst: Out<'_>, M: Values) -> PyResult<()> {
    let model = &*m.get().sound()?;
    M.expect("M", model.nM)?;
    dst.expect_shape("dst", model.nv, model.nv)?;
    let mut full = filled(0.0, model.nv * model.nv)?;
    guarded(|| sim::mj_full_m(model, &mut full, &M.values))?;
    dst.write(&full)
}

/// Adds the inertia matrix `d.M` to a sparse matrix in compressed rows.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     dst: values of the sparse matrix, which are added to.
///     rownnz: int32 array (nv,), number of entries of each row.
///     rowadr: int32 array (nv,), index of the first entry of each row.
///     colind: int32 array, column of each entry.
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

/// Solves `M x = y` with the factor of the inertia matrix that `mj_factorM` has computed (`d.qLD`).
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     x: array of the shape of `y` that gets the solutions.
///     y: right-hand sides, one per row, shape (nv,) or (n, nv).
#[pyfunction]
fn mj_solveM(m: PyModel<'_, '_>, d: PyData<'_, '_>, x: Out<'_>, y: Values) -> PyResult<()> {
    let mut values = rows_of(m, &x, y)?;
    peek(m, d, |m, d| sim::mj_solve_m(m, d, &mut values))?.map_err(fatal)?;
    x.write(&values)
}

/// Half of a solution of `M x = y`: `x = sqrt(1/D) L⁻ᵀ y`, so that `x · x = yᵀ M⁻¹ y`.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     x: array of the shape of `y` that gets the results.
///     y: right-hand sides, one per row, shape (nv,) or (n, nv).
///     sqrtInvD: square roots of `d.qLDiagInv`, shape (nv,).
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

/// Recursive Newton-Euler algorithm: Coriolis, centrifugal and gravity forces, and inertial forces if asked
/// for.
///
/// Call the position stage and `mj_comVel` before: `cinert`, `cdof`, `cvel` and `cdof_dot` are read.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     flg_acc: whether to add `M qacc`, without tendon or joint armature.
///     result: array (nv,) that gets the force (N or N m).
#[pyfunction]
fn mj_rne(m: PyModel<'_, '_>, d: PyData<'_, '_>, flg_acc: i64, result: Out<'_>) -> PyResult<()> {
    let nv = m.get().read()?.nv;
    result.expect("result", nv)?;
    let mut values = filled(0.0, nv)?;
    quick(m, d, |m, d| sim::mj_rne(m, d, flg_acc != 0, &mut values))?.map_err(fatal)?;
    result.write(&values)
}

/// Computes constraint forces and states for given residuals; a building block of solvers.
///
/// Writes `efc_state`, `efc_force` and `qfrc_constraint`.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     jar: `J qacc - aref`, shape (nefc,).
///     cost: array of shape (1,) that gets the cost of the constraints, or None.
///     flg_coneHessian: whether to compute the Hessians of elliptic cones for the contacts.
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

/// The velocity that takes one position to another in a given time; quaternions are differenced on the
/// sphere.
///
/// Args:
///     m: the model, an `MjModel`.
///     qvel: array (nv,) that gets the velocity (m/s or rad/s).
///     dt: the time (s).
///     qpos1: position at the start, shape (nq,) (m or rad, and quaternions).
///     qpos2: position at the end, shape (nq,).
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

/// Moves a position along a velocity for a given time; quaternions are rotated and stay unit quaternions.
///
/// Args:
///     m: the model, an `MjModel`.
///     qpos: position, shape (nq,), changed in place (m or rad, and quaternions).
///     qvel: velocity, shape (nv,) (m/s or rad/s).
///     dt: the time (s).
#[pyfunction]
fn mj_integratePos(m: PyModel<'_, '_>, qpos: Out<'_>, qvel: Values, dt: f64) -> PyResult<()> {
    let model = &*m.get().sound()?;
    qpos.expect("qpos", model.nq)?;
    qvel.expect("qvel", model.nv)?;
    let mut values = qpos.read()?;
    guarded(|| sim::mj_integrate_pos(model, &mut values, &qvel.values, dt))?;
    qpos.write(&values)
}

/// Normalizes the quaternions of free and ball joints in a position vector.
///
/// Args:
///     m: the model, an `MjModel`.
///     qpos: position, shape (nq,), changed in place (m or rad, and quaternions).
#[pyfunction]
fn mj_normalizeQuat(m: PyModel<'_, '_>, qpos: Out<'_>) -> PyResult<()> {
    let model = &*m.get().sound()?;
    qpos.expect("qpos", model.nq)?;
    let mut values = qpos.read()?;
    guarded(|| sim::mj_normalize_quat(model, &mut values))?;
    qpos.write(&values)
}

/// Pose in the world of a frame that is given relative to a body. Reads `xpos`, `xquat`, `xipos`, `ximat`.
///
/// Args:
///     d: its data, an `MjData`.
///     xpos: array (3,) that gets the position in the world (m).
///     xmat: array of 9 values that gets the rotation matrix.
///     pos: position in the body's frame, shape (3,) (m).
///     quat: orientation in the body's frame, shape (4,).
///     body: id of the body.
///     sameframe: an `mjtSameFrame`: whether the frame coincides with the body's or its inertial frame.
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

/// Spatial velocity of a body, geom, site or camera: angular velocity (rad/s), then linear velocity (m/s).
///
/// Reads `d.cvel`. The linear part is that of the object's origin.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     objtype: kind of the object, an `mjtObj`; `mjOBJ_BODY` is the inertial frame, `mjOBJ_XBODY` the
///         body's frame.
///     objid: its id.
///     res: array (6,) that gets the velocity (rad/s, then m/s).
///     flg_local: whether in the object's own axes; otherwise in the world's.
///
/// Example::
///
///     velocity = np.zeros(6)
///     kinetree.mj_objectVelocity(model, data, kinetree.mjtObj.mjOBJ_SITE, 0, velocity, 0)
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

/// Spatial acceleration of a body, geom, site or camera: angular (rad/s²), then linear (m/s²), of which
/// gravity is subtracted: an object at rest has `-opt.gravity`.
///
/// Reads `d.cacc`: call `mj_rnePostConstraint` before.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     objtype: kind of the object, an `mjtObj`.
///     objid: its id.
///     res: array (6,) that gets the acceleration (rad/s², then m/s²).
///     flg_local: whether in the object's own axes; otherwise in the world's.
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

/// Adds the generalized force of a force and a torque at a point of a body to a vector, such as
/// `d.qfrc_applied`.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     force: force in the world's axes, shape (3,) (N).
///     torque: torque in the world's axes, shape (3,) (N m).
///     point: where the force acts, in the world, shape (3,) (m).
///     body: id of the body.
///     qfrc_target: array (nv,) that is added to.
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

/// Force and torque of a contact in its own frame: normal force first, then friction, then torques.
///
/// The axes are the rows of `d.contact[id].frame`; the normal points from the first geom to the second.
/// Reads `efc_force`.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     id: index of the contact, below `d.ncon`.
///     result: array (6,) that gets force (N) and torque (N m).
///
/// Example::
///
///     force = np.zeros(6)
///     for i in range(data.ncon):
///         kinetree.mj_contactForce(model, data, i, force)
#[pyfunction]
fn mj_contactForce(m: PyModel<'_, '_>, d: PyData<'_, '_>, id: i64, result: OutFixed<'_, 6>) -> PyResult<()> {
    let id = usize::try_from(id).unwrap_or(usize::MAX);
    let force = peek(m, d, |m, d| sim::mj_contact_force(m, d, id))?.map_err(fatal)?;
    result.write(&force);
    Ok(())
}

/// Smallest signed distance between two geoms (m); negative when they penetrate.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     geom1: id of the first geom.
///     geom2: id of the second geom.
///     distmax: largest distance of interest (m); it is returned when the geoms are farther apart.
///     fromto: array (6,) that gets the nearest points of both geoms in the world (m), or None.
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

/// Recomputes the constants of a model that derive from other fields, such as `body_subtreemass`,
/// `dof_invweight0` and `stat`.
///
/// Call it after you have changed masses, inertias, poses or `qpos0`. Fields of the data are overwritten.
///
/// Args:
///     m: the model, which is changed.
///     d: its data, used as working memory.
#[pyfunction]
fn mj_setConst(m: PyModel<'_, '_>, d: PyData<'_, '_>) -> PyResult<()> {
    change(m, d, sim::mj_set_const)?.map_err(fatal)
}

/// Total mass of all bodies (kg).
///
/// Args:
///     m: the model, an `MjModel`.
#[pyfunction]
fn mj_getTotalmass(m: PyModel<'_, '_>) -> PyResult<f64> {
    Ok(sim::mj_get_totalmass(&*m.get().read()?))
}

/// Scales all masses and inertias so that the masses add up to a total.
///
/// Args:
///     m: the model, whose `body_mass` and `body_inertia` are scaled.
///     newmass: the total (kg).
#[pyfunction]
fn mj_setTotalmass(m: PyModel<'_, '_>, newmass: f64) -> PyResult<()> {
    m.get().edit(|model| sim::mj_set_totalmass(model, newmass))
}

/// 1 if friction cones are pyramidal (`m.opt.cone`), else 0.
///
/// Args:
///     m: the model, an `MjModel`.
#[pyfunction]
fn mj_isPyramidal(m: PyModel<'_, '_>) -> PyResult<i32> {
    Ok(i32::from(m.get().read()?.opt.cone == Cone::Pyramidal))
}

/// 1 if the constraint Jacobian is stored sparse (`m.opt.jacobian`, and its size when that is automatic),
/// else 0.
///
/// Args:
///     m: the model, an `MjModel`.
#[pyfunction]
fn mj_isSparse(m: PyModel<'_, '_>) -> PyResult<i32> {
    Ok(i32::from(m.get().read()?.is_sparse()))
}

/// 1 if the solver works in constraint space (PGS, or noslip iterations), else 0.
///
/// Args:
///     m: the model, an `MjModel`.
#[pyfunction]
fn mj_isDual(m: PyModel<'_, '_>) -> PyResult<i32> {
    Ok(i32::from(sim::mj_is_dual(&*m.get().read()?)))
}

/// Id of a named element, -1 when there is none.
///
/// Args:
///     m: the model, an `MjModel`.
///     type: kind of the element, an `mjtObj`.
///     name: its name.
///
/// Example::
///
///     hand = kinetree.mj_name2id(model, kinetree.mjtObj.mjOBJ_BODY, "hand")
#[pyfunction]
fn mj_name2id(m: PyModel<'_, '_>, r#type: i32, name: Text) -> PyResult<i32> {
    m.get()._name2id(r#type, &name.0)
}

/// Name of an element, None when it has none or does not exist.
///
/// Args:
///     m: the model, an `MjModel`.
///     type: kind of the element, an `mjtObj`.
///     id: its id.
#[pyfunction]
fn mj_id2name(m: PyModel<'_, '_>, r#type: i32, id: i64) -> PyResult<Option<String>> {
    m.get()._id2name(r#type, id)
}

/// Version of MuJoCo that this package is compatible with, as one integer; `mj_versionString` as text.
#[pyfunction]
fn mj_version() -> i32 {
    3_008_000
}

/// Version of MuJoCo that this package is compatible with, as text; that of the package is
/// `kinetree.__version__`.
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
