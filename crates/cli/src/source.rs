//! Where a model comes from: a file (MJCF, URDF, binary) or the models inside the program.

use crate::embedded::{self, MODELS};
use crate::failure::Failure;
use kinetree::sim::install_pipeline;
use kinetree::spec::Diagnostic;
use kinetree::spec::diagnostics::nearest;
use kinetree::{Model, Spec};
use std::path::Path;

/// The first bytes of a binary model.
const BINARY_MAGIC: &[u8] = b"KINETREE";

/// A compiled model with what was noticed on the way.
pub(crate) struct Loaded {
    pub(crate) model: Model,
    pub(crate) warnings: Vec<Diagnostic>,
}

/// Loads a model by file name or by embedded name; a file wins over an embedded model of the same name.
pub(crate) fn load(source: &str) -> Result<Loaded, Failure> {
    let path = Path::new(source);
    if path.is_dir() {
        return Err(Failure::WithHelp(
            format!("'{source}' is a folder"),
            "name a model file inside it".into(),
        ));
    }
    if path.exists() {
        return load_file(path);
    }
    match embedded::find(source) {
        Some(found) => compile(Spec::from_xml_string(found.xml, None)),
        None => Err(not_found(source)),
    }
}

fn load_file(path: &Path) -> Result<Loaded, Failure> {
    let bytes = std::fs::read(path).map_err(|error| Failure::file("read", path, &error))?;
    if bytes.starts_with(BINARY_MAGIC) {
        let mut model = Model::from_bytes(&bytes)?;
        install_pipeline(&mut model);
        return Ok(Loaded { model, warnings: Vec::new() });
    }
    drop(bytes);
    compile(Spec::from_xml_file(path))
}

fn compile(spec: Result<Spec, kinetree::Diagnostics>) -> Result<Loaded, Failure> {
    let load = || {
        let mut spec = spec?;
        let warnings = std::mem::take(&mut spec.warnings);
        Ok(Loaded { model: spec.compile()?, warnings })
    };
    let mut loaded: Result<Loaded, Failure> = load();
    match &mut loaded {
        Ok(Loaded { warnings: list, .. }) | Err(Failure::Model(list)) => shorten_paths(list),
        Err(_) => {}
    }
    loaded
}

fn not_found(source: &str) -> Failure {
    let names: Vec<&str> = MODELS.iter().map(|model| model.name).collect();
    let help = match nearest(source, names.iter().copied()) {
        Some(name) => format!("did you mean the embedded model '{name}'?"),
        None => format!("give the path of a model file or one of: {}", names.join(", ")),
    };
    Failure::WithHelp(format!("there is no file and no embedded model called '{source}'"), help)
}

/// Writes paths below the current folder the way the user would.
fn shorten_paths(list: &mut [Diagnostic]) {
    let Ok(folder) = std::env::current_dir() else { return };
    let prefix = format!("{}/", folder.to_string_lossy().trim_end_matches('/'));
    for diagnostic in list {
        if let Some(short) = diagnostic.file.strip_prefix(&prefix) {
            diagnostic.file = short.to_owned();
        }
        diagnostic.message = diagnostic.message.replace(&prefix, "");
    }
}
