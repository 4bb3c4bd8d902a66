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

/// Fills a scene with geoms, cameras and lights.
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
    scn.update(m.py(), false, |scn| {
        quick(m, d, |m, d| scene::mjv_update_scene(m, d, &opt.value, pert.as_ref(), camera, catmask, scn))?
            .map_err(fatal)
    })?;
    cam.store()
}

/// Appends the geoms of some categories to a scene.
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
    scn.update(m.py(), true, |scn| {
        quick(m, d, |m, d| scene::mjv_add_geoms(m, d, &opt.value, pert.as_ref(), catmask, scn))?
            .map_err(fatal)
    })
}

/// Sets the lights of a scene.
#[pyfunction]
fn mjv_makeLights(m: PyModel<'_, '_>, d: PyData<'_, '_>, scn: &CoreScene) -> PyResult<()> {
    scn.update(m.py(), true, |scn| quick(m, d, |m, d| scene::mjv_make_lights(m, d, scn))?.map_err(fatal))
}

/// Sets the cameras of a scene from an abstract camera.
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

/// Moves the vertices of skins.
#[pyfunction]
fn mjv_updateSkin(m: PyModel<'_, '_>, d: PyData<'_, '_>, scn: &CoreScene) -> PyResult<()> {
    scn.update(m.py(), true, |scn| quick(m, d, |m, d| scene::mjv_update_skin(m, d, scn))?.map_err(fatal))
}

/// Defines a function that gives a struct its default values.
macro_rules! defaults {
    ($( $name:ident($argument:ident: $t:ty); )*) => { $(
        #[doc = concat!("Gives a `", stringify!($t), "` its default values.")]
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

/// Places a free camera so that it sees the whole model.
#[pyfunction]
fn mjv_defaultFreeCamera(m: PyModel<'_, '_>, mut cam: Struct<'_, MjvCamera>) -> PyResult<()> {
    scene::mjv_default_free_camera(&*m.get().read()?, &mut cam.value);
    cam.store()
}

/// Sets type, size, pose and colour of a geom, and default values for the rest.
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

/// Makes a geom connect two points.
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
