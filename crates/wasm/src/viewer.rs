//! The viewer in a canvas, for the page.

use crate::errors::{Outcome, set};
use crate::model::ModelHandle;
use js_sys::Object;
use kinetree_viewer::{Canvas, CanvasGraphics};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::HtmlCanvasElement;

/// The viewer in a canvas.
#[wasm_bindgen]
pub struct Viewer {
    canvas: Canvas,
}

#[wasm_bindgen]
impl Viewer {
    /// Opens the viewer in a canvas, with WebGPU where there is unless WebGL is asked for.
    ///
    /// # Errors
    /// When the browser can draw with neither.
    pub async fn open(canvas: HtmlCanvasElement, webgl: bool) -> Outcome<Viewer> {
        let graphics = if webgl { CanvasGraphics::WebGl } else { CanvasGraphics::Best };
        Ok(Self { canvas: Canvas::open(canvas, graphics).await? })
    }

    /// Goes on with a model. One that was `reloaded` is the present one after an edit: view and state stay.
    ///
    /// # Errors
    /// When JavaScript has written something to the model that is no index.
    pub fn show(&self, model: &ModelHandle, reloaded: bool) -> Outcome<()> {
        self.canvas.show(model.checked()?.clone(), reloaded);
        Ok(())
    }

    /// Switches to light or dark.
    #[wasm_bindgen(js_name = setDark)]
    pub fn set_dark(&self, dark: bool) {
        self.canvas.set_theme(if dark { egui::Theme::Dark } else { egui::Theme::Light });
    }

    /// What is shown now: `generation` of the model, `time`, `playing`, `ncon`, `qpos`, `failure`; the
    /// `camera` (point looked at, distance, azimuth, elevation) and the `selected` body. Null before the
    /// first model.
    #[must_use]
    pub fn status(&self) -> JsValue {
        self.canvas
            .with_snapshot(|snapshot, view| {
                let object: JsValue = Object::new().into();
                set(&object, "generation", snapshot.generation as f64);
                set(&object, "time", snapshot.data.time);
                set(&object, "playing", snapshot.status.playing);
                set(&object, "ncon", snapshot.data.ncon as f64);
                set(&object, "qpos", js_sys::Float64Array::from(&snapshot.data.qpos[..]));
                let [x, y, z] = view.camera.lookat;
                let camera = [x, y, z, view.camera.distance, view.camera.azimuth, view.camera.elevation];
                set(&object, "camera", js_sys::Float64Array::from(&camera[..]));
                set(&object, "selected", view.perturb.select);
                set(&object, "failure", snapshot.status.failure.as_deref().unwrap_or(""));
                object
            })
            .unwrap_or(JsValue::NULL)
    }

    /// Name of the graphics device, once it has drawn.
    #[must_use]
    pub fn adapter(&self) -> Option<String> {
        self.canvas.adapter()
    }

    /// What the viewer said when it failed for good.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        self.canvas.failure()
    }

    /// Ends the viewer.
    pub fn close(&self) {
        self.canvas.close();
    }
}

impl std::fmt::Debug for Viewer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Viewer").finish_non_exhaustive()
    }
}
