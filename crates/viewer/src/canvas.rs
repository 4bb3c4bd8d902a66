//! The viewer in a canvas of a page.
//!
//! A page has one thread: [`Inline`] steps between two frames. Files are the page's business; it hands over
//! models.

use crate::app::{App, Setup};
use crate::clock::Clock;
use crate::driver::Inline;
use crate::graphics::new_device;
use crate::simulation::Simulation;
use crate::snapshot::Snapshot;
use crate::theme;
use crate::view::View;
use eframe::wasm_bindgen::JsValue;
use eframe::web_sys::{self, HtmlCanvasElement};
use egui_wgpu::{WgpuConfiguration, WgpuSetup};
use kinetree_model::Model;
use kinetree_render::gpu::wgpu::Backends;

/// Longest time that physics takes in a frame (s): half of one at 60 frames a second.
const BUDGET: f64 = 0.008;
/// Narrowest canvas whose side panels are open at first (points).
const WIDE: f32 = 900.0;

/// What the browser is asked to draw with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CanvasGraphics {
    /// WebGPU where there is, otherwise WebGL 2.
    Best,
    /// WebGL 2.
    WebGl,
}

/// The time of the page.
struct PageClock(Option<web_sys::Performance>);

impl Clock for PageClock {
    fn now(&self) -> f64 {
        self.0.as_ref().map_or(0.0, |performance| 1e-3 * performance.now())
    }
}

/// The viewer in a canvas, until the page lets it go.
#[derive(Clone)]
pub struct Canvas {
    runner: eframe::WebRunner,
}

impl Canvas {
    /// Opens the viewer in a canvas, without a model.
    ///
    /// # Errors
    /// When the browser has neither WebGPU nor WebGL 2.
    pub async fn open(canvas: HtmlCanvasElement, graphics: CanvasGraphics) -> Result<Self, JsValue> {
        let mut device = new_device();
        if graphics == CanvasGraphics::WebGl {
            device.instance_descriptor.backends = Backends::GL;
        }
        let wgpu_options =
            WgpuConfiguration { wgpu_setup: WgpuSetup::CreateNew(device), ..WgpuConfiguration::default() };
        let options = eframe::WebOptions { wgpu_options, ..eframe::WebOptions::default() };
        let wide = canvas.client_width() as f32 >= WIDE;
        let clock = PageClock(web_sys::window().and_then(|window| window.performance()));
        let setup = Setup {
            driver: Box::new(Inline::new(Simulation::default(), Box::new(clock), BUDGET)),
            library: None,
            films: None,
            folder: None,
            panels: [wide; 2],
        };
        let runner = eframe::WebRunner::new();
        let create = move |context: &eframe::CreationContext<'_>| {
            // before the first frame, which would find no font
            theme::install(&context.egui_ctx);
            let shown = Shown { app: App::new(setup), ctx: context.egui_ctx.clone(), begun: false };
            Ok(Box::new(shown) as Box<dyn eframe::App>)
        };
        runner.start(canvas, options, Box::new(create)).await?;
        Ok(Self { runner })
    }

    /// Goes on with a model; see [`App::show`].
    pub fn show(&self, model: Model, reloaded: bool) {
        if let Some(mut shown) = self.runner.app_mut::<Shown>() {
            shown.begun = true;
            shown.app.show(model, reloaded);
            shown.ctx.request_repaint();
        }
    }

    /// Light or dark.
    pub fn set_theme(&self, theme: egui::Theme) {
        if let Some(shown) = self.runner.app_mut::<Shown>() {
            shown.ctx.set_theme(theme);
        }
    }

    /// Looks at the moment that is shown, and from where.
    pub fn with_snapshot<T>(&self, look: impl FnOnce(&Snapshot, &View) -> T) -> Option<T> {
        let shown = self.runner.app_mut::<Shown>()?;
        shown.app.snapshot().map(|snapshot| look(snapshot, shown.app.view()))
    }

    /// Name of the graphics device, once it has drawn.
    #[must_use]
    pub fn adapter(&self) -> Option<String> {
        self.runner.app_mut::<Shown>().and_then(|shown| shown.app.adapter().map(str::to_owned))
    }

    /// What the viewer said when it failed for good.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        self.runner.panic_summary().map(|summary| summary.message())
    }

    /// Ends the viewer.
    pub fn close(&self) {
        self.runner.destroy();
    }
}

/// The viewer as `eframe` runs it in a page.
struct Shown {
    app: App,
    ctx: egui::Context,
    /// Whether there has been a model.
    begun: bool,
}

impl eframe::App for Shown {
    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        let Some(state) = frame.wgpu_render_state() else { return };
        // the page covers the canvas until there is a model: its first frame comes sooner without those
        // before it
        if !self.begun {
            return;
        }
        self.app.ui(ui, state);
        // nobody else wakes a page whose time goes on between frames
        if self.app.snapshot().is_some_and(|snapshot| snapshot.status.playing) {
            ui.ctx().request_repaint();
        }
    }

    fn as_any_mut(&mut self) -> Option<&mut dyn std::any::Any> {
        Some(self)
    }
}
