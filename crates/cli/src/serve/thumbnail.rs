//! Pictures of the models of a folder for the gallery of the page, drawn when it asks for them.

use crate::render::{encode_png, still};
use crate::source;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// Columns and rows (pixels).
const SIZE: [u32; 2] = [480, 320];

/// Pictures that were drawn, by the files of their models.
#[derive(Debug, Default)]
pub(crate) struct Thumbnails(Mutex<HashMap<PathBuf, Drawn>>);

/// A picture; none of a model that cannot be drawn.
#[derive(Debug)]
struct Drawn {
    png: Option<Vec<u8>>,
    /// The files of the model, and when they had changed last.
    files: Vec<(PathBuf, Option<SystemTime>)>,
}

impl Drawn {
    fn is_new(&self) -> bool {
        self.files.iter().all(|(file, then)| modified(file) == *then)
    }
}

impl Thumbnails {
    /// The picture of a model as a PNG file; none where it has faults or nothing can be drawn. Models are
    /// drawn one after the other, so that a large folder does not take the whole machine.
    pub(crate) fn png(&self, model: &Path) -> Option<Vec<u8>> {
        let mut drawn = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = drawn.get(model).filter(|known| known.is_new()) {
            return known.png.clone();
        }
        let fresh = draw(model);
        let png = fresh.png.clone();
        drawn.insert(model.to_owned(), fresh);
        png
    }
}

fn draw(path: &Path) -> Drawn {
    // as they are before they are read: what changes meanwhile is noticed
    let own = (path.to_owned(), modified(path));
    let Ok(loaded) = source::load(&path.to_string_lossy()) else {
        return Drawn { png: None, files: vec![own] };
    };
    let others = loaded.files.into_iter().filter(|file| file != path);
    let files = others.map(|file| (file.clone(), modified(&file))).chain([own]).collect();
    let png = still(&loaded.model, SIZE).ok().and_then(|picture| {
        let mut bytes = Vec::new();
        encode_png(&mut bytes, &picture).ok().map(|()| bytes)
    });
    Drawn { png, files }
}

fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|about| about.modified()).ok()
}
