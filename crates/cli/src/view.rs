//! `kinetree view`: a window onto a model.

use crate::convert::to_text;
use crate::embedded::MODELS;
use crate::failure::Failure;
use crate::render::film::{Film, Picture, Pixels, has_ffmpeg};
use crate::source;
use kinetree::spec::Diagnostic;
use kinetree_render::gpu::ColorImage;
use kinetree_viewer::{
    FilmWriter, Films, Library, Load, LoadedModel, Setup, Simulation, Threaded, WindowError, WindowOptions,
    open_window,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Look at a model in a window: run it, pull at it, plot it, change it.
///
/// The file is read again whenever it changes, and the state is kept. Models and folders can be dropped onto
/// the window. F1 shows keys and mouse.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  kinetree view\n  kinetree view humanoid\n  kinetree view my_robot.xml --paused"
)]
pub(crate) struct Args {
    /// File or embedded model; without one the window asks.
    model: Option<String>,
    /// Wait to be played.
    #[arg(long)]
    paused: bool,
    /// Folder for pictures, films and models that are saved.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    out: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if !args.out.is_dir() {
        return Err(Failure::Message(format!("'{}' is not a folder", args.out.display())));
    }
    // an unknown name is an error of the command; a file with faults is shown with them
    if let Some(name) = args.model.as_deref().filter(|name| !Path::new(name).exists()) {
        source::load(name)?;
    }
    let mut simulation = Simulation::default();
    if args.paused {
        simulation = simulation.paused_at_first();
    }
    let setup = |wake: Arc<dyn Fn() + Send + Sync>| {
        let driver = Threaded::start(simulation, move || wake())?;
        let mut library = Library::new(Arc::new(Sources));
        if let Some(model) = &args.model {
            library.open(model);
        }
        Ok::<_, std::io::Error>(Setup {
            driver: Box::new(driver),
            library: Some(library),
            films: Some(Box::new(FilmFiles)),
            folder: Some(args.out.clone()),
            panels: [true, true],
        })
    };
    let title = args.model.as_deref().map_or("Kinetree".into(), |model| format!("{model} – Kinetree"));
    Ok(open_window(&WindowOptions { title, any_thread: false }, setup)?)
}

impl From<WindowError> for Failure {
    fn from(error: WindowError) -> Self {
        Failure::Message(error.to_string())
    }
}

/// Models as the other subcommands find them.
struct Sources;

impl Load for Sources {
    fn load(&self, name: &str) -> Result<LoadedModel, Vec<Diagnostic>> {
        match source::load(name) {
            Ok(source::Loaded { model, warnings, files }) => Ok(LoadedModel { model, warnings, files }),
            Err(failure) => Err(failure
                .into_findings()
                .unwrap_or_else(|other| vec![Diagnostic::error(other.to_string())])),
        }
    }

    fn text(&self, name: &str, folder: &Path) -> Result<String, String> {
        to_text(name, &folder.join("model.xml")).map_err(|failure| failure.to_string())
    }

    fn examples(&self) -> Vec<(String, String)> {
        MODELS.iter().map(|model| (model.name.to_owned(), model.about.to_owned())).collect()
    }
}

/// Films as `kinetree render` writes them: MP4 where there is an encoder, otherwise GIF.
struct FilmFiles;

impl Films for FilmFiles {
    fn extension(&self) -> &str {
        if has_ffmpeg() { "mp4" } else { "gif" }
    }

    fn open(&self, path: &Path, fps: f64) -> Result<Box<dyn FilmWriter>, String> {
        let film = Film::open(path, fps).map_err(|failure| failure.to_string())?;
        Ok(Box::new(Recorder(film)))
    }
}

struct Recorder(Film);

impl FilmWriter for Recorder {
    fn push(&mut self, image: &ColorImage) -> Result<(), String> {
        let pixels = Pixels::Color(image.rgb.clone());
        let picture = Picture { width: image.width, height: image.height, pixels };
        self.0.push(&picture).map_err(|failure| failure.to_string())
    }

    fn finish(self: Box<Self>) -> Result<(), String> {
        self.0.finish().map_err(|failure| failure.to_string())
    }
}
