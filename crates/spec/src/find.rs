//! Models in a folder.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Bytes of a file in which its root element is looked for.
const HEAD: u64 = 4096;
/// How deep folders are searched.
const DEPTH: usize = 3;

/// Model files in a folder and up to three folders below it: MJCF and URDF by their root elements, binary
/// models by their names. Scenes come first, then what lies highest.
#[must_use]
pub fn find_models(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    search(folder.as_ref(), DEPTH, &mut found);
    found.sort_by_key(|path| (!is_scene(path), path.components().count(), path.clone()));
    found
}

fn is_scene(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| stem.to_string_lossy().starts_with("scene"))
}

fn search(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() && depth > 0 {
            search(&path, depth - 1, found);
        } else if is_model(&path) {
            found.push(path);
        }
    }
}

/// Whether the name, and for text the root element, is that of a model.
fn is_model(path: &Path) -> bool {
    match path.extension().map(|e| e.to_string_lossy().to_lowercase()).as_deref() {
        Some("mjb") => true,
        Some("xml" | "urdf") => {
            let mut head = Vec::new();
            let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
            let text = String::from_utf8_lossy(&head);
            read.is_ok() && (text.contains("<mujoco") || text.contains("<robot"))
        }
        _ => false,
    }
}
