//! The Kinetree viewer: a window onto a world, with its controls, plots and options.
//!
//! ```text
//!   Simulation ◄── Command ── Driver ◄── App (egui)
//!       └────────► Snapshot ────┘          │
//!   Library (files, watched) ──► models ───┘
//! ```
//!
//! A [`Simulation`] steps a world with a [`Runner`] and knows no thread, clock or window: a [`Driver`] runs
//! it. [`Inline`] does between two frames, as a browser has to; [`Threaded`] on a thread of its own, so that
//! a slow model drops frames and not input; [`Passive`] leaves it to a program. [`App`] draws the newest
//! [`Snapshot`] and sends [`Command`]s; it needs nothing but an `egui::Ui` and a device to draw on.
//! [`open_window`] puts it into a window; compiled to WebAssembly, `Canvas` puts it into a page.
#![forbid(unsafe_code)]

mod app;
mod camera;
#[cfg(target_arch = "wasm32")]
mod canvas;
mod clock;
mod command;
#[cfg(all(not(target_family = "wasm"), target_os = "linux"))]
mod display;
mod driver;
mod export;
mod graphics;
mod history;
mod library;
mod message;
mod mouse;
mod noise;
mod overlay;
mod panels;
mod passive;
mod picture;
mod runner;
mod shortcut;
mod signal;
mod simulation;
mod snapshot;
mod soft;
mod theme;
#[cfg(not(target_arch = "wasm32"))]
mod thread;
mod view;
#[cfg(not(target_arch = "wasm32"))]
mod window;
mod written;

pub use app::{App, Setup};
#[cfg(target_arch = "wasm32")]
pub use canvas::{Canvas, CanvasGraphics};
pub use clock::Clock;
pub use command::Command;
pub use driver::{Driver, Inline, Shown};
pub use export::{FilmWriter, Films};
pub use graphics::graphics_setup;
pub use history::History;
pub use library::{Library, Load, LoadedModel};
pub use noise::ControlNoise;
pub use overlay::{Overlays, PictureOverlay, TextOverlay};
pub use passive::{Passive, PassiveHandle};
pub use runner::Runner;
pub use simulation::Simulation;
pub use snapshot::{Snapshot, Status};
pub use soft::{SoftShapes, draw_soft_world};
#[cfg(not(target_arch = "wasm32"))]
pub use thread::{SystemClock, Threaded};
pub use view::View;
#[cfg(not(target_arch = "wasm32"))]
pub use window::{WindowError, WindowOptions, open_window};
