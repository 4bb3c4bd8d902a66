//! Scenes: what a world looks like, cameras, selection and perturbations.

#![allow(non_snake_case)] // the functions carry the names that Python users know
#![allow(clippy::needless_pass_by_value)] // arguments are made for the call

mod arguments;
mod camera;
mod core_scene;
mod interact;
mod record;
mod structs;
mod update;

pub(crate) use arguments::Struct;
pub(crate) use core_scene::CoreScene;

use kinetree_render::scene::{
    MjvCamera, MjvFigure, MjvGLCamera, MjvGeom, MjvLight, MjvOption, MjvPerturb, MjvScene,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use record::Record;
use structs::SceneHead;

/// Adds the fields of a struct and the bytes of its default value to a dictionary.
fn add_record<T: Record>(records: &Bound<'_, PyDict>, default: &T) -> PyResult<()> {
    let mut bytes = vec![0; T::SIZE];
    default.write(&mut bytes);
    records.set_item(T::NAME, (T::fields(), PyBytes::new(records.py(), &bytes)))
}

/// Registers classes and functions, and the layouts of all structs as `RECORDS`.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let records = PyDict::new(module.py());
    add_record(&records, &SceneHead::of(&MjvScene::default()))?;
    add_record(&records, &MjvGeom::default())?;
    add_record(&records, &MjvLight::default())?;
    add_record(&records, &MjvGLCamera::default())?;
    add_record(&records, &MjvCamera::default())?;
    add_record(&records, &MjvOption::default())?;
    add_record(&records, &MjvPerturb::default())?;
    add_record(&records, &MjvFigure::default())?;
    module.add("RECORDS", records)?;
    module.add_class::<core_scene::CoreScene>()?;
    camera::register(module)?;
    interact::register(module)?;
    update::register(module)
}
