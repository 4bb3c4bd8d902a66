//! Where a model comes from: a file (MJCF, URDF, binary) or the models inside the program.

use crate::embedded::{self, MODELS};
use crate::failure::Failure;
use kinetree::spec::Diagnostic;
use kinetree::spec::diagnostics::{Severity, nearest};
use kinetree::{Loader, Model, Reference, Spec};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The reference level of all models that the command loads.
static REFERENCE: OnceLock<Reference> = OnceLock::new();

/// Chooses the reference level, once for the command.
pub(crate) fn set_reference(reference: Reference) {
    let _ = REFERENCE.set(reference);
}

/// The reference level of models that are loaded.
fn reference() -> Reference {
    REFERENCE.get().copied().unwrap_or_default()
}

/// A compiled model with what was noticed on the way.
pub(crate) struct Loaded {
    pub(crate) model: Model,
    pub(crate) warnings: Vec<Diagnostic>,
    /// Files that the model was read from.
    pub(crate) files: Vec<PathBuf>,
}

/// Loads a model by file name or by embedded name; a file wins over an embedded model of the same name.
pub(crate) fn load(source: &str) -> Result<Loaded, Failure> {
    load_as(source, Links::AsRead)
}

/// The same with links that no joint moves as bodies of their own, which a URDF otherwise fuses with their
/// parents.
pub(crate) fn load_with_all_links(source: &str) -> Result<Loaded, Failure> {
    load_as(source, Links::All)
}

/// What happens to bodies that no joint moves.
#[derive(Clone, Copy, PartialEq)]
enum Links {
    AsRead,
    All,
}

fn load_as(source: &str, links: Links) -> Result<Loaded, Failure> {
    match read_binary(source)? {
        Some(bytes) => {
            let model = kinetree::spec::load_binary(&bytes)?;
            let (found, wanted) = (model.reference(), reference());
            if found != wanted {
                return Err(Failure::WithHelp(
                    format!("'{source}' is a compiled model of reference level {found}, not {wanted}"),
                    format!("say --reference {found}, or compile it again from its source"),
                ));
            }
            Ok(Loaded {
                model,
                warnings: Vec::new(),
                files: std::path::absolute(source).into_iter().collect(),
            })
        }
        None if links == Links::All && reference() != Reference::default() => Err(Failure::WithHelp(
            format!("unsupported: kinematics of all links at reference level {}", reference()),
            "leave --reference out: poses are the same at both levels".into(),
        )),
        None if links == Links::All && Path::new(source).exists() => for_kinematics(source),
        None => compile(read_text(source)?, links),
    }
}

/// The description of a model by file name or by embedded name.
pub(crate) fn describe(source: &str) -> Result<Spec, Failure> {
    if read_binary(source)?.is_some() {
        return Err(Failure::WithHelp(
            format!("'{source}' is a compiled model"),
            "MJCF text can be written from MJCF and URDF files only".into(),
        ));
    }
    let mut spec = read_text(source)?;
    if let Err(found) = &mut spec {
        shorten_paths(&mut found.list);
    }
    Ok(spec?)
}

/// The files that a model is made of. A compiled model needs no other than itself.
pub(crate) fn files(source: &str) -> Result<Vec<String>, Failure> {
    if read_binary(source)?.is_some() {
        return Ok(vec![source.to_owned()]);
    }
    let path = Path::new(source);
    if !path.exists() && embedded::find(source).is_some() {
        return Ok(Vec::new());
    }
    if !path.exists() {
        return Err(not_found(source));
    }
    let mut found = kinetree::spec::dependencies(path, None);
    if let Err(faults) = &mut found {
        shorten_paths(&mut faults.list);
    }
    Ok(found?)
}

/// The content of a file that is a binary model.
fn read_binary(source: &str) -> Result<Option<Vec<u8>>, Failure> {
    let path = Path::new(source);
    if path.is_dir() {
        return Err(Failure::WithHelp(
            format!("'{source}' is a folder"),
            "name a model file inside it".into(),
        ));
    }
    if !path.exists() {
        return Ok(None);
    }
    let bytes = std::fs::read(path).map_err(|error| Failure::file("read", path, &error))?;
    Ok(Model::is_binary(&bytes).then_some(bytes))
}

/// Reads MJCF or URDF text, of a file or inside the program.
fn read_text(source: &str) -> Result<Result<Spec, kinetree::Diagnostics>, Failure> {
    let path = Path::new(source);
    if path.exists() {
        return Ok(Loader::default().reference(reference()).spec(path));
    }
    match embedded::find(source) {
        Some(found) => Ok(Loader::default().reference(reference()).spec_from_string(found.xml)),
        None => Err(not_found(source)),
    }
}

fn compile(spec: Result<Spec, kinetree::Diagnostics>, links: Links) -> Result<Loaded, Failure> {
    let load = || {
        let mut spec = spec?;
        if links == Links::All {
            spec.compiler_mut().fusestatic = false;
        }
        let warnings = std::mem::take(&mut spec.warnings);
        let files = spec.files().into_iter().map(PathBuf::from).collect();
        Ok(Loaded { model: spec.compile()?, warnings, files })
    };
    let mut loaded: Result<Loaded, Failure> = load();
    match &mut loaded {
        Ok(Loaded { warnings: list, .. }) | Err(Failure::Model(list)) => shorten_paths(list),
        Err(_) => {}
    }
    loaded
}

/// A file with all its links; when not all of it can be loaded, its kinematics with a warning.
fn for_kinematics(source: &str) -> Result<Loaded, Failure> {
    let loaded = kinetree::spec::load_kinematics(source, None)?;
    let warning = |text| Diagnostic { severity: Severity::Warning, ..Diagnostic::error(text) };
    let mut warnings: Vec<Diagnostic> = loaded.summary().map(warning).into_iter().collect();
    shorten_paths(&mut warnings);
    Ok(Loaded { model: loaded.model, warnings, files: vec![source.into()] })
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
