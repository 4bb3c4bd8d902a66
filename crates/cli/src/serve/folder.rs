//! The models of a folder, with the files that they need.

use super::page::read_below;
#[cfg(feature = "render")]
use super::thumbnail::Thumbnails;
use crate::failure::Failure;
use crate::source;
use kinetree::spec::find_models;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Most files of a folder that are sent along with a model that cannot be read.
const MOST_FILES: usize = 500;

/// A folder with models.
#[derive(Debug)]
pub(crate) struct Folder {
    root: PathBuf,
    #[cfg(feature = "render")]
    thumbnails: Thumbnails,
}

impl Folder {
    /// The folder of this path.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        if !path.is_dir() {
            return Err(Failure::Message(format!("'{}' is not a folder", path.display())));
        }
        Ok(Self {
            root: path.canonicalize().map_err(|error| Failure::file("read", path, &error))?,
            #[cfg(feature = "render")]
            thumbnails: Thumbnails::default(),
        })
    }

    /// A path below the folder as the page names it.
    fn name(&self, path: &Path) -> Option<String> {
        let parts = path.strip_prefix(&self.root).ok()?.components();
        Some(parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/"))
    }

    /// The list of models.
    pub(crate) fn list(&self) -> Value {
        let entry = |path: &PathBuf| {
            let kind = match path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).as_deref()
            {
                Some("urdf") => "URDF",
                Some("mjb") => "binary model",
                _ => "MJCF",
            };
            self.name(path).map(|name| json!({ "name": name, "kind": kind }))
        };
        let models: Vec<Value> = find_models(&self.root).iter().filter_map(entry).collect();
        let name = self.root.file_name().unwrap_or_default().to_string_lossy();
        json!({ "name": name, "models": models })
    }

    /// A model and the files that it needs: those that it names, or when it cannot be read those beside it,
    /// so that the page can say what is wrong.
    pub(crate) fn model(&self, name: &str) -> Option<Value> {
        read_below(&self.root, name)?;
        let path = self.root.join(name);
        let mut needed = match source::load(&path.to_string_lossy()) {
            Ok(loaded) => loaded.files,
            Err(_) => beside(&path),
        };
        needed.push(path);
        let canonical = needed.iter().filter_map(|file| file.canonicalize().ok());
        let mut files: Vec<String> = canonical.filter_map(|file| self.name(&file)).collect();
        files.sort();
        files.dedup();
        Some(json!({ "main": name, "files": files }))
    }

    /// A picture of a model, as a PNG file; empty where it cannot be drawn.
    pub(crate) fn picture(&self, name: &str) -> Option<Vec<u8>> {
        read_below(&self.root, name)?;
        #[cfg(feature = "render")]
        return Some(self.thumbnails.png(&self.root.join(name)).unwrap_or_default());
        #[cfg(not(feature = "render"))]
        Some(Vec::new())
    }

    /// The content of a file.
    pub(crate) fn read(&self, name: &str) -> Option<Vec<u8>> {
        read_below(&self.root, name)
    }
}

/// Files in the folder of a file.
fn beside(path: &Path) -> Vec<PathBuf> {
    let entries = path.parent().and_then(|folder| std::fs::read_dir(folder).ok());
    let files =
        entries.into_iter().flatten().flatten().map(|entry| entry.path()).filter(|path| path.is_file());
    files.take(MOST_FILES).collect()
}
