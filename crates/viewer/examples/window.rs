//! The viewer in a program of one's own: opens a model file in a window.
//!
//! `cargo run --release -p kinetree-viewer --example window -- model.xml [--paused] [--out FOLDER]`

use kinetree_spec::Diagnostic;
use kinetree_viewer::{Library, Load, LoadedModel, Setup, Simulation, Threaded, WindowOptions, open_window};
use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

/// Reads model files.
struct Files;

impl Load for Files {
    fn load(&self, source: &str) -> Result<LoadedModel, Vec<Diagnostic>> {
        LoadedModel::read(source)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut model, mut simulation, mut folder) = (None, Simulation::default(), PathBuf::from("."));
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--paused" => simulation = simulation.paused_at_first(),
            "--out" => folder = words.next().ok_or("--out needs a folder")?.into(),
            _ => model = Some(word),
        }
    }
    let title = "Kinetree".to_owned();
    open_window(&WindowOptions { title, any_thread: false }, |wake| {
        // physics on a thread of its own, which wakes the window when there is something new
        let driver = Threaded::start(simulation, move || wake())?;
        let mut library = Library::new(Arc::new(Files));
        if let Some(model) = &model {
            library.open(model);
        }
        let (driver, library) = (Box::new(driver), Some(library));
        Ok::<_, std::io::Error>(Setup {
            driver,
            library,
            films: None,
            folder: Some(folder),
            panels: [true, true],
        })
    })?;
    Ok(())
}
