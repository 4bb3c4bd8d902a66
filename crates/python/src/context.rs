//! `CoreContext`: what the Python class `MjrContext` draws to.

#![allow(clippy::needless_pass_by_value)] // arguments are made for the call

use crate::args::Text;
use crate::errors::fatal;
use crate::lock::Turns;
use crate::memory::copy_out;
use crate::model::CoreModel;
use crate::panics::guarded;
use crate::process::{open_graphics, own};
use crate::scene::{CoreScene, Struct};
use crate::signals::abandonable_turn;
use kinetree_model::Model;
use kinetree_render::canvas::{GridPos, MjrRect};
use kinetree_render::gpu::{DrawBuffer, Gpu, MjrContext, RenderError};
use kinetree_render::scene::MjvFigure;
use kinetree_threads::OfProcess;
use numpy::{Element, IntoPyArray, PyArray1, PyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// What child processes are told that they cannot use.
const CONTEXT: &str = "a rendering context";

/// Buffers, and the renderer of a model.
#[pyclass(frozen, module = "kinetree._core")]
pub(crate) struct CoreContext {
    context: Turns<OfProcess<MjrContext>>,
    /// Signature of the model whose meshes and textures it has, if it has one.
    signature: Option<AtomicU64>,
    /// Whether the processor draws, for seconds where pictures are large.
    is_slow: bool,
}

/// Left, bottom, width and height.
type Rect = [i32; 4];

fn rect([left, bottom, width, height]: Rect) -> MjrRect {
    MjrRect::new(left, bottom, width, height)
}

/// An array of values for pixels.
type Pixels<'py, T> = Bound<'py, PyArrayDyn<T>>;

/// The values of an array, copied.
fn values<T: Element + Copy + Default>(pixels: &Pixels<'_, T>) -> PyResult<Vec<T>> {
    let mut values = vec![T::default(); pixels.len()];
    if copy_out(pixels, &mut values) {
        return Ok(values);
    }
    Err(PyTypeError::new_err("pixels must be a contiguous array"))
}

/// A main buffer.
fn main_buffer(window: bool) -> DrawBuffer {
    if window { DrawBuffer::Window } else { DrawBuffer::Offscreen }
}

#[pymethods]
impl CoreContext {
    #[new]
    #[pyo3(signature = (model, size, fontscale))]
    fn new(
        py: Python<'_>,
        model: Option<&Bound<'_, CoreModel>>,
        size: [i32; 2],
        fontscale: i32,
    ) -> PyResult<Self> {
        let make = |model: Option<&Model>| {
            py.detach(|| guarded(|| MjrContext::new(model, size, fontscale)))?.map_err(fatal)
        };
        let context = match model {
            None => make(None)?,
            Some(model) => {
                open_graphics(CONTEXT)?;
                model.get().check_indices()?;
                make(Some(&*model.get().read()?))?
            }
        };
        // the device that it has opened, if it has a model
        let is_slow = model.is_some() && Gpu::shared().is_ok_and(|gpu| gpu.is_software());
        let signature = model.map(|model| AtomicU64::new(model.get().signature));
        Ok(Self { context: Turns::new(OfProcess::new(context)), signature, is_slow })
    }

    /// Font scale, and pixels of the screen per pixel of a letter.
    fn font(&self, py: Python<'_>) -> PyResult<(i32, i32)> {
        self.draw_here(py, |context| Ok((context.font().scale(), context.font().letter())))
    }

    fn set_font(&self, py: Python<'_>, fontscale: i32) -> PyResult<()> {
        self.draw_here(py, |context| {
            context.set_font(fontscale);
            Ok(())
        })
    }

    /// Takes meshes, textures and height fields of the model again.
    fn upload(&self, model: &Bound<'_, CoreModel>) -> PyResult<()> {
        model.get().check_indices()?;
        let shared = &*model.get().read()?;
        let py = model.py();
        // what waits to be drawn has the meshes that are there
        self.draw(py, move |context| context.canvas(true, true).map(drop))?;
        self.draw_here(py, |context| context.upload(shared))?;
        if let Some(signature) = &self.signature {
            signature.store(model.get().signature, Ordering::Relaxed);
        }
        Ok(())
    }

    fn resize(&self, py: Python<'_>, width: i32, height: i32) -> PyResult<()> {
        self.draw_here(py, |context| context.resize(width, height))
    }

    /// Makes the picture of the window as large as it is now.
    fn fit_window(&self, py: Python<'_>, width: i32, height: i32) -> PyResult<()> {
        self.draw(py, move |context| context.fit_window(width, height))
    }

    /// Draws to a main buffer.
    fn choose(&self, py: Python<'_>, window: bool) -> PyResult<()> {
        self.draw(py, move |context| context.choose(main_buffer(window)))
    }

    /// Whether the window's picture is drawn to.
    fn is_window(&self, py: Python<'_>) -> PyResult<bool> {
        self.draw_here(py, |context| Ok(context.chosen() == DrawBuffer::Window))
    }

    fn add_aux(&self, py: Python<'_>, index: usize, width: i32, height: i32, window: bool) -> PyResult<()> {
        self.draw(py, move |context| context.add_aux(index, [width, height], main_buffer(window)))
    }

    /// Draws to an auxiliary buffer, if there is one of that number.
    fn set_aux(&self, py: Python<'_>, index: usize) -> PyResult<()> {
        self.draw(py, move |context| match context.aux(index) {
            Ok(_) => context.choose(DrawBuffer::Aux(index)),
            Err(_) => Ok(()),
        })
    }

    /// Copies colours of an auxiliary buffer, if there is one of that number, to a main one.
    fn blit_aux(
        &self,
        py: Python<'_>,
        index: usize,
        src: Rect,
        left: i32,
        bottom: i32,
        window: bool,
    ) -> PyResult<()> {
        self.draw(py, move |context| match context.aux(index) {
            Ok(_) => context.blit_aux(index, rect(src), [left, bottom], main_buffer(window)),
            Err(_) => Ok(()),
        })
    }

    /// Copies a part of the buffer that is drawn to into the other main one.
    fn blit(&self, py: Python<'_>, src: Rect, dst: Rect, color: bool, depth: bool) -> PyResult<()> {
        self.draw(py, move |context| context.blit(rect(src), rect(dst), color, depth))
    }

    /// Keeps a scene to draw: what Python does with it afterwards does not matter.
    fn render(&self, py: Python<'_>, viewport: Rect, scene: &CoreScene) -> PyResult<()> {
        if let Some(signature) = &self.signature {
            scene.check_model(signature.load(Ordering::Relaxed), "context")?;
        }
        let copy = scene.read_all(py, Clone::clone)?;
        self.draw(py, move |context| context.render(rect(viewport), &copy))
    }

    /// An error when a part is not in the buffer.
    fn check(&self, py: Python<'_>, viewport: Rect) -> PyResult<()> {
        self.draw_here(py, |context| Ok(context.canvas(false, false)?.check(rect(viewport))?))
    }

    /// Columns and rows of the buffer.
    fn size(&self, py: Python<'_>) -> PyResult<(i32, i32)> {
        let whole = self.draw_here(py, |context| Ok(context.canvas(false, false)?.rect()))?;
        Ok((whole.width, whole.height))
    }

    fn read_color<'py>(&self, py: Python<'py>, viewport: Rect) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let rgb =
            self.draw(py, move |context| Ok(context.canvas(true, false)?.read_color(rect(viewport))?))?;
        Ok(rgb.into_pyarray(py))
    }

    fn read_depth<'py>(
        &self,
        py: Python<'py>,
        viewport: Rect,
        zero_near: bool,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let read = move |context: &mut MjrContext| {
            Ok(context.canvas(false, true)?.read_depth(rect(viewport), zero_near)?)
        };
        Ok(self.draw(py, read)?.into_pyarray(py))
    }

    fn draw_color(&self, py: Python<'_>, viewport: Rect, rgb: Pixels<'_, u8>) -> PyResult<()> {
        let rgb = values(&rgb)?;
        self.draw(py, move |context| Ok(context.canvas(true, false)?.draw_color(rect(viewport), &rgb)?))
    }

    fn draw_depth(&self, py: Python<'_>, viewport: Rect, depth: Pixels<'_, f32>) -> PyResult<()> {
        let depth = values(&depth)?;
        self.draw(py, move |context| Ok(context.canvas(false, true)?.draw_depth(rect(viewport), &depth)?))
    }

    fn rectangle(&self, py: Python<'_>, viewport: Rect, rgba: [f64; 4]) -> PyResult<()> {
        self.draw(py, move |context| {
            context.canvas(true, false)?.fill(rect(viewport), rgba);
            Ok(())
        })
    }

    fn text(&self, py: Python<'_>, font: i32, text: Text, at: [f64; 2], rgb: [f64; 3]) -> PyResult<()> {
        self.draw(py, move |context| {
            let letters = context.font();
            context.canvas(true, false)?.text(letters, font, &text.0, at, rgb);
            Ok(())
        })
    }

    fn label(
        &self,
        py: Python<'_>,
        viewport: Rect,
        font: i32,
        text: Text,
        rgba: [f64; 4],
        rgb: [f64; 3],
    ) -> PyResult<()> {
        self.draw(py, move |context| {
            let letters = context.font();
            context.canvas(true, false)?.label(rect(viewport), letters, font, &text.0, rgba, rgb);
            Ok(())
        })
    }

    fn overlay(
        &self,
        py: Python<'_>,
        font: i32,
        position: i32,
        viewport: Rect,
        columns: (Text, Text),
    ) -> PyResult<()> {
        self.draw(py, move |context| {
            let letters = context.font();
            let columns = [columns.0.0.as_str(), columns.1.0.as_str()];
            context.canvas(true, false)?.overlay(rect(viewport), letters, font, GridPos(position), columns);
            Ok(())
        })
    }

    fn figure(&self, py: Python<'_>, viewport: Rect, mut fig: Struct<'_, MjvFigure>) -> PyResult<()> {
        let figure = &mut fig.value;
        // what waits to be drawn is below it
        self.draw(py, move |context| context.canvas(true, false).map(drop))?;
        self.draw_here(py, |context| {
            let letters = context.font();
            context.canvas(true, false)?.figure(rect(viewport), figure, letters);
            Ok(())
        })?;
        fig.store()
    }
}

impl CoreContext {
    /// Calls `f`, before which what was given to draw may be drawn. No driver ends that early: where it may
    /// take long, another thread waits for it.
    fn draw<R: Send + 'static>(
        &self,
        py: Python<'_>,
        f: impl FnOnce(&mut MjrContext) -> Result<R, RenderError> + Send + 'static,
    ) -> PyResult<R> {
        if !self.is_slow {
            return self.draw_here(py, f);
        }
        let f = |context: &mut OfProcess<_>| own(context, CONTEXT).and_then(|it| f(it).map_err(fatal));
        abandonable_turn(py, &self.context, f)?
    }

    /// Draws with the interpreter lock released.
    fn draw_here<R: Send>(
        &self,
        py: Python<'_>,
        f: impl FnOnce(&mut MjrContext) -> Result<R, RenderError> + Send,
    ) -> PyResult<R> {
        self.context
            .with(py, |context| own(context, CONTEXT).and_then(|context| f(context).map_err(fatal)))?
    }
}

/// Registers the class.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<CoreContext>()
}
