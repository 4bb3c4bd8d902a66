//! Entry points: a file or a string becomes a [`Spec`].

use std::path::Path;
use std::sync::Arc;

use kinetree_model::Model;

use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::mjcf::log::Log;
use crate::spec::Spec;
use crate::vfs::{self, Vfs};
use crate::xml::{Document, Dom};

impl Spec {
    /// Reads a model file, MJCF or URDF.
    ///
    /// # Errors
    /// All faults that could be found, each with its place.
    pub fn from_xml_file(path: impl AsRef<Path>) -> Result<Spec, Diagnostics> {
        Spec::from_xml_file_in(path, None)
    }

    /// Reads a model file that, like everything it names, may be virtual.
    ///
    /// # Errors
    /// All faults that could be found, each with its place.
    pub fn from_xml_file_in(path: impl AsRef<Path>, vfs: Option<&Vfs>) -> Result<Spec, Diagnostics> {
        let given = path.as_ref().to_string_lossy();
        // files named by an included file are resolved through its folder, which must not depend on where we are
        let path = if vfs::exists_on_disk(&given) { absolute(path.as_ref()) } else { vfs::reduce(&given) };
        read_file(&path, vfs, vec![path.clone()])
    }

    /// Reads a model from a string, MJCF or URDF. Files it names are looked for in `vfs`, then on the disk.
    ///
    /// # Errors
    /// All faults that could be found, each with its place.
    pub fn from_xml_string(xml: &str, vfs: Option<&Vfs>) -> Result<Spec, Diagnostics> {
        Spec::from_xml_string_at(xml, "", vfs)
    }

    /// Reads a model from a string as if it stood in a file of this folder.
    ///
    /// # Errors
    /// All faults that could be found, each with its place.
    pub fn from_xml_string_at(xml: &str, folder: &str, vfs: Option<&Vfs>) -> Result<Spec, Diagnostics> {
        read_xml("", xml.into(), folder, vfs, vec![String::new()])
    }
}

/// Reads and compiles a model file, MJCF or URDF.
///
/// # Errors
/// All faults that could be found, each with its place.
pub fn load_model(path: impl AsRef<Path>) -> Result<Model, Diagnostics> {
    load_model_in(path, None)
}

/// Reads and compiles a model file that, like everything it names, may be virtual.
///
/// # Errors
/// All faults that could be found, each with its place.
pub fn load_model_in(path: impl AsRef<Path>, vfs: Option<&Vfs>) -> Result<Model, Diagnostics> {
    Spec::from_xml_file_in(path, vfs)?.compile_with(vfs)
}

/// Reads and compiles a model from a string. Files it names are looked for in `vfs`, then on the disk.
///
/// # Errors
/// All faults that could be found, each with its place.
pub fn load_model_str(xml: &str, vfs: Option<&Vfs>) -> Result<Model, Diagnostics> {
    Spec::from_xml_string(xml, vfs)?.compile_with(vfs)
}

/// The absolute form of a path on the disk.
fn absolute(path: &Path) -> String {
    let full = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    vfs::reduce(&full.to_string_lossy())
}

/// Reads a file. `chain` holds the files that are being read, this one last.
pub(crate) fn read_file(path: &str, vfs: Option<&Vfs>, chain: Vec<String>) -> Result<Spec, Diagnostics> {
    let text =
        crate::mjcf::read_text(path, vfs).map_err(|message| Diagnostics::from(Diagnostic::error(message)))?;
    read_xml(path, text.into(), vfs::folder_of(path), vfs, chain)
}

fn read_xml(
    path: &str,
    text: Arc<str>,
    model_dir: &str,
    vfs: Option<&Vfs>,
    chain: Vec<String>,
) -> Result<Spec, Diagnostics> {
    let mut log = Log::default();
    let file = log.sources.add(path, Arc::clone(&text));
    let document = match Document::new(file, text) {
        Ok(document) => document,
        Err((error, pos)) => {
            log.error(pos, error.message);
            return Err(log.into_diagnostics());
        }
    };
    let dom = Dom { documents: vec![document] };
    let root = dom.root(0);
    if root.name().eq_ignore_ascii_case("mujoco") {
        crate::mjcf::read(dom, log, model_dir, vfs, chain)
    } else if root.name().eq_ignore_ascii_case("robot") {
        crate::urdf::read(root, log, model_dir, vfs)
    } else {
        log.error_help(
            root.pos(),
            format!("<{}> is not the root of a model", root.name()),
            "expected <mujoco> or <robot>",
        );
        Err(log.into_diagnostics())
    }
}
