//! `CoreScene`: the lists of a scene as arrays that the Python class `MjvScene` shows.
//!
//! The arrays belong to Python. A function that reads a scene first copies them into an engine's scene, which
//! the object keeps for the next call, and one that changes a scene copies the result back.

use super::record::Record;
use super::structs::SceneHead;
use crate::args::Text;
use crate::memory::{Shared, copy_in, copy_in_part, copy_out, copy_out_part};
use crate::model::CoreModel;
use kinetree_render::scene::{MAX_LIGHT, MjvGLCamera, MjvGeom, MjvLight, MjvScene};
use numpy::{Element, PyArrayDyn, dtype};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::{Arc, OnceLock};

type Bytes = Py<PyArrayDyn<u8>>;

/// A scene. Its lists are made by `_make` and not when the object is, so that subclasses may have arguments
/// of their own.
#[pyclass(frozen, subclass, module = "kinetree._core")]
pub(crate) struct CoreScene(OnceLock<Lists>);

/// The lists of a scene, in Python's arrays and as the engine has them.
struct Lists {
    scene: Arc<Shared<Engine>>,
    head: Bytes,
    geoms: Bytes,
    lights: Bytes,
    cameras: Bytes,
    /// The lists of flexes and skins, and the order of geoms, by name.
    lists: Py<PyDict>,
}

/// The engine's scene with working memory.
struct Engine {
    scene: MjvScene,
    bytes: Vec<u8>,
    /// Signature of the model whose geoms, flexes and skins it has, once it has some.
    signature: Option<u64>,
}

/// An array of zeros that belongs to Python.
fn zeros<T: Element>(py: Python<'_>, count: usize) -> PyResult<Bound<'_, PyArrayDyn<T>>> {
    let numpy = numpy::get_array_module(py)?;
    Ok(numpy.call_method1("zeros", (count, dtype::<T>(py)))?.cast_into()?)
}

/// Passes each list of a scene with its name to a macro: what the model fixes first, then what an update
/// changes.
macro_rules! scene_lists {
    ($with:ident!($( $arg:tt )*)) => {
        $with!($( $arg )*
            { flexedgeadr flexedgenum flexvertadr flexvertnum flexfaceadr flexfacenum flexedge skinfacenum skinvertadr skinvertnum }
            { flexfaceused flexvert flexface flexnormal flextexcoord skinvert skinnormal })
    };
}

/// Makes arrays for all lists.
macro_rules! make_lists {
    ($py:ident, $scene:ident, $dict:ident, { $( $fixed:ident )* } { $( $changing:ident )* }) => {
        $( make_list($py, &$dict, stringify!($fixed), Flat::flat(&$scene.$fixed))?; )*
        $( make_list($py, &$dict, stringify!($changing), Flat::flat(&$scene.$changing))?; )*
    };
}

/// Copies all lists that an update changes to their arrays.
macro_rules! store_lists {
    ($dict:ident, $scene:ident, { $( $fixed:ident )* } { $( $changing:ident )* }) => {
        $( store_list($dict, stringify!($changing), Flat::flat(&$scene.$changing))?; )*
    };
}

/// Copies all lists that an update changes from their arrays.
macro_rules! load_lists {
    ($dict:ident, $scene:ident, { $( $fixed:ident )* } { $( $changing:ident )* }) => {
        $( load_list($dict, stringify!($changing), Flat::flat_mut(&mut $scene.$changing))?; )*
    };
}

/// A list of numbers or short vectors, as numbers.
trait Flat {
    type Number;
    fn flat(&self) -> &[Self::Number];
    fn flat_mut(&mut self) -> &mut [Self::Number];
}

impl Flat for Vec<i32> {
    type Number = i32;
    fn flat(&self) -> &[i32] {
        self
    }
    fn flat_mut(&mut self) -> &mut [i32] {
        self
    }
}

impl<T, const N: usize> Flat for Vec<[T; N]> {
    type Number = T;
    fn flat(&self) -> &[T] {
        self.as_flattened()
    }
    fn flat_mut(&mut self) -> &mut [T] {
        self.as_flattened_mut()
    }
}

fn make_list<T: Element + Copy>(
    py: Python<'_>,
    lists: &Bound<'_, PyDict>,
    name: &str,
    values: &[T],
) -> PyResult<()> {
    let array = zeros::<T>(py, values.len())?;
    copy_in(&array, values);
    lists.set_item(name, array)
}

fn list<'py, T: Element>(lists: &Bound<'py, PyDict>, name: &str) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let array = lists.get_item(name)?.ok_or_else(|| PyValueError::new_err(format!("{name} was removed")))?;
    Ok(array.cast_into()?)
}

fn store_list<T: Element + Copy>(lists: &Bound<'_, PyDict>, name: &str, values: &[T]) -> PyResult<()> {
    if values.is_empty() || copy_in(&list(lists, name)?, values) {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("{name} of the scene cannot be written to")))
}

fn load_list<T: Element + Copy>(lists: &Bound<'_, PyDict>, name: &str, values: &mut [T]) -> PyResult<()> {
    if values.is_empty() || copy_out(&list(lists, name)?, values) {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("{name} of the scene has another size")))
}

/// Reads `count` structs from the front of an array.
fn read_records<T: Record>(
    array: &Bound<'_, PyArrayDyn<u8>>,
    count: usize,
    bytes: &mut Vec<u8>,
) -> Option<Vec<T>> {
    bytes.resize(count * T::SIZE, 0);
    copy_out_part(array, bytes).then(|| bytes.chunks_exact(T::SIZE).map(T::read).collect())
}

/// Writes structs to an array, from place `first` on.
fn write_records<T: Record>(
    array: &Bound<'_, PyArrayDyn<u8>>,
    first: usize,
    records: &[T],
    bytes: &mut Vec<u8>,
) -> bool {
    bytes.clear();
    bytes.resize(records.len() * T::SIZE, 0);
    for (record, part) in records.iter().zip(bytes.chunks_exact_mut(T::SIZE)) {
        record.write(part);
    }
    copy_in_part(array, first * T::SIZE, bytes)
}

#[pymethods]
impl CoreScene {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self(OnceLock::new())
    }

    /// Makes the lists, with room for so many geoms.
    #[pyo3(name = "_make", signature = (model=None, maxgeom=0))]
    fn make(&self, py: Python<'_>, model: Option<&CoreModel>, maxgeom: i64) -> PyResult<()> {
        let lists = Lists::new(py, model, maxgeom)?;
        self.0.set(lists).map_err(|_| PyValueError::new_err("a scene cannot be initialized twice"))
    }

    /// The bytes of a list of structs: `MjvScene` for the fields that are no lists, `MjvGeom`, `MjvLight` or
    /// `MjvGLCamera`.
    #[pyo3(name = "_records")]
    fn records(&self, py: Python<'_>, name: Text) -> PyResult<Bytes> {
        let lists = self.made()?;
        let array = match name.0.as_str() {
            SceneHead::NAME => &lists.head,
            MjvGeom::NAME => &lists.geoms,
            MjvLight::NAME => &lists.lights,
            MjvGLCamera::NAME => &lists.cameras,
            _ => return Err(PyValueError::new_err(format!("a scene has no list of {}", name.0))),
        };
        Ok(array.clone_ref(py))
    }

    /// The lists of flexes and skins by name.
    #[pyo3(name = "_lists")]
    fn lists(&self, py: Python<'_>) -> PyResult<Py<PyDict>> {
        Ok(self.made()?.lists.bind(py).copy()?.unbind())
    }
}

impl CoreScene {
    fn made(&self) -> PyResult<&Lists> {
        self.0
            .get()
            .ok_or_else(|| PyValueError::new_err("this scene has no lists: MjvScene.__init__ was not called"))
    }

    /// Runs `f` on the cameras, flexes and skins of the scene as Python sees it.
    pub(crate) fn read<R>(&self, py: Python<'_>, f: impl FnOnce(&MjvScene) -> R) -> PyResult<R> {
        let lists = self.made()?;
        lists.scene.with(|engine| {
            lists.load(py, engine, false)?;
            Ok(f(&engine.scene))
        })?
    }

    /// Runs `f` on the whole scene as Python sees it.
    pub(crate) fn read_all<R>(&self, py: Python<'_>, f: impl FnOnce(&MjvScene) -> R) -> PyResult<R> {
        let lists = self.made()?;
        lists.scene.with(|engine| {
            lists.load(py, engine, true)?;
            Ok(f(&engine.scene))
        })?
    }

    /// As [`update`](Self::update), for what adds things of a model.
    pub(crate) fn update_from<R>(
        &self,
        model: &Bound<'_, CoreModel>,
        geoms: bool,
        f: impl FnOnce(&mut MjvScene) -> PyResult<R>,
    ) -> PyResult<R> {
        let result = self.update(model.py(), geoms, f)?;
        self.made()?.scene.with(|engine| engine.signature = Some(model.get().signature))?;
        Ok(result)
    }

    /// An error when it has things of another model than that of a signature: meshes and textures are those
    /// of what draws it.
    pub(crate) fn check_model(&self, signature: u64, drawer: &str) -> PyResult<()> {
        match self.made()?.scene.with(|engine| engine.signature)? {
            Some(own) if own != signature => Err(PyValueError::new_err(format!(
                "the scene was filled from another model than the {drawer} was made for: make a {drawer} for that model"
            ))),
            _ => Ok(()),
        }
    }

    /// Runs `f` on the scene as Python sees it and shows Python the result. Without `geoms`, those present
    /// and lights are not read.
    pub(crate) fn update<R>(
        &self,
        py: Python<'_>,
        geoms: bool,
        f: impl FnOnce(&mut MjvScene) -> PyResult<R>,
    ) -> PyResult<R> {
        let lists = self.made()?;
        lists.scene.with(|engine| {
            lists.load(py, engine, geoms)?;
            let result = f(&mut engine.scene);
            lists.store(py, engine)?;
            result
        })?
    }
}

impl Lists {
    fn new(py: Python<'_>, model: Option<&CoreModel>, maxgeom: i64) -> PyResult<Self> {
        let maxgeom = i32::try_from(maxgeom)
            .map_err(|_| PyValueError::new_err(format!("maxgeom is {maxgeom}, but must fit into 32 bits")))?;
        let room = maxgeom.max(0) as usize;
        let scene = match model {
            Some(model) => MjvScene::new(&*model.read()?, room),
            None => {
                let mut empty = MjvScene::default();
                empty.maxgeom = room;
                empty
            }
        };
        let lists = PyDict::new(py);
        lists.set_item("geomorder", zeros::<i32>(py, room)?)?;
        scene_lists!(make_lists!(py, scene, lists,));
        let new = Self {
            head: zeros(py, SceneHead::SIZE)?.unbind(),
            geoms: zeros(py, room * MjvGeom::SIZE)?.unbind(),
            lights: zeros(py, MAX_LIGHT * MjvLight::SIZE)?.unbind(),
            cameras: zeros(py, 2 * MjvGLCamera::SIZE)?.unbind(),
            lists: lists.unbind(),
            scene: Shared::new(Engine { scene, bytes: Vec::new(), signature: None }),
        };
        new.scene.with(|engine| new.write_head(py, engine))??;
        Ok(new)
    }

    /// Copies the arrays into the engine's scene.
    fn load(&self, py: Python<'_>, engine: &mut Engine, geoms: bool) -> PyResult<()> {
        let Engine { scene, bytes, .. } = engine;
        let broken = || PyValueError::new_err("the arrays of this scene were changed in size");
        let head: Vec<SceneHead> = read_records(self.head.bind(py), 1, bytes).ok_or_else(broken)?;
        let [head] = head[..] else { return Err(broken()) };
        head.apply(scene);
        let cameras: Vec<MjvGLCamera> = read_records(self.cameras.bind(py), 2, bytes).ok_or_else(broken)?;
        scene.camera.copy_from_slice(&cameras);
        let lists = self.lists.bind(py);
        scene_lists!(load_lists!(lists, scene,));
        if !geoms {
            return Ok(());
        }
        let ngeom = head.ngeom;
        let count = usize::try_from(ngeom).ok().filter(|&count| count <= scene.maxgeom).ok_or_else(|| {
            PyValueError::new_err(format!(
                "ngeom is {ngeom}, but the scene has room for {} geoms",
                scene.maxgeom
            ))
        })?;
        scene.geoms = read_records(self.geoms.bind(py), count, bytes).ok_or_else(broken)?;
        let lights = head.nlight.clamp(0, MAX_LIGHT as i32) as usize;
        scene.lights = read_records(self.lights.bind(py), lights, bytes).ok_or_else(broken)?;
        Ok(())
    }

    fn write_head(&self, py: Python<'_>, engine: &mut Engine) -> PyResult<()> {
        let Engine { scene, bytes, .. } = engine;
        let done = write_records(self.head.bind(py), 0, &[SceneHead::of(scene)], bytes);
        if done { Ok(()) } else { Err(PyValueError::new_err("this scene cannot be written to")) }
    }

    /// Copies the engine's scene into the arrays.
    fn store(&self, py: Python<'_>, engine: &mut Engine) -> PyResult<()> {
        self.write_head(py, engine)?;
        let Engine { scene, bytes, .. } = engine;
        let done = write_records(self.geoms.bind(py), 0, &scene.geoms, bytes)
            && write_records(self.lights.bind(py), 0, &scene.lights, bytes)
            && write_records(self.cameras.bind(py), 0, &scene.camera, bytes);
        if !done {
            return Err(PyValueError::new_err("this scene cannot be written to"));
        }
        let lists = self.lists.bind(py);
        scene_lists!(store_lists!(lists, scene,));
        Ok(())
    }
}
