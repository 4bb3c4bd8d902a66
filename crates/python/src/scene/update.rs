//! Filling scenes, default values, and geoms that a program adds by itself.

use super::arguments::Struct;
use super::core_scene::CoreScene;
use crate::args::{Fixed, Values};
use crate::call::{PyData, PyModel, quick};
use crate::errors::fatal;
use crate::functions::functions;
use crate::panics::guarded;
use kinetree_render::scene;
use kinetree_render::scene::{MjvCamera, MjvFigure, MjvGeom, MjvOption, MjvPerturb};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// Fills a scene with the geoms, lights and cameras of a world, ready for `mjr_render`.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     opt: what is visible, an `MjvOption`.
///     pert: an `MjvPerturb` to show, or None.
///     cam: the `MjvCamera` to look through.
///     catmask: which categories of geoms, `mjtCatBit` bits such as `mjCAT_ALL`.
///     scn: the `MjvScene` that is filled.
#[pyfunction]
#[pyo3(signature = (m, d, opt, pert, cam, catmask, scn))]
fn mjv_updateScene(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    opt: Struct<'_, MjvOption>,
    pert: Option<Struct<'_, MjvPerturb>>,
    mut cam: Struct<'_, MjvCamera>,
    catmask: i32,
    scn: &CoreScene,
) -> PyResult<()> {
    let pert = pert.map(|pert| pert.value);
    let camera = &mut cam.value;
    scn.update_from(m, false, |scn| {
        quick(m, d, |m, d| scene::mjv_update_scene(m, d, &opt.value, pert.as_ref(), camera, catmask, scn))?
            .map_err(fatal)
    })?;
    cam.store()
}

/// Appends the geoms of some categories to a scene, which keeps those it has.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     opt: what is visible, an `MjvOption`.
///     pert: an `MjvPerturb` to show, or None.
///     catmask: which categories of geoms, `mjtCatBit` bits.
///     scn: the `MjvScene` that is appended to.
#[pyfunction]
fn mjv_addGeoms(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    opt: Struct<'_, MjvOption>,
    pert: Option<Struct<'_, MjvPerturb>>,
    catmask: i32,
    scn: &CoreScene,
) -> PyResult<()> {
    let pert = pert.map(|pert| pert.value);
    scn.update_from(m, true, |scn| {
        quick(m, d, |m, d| scene::mjv_add_geoms(m, d, &opt.value, pert.as_ref(), catmask, scn))?
            .map_err(fatal)
    })
}

/// Sets the lights of the scene `scn` from the model `m` and its data `d`.
#[pyfunction]
fn mjv_makeLights(m: PyModel<'_, '_>, d: PyData<'_, '_>, scn: &CoreScene) -> PyResult<()> {
    scn.update(m.py(), true, |scn| quick(m, d, |m, d| scene::mjv_make_lights(m, d, scn))?.map_err(fatal))
}

/// Sets the cameras of a scene from an abstract camera.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     cam: an `MjvCamera`.
///     scn: the `MjvScene` that is changed.
#[pyfunction]
fn mjv_updateCamera(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    mut cam: Struct<'_, MjvCamera>,
    scn: &CoreScene,
) -> PyResult<()> {
    let camera = &mut cam.value;
    scn.update(m.py(), true, |scn| {
        quick(m, d, |m, d| scene::mjv_update_camera(m, d, camera, scn))?.map_err(fatal)
    })?;
    cam.store()
}

/// Moves the vertices of the skins in the scene `scn` with the bodies of the model `m` and data `d`.
#[pyfunction]
fn mjv_updateSkin(m: PyModel<'_, '_>, d: PyData<'_, '_>, scn: &CoreScene) -> PyResult<()> {
    scn.update(m.py(), true, |scn| quick(m, d, |m, d| scene::mjv_update_skin(m, d, scn))?.map_err(fatal))
}

/// Defines a function that gives a struct its default values.
macro_rules! defaults {
    ($( $name:ident($argument:ident: $t:ty); )*) => { $(
        #[doc = concat!("Gives `", stringify!($argument), "`, a `", stringify!($t), "`, its default values; a new one has them already.")]
        #[pyfunction]
        fn $name(mut $argument: Struct<'_, $t>) -> PyResult<()> {
            $argument.value = <$t>::default();
            $argument.store()
        }
    )* };
}

defaults! {
    mjv_defaultCamera(cam: MjvCamera);
    mjv_defaultOption(opt: MjvOption);
    mjv_defaultPerturb(pert: MjvPerturb);
    mjv_defaultFigure(fig: MjvFigure);
}

/// Gives a camera a free view of the whole model.
///
/// Args:
///     m: the model, an `MjModel`.
///     cam: the `MjvCamera` that is set.
#[pyfunction]
fn mjv_defaultFreeCamera(m: PyModel<'_, '_>, mut cam: Struct<'_, MjvCamera>) -> PyResult<()> {
    scene::mjv_default_free_camera(&*m.get().read()?, &mut cam.value);
    cam.store()
}

/// Sets a geom of a scene that a program adds on its own.
///
/// Args:
///     geom: the `MjvGeom`, such as `scn.geoms[scn.ngeom]`.
///     type: its shape, an `mjtGeom`.
///     size: its size, shape (3,), or None for the default.
///     pos: its position, shape (3,), or None for the origin.
///     mat: its rotation matrix, 9 values, or None for the identity.
///     rgba: its colour, four values from 0 to 1, or None for the default.
///
/// Example::
///
///     kinetree.mjv_initGeom(scene.geoms[scene.ngeom], kinetree.mjtGeom.mjGEOM_SPHERE, [0.1, 0, 0])
///     scene.ngeom += 1
#[pyfunction]
#[pyo3(signature = (geom, r#type, size=None, pos=None, mat=None, rgba=None))]
fn mjv_initGeom(
    mut geom: Struct<'_, MjvGeom>,
    r#type: i32,
    size: Option<Fixed<3>>,
    pos: Option<Fixed<3>>,
    mat: Option<Fixed<9>>,
    rgba: Option<Values<f32>>,
) -> PyResult<()> {
    let rgba: Option<[f32; 4]> = match rgba {
        None => None,
        Some(rgba) => {
            Some(rgba.values.try_into().map_err(|_| PyTypeError::new_err("rgba should have 4 values"))?)
        }
    };
    scene::mjv_init_geom(
        &mut geom.value,
        r#type,
        size.as_ref().map(|v| &v.0),
        pos.as_ref().map(|v| &v.0),
        mat.as_ref().map(|v| &v.0),
        rgba.as_ref(),
    );
    geom.store()
}

/// Sets type, size and pose of a geom so that it connects two points.
///
/// Args:
///     geom: the `MjvGeom` that is set.
///     type: a long shape, such as `mjtGeom.mjGEOM_CAPSULE`, `mjGEOM_ARROW` or `mjGEOM_LINE`.
///     width: its radius in metres; of a line, its width in pixels.
///     from_: first point, shape (3,).
///     to: second point, shape (3,).
#[pyfunction]
fn mjv_connector(
    mut geom: Struct<'_, MjvGeom>,
    r#type: i32,
    width: f64,
    from_: Fixed<3>,
    to: Fixed<3>,
) -> PyResult<()> {
    guarded(|| scene::mjv_connector(&mut geom.value, r#type, width, &from_.0, &to.0))?.map_err(fatal)?;
    geom.store()
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    functions!(module; mjv_updateScene mjv_addGeoms mjv_makeLights mjv_updateCamera mjv_updateSkin
        mjv_defaultCamera mjv_defaultOption mjv_defaultPerturb mjv_defaultFigure mjv_defaultFreeCamera
        mjv_initGeom mjv_connector);
    Ok(())
}
