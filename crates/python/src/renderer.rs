//! `CoreRenderer`: draws scenes for the Python classes `MjrContext` and `Renderer`.

#![allow(clippy::needless_pass_by_value)] // arguments are made for the call

use crate::errors::fatal;
use crate::lock::Turns;
use crate::model::CoreModel;
use crate::panics::guarded;
use crate::process::{open_graphics, own};
use crate::scene::CoreScene;
use kinetree_model::Model;
use kinetree_render::font;
use kinetree_render::gpu::{RenderError, Renderer, Sensed, SensorImage, segmentation_color};
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
        let state = State { renderer, scene: MjvScene::default(), batch_scene: None };
        let (signature, looks) = (AtomicU64::new(model.get().signature), AtomicU64::new(looks(shared)));
        Ok(Self { state: Turns::new(OfProcess::new(state)), signature, looks })
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
        let copy = scene.read_all(py, Clone::clone)?;
        self.draw(py, |state| {
            state.scene = copy;
            Ok(())
        })
    }

    /// An error when pictures of a size cannot be drawn.
    fn check_picture(&self, py: Python<'_>, width: u32, height: u32) -> PyResult<()> {
        self.draw(py, |state| state.renderer.check_picture(width, height))
    }

    /// Red, green and blue of each pixel, rows from the top: colours, ids or distances, as the flags of the
    /// scene say.
    fn color<'py>(&self, py: Python<'py>, width: u32, height: u32) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let rgb = self.draw(py, |state| {
            let State { renderer, scene, .. } = state;
            if scene.flags[RndFlag::Segment as usize] != 0 {
                let seen = renderer.sense(scene, width, height, Sensed::Segmented)?;
                return Ok(id_colors(&seen, scene.flags[RndFlag::Idcolor as usize] != 0));
            }
            if scene.flags[RndFlag::Depth as usize] != 0 {
                let seen = renderer.sense(scene, width, height, Sensed::Opaque)?;
                return Ok(depth_colors(&seen, scene));
            }
            Ok(renderer.color(scene, width, height)?.rgb)
        })?;
        Ok(rgb.into_pyarray(py))
    }

    /// Segmentation ids and distances of each pixel, rows from the top, of what hides other things in the
    /// picture.
    fn sense<'py>(&self, py: Python<'py>, width: u32, height: u32) -> PyResult<Sensors<'py>> {
        let seen = self.draw(py, |State { renderer, scene, .. }| {
            let segmented = scene.flags[RndFlag::Segment as usize] != 0;
            let sensed = if segmented { Sensed::Segmented } else { Sensed::Opaque };
            renderer.sense(scene, width, height, sensed)
        })?;
        Ok((seen.segid.into_pyarray(py), seen.depth.into_pyarray(py)))
    }

    /// Id and kind of the object in each pixel, rows from the top, −1 for the background.
    fn objects<'py>(&self, py: Python<'py>, width: u32, height: u32) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let objects = self.draw(py, |State { renderer, scene, .. }| {
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

    /// Draws with the interpreter lock released.
    pub(crate) fn draw<R: Send>(
        &self,
        py: Python<'_>,
        f: impl FnOnce(&mut State) -> Result<R, RenderError> + Send,
    ) -> PyResult<R> {
        self.state.with(py, |state| own(state, RENDERER).and_then(|state| f(state).map_err(fatal)))?
    }
}

/// Ids as 24-bit numbers, or as colours that can be told apart.
fn id_colors(seen: &SensorImage, exact: bool) -> Vec<u8> {
    let color = |&id: &i32| {
        let [red, green, blue, _] = (id + 1).to_le_bytes();
        if exact { [red, green, blue] } else { segmentation_color(id) }
    };
    seen.segid.iter().flat_map(color).collect()
}

/// Depth as brightness: white at the near plane, black at the far one.
fn depth_colors(seen: &SensorImage, scene: &MjvScene) -> Vec<u8> {
    let camera = &scene.camera[0];
    let (near, far) = (f64::from(camera.frustum_near), f64::from(camera.frustum_far));
    let grey = |&d: &f32| {
        let d = f64::from(d);
        let z = if camera.orthographic != 0 {
            (far - d) / (far - near)
        } else {
            near * (far / d - 1.0) / (far - near)
        };
        [(255.0 * z.clamp(0.0, 1.0)).round() as u8; 3]
    };
    seen.depth.iter().flat_map(grey).collect()
}

/// The pixels of a line of text, 255 where letters are; rows from the top, as many as the second number says.
#[pyfunction]
fn text_bitmap<'py>(py: Python<'py>, text: &str) -> (Bound<'py, PyArray1<u8>>, i32) {
    let rows = (0..font::HEIGHT as usize).flat_map(|row| {
        text.chars().flat_map(move |character| {
            let bits = font::glyph(character)[row];
            // one empty column between letters
            (0..=font::WIDTH)
                .map(move |x| if x < font::WIDTH && bits >> (font::WIDTH - 1 - x) & 1 != 0 { 255 } else { 0 })
        })
    });
    (rows.collect::<Vec<u8>>().into_pyarray(py), font::HEIGHT)
}

/// Registers the class.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<CoreRenderer>()?;
    module.add_function(wrap_pyfunction!(text_bitmap, module)?)
}
