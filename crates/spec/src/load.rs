//! Entry points: a file or a string becomes a [`Spec`].

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use kinetree_model::plugin::PluginRegistry;
use kinetree_model::{BinaryError, Model};

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
        Spec::from_file_of_type(path, "", vfs)
    }

    /// Reads a model file of a content type: by the decoder for it or, when it is empty or there is none, as
    /// [`from_xml_file_in`](Self::from_xml_file_in).
    ///
    /// # Errors
    /// All faults that could be found, each with its place.
    pub fn from_file_of_type(
        path: impl AsRef<Path>,
        content_type: &str,
        vfs: Option<&Vfs>,
    ) -> Result<Spec, Diagnostics> {
        let given = path.as_ref().to_string_lossy();
        // files named by an included file are resolved through its folder, which must not depend on where we
        // are
        let path = if vfs::exists_on_disk(&given) { absolute(path.as_ref()) } else { vfs::reduce(&given) };
        read_file(&path, content_type, vfs, vec![path.clone()])
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

/// A model from text that names no files, or files on the disk: `xml.parse::<Spec>()`.
impl FromStr for Spec {
    type Err = Diagnostics;

    fn from_str(xml: &str) -> Result<Spec, Diagnostics> {
        Spec::from_xml_string(xml, None)
    }
}

/// Reads and compiles a model file, MJCF or URDF.
///
/// # Errors
/// All faults that could be found, each with its place.
pub fn load_model(path: impl AsRef<Path>) -> Result<Model, Diagnostics> {
    Spec::from_xml_file(path)?.compile()
}

/// Reads and compiles a model file that, like everything it names, may be one of the virtual files.
///
/// # Errors
/// All faults that could be found, each with its place.
pub fn load_model_with(path: impl AsRef<Path>, files: &Vfs) -> Result<Model, Diagnostics> {
    Spec::from_xml_file_in(path, Some(files))?.compile_with(Some(files))
}

/// Reads and compiles a model from a string, MJCF or URDF. Files that it names are looked for on the disk.
///
/// ```
/// let model = kinetree_spec::load_model_str(
///     "<mujoco><worldbody><body><freejoint/><geom size='0.1'/></body></worldbody></mujoco>",
/// )?;
/// assert_eq!((model.nq, model.nv), (7, 6));
/// # Ok::<(), kinetree_spec::Diagnostics>(())
/// ```
///
/// # Errors
/// All faults that could be found, each with its place.
pub fn load_model_str(xml: &str) -> Result<Model, Diagnostics> {
    xml.parse::<Spec>()?.compile()
}

/// As [`load_model_str`], for text that names virtual files: they come before those on the disk.
///
/// ```
/// use kinetree_spec::{Vfs, load_model_str_with};
///
/// let mut files = Vfs::new();
/// files.add_buffer("ball.xml", *b"<mujoco><worldbody><geom size='0.1'/></worldbody></mujoco>")?;
/// let model = load_model_str_with("<mujoco><include file='ball.xml'/></mujoco>", &files)?;
/// assert_eq!(model.ngeom, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// All faults that could be found, each with its place.
pub fn load_model_str_with(xml: &str, files: &Vfs) -> Result<Model, Diagnostics> {
    Spec::from_xml_string(xml, Some(files))?.compile_with(Some(files))
}

/// Reads a binary model (MJB), ready to be simulated, with the plugins that models are loaded with by
/// default. A binary model knows plugins by their slots alone.
///
/// # Errors
/// When the bytes are not a complete model of version 3.8.0, or a plugin refuses it.
pub fn load_binary(bytes: &[u8]) -> Result<Model, BinaryError> {
    load_binary_with(bytes, &kinetree_plugins::shared_registry())
}

/// As [`load_binary`], with the plugins of a registry.
///
/// # Errors
/// As [`load_binary`].
pub fn load_binary_with(bytes: &[u8], plugins: &PluginRegistry) -> Result<Model, BinaryError> {
    let mut model = Model::from_bytes(bytes)?;
    model.bind_plugins(plugins)?;
    kinetree_sim::install_pipeline(&mut model);
    kinetree_sim::check_plugins(&model)?;
    Ok(model)
}

/// The absolute form of a path on the disk.
fn absolute(path: &Path) -> String {
    let full = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    vfs::reduce(&full.to_string_lossy())
}

/// Reads a file of a content type, which may be empty. `chain` holds the files that are being read, this one
/// last.
pub(crate) fn read_file(
    path: &str,
    content_type: &str,
    vfs: Option<&Vfs>,
    chain: Vec<String>,
) -> Result<Spec, Diagnostics> {
    let fault = |message: String| Diagnostics::from(Diagnostic::error(message));
    if let Some(files) = vfs.filter(|files| !content_type.is_empty() || files.claims_extension(path)) {
        let bytes = vfs::read(path, vfs).map_err(|error| fault(error.to_string()))?;
        if let Some(spec) = files.decode(path, content_type, &bytes) {
            return spec.map_err(fault);
        }
    }
    let text = crate::mjcf::read_text(path, vfs).map_err(fault)?;
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
