//! The files that are damaged: models, meshes and images below the folders given.

use crate::damage::{Dictionary, Random};
use kinetree::{Model, Spec, Vfs, load_model_str_with, spec};
use std::path::{Path, PathBuf};

/// Larger files are left out: they take their time in any case.
const LARGEST: usize = 1 << 20;
/// Files up to this size, of models up to `LIGHT` bytes, are the usual choice; the others come once in `RARE`
/// cases.
const SHORT: usize = 1 << 15;
const LIGHT: usize = 1 << 19;
const RARE: usize = 200;

/// A file to damage.
pub(crate) struct Seed {
    pub(crate) path: PathBuf,
    content: Vec<u8>,
}

impl Seed {
    fn extension(&self) -> String {
        self.path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
    }

    fn is_model(&self) -> bool {
        matches!(self.extension().as_str(), "xml" | "urdf")
    }

    /// Reads and compiles this file with other content. Meshes and images are loaded by a small model.
    pub(crate) fn load(&self, content: &[u8]) -> Option<Model> {
        if self.is_model() {
            let text = String::from_utf8_lossy(content);
            let folder = spec::vfs::folder_of(&self.path.to_string_lossy()).to_owned();
            return Spec::from_xml_string_at(&text, &folder, None).and_then(|spec| spec.compile()).ok();
        }
        let extension = self.extension();
        let (asset, geom) = match extension.as_str() {
            "png" => (
                format!(
                    "<texture file='x.{extension}' type='2d'/><hfield name='h' file='x.{extension}' size='1 1 1 1'/>"
                ),
                "type='hfield' hfield='h'",
            ),
            _ => (format!("<mesh name='m' file='x.{extension}'/>"), "type='mesh' mesh='m'"),
        };
        let fixed = if extension == "png" { geom } else { "type='plane' size='9 9 1'" };
        let moving = if extension == "png" { "size='1'" } else { geom };
        let xml = format!(
            "<mujoco><asset>{asset}</asset><worldbody><geom {fixed}/><body><freejoint/><geom {moving}/></body></worldbody></mujoco>"
        );
        let mut files = Vfs::new();
        files.add_buffer(&format!("x.{extension}"), content.to_vec()).ok()?;
        load_model_str_with(&xml, &files).ok()
    }
}

/// All files, and what they write.
pub(crate) struct Corpus {
    usual: Vec<Seed>,
    rare: Vec<Seed>,
    words: Dictionary,
}

impl Corpus {
    /// Reads all files below the given folders, in the order of their names.
    pub(crate) fn read(roots: &[String]) -> Self {
        let mut paths = Vec::new();
        for root in roots {
            walk(Path::new(root), &mut paths);
        }
        paths.sort();
        let mut corpus = Self { usual: Vec::new(), rare: Vec::new(), words: Dictionary::default() };
        for path in paths {
            let Ok(content) = std::fs::read(&path) else { continue };
            if content.len() >= LARGEST {
                continue;
            }
            let seed = Seed { path, content };
            if seed.is_model() {
                corpus.words.learn(&seed.content);
            }
            let light = seed.content.len() < SHORT
                && seed.load(&seed.content).is_none_or(|model| model.sizes().model_bytes() < LIGHT);
            if light { corpus.usual.push(seed) } else { corpus.rare.push(seed) }
        }
        corpus
    }

    pub(crate) fn len(&self) -> usize {
        self.usual.len() + self.rare.len()
    }

    /// A file and its damaged content.
    pub(crate) fn case(&self, random: &mut Random) -> (&Seed, Vec<u8>) {
        let rare = self.usual.is_empty() || (!self.rare.is_empty() && random.below(RARE) == 0);
        let list = if rare { &self.rare } else { &self.usual };
        assert!(!list.is_empty(), "no model files were found");
        let file = &list[random.below(list.len())];
        let mut content = file.content.clone();
        self.words.damage(&mut content, file.is_model(), random);
        (file, content)
    }
}

fn walk(path: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(path) else {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        if matches!(extension.as_str(), "xml" | "urdf" | "obj" | "stl" | "msh" | "png") {
            out.push(path.to_owned());
        }
        return;
    };
    for entry in entries.flatten() {
        walk(&entry.path(), out);
    }
}
