//! The viewer in a window of the system.

use crate::app::{App, Setup};
use crate::graphics::graphics_setup;
use egui_wgpu::WgpuConfiguration;
use std::sync::Arc;

/// Size of the window at first (points).
const SIZE: [f32; 2] = [1280.0, 800.0];

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// There is no display to open a window on.
    #[error(
        "cannot open a window: {reason}. Is there a display (DISPLAY or WAYLAND_DISPLAY)? Without one, `kinetree render` draws pictures and \
         films, and `xvfb-run` gives a virtual display"
    )]
    NoWindow {
        /// What the system said.
        reason: String,
    },
    /// The window cannot be drawn in.
    #[error(
        "cannot draw in the window: {reason}. Install a driver for the graphics card, or a software renderer: on Debian and Ubuntu \
         `apt-get install mesa-vulkan-drivers libvulkan1`"
    )]
    NoGraphics {
        /// What the graphics library said.
        reason: String,
    },
}

/// What a window is like.
#[derive(Clone, Debug, Default)]
pub struct WindowOptions {
    /// Its title.
    pub title: String,
    /// Whether it is opened on another thread than the main one, always the same. Not possible on macOS.
    pub any_thread: bool,
}

/// Opens a window and returns when it is closed. `setup` makes what the window shows; it gets a function that
/// wakes the window from any thread.
///
/// # Errors
/// When there is no display, no graphics driver, or `setup` fails.
pub fn open_window<E>(
    window: &WindowOptions,
    setup: impl FnOnce(Arc<dyn Fn() + Send + Sync>) -> Result<Setup, E>,
) -> Result<(), WindowError>
where
    E: std::error::Error + Send + Sync + 'static,
{
    check_display().map_err(|reason| WindowError::NoWindow { reason })?;
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title(&window.title)
            .with_app_id("kinetree")
            .with_inner_size(SIZE)
            .with_min_inner_size([480.0, 320.0])
            .with_icon(egui::IconData::default())
            .with_drag_and_drop(true),
        wgpu_options: WgpuConfiguration { wgpu_setup: graphics_setup(), ..WgpuConfiguration::default() },
        event_loop_builder: window
            .any_thread
            .then(|| Box::new(allow_any_thread) as eframe::EventLoopBuilderHook),
        ..eframe::NativeOptions::default()
    };
    let create = |context: &eframe::CreationContext<'_>| {
        let ctx = context.egui_ctx.clone();
        let setup = setup(Arc::new(move || ctx.request_repaint()))?;
        Ok(Box::new(Window(App::new(setup))) as Box<dyn eframe::App>)
    };
    eframe::run_native(&window.title, options, Box::new(create)).map_err(|error| match error {
        eframe::Error::Wgpu(error) => WindowError::NoGraphics { reason: without_source(&error.to_string()) },
        error => WindowError::NoWindow { reason: without_source(&error.to_string()) },
    })
}

/// A text without the place in a library's source that it names: it tells users nothing but paths of the
/// machine that the library was built on.
fn without_source(text: &str) -> String {
    let Some((before, after)) = text.split_once(".rs:") else { return text.to_owned() };
    let start = before.rfind(char::is_whitespace).map_or(0, |space| space + 1);
    let kept = before[..start].trim_end().trim_end_matches(" at").trim_end();
    let rest = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':').trim_start();
    if kept.is_empty() { rest.to_owned() } else { format!("{kept}: {rest}") }
}

/// An error when no display answers. A process can make one event loop only, also when that fails: so the
/// display is asked before, and a window can open later, when there is one.
#[cfg(target_os = "linux")]
fn check_display() -> Result<(), String> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let wayland = variable("WAYLAND_DISPLAY").or_else(|| variable("WAYLAND_SOCKET"));
    match (wayland, variable("DISPLAY")) {
        // the library asks Wayland by itself, and X11 where that fails
        (Some(_), _) => Ok(()),
        (None, Some(display)) => crate::display::ask_x11(&display),
        (None, None) => Err("neither DISPLAY nor WAYLAND_DISPLAY is set".into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn check_display() -> Result<(), String> {
    Ok(())
}

/// Lets the window live on a thread that is not the main one, where the system can do that.
fn allow_any_thread(builder: &mut winit::event_loop::EventLoopBuilder<eframe::UserEvent>) {
    #[cfg(target_os = "linux")]
    winit::platform::x11::EventLoopBuilderExtX11::with_any_thread(builder, true);
    #[cfg(target_os = "windows")]
    winit::platform::windows::EventLoopBuilderExtWindows::with_any_thread(builder, true);
    let _ = builder;
}

/// The viewer as `eframe` runs it.
struct Window(App);

impl eframe::App for Window {
    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        if let Some(state) = frame.wgpu_render_state() {
            self.0.ui(ui, state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::without_source;

    #[test]
    fn places_in_the_source_of_libraries_are_left_out() {
        let told = "winit EventLoopError: os error at /home/me/.cargo/registry/src/x/winit-0.30/src/linux/mod.rs:777: no display";
        assert_eq!(without_source(told), "winit EventLoopError: os error: no display");
        assert_eq!(without_source("no display"), "no display");
    }
}
