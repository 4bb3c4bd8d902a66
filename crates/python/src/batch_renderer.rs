//! Pictures of many worlds in one array, for the Python class `BatchRenderer`.

#![allow(clippy::needless_pass_by_value)] // arguments are made for the call

use crate::args::room;
use crate::batch::CoreBatch;
use crate::data::CoreData;
use crate::errors::fatal;
use crate::model::CoreModel;
use crate::renderer::{CoreRenderer, State};
use crate::scene::Struct;
use crate::signals::Pieces;
use kinetree_model::{Data, Model};
use kinetree_render::gpu::{RenderError, Renderer};
use kinetree_render::scene::{CAT_ALL, MjvCamera, MjvOption, MjvScene, N_RND_FLAG, mjv_update_scene};
use numpy::IntoPyArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Most geoms of a scene of a batch.
const MAX_GEOMS: usize = 10_000;

/// Most pictures that are drawn before the first look for signals, and most pixels of more than one.
const FIRST_PIECE: usize = 32;
const FIRST_PIXELS: usize = 1 << 22;

/// What the pixels of a batch say.
#[derive(Clone, Copy)]
enum Kind {
    /// Red, green and blue.
    Color,
    /// Distances (m).
    Depth,
    /// Id and kind of objects.
    Segmentation,
}

/// Pixels of all pictures, one after the other.
enum Pixels {
    Color(Vec<u8>),
    Depth(Vec<f32>),
    Segmentation(Vec<[i32; 2]>),
}

/// How the worlds of a batch are seen.
#[derive(FromPyObject)]
struct View<'py> {
    #[pyo3(item)]
    kind: Kind,
    #[pyo3(item)]
    cameras: Vec<Struct<'py, MjvCamera>>,
    #[pyo3(item)]
    option: Struct<'py, MjvOption>,
    /// Flags of the renderer.
    #[pyo3(item)]
    effects: [u8; N_RND_FLAG],
    #[pyo3(item)]
    size: [u32; 2],
}

#[pymethods]
impl CoreRenderer {
    /// Pictures of all worlds of a batch from all cameras: world by world, camera by camera, rows from the
    /// top.
    fn draw_batch<'py>(
        &self,
        py: Python<'py>,
        batch: &CoreBatch,
        view: View<'_>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let batch = batch.read()?;
        let worlds: Vec<_> = (0..batch.len())
            .map(|world| Ok((&**batch.model(world), batch.world(world).map_err(fatal)?)))
            .collect::<PyResult<_>>()?;
        self.draw_worlds(py, &worlds, &view)
    }

    /// The same of some worlds of one model.
    fn draw_list<'py>(
        &self,
        m: &Bound<'py, CoreModel>,
        worlds: Vec<Bound<'py, CoreData>>,
        view: View<'_>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let model = &*m.get().sound()?;
        let read: Vec<_> = worlds.iter().map(|world| world.get().read(m.py())).collect::<PyResult<_>>()?;
        for (world, data) in worlds.iter().zip(&read) {
            data.check_sizes(model).map_err(fatal)?;
            world.get().check_written(model, data)?;
        }
        let worlds: Vec<_> = read.iter().map(|data| (model, &**data)).collect();
        self.draw_worlds(m.py(), &worlds, &view)
    }
}

impl CoreRenderer {
    fn draw_worlds<'py>(
        &self,
        py: Python<'py>,
        worlds: &[(&Model, &Data)],
        view: &View<'_>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.check_models(worlds.iter().map(|(model, _)| *model))?;
        let cameras: Vec<MjvCamera> = view.cameras.iter().map(|camera| camera.value).collect();
        let cameras = &cameras[..];
        let (option, effects, kind, size) = (&view.option.value, view.effects, view.kind, view.size);
        let (count, seen) = (cameras.len(), worlds.len() * cameras.len());
        let mut pixels = kind.room(seen, size)?;
        let pixels_each = (size[0] as usize).saturating_mul(size[1] as usize).max(1);
        for piece in Pieces::new(seen, FIRST_PIECE.min(FIRST_PIXELS / pixels_each)) {
            let pixels = &mut pixels;
            self.draw(py, move |State { renderer, batch_scene, .. }| {
                let scene = batch_scene.get_or_insert_with(|| MjvScene::new(worlds[0].0, MAX_GEOMS));
                scene.flags = effects;
                pixels.draw(renderer, scene, piece.len(), size, |picture, scene| {
                    let picture = piece.start + picture;
                    let (model, data) = worlds[picture / count];
                    let mut camera = cameras[picture % count];
                    Ok(mjv_update_scene(model, data, option, None, &mut camera, CAT_ALL, scene)?)
                })
            })?;
            py.check_signals()?;
        }
        Ok(match pixels {
            Pixels::Color(rgb) => rgb.into_pyarray(py).into_any(),
            Pixels::Depth(depth) => depth.into_pyarray(py).into_any(),
            Pixels::Segmentation(objects) => objects.into_flattened().into_pyarray(py).into_any(),
        })
    }
}

impl Kind {
    /// No pixels, with room for so many pictures.
    fn room(self, pictures: usize, [width, height]: [u32; 2]) -> PyResult<Pixels> {
        // what does not fit into a number does not fit into memory either
        let count = pictures.saturating_mul(width as usize).saturating_mul(height as usize);
        Ok(match self {
            Self::Color => Pixels::Color(room(count.saturating_mul(3))?),
            Self::Depth => Pixels::Depth(room(count)?),
            Self::Segmentation => Pixels::Segmentation(room(count)?),
        })
    }
}

impl Pixels {
    /// Draws pictures behind those that are there.
    fn draw(
        &mut self,
        renderer: &mut Renderer,
        scene: &MjvScene,
        count: usize,
        size: [u32; 2],
        set: impl Fn(usize, &mut MjvScene) -> Result<(), RenderError> + Sync,
    ) -> Result<(), RenderError> {
        match self {
            Self::Color(rgb) => renderer.color_batch(scene, count, size, rgb, set),
            Self::Depth(depth) => renderer.depth_batch(scene, count, size, depth, set),
            Self::Segmentation(objects) => renderer.object_batch(scene, count, size, objects, set),
        }
    }
}

impl FromPyObject<'_, '_> for Kind {
    type Error = PyErr;

    fn extract(name: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        match name.extract::<&str>()? {
            "color" => Ok(Self::Color),
            "depth" => Ok(Self::Depth),
            "segmentation" => Ok(Self::Segmentation),
            other => Err(PyValueError::new_err(format!("no pictures of the kind '{other}'"))),
        }
    }
}
