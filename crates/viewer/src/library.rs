//! Where models come from: files and embedded models, loaded beside the window and watched for changes.

use kinetree_model::Model;
use kinetree_spec::{Diagnostic, Spec};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::SystemTime;

/// Files are looked at this often (s).
const WATCH_EVERY: f64 = 0.25;

/// A model that was read.
#[derive(Debug)]
pub struct LoadedModel {
    /// The model.
    pub model: Model,
    /// What was noticed on the way.
    pub warnings: Vec<Diagnostic>,
    /// Files whose changes change the model.
    pub files: Vec<PathBuf>,
}

impl LoadedModel {
    /// Reads a file: MJCF, URDF or a binary model.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn read(path: &str) -> Result<Self, Vec<Diagnostic>> {
        let unreadable =
            |error: &dyn std::fmt::Display| vec![Diagnostic::error(format!("cannot read '{path}': {error}"))];
        let bytes = std::fs::read(path).map_err(|error| unreadable(&error))?;
        if Model::is_binary(&bytes) {
            let model = kinetree_spec::load_binary(&bytes).map_err(|error| unreadable(&error))?;
            return Ok(Self {
                model,
                warnings: Vec::new(),
                files: std::path::absolute(path).into_iter().collect(),
            });
        }
        let mut spec = Spec::from_xml_file(path).map_err(|faults| faults.list)?;
        let warnings = std::mem::take(&mut spec.warnings);
        let files = spec.files().into_iter().map(PathBuf::from).collect();
        Ok(Self { model: spec.compile().map_err(|faults| faults.list)?, warnings, files })
    }
}

/// Reads models, by the path of a file or by another name.
pub trait Load: Send + Sync {
    /// Reads a model.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    fn load(&self, source: &str) -> Result<LoadedModel, Vec<Diagnostic>>;

    /// A model as MJCF text that finds its files from a folder.
    ///
    /// # Errors
    /// Why it cannot be written.
    fn text(&self, source: &str, folder: &Path) -> Result<String, String> {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let spec = Spec::from_xml_file(source).map_err(|faults| faults.to_string())?;
        spec.to_xml_in(&folder.to_string_lossy(), None).map_err(|error| error.to_string())
    }

    /// Names of models that need no file, with a line about each.
    fn examples(&self) -> Vec<(String, String)> {
        Vec::new()
    }
}

/// What came of loading.
pub(crate) struct Outcome {
    pub(crate) source: String,
    /// Whether it is the model that was open already.
    pub(crate) reloaded: bool,
    pub(crate) result: Result<LoadedModel, Vec<Diagnostic>>,
}

/// Loads one model at a time and loads it again when its files change.
pub struct Library {
    load: Arc<dyn Load>,
    source: Option<String>,
    watched: Vec<Watched>,
    sender: Sender<Outcome>,
    receiver: Receiver<Outcome>,
    loading: Option<String>,
    next_look: f64,
    changed: bool,
}

struct Watched {
    path: PathBuf,
    modified: Option<SystemTime>,
}

impl Watched {
    fn new(path: PathBuf) -> Self {
        Self { modified: modified(&path), path }
    }

    /// Whether the file has changed since the last look.
    fn look(&mut self) -> bool {
        let now = modified(&self.path);
        std::mem::replace(&mut self.modified, now) != now
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|data| data.modified()).ok()
}

impl Library {
    /// A library with nothing open.
    #[must_use]
    pub fn new(load: Arc<dyn Load>) -> Self {
        let (sender, receiver) = channel();
        Self {
            load,
            source: None,
            watched: Vec::new(),
            sender,
            receiver,
            loading: None,
            next_look: 0.0,
            changed: false,
        }
    }

    /// Models that need no file.
    pub(crate) fn examples(&self) -> Vec<(String, String)> {
        self.load.examples()
    }

    /// What is open, or being loaded.
    pub(crate) fn source(&self) -> Option<&str> {
        self.source.as_deref()
    }

    /// What is being loaded.
    pub(crate) fn loading(&self) -> Option<&str> {
        self.loading.as_deref()
    }

    /// What is open as MJCF text that finds its files from a folder.
    pub(crate) fn text(&self, folder: &Path) -> Result<String, String> {
        match &self.source {
            Some(source) => self.load.text(source, folder),
            None => Err("no model is open".to_owned()),
        }
    }

    /// Begins to load a model.
    pub fn open(&mut self, source: &str) {
        // as it is before it is read: what changes meanwhile is noticed
        if self.source.as_deref() != Some(source) {
            let main = std::path::absolute(source).ok().filter(|path| path.is_file());
            self.watched = main.map(Watched::new).into_iter().collect();
        }
        let outcome = {
            let (load, source) = (self.load.clone(), source.to_owned());
            let reloaded = self.source.as_deref() == Some(&source);
            move || Outcome { result: load.load(&source), source, reloaded }
        };
        self.loading = Some(source.to_owned());
        self.source = Some(source.to_owned());
        let sender = self.sender.clone();
        let work = move || {
            // nobody waits any more when the window has closed
            let _ = sender.send(outcome());
        };
        #[cfg(target_arch = "wasm32")]
        work();
        #[cfg(not(target_arch = "wasm32"))]
        std::thread::spawn(work);
    }

    /// Loads what is open again.
    pub(crate) fn reload(&mut self) {
        if let Some(source) = self.source.clone() {
            self.open(&source);
        }
    }

    /// What has been loaded since the last call; looks at the files when it is time to (`now` in seconds).
    pub(crate) fn poll(&mut self, now: f64) -> Option<Outcome> {
        if let Ok(outcome) = self.receiver.try_recv() {
            if self.loading.as_deref() != Some(outcome.source.as_str()) {
                return None;
            }
            self.loading = None;
            if let Ok(loaded) = &outcome.result {
                self.watch(&loaded.files);
            }
            return Some(outcome);
        }
        if now >= self.next_look && self.loading.is_none() {
            self.next_look = now + WATCH_EVERY;
            let changes = self.watched.iter_mut().fold(false, |any, file| file.look() | any);
            // a file that is being written changes again: wait until it rests
            if std::mem::replace(&mut self.changed, changes) && !changes {
                self.reload();
            }
        }
        None
    }

    /// Watches exactly these files, and keeps what is known about them.
    fn watch(&mut self, files: &[PathBuf]) {
        let known = std::mem::take(&mut self.watched);
        let mut known: std::collections::HashMap<_, _> =
            known.into_iter().map(|file| (file.path, file.modified)).collect();
        self.watched = files
            .iter()
            .map(|path| match known.remove(path) {
                Some(modified) => Watched { path: path.clone(), modified },
                None => Watched::new(path.clone()),
            })
            .collect();
    }
}
