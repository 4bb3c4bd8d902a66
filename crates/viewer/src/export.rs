//! Pictures, films and models as files.

use kinetree_model::enums::ObjType;
use kinetree_model::{Model, mj_id2name};
use kinetree_render::gpu::ColorImage;
use kinetree_spec::Spec;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// Frames of a film per second.
const FPS: f64 = 30.0;

/// A film that is being written.
pub trait FilmWriter {
    /// Adds a frame.
    ///
    /// # Errors
    /// Why it could not be written.
    fn push(&mut self, image: &ColorImage) -> Result<(), String>;

    /// Completes the file.
    ///
    /// # Errors
    /// Why it could not be written.
    fn finish(self: Box<Self>) -> Result<(), String>;
}

/// Opens films. A viewer without one has no button to record.
pub trait Films {
    /// The ending of files that it writes.
    fn extension(&self) -> &str;

    /// Opens a film with so many frames per second.
    ///
    /// # Errors
    /// Why it cannot be written.
    fn open(&self, path: &Path, fps: f64) -> Result<Box<dyn FilmWriter>, String>;
}

/// A film and when its next frame is due.
pub(crate) struct Recording {
    film: Box<dyn FilmWriter>,
    path: PathBuf,
    next: f64,
}

impl Recording {
    /// Begins a film in a new file of the folder.
    pub(crate) fn begin(films: &dyn Films, folder: &Path, now: f64) -> Result<Self, String> {
        let path = new_file(folder, films.extension());
        Ok(Self { film: films.open(&path, FPS)?, path, next: now })
    }

    /// Whether a frame is due at this time (s).
    pub(crate) fn is_due(&self, now: f64) -> bool {
        now >= self.next
    }

    /// Adds a frame, as often as it was due since the last one.
    pub(crate) fn push(&mut self, image: &ColorImage, now: f64) -> Result<(), String> {
        while self.is_due(now) {
            self.film.push(image)?;
            self.next += 1.0 / FPS;
        }
        Ok(())
    }

    /// Completes the file and returns its name.
    pub(crate) fn finish(self) -> Result<PathBuf, String> {
        self.film.finish().map(|()| self.path)
    }
}

/// Writes a picture into a new file of the folder and returns its name.
pub(crate) fn write_picture(folder: &Path, image: &ColorImage) -> Result<PathBuf, String> {
    let path = new_file(folder, "png");
    let failed = |error: &dyn std::fmt::Display| format!("cannot write '{}': {error}", path.display());
    let file = File::create(&path).map_err(|error| failed(&error))?;
    let mut encoder = png::Encoder::new(BufWriter::new(file), image.width, image.height);
    encoder.set_color(png::ColorType::Rgb);
    let write = || encoder.write_header()?.write_image_data(&image.rgb);
    write().map_err(|error: png::EncodingError| failed(&error))?;
    Ok(path)
}

/// Writes bytes into a new file of the folder and returns its name.
pub(crate) fn write_file(folder: &Path, extension: &str, bytes: &[u8]) -> Result<PathBuf, String> {
    let path = new_file(folder, extension);
    match std::fs::write(&path, bytes) {
        Ok(()) => Ok(path),
        Err(error) => Err(format!("cannot write '{}': {error}", path.display())),
    }
}

/// Writes keyframes of a model into the file that describes it.
pub(crate) fn write_keyframes(path: &Path, model: &Model, kept: &[usize]) -> Result<(), String> {
    if kept.is_empty() {
        return Ok(());
    }
    let mut spec = Spec::from_xml_file(path).map_err(|faults| faults.to_string())?;
    for (k, key) in spec.keys.values_mut().enumerate().filter(|(k, _)| kept.contains(k)) {
        if mj_id2name(model, ObjType::Key, k).unwrap_or_default() != key.name {
            return Err(format!("saved {}, but its keyframes are not those of the model", path.display()));
        }
        let part = |values: &[f64], size: usize| values[k * size..][..size].to_vec();
        key.time = model.key_time[k];
        key.qpos = part(&model.key_qpos, model.nq);
        key.qvel = part(&model.key_qvel, model.nv);
        key.act = part(&model.key_act, model.na);
        key.ctrl = part(&model.key_ctrl, model.nu);
        key.mpos = part(model.key_mpos.as_flattened(), 3 * model.nmocap);
        key.mquat = part(model.key_mquat.as_flattened(), 4 * model.nmocap);
    }
    let text = spec.to_xml().map_err(|error| error.to_string())?;
    std::fs::write(path, text).map_err(|error| format!("cannot write '{}': {error}", path.display()))
}

/// The first of `kinetree-1.png`, `kinetree-2.png`, … that does not exist.
fn new_file(folder: &Path, extension: &str) -> PathBuf {
    let path = |number: u32| folder.join(format!("kinetree-{number}.{extension}"));
    (1..).map(path).find(|path| !path.exists()).unwrap_or_else(|| path(0))
}
