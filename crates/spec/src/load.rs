//! Entry points: a file or a string becomes a [`Spec`].

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use kinetree_model::plugin::PluginRegistry;
use kinetree_model::{BinaryError, Model, Reference};

use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::mjcf::log::Log;
use crate::mjcf::{NodeId, Wanted};
use crate::spec::Spec;
use crate::urdf::Content;
use crate::vfs::{self, Vfs};
use crate::xml::{Document, Dom};

/// Most model files that may name each other in a row.
const MAX_MODELS: usize = 1000;

impl Spec {
    /// Reads a model file, MJCF or URDF.
    ///
    /// # Errors
    /// All faults that could be found, each with its position.
    pub fn from_xml_file(path: impl AsRef<Path>) -> Result<Spec, Diagnostics> {
        Spec::from_xml_file_in(path, None)
    }

    /// Reads a model file that, like everything it names, may be virtual.
    ///
    /// # Errors
    /// All faults that could be found, each with its position.
    pub fn from_xml_file_in(path: impl AsRef<Path>, vfs: Option<&Vfs>) -> Result<Spec, Diagnostics> {
        Spec::from_file_of_type(path, "", vfs)
    }

    /// Reads a model file of a content type: by the decoder for it or, when it is empty or there is none, as
    /// [`from_xml_file_in`](Self::from_xml_file_in).
    ///
    /// # Errors
    /// All faults that could be found, each with its position.
    pub fn from_file_of_type(
        path: impl AsRef<Path>,
        content_type: &str,
        vfs: Option<&Vfs>,
    ) -> Result<Spec, Diagnostics> {
        Loader { files: vfs, ..Loader::default() }.spec_of_type(path, content_type)
    }

    /// Reads a model from a string, MJCF or URDF. Files it names are looked for in `vfs`, then on the disk.
    ///
    /// # Errors
    /// All faults that could be found, each with its position.
    pub fn from_xml_string(xml: &str, vfs: Option<&Vfs>) -> Result<Spec, Diagnostics> {
        Spec::from_xml_string_at(xml, "", vfs)
    }

    /// Reads a model from a string as if it stood in a file of this folder.
    ///
    /// # Errors
    /// All faults that could be found, each with its position.
    pub fn from_xml_string_at(xml: &str, folder: &str, vfs: Option<&Vfs>) -> Result<Spec, Diagnostics> {
        Loader { files: vfs, ..Loader::default() }.spec_from_string_at(xml, folder)
    }
}

/// How models are read: at which reference level, and with which virtual files.
///
/// ```
/// use kinetree_model::Reference;
/// use kinetree_spec::Loader;
///
/// let text = "<mujoco><worldbody><body><freejoint/><geom size='0.1'/></body></worldbody></mujoco>";
/// let model = Loader::default().reference(Reference::V4_0).model_from_string(text)?;
/// assert_eq!((model.reference(), model.opt.sleep_tolerance), (Reference::V4_0, 1e-3));
/// # Ok::<(), kinetree_spec::Diagnostics>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Loader<'f> {
    files: Option<&'f Vfs>,
    reference: Reference,
}

impl<'f> Loader<'f> {
    /// Virtual files that come before those on the disk.
    #[must_use]
    pub fn files(self, files: &'f Vfs) -> Self {
        Self { files: Some(files), ..self }
    }

    /// The version of MuJoCo whose meaning the files have.
    #[must_use]
    pub fn reference(self, reference: Reference) -> Self {
        Self { reference, ..self }
    }

    /// Reads and compiles a model file, MJCF or URDF.
    ///
    /// # Errors
    /// All faults that could be found, each with its position.
    pub fn model(self, path: impl AsRef<Path>) -> Result<Model, Diagnostics> {
        self.spec(path)?.compile_with(self.files)
    }

    /// Reads and compiles a model from a string, MJCF or URDF.
    ///
    /// # Errors
    /// All faults that could be found, each with its position.
    pub fn model_from_string(self, xml: &str) -> Result<Model, Diagnostics> {
        self.spec_from_string(xml)?.compile_with(self.files)
    }

    /// Reads a model file, MJCF or URDF.
    ///
    /// # Errors
    /// All faults that could be found, each with its position.
    pub fn spec(self, path: impl AsRef<Path>) -> Result<Spec, Diagnostics> {
        self.spec_of_type(path, "")
    }

    /// Reads a model file of a content type: by the decoder for it or, when it is empty or there is none, as
    /// [`Loader::spec`].
    ///
    /// # Errors
    /// All faults that could be found, each with its position.
    pub fn spec_of_type(self, path: impl AsRef<Path>, content_type: &str) -> Result<Spec, Diagnostics> {
        let file = Wanted { path: resolved(path.as_ref()), content_type: content_type.to_owned() };
        read(begin_file(&file, &file.path, Content::All, self), self, vec![file.path])
    }

    /// Reads a model from a string, MJCF or URDF.
    ///
    /// # Errors
    /// All faults that could be found, each with its position.
    pub fn spec_from_string(self, xml: &str) -> Result<Spec, Diagnostics> {
        self.spec_from_string_at(xml, "")
    }

    /// A description that a decoder of the program made has the level that the decoder gave it.
    fn check_level(self, spec: Spec, path: &str) -> Result<Spec, Diagnostics> {
        let (found, wanted) = (spec.reference, self.reference);
        if found == wanted {
            return Ok(spec);
        }
        Err(fault(format!(
            "the decoder of '{path}' made a description of reference level {found}, not {wanted}"
        )))
    }

    /// The same as if the string stood in a file of this folder.
    fn spec_from_string_at(self, xml: &str, folder: &str) -> Result<Spec, Diagnostics> {
        read(begin_xml("", xml.into(), folder, "", Content::All, self), self, vec![String::new()])
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
/// All faults that could be found, each with its position.
pub fn load_model(path: impl AsRef<Path>) -> Result<Model, Diagnostics> {
    Spec::from_xml_file(path)?.compile()
}

/// Reads and compiles a model file that, like everything it names, may be one of the virtual files.
///
/// # Errors
/// All faults that could be found, each with its position.
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
/// All faults that could be found, each with its position.
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
/// All faults that could be found, each with its position.
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

/// Reads a model file for its kinematics: faults in the geoms and inertias of a URDF do not count.
pub(crate) fn read_for_kinematics(path: impl AsRef<Path>, vfs: Option<&Vfs>) -> Result<Spec, Diagnostics> {
    let file = Wanted { path: resolved(path.as_ref()), content_type: String::new() };
    let loader = Loader { files: vfs, ..Loader::default() };
    read(begin_file(&file, &file.path, Content::Kinematics, loader), loader, vec![file.path])
}

/// The path that all files a model names are found through: files named by an included file are resolved
/// through its folder, which must not depend on where we are.
fn resolved(path: &Path) -> String {
    let given = path.to_string_lossy();
    if vfs::exists_on_disk(&given) { absolute(path) } else { vfs::reduce(&given) }
}

/// The files of a model: its own text, what it includes, the models that it names with all of theirs, meshes,
/// textures, height fields and skins; each once, where the reader looks for it, whether or not it is there.
/// A path that does not begin at the root gives paths that do not, either.
///
/// ```
/// use kinetree_spec::{Vfs, dependencies};
///
/// let mut files = Vfs::new();
/// let text = "<mujoco><compiler meshdir='parts'/><include file='common.xml'/>
///     <asset><mesh file='arm.obj'/></asset></mujoco>";
/// files.add_buffer("robot/arm.xml", text.as_bytes())?;
/// files.add_buffer("robot/common.xml", *b"<mujoco><option timestep='0.01'/></mujoco>")?;
/// assert_eq!(
///     dependencies("robot/arm.xml", Some(&files))?,
///     ["robot/arm.xml", "robot/common.xml", "robot/parts/arm.obj"]
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When a text is not there or cannot be parsed. Whether the model makes sense does not matter.
pub fn dependencies(path: impl AsRef<Path>, vfs: Option<&Vfs>) -> Result<Vec<String>, Diagnostics> {
    let given = path.as_ref().to_string_lossy();
    let main = resolved(path.as_ref());
    let mut waiting = vec![Wanted { path: main.clone(), content_type: String::new() }];
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    while let Some(file) = waiting.pop() {
        if !seen.insert(file.path.clone()) {
            continue;
        }
        match begin_file(&file, &main, Content::All, Loader { files: vfs, ..Loader::default() }) {
            Begun::Done(spec) => found.extend((*spec)?.files()),
            Begun::Mjcf(parsed) => {
                waiting.extend(parsed.models(vfs).into_iter().map(|(_, wanted)| wanted));
                found.extend(parsed.files(vfs)?);
            }
        }
    }
    // the main file is the one that was given, and so is its folder
    let (folder, given_folder) = (vfs::folder_of(&main), vfs::folder_of(&given));
    let here = if vfs::is_absolute(&given) { String::new() } else { absolute(Path::new(".")) + "/" };
    for path in &mut found {
        if let Some(inside) = path.strip_prefix(folder) {
            *path = format!("{given_folder}{inside}");
        } else if let Some(inside) = path.strip_prefix(&here) {
            *path = inside.to_owned();
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// The absolute form of a path on the disk.
fn absolute(path: &Path) -> String {
    let full = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    vfs::reduce(&full.to_string_lossy())
}

/// A file that was parsed: its description, or a file that is read once the models that it names are.
enum Begun {
    Done(Box<Result<Spec, Diagnostics>>),
    Mjcf(crate::mjcf::Parsed),
}

impl Begun {
    fn done(spec: Result<Spec, Diagnostics>) -> Self {
        Begun::Done(Box::new(spec))
    }
}

/// A file whose models are being read.
struct Open {
    file: crate::mjcf::Parsed,
    /// The models that it names and that are still to be read, with the elements that name them.
    wanted: std::vec::IntoIter<(NodeId, Wanted)>,
    /// The element that names the model that is being read.
    at: NodeId,
    models: HashMap<NodeId, Result<Spec, Diagnostics>>,
}

impl Open {
    fn new(file: crate::mjcf::Parsed, vfs: Option<&Vfs>) -> Self {
        let wanted = file.models(vfs).into_iter();
        Open { file, wanted, at: NodeId::default(), models: HashMap::new() }
    }
}

/// Reads a file, and before it the models that it names. In a loop: each of these can name further ones.
/// `chain` holds the name of the file.
fn read(begun: Begun, loader: Loader<'_>, mut chain: Vec<String>) -> Result<Spec, Diagnostics> {
    let vfs = loader.files;
    let mut open = match begun {
        Begun::Done(spec) => return *spec,
        Begun::Mjcf(file) => Open::new(file, vfs),
    };
    // the files that name it, the main one first
    let mut around: Vec<Open> = Vec::new();
    loop {
        let spec = match open.wanted.next() {
            // the reader refuses it
            Some((_, wanted)) if chain.contains(&wanted.path) => continue,
            Some((at, wanted)) => {
                open.at = at;
                if chain.len() >= MAX_MODELS {
                    Err(fault(format!("models name further models more than {MAX_MODELS} deep")))
                } else {
                    match begin_file(&wanted, &chain[0], Content::All, loader) {
                        Begun::Done(spec) => *spec,
                        Begun::Mjcf(file) => {
                            around.push(std::mem::replace(&mut open, Open::new(file, vfs)));
                            chain.push(wanted.path);
                            continue;
                        }
                    }
                }
            }
            None => {
                let spec = crate::mjcf::read(open.file, vfs, chain.clone(), open.models);
                let Some(outer) = around.pop() else { return spec };
                open = outer;
                chain.pop();
                spec
            }
        };
        open.models.insert(open.at, spec);
    }
}

fn fault(message: String) -> Diagnostics {
    Diagnostics::from(Diagnostic::error(message))
}

/// Decodes or parses a file. `main_name` is the file that all reading began with.
fn begin_file(file: &Wanted, main_name: &str, content: Content, loader: Loader<'_>) -> Begun {
    let Wanted { path, content_type } = file;
    let vfs = loader.files;
    if let Some(files) = vfs.filter(|files| !content_type.is_empty() || files.claims_extension(path)) {
        let bytes = match vfs::read(path, vfs) {
            Ok(bytes) => bytes,
            Err(error) => {
                let spec = files.decode_missing(path, content_type).unwrap_or(Err(error.to_string()));
                return Begun::done(spec.map_err(fault));
            }
        };
        if let Some(spec) = files.decode(path, content_type, &bytes) {
            return Begun::done(spec.map_err(fault).and_then(|spec| loader.check_level(spec, path)));
        }
    }
    match vfs::read_text(path, vfs) {
        Ok(text) => begin_xml(path, text.into(), vfs::folder_of(path), main_name, content, loader),
        Err(message) => Begun::done(Err(fault(message))),
    }
}

fn begin_xml(
    path: &str,
    text: Arc<str>,
    model_dir: &str,
    main_name: &str,
    content: Content,
    loader: Loader<'_>,
) -> Begun {
    let vfs = loader.files;
    let mut log = Log::at(loader.reference);
    let file = log.sources.add(path, Arc::clone(&text));
    let document = match Document::new(file, text) {
        Ok(document) => document,
        Err((error, pos)) => {
            log.error(pos, error.message);
            return Begun::done(Err(log.into_diagnostics()));
        }
    };
    let dom = Dom { documents: vec![document] };
    let root = dom.root(0);
    if root.name().eq_ignore_ascii_case("mujoco") {
        Begun::Mjcf(crate::mjcf::parse(dom, log, model_dir, main_name, vfs))
    } else if root.name().eq_ignore_ascii_case("robot") {
        Begun::done(crate::urdf::read(root, log, model_dir, content, vfs))
    } else {
        log.error_help(
            root.pos(),
            format!("<{}> is not the root of a model", root.name()),
            "expected <mujoco> or <robot>",
        );
        Begun::done(Err(log.into_diagnostics()))
    }
}
