//! Frames and frusta of cameras, and poses in the room and in the model.

use super::arguments::Struct;
use super::core_scene::CoreScene;
use crate::args::{Fixed, Out, OutFixed};
use crate::call::{PyData, PyModel};
use crate::errors::fatal;
use crate::functions::functions;
use kinetree_render::scene;
use kinetree_render::scene::{HeadPose, MjvCamera, MjvGLCamera, MjvScene, SceneError};
use pyo3::prelude::*;

/// Position and directions of an abstract camera.
///
/// Args:
///     headpos: array (3,) that gets the position.
///     forward: array (3,) that gets the viewing direction.
///     up: array (3,) that gets the upward direction.
///     right: array (3,) that gets the direction to the right.
///     d: the data of the world that it looks at.
///     cam: an `MjvCamera`.
#[pyfunction]
fn mjv_cameraFrame(
    headpos: OutFixed<'_, 3>,
    forward: OutFixed<'_, 3>,
    up: OutFixed<'_, 3>,
    right: OutFixed<'_, 3>,
    d: PyData<'_, '_>,
    cam: Struct<'_, MjvCamera>,
) -> PyResult<()> {
    let frame = d.get().with(d.py(), |d| scene::mjv_camera_frame(d, &cam.value))?.map_err(fatal)?;
    headpos.write(&frame.headpos);
    forward.write(&frame.forward);
    up.write(&frame.up);
    right.write(&frame.right);
    Ok(())
}

/// Extents of what an abstract camera sees at the near plane, and its clipping planes, in metres.
///
/// Args:
///     zver: float32 array (2,) that gets the vertical extents.
///     zhor: float32 array (2,) that gets the horizontal extents.
///     zclip: float32 array (2,) that gets the distances of the near and the far plane.
///     m: the model, an `MjModel`.
///     cam: an `MjvCamera`.
#[pyfunction]
fn mjv_cameraFrustum(
    zver: Out<'_, f32>,
    zhor: Out<'_, f32>,
    zclip: Out<'_, f32>,
    m: PyModel<'_, '_>,
    cam: Struct<'_, MjvCamera>,
) -> PyResult<()> {
    for (name, out) in [("zver", &zver), ("zhor", &zhor), ("zclip", &zclip)] {
        out.expect(name, 2)?;
    }
    let frustum = scene::mjv_camera_frustum(&*m.get().read()?, &cam.value).map_err(fatal)?;
    zver.write(&frustum.zver)?;
    zhor.write(&frustum.zhor)?;
    zclip.write(&frustum.zclip)
}

fn write_head(
    scn: &Bound<'_, CoreScene>,
    f: fn(&MjvScene) -> Result<HeadPose, SceneError>,
    [headpos, forward, up]: [OutFixed<'_, 3>; 3],
) -> PyResult<()> {
    let head = scn.get().read(scn.py(), f)?.map_err(fatal)?;
    headpos.write(&head.headpos);
    forward.write(&head.forward);
    up.write(&head.up);
    Ok(())
}

/// Pose of a scene's camera in the coordinates of the model.
///
/// Args:
///     headpos: array (3,) that gets the position.
///     forward: array (3,) that gets the viewing direction.
///     up: array (3,) that gets the upward direction.
///     scn: an `MjvScene`.
#[pyfunction]
fn mjv_cameraInModel(
    headpos: OutFixed<'_, 3>,
    forward: OutFixed<'_, 3>,
    up: OutFixed<'_, 3>,
    scn: &Bound<'_, CoreScene>,
) -> PyResult<()> {
    write_head(scn, scene::mjv_camera_in_model, [headpos, forward, up])
}

/// Pose of a scene's camera in the coordinates of the room, to which the scene's `translate`, `rotate` and
/// `scale` lead.
///
/// Args:
///     headpos: array (3,) that gets the position.
///     forward: array (3,) that gets the viewing direction.
///     up: array (3,) that gets the upward direction.
///     scn: an `MjvScene`.
#[pyfunction]
fn mjv_cameraInRoom(
    headpos: OutFixed<'_, 3>,
    forward: OutFixed<'_, 3>,
    up: OutFixed<'_, 3>,
    scn: &Bound<'_, CoreScene>,
) -> PyResult<()> {
    write_head(scn, scene::mjv_camera_in_room, [headpos, forward, up])
}

/// A conversion of poses.
type Convert = fn(&[f64; 3], &[f64; 4], &MjvScene) -> Result<([f64; 3], [f64; 4]), SceneError>;

fn convert(
    (pos, quat): (OutFixed<'_, 3>, OutFixed<'_, 4>),
    (from_pos, from_quat): (Fixed<3>, Fixed<4>),
    scn: &Bound<'_, CoreScene>,
    f: Convert,
) -> PyResult<()> {
    let result = scn.get().read(scn.py(), |scn| f(&from_pos.0, &from_quat.0, scn))?.map_err(fatal)?;
    pos.write(&result.0);
    quat.write(&result.1);
    Ok(())
}

/// Converts a pose from the room to the model.
///
/// Args:
///     modelpos: array (3,) that gets the position.
///     modelquat: array (4,) that gets the orientation.
///     roompos: position in the room, shape (3,).
///     roomquat: orientation in the room, shape (4,).
///     scn: an `MjvScene`.
#[pyfunction]
fn mjv_room2model(
    modelpos: OutFixed<'_, 3>,
    modelquat: OutFixed<'_, 4>,
    roompos: Fixed<3>,
    roomquat: Fixed<4>,
    scn: &Bound<'_, CoreScene>,
) -> PyResult<()> {
    convert((modelpos, modelquat), (roompos, roomquat), scn, scene::mjv_room2model)
}

/// Converts a pose from the model to the room.
///
/// Args:
///     roompos: array (3,) that gets the position.
///     roomquat: array (4,) that gets the orientation.
///     modelpos: position in the model, shape (3,).
///     modelquat: orientation in the model, shape (4,).
///     scn: an `MjvScene`.
#[pyfunction]
fn mjv_model2room(
    roompos: OutFixed<'_, 3>,
    roomquat: OutFixed<'_, 4>,
    modelpos: Fixed<3>,
    modelquat: Fixed<4>,
    scn: &Bound<'_, CoreScene>,
) -> PyResult<()> {
    convert((roompos, roomquat), (modelpos, modelquat), scn, scene::mjv_model2room)
}

/// Height in metres of what the camera of the scene `scn` sees at unit distance.
#[pyfunction]
fn mjv_frustumHeight(scn: &Bound<'_, CoreScene>) -> PyResult<f64> {
    scn.get().read(scn.py(), scene::mjv_frustum_height)?.map_err(fatal)
}

/// The camera halfway between `cam1` and `cam2`, two `MjvGLCamera`s such as those of a stereo pair.
#[pyfunction]
fn mjv_averageCamera<'py>(
    py: Python<'py>,
    cam1: Struct<'py, MjvGLCamera>,
    cam2: Struct<'py, MjvGLCamera>,
) -> PyResult<Bound<'py, PyAny>> {
    let average = scene::mjv_average_camera(&cam1.value, &cam2.value).map_err(fatal)?;
    let result = py.import("kinetree.scene")?.getattr("MjvGLCamera")?.call0()?;
    let mut target: Struct<'_, MjvGLCamera> = result.extract()?;
    target.value = average;
    target.store()?;
    Ok(result)
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    functions!(module; mjv_cameraFrame mjv_cameraFrustum mjv_cameraInModel mjv_cameraInRoom mjv_room2model
        mjv_model2room mjv_frustumHeight mjv_averageCamera);
    Ok(())
}
