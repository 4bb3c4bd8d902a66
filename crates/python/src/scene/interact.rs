//! Mouse motions, selection and perturbations.

use super::arguments::Struct;
use super::core_scene::CoreScene;
use crate::args::{Fixed, Out, OutFixed};
use crate::call::{PyData, PyModel, quick};
use crate::errors::fatal;
use crate::functions::functions;
use crate::panics::guarded;
use kinetree_render::scene;
use kinetree_render::scene::{MjvCamera, MjvOption, MjvPerturb};
use pyo3::prelude::*;

/// Rotates a vector about the vertical axis so that its y axis points along a direction.
///
/// Args:
///     res: array (3,) that gets the result.
///     vec: the vector, shape (3,).
///     forward: the direction, shape (3,).
#[pyfunction]
fn mjv_alignToCamera(res: OutFixed<'_, 3>, vec: Fixed<3>, forward: Fixed<3>) {
    res.write(&scene::mjv_align_to_camera(&vec.0, &forward.0));
}

/// Moves an abstract camera as a drag of the mouse asks for.
///
/// Args:
///     m: the model, an `MjModel`.
///     action: what a drag of the mouse does, an `mjtMouse`.
///     reldx: movement to the right, relative to the height of the picture.
///     reldy: movement downwards, relative to the height of the picture.
///     scn: an `MjvScene`.
///     cam: the `MjvCamera`, which is changed.
#[pyfunction]
fn mjv_moveCamera(
    m: PyModel<'_, '_>,
    action: i32,
    reldx: f64,
    reldy: f64,
    scn: &CoreScene,
    mut cam: Struct<'_, MjvCamera>,
) -> PyResult<()> {
    let model = &*m.get().read()?;
    let camera = &mut cam.value;
    scn.read(m.py(), |scn| guarded(|| scene::mjv_move_camera(model, action, reldx, reldy, scn, camera)))??
        .map_err(fatal)?;
    cam.store()
}

/// Moves the reference pose of a perturbation as a drag of the mouse asks for.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     action: what a drag of the mouse does, an `mjtMouse`.
///     reldx: movement to the right, relative to the height of the picture.
///     reldy: movement downwards, relative to the height of the picture.
///     scn: an `MjvScene`.
///     pert: the `MjvPerturb`, which is changed.
#[pyfunction]
fn mjv_movePerturb(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    action: i32,
    reldx: f64,
    reldy: f64,
    scn: &CoreScene,
    mut pert: Struct<'_, MjvPerturb>,
) -> PyResult<()> {
    let value = &mut pert.value;
    scn.read(m.py(), |scn| {
        quick(m, d, |m, d| scene::mjv_move_perturb(m, d, action, reldx, reldy, scn, value))
    })??
    .map_err(fatal)?;
    pert.store()
}

/// Moves, rotates or scales the model in the room as a drag of the mouse asks for.
///
/// Args:
///     m: the model, an `MjModel`.
///     action: what a drag of the mouse does, an `mjtMouse`.
///     reldx: movement to the right, relative to the height of the picture.
///     reldy: movement downwards, relative to the height of the picture.
///     roomup: upward direction of the room, shape (3,).
///     scn: the `MjvScene`, whose transformation is changed.
#[pyfunction]
fn mjv_moveModel(
    m: PyModel<'_, '_>,
    action: i32,
    reldx: f64,
    reldy: f64,
    roomup: Fixed<3>,
    scn: &CoreScene,
) -> PyResult<()> {
    let model = &*m.get().read()?;
    scn.update(m.py(), true, |scn| {
        guarded(|| scene::mjv_move_model(model, action, reldx, reldy, &roomup.0, scn))?.map_err(fatal)
    })
}

/// Starts a perturbation: sets its reference pose to that of the body it selects.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     scn: an `MjvScene`.
///     pert: the `MjvPerturb`, which is changed.
#[pyfunction]
fn mjv_initPerturb(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    scn: &CoreScene,
    mut pert: Struct<'_, MjvPerturb>,
) -> PyResult<()> {
    let value = &mut pert.value;
    scn.read(m.py(), |scn| quick(m, d, |m, d| scene::mjv_init_perturb(m, d, scn, value)))??.map_err(fatal)?;
    pert.store()
}

/// Moves the selected body to the reference pose of a perturbation; only bodies with mocap or, when paused,
/// free joints.
///
/// Args:
///     m: the model.
///     d: its data; `mocap_pos` and `mocap_quat`, or `qpos`, are written.
///     pert: the `MjvPerturb`.
///     flg_paused: whether the simulation is paused, so that positions may be set.
#[pyfunction]
fn mjv_applyPerturbPose(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    pert: Struct<'_, MjvPerturb>,
    flg_paused: i64,
) -> PyResult<()> {
    quick(m, d, |m, d| scene::mjv_apply_perturb_pose(m, d, &pert.value, flg_paused != 0))?.map_err(fatal)
}

/// Pulls the selected body towards the reference pose of a perturbation with a spring.
///
/// Args:
///     m: the model.
///     d: its data; `xfrc_applied` of the body is written.
///     pert: the `MjvPerturb`.
#[pyfunction]
fn mjv_applyPerturbForce(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    pert: Struct<'_, MjvPerturb>,
) -> PyResult<()> {
    quick(m, d, |m, d| scene::mjv_apply_perturb_force(m, d, &pert.value))?.map_err(fatal)
}

/// The body at a point of a picture, -1 when there is none.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     vopt: what is visible, an `MjvOption`.
///     aspectratio: width of the picture divided by its height.
///     relx: point from the left, 0 to 1.
///     rely: point from the bottom, 0 to 1.
///     scn: the `MjvScene` with the camera of the picture.
///     selpnt: array (3,) that gets the point in the world.
///     geomid: int32 array (1,) that gets the geom, -1 for none.
///     flexid: int32 array (1,) that gets the flex, -1 for none.
///     skinid: int32 array (1,) that gets the skin, -1 for none.
#[pyfunction]
fn mjv_select(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    vopt: Struct<'_, MjvOption>,
    aspectratio: f64,
    relx: f64,
    rely: f64,
    scn: &CoreScene,
    selpnt: OutFixed<'_, 3>,
    geomid: Out<'_, i32>,
    flexid: Out<'_, i32>,
    skinid: Out<'_, i32>,
) -> PyResult<i32> {
    for (name, out) in [("geomid", &geomid), ("flexid", &flexid), ("skinid", &skinid)] {
        out.expect(name, 1)?;
    }
    let found = scn
        .read(m.py(), |scn| {
            quick(m, d, |m, d| scene::mjv_select(m, d, &vopt.value, aspectratio, relx, rely, scn))
        })??
        .map_err(fatal)?;
    geomid.write(&[found.map_or(-1, |s| s.geom)])?;
    flexid.write(&[found.map_or(-1, |s| s.flex)])?;
    skinid.write(&[found.map_or(-1, |s| s.skin)])?;
    if let Some(selection) = &found {
        selpnt.write(&selection.point);
    }
    Ok(found.map_or(-1, |s| s.body))
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    functions!(module; mjv_alignToCamera mjv_moveCamera mjv_movePerturb mjv_moveModel mjv_initPerturb
        mjv_applyPerturbPose mjv_applyPerturbForce mjv_select);
    Ok(())
}
