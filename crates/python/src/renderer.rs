//! `CoreRenderer`: draws scenes for the Python classes `Renderer` and `BatchRenderer`.

#![allow(clippy::needless_pass_by_value)] // arguments are made for the call

use crate::errors::fatal;
use crate::lock::Turns;
use crate::model::CoreModel;
use crate::panics::guarded;
use crate::process::{open_graphics, own};
use crate::scene::CoreScene;
use crate::signals::abandonable_turn;
use kinetree_model::Model;
use kinetree_render::gpu::{RenderError, Renderer, Sensed};
use kinetree_render::scene::{MjvScene, RndFlag};
use kinetree_threads::OfProcess;
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

/// What child processes are told that they cannot use.
const RENDERER: &str = "a renderer";

/// A renderer and the scene that it draws next.
#[pyclass(frozen, module = "kinetree._core")]
pub(crate) struct CoreRenderer {
    state: Turns<OfProcess<State>>,
    /// Signature of the model whose meshes and textures it has.
    signature: AtomicU64,
    /// Digest of these meshes and textures.
    looks: AtomicU64,
    /// Whether the processor draws, for seconds where pictures are large.
    is_slow: bool,
}

/// Entries of an array that a digest takes, at most.
const SAMPLES: usize = 64;

/// Digest of the meshes and textures that a renderer takes from a model, by samples: it is computed for each
/// call. Height fields are left out, since worlds of a batch may have their own.
fn looks(model: &Model) -> u64 {
    fn add<T: Copy, H: Hash>(hasher: &mut DefaultHasher, values: &[T], bits: impl Fn(T) -> H) {
        values.len().hash(hasher);
        let stride = values.len().div_ceil(SAMPLES).max(1);
        values.iter().step_by(stride).for_each(|&value| bits(value).hash(hasher));
    }
    let mut hasher = DefaultHasher::new();
    add(&mut hasher, &model.tex_data, |byte| byte);
    add(&mut hasher, &model.tex_width, |width| width);
    add(&mut hasher, &model.mesh_vert, |vertex| vertex.map(f32::to_bits));
    add(&mut hasher, &model.mesh_face, |face| face);
    add(&mut hasher, &model.skin_vert, |vertex| vertex.map(f32::to_bits));
    hasher.finish()
}

/// What drawing changes.
pub(crate) struct State {
    pub(crate) renderer: Renderer,
    scene: MjvScene,
    /// The scene of batches, made with the first one.
    pub(crate) batch_scene: Option<MjvScene>,
}

/// Segmentation ids, and distances in metres.
type Sensors<'py> = (Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<f32>>);

#[pymethods]
impl CoreRenderer {
    #[new]
    fn new(model: &Bound<'_, CoreModel>) -> PyResult<Self> {
        open_graphics(RENDERER)?;
        model.get().check_indices()?;
        let shared = &*model.get().read()?;
        let renderer = model.py().detach(|| guarded(|| Renderer::new(shared)))?.map_err(fatal)?;
        let is_slow = renderer.gpu().is_software();
        let state = State { renderer, scene: MjvScene::default(), batch_scene: None };
        let (signature, looks) = (AtomicU64::new(model.get().signature), AtomicU64::new(looks(shared)));
        Ok(Self { state: Turns::new(OfProcess::new(state)), signature, looks, is_slow })
    }

    /// Name of the graphics device.
    #[getter]
    fn adapter(&self, py: Python<'_>) -> PyResult<String> {
        self.draw(py, |state| Ok(state.renderer.gpu().adapter().to_owned()))
    }

    /// Takes meshes, textures and height fields of the model again.
    fn reload(&self, model: &Bound<'_, CoreModel>) -> PyResult<()> {
        model.get().check_indices()?;
        let shared = &*model.get().read()?;
        self.draw(model.py(), |state| state.renderer.reload(shared))?;
        self.signature.store(model.get().signature, Ordering::Relaxed);
        self.looks.store(looks(shared), Ordering::Relaxed);
        Ok(())
    }

    /// Pixels of the screen per pixel of a letter.
    fn set_font_scale(&self, py: Python<'_>, scale: f32) -> PyResult<()> {
        self.draw(py, |state| {
            state.renderer.set_font_scale(scale);
            Ok(())
        })
    }

    /// Keeps a scene to draw: what Python does with it afterwards does not matter.
    fn load(&self, py: Python<'_>, scene: &CoreScene) -> PyResult<()> {
        scene.check_model(self.signature.load(Ordering::Relaxed), "renderer")?;
        let copy = scene.read_all(py, Clone::clone)?;
        self.draw(py, |state| {
            state.scene = copy;
            Ok(())
        })
    }

    /// Red, green and blue of each pixel, rows from the top: colours, ids or distances, as the flags of the
    /// scene say.
    fn color<'py>(&self, py: Python<'py>, width: u32, height: u32) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let rgb =
            self.picture(py, move |State { renderer, scene, .. }| renderer.shown(scene, width, height))?;
        Ok(rgb.into_pyarray(py))
    }

    /// Segmentation ids and distances of each pixel, rows from the top, of what hides other things in the
    /// picture.
    fn sense<'py>(&self, py: Python<'py>, width: u32, height: u32) -> PyResult<Sensors<'py>> {
        let seen = self.picture(py, move |State { renderer, scene, .. }| {
            let segmented = scene.flags[RndFlag::Segment as usize] != 0;
            let sensed = if segmented { Sensed::Segmented } else { Sensed::Opaque };
            renderer.sense(scene, width, height, sensed)
        })?;
        Ok((seen.segid.into_pyarray(py), seen.depth.into_pyarray(py)))
    }

    /// Id and kind of the object in each pixel, rows from the top, −1 for the background.
    fn objects<'py>(&self, py: Python<'py>, width: u32, height: u32) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let objects = self.picture(py, move |State { renderer, scene, .. }| {
            Ok(renderer.sense(scene, width, height, Sensed::Segmented)?.objects(scene))
        })?;
        Ok(objects.into_flattened().into_pyarray(py))
    }
}

impl CoreRenderer {
    /// An error unless all models are like the one whose meshes and textures the renderer has, in structure
    /// and in samples of these.
    pub(crate) fn check_models<'m>(&self, mut models: impl Iterator<Item = &'m Model>) -> PyResult<()> {
        let own = (self.signature.load(Ordering::Relaxed), self.looks.load(Ordering::Relaxed));
        // worlds of a batch mostly share a model
        let mut known = None;
        let mut is_other = |model: &'m Model| {
            let is_known = known.is_some_and(|known| std::ptr::eq(known, model));
            known = Some(model);
            !is_known && (model.signature(), looks(model)) != own
        };
        match models.position(&mut is_other) {
            Some(world) => Err(PyValueError::new_err(format!(
                "world {world} belongs to another model than the renderer: make a renderer for that model"
            ))),
            None => Ok(()),
        }
    }

    /// Draws a picture, which no driver ends early: where that may take long, another thread waits for it.
    fn picture<R: Send + 'static>(
        &self,
        py: Python<'_>,
        f: impl FnOnce(&mut State) -> Result<R, RenderError> + Send + 'static,
    ) -> PyResult<R> {
        if !self.is_slow {
            return self.draw(py, f);
        }
        let f = |state: &mut OfProcess<State>| own(state, RENDERER).and_then(|state| f(state).map_err(fatal));
        abandonable_turn(py, &self.state, f)?
    }

    /// Draws with the interpreter lock released.
    pub(crate) fn draw<R: Send>(
        &self,
        py: Python<'_>,
        f: impl FnOnce(&mut State) -> Result<R, RenderError> + Send,
    ) -> PyResult<R> {
        self.state.with(py, |state| own(state, RENDERER).and_then(|state| f(state).map_err(fatal)))?
    }
}

/// Registers the class.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<CoreRenderer>()
}
