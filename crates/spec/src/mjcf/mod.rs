//! The MJCF reader: text to [`Spec`].
//!
//! Four passes: parse the file and everything it includes, check the whole tree against the schema, read the
//! sections in the reference's order (defaults first, the kinematic tree last), and check that names are
//! unique. All passes report into one log, so a run finds as many faults as it can.

mod actuator;
pub(crate) mod assets;
mod body;
mod composite;
mod copies;
mod custom;
mod defaults;
mod deformable;
mod elements;
mod include;
pub(crate) mod keywords;
mod level_refusals;
mod level_words;
pub(crate) mod log;
mod plugin;
mod reader;
mod relations;
mod schema;
pub(crate) mod schema_check;
pub(crate) mod schema_text;
mod scope;
pub(crate) mod sensor;
pub(crate) mod settings;
pub(crate) mod soft;
pub(crate) mod tables;

use std::collections::HashMap;

use include::Folders;
use log::Log;
pub(crate) use reader::NodeId;
use reader::{Folder, Reader, model_path};
use scope::Scope;

use crate::diagnostics::Diagnostics;
use crate::spec::{Arena, DefaultId, Element, Spec};
use crate::vfs::Vfs;
use crate::xml::{Dom, Node};

/// A model file that another one names.
pub(crate) struct Wanted {
    pub(crate) path: String,
    pub(crate) content_type: String,
}

/// A parsed MJCF file with everything it includes.
pub(crate) struct Parsed {
    dom: Dom,
    log: Log,
    folders: Folders,
    model_dir: String,
}

/// Resolves what a file includes. `main_name` is the file that all reading began with.
pub(crate) fn parse(
    mut dom: Dom,
    mut log: Log,
    model_dir: &str,
    main_name: &str,
    vfs: Option<&Vfs>,
) -> Parsed {
    let folders = include::resolve(&mut log, &mut dom, model_dir, main_name, vfs);
    Parsed { dom, log, folders, model_dir: model_dir.to_owned() }
}

impl Parsed {
    /// The models that the asset sections name, which have to be read first.
    pub(crate) fn models(&self, vfs: Option<&Vfs>) -> Vec<(NodeId, Wanted)> {
        let sections = self.dom.root(0).children_named("asset");
        let models = sections.into_iter().flat_map(|section| section.children_named("model"));
        let wanted = |node: Node<'_>| {
            let path = model_path(node, &self.model_dir, vfs)?;
            let content_type = node.attr("content_type").map_or_else(String::new, |t| t.value().to_owned());
            Some(((node.document(), node.id()), Wanted { path, content_type }))
        };
        models.filter_map(wanted).collect()
    }

    /// Paths of the text, of what it includes, and of the assets that it names.
    pub(crate) fn files(self, vfs: Option<&Vfs>) -> Result<Vec<String>, Diagnostics> {
        let Parsed { dom, log, folders, model_dir } = self;
        if log.has_errors() {
            return Err(log.into_diagnostics());
        }
        let mut files: Vec<String> = log.sources.files.iter().map(|source| source.path.clone()).collect();
        let (models, read_models) = (Vec::new(), HashMap::new());
        let mut reader = Reader {
            spec: Spec::at(log.reference),
            log,
            vfs,
            folders,
            models,
            read_models,
            chain: Vec::new(),
        };
        reader.spec.compiler_mut().modelfiledir = model_dir;
        let root = dom.root(0);
        for section in root.children_named("compiler") {
            settings::read_compiler(&mut reader.log, section, &mut reader.spec.compilers[0]);
        }
        let mut waiting = root.children();
        while let Some(node) = waiting.pop() {
            let (folder, attributes): (_, &[&str]) = match node.name() {
                "mesh" | "skin" | "hfield" | "flexcomp" => (Folder::Mesh, &["file"]),
                "texture" => (Folder::Texture, &TEXTURE_FILES),
                _ => (Folder::Asset, &[]),
            };
            let named = attributes.iter().filter_map(|attribute| reader.asset_path(node, attribute, folder));
            files.extend(named.collect::<Vec<_>>());
            waiting.extend(node.children());
        }
        files.retain(|path| !path.is_empty());
        Ok(files)
    }
}

/// The files that a texture may name: one for all faces of a cube, or one for each.
const TEXTURE_FILES: [&str; 7] =
    ["file", "fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"];

/// Reads a parsed MJCF file whose models have been read. `chain` holds the files that are being read, this
/// one last.
pub(crate) fn read(
    file: Parsed,
    vfs: Option<&Vfs>,
    chain: Vec<String>,
    read_models: HashMap<NodeId, Result<Spec, Diagnostics>>,
) -> Result<Spec, Diagnostics> {
    let Parsed { dom, mut log, folders, model_dir } = file;
    let root = dom.root(0);
    schema_check::check(&mut log, root, &tables::ROOT);
    level_refusals::check(&mut log, root);
    let mut reader =
        Reader { spec: Spec::at(log.reference), log, vfs, folders, models: Vec::new(), read_models, chain };
    reader.spec.compiler_mut().modelfiledir = model_dir;
    reader.read_root(root);
    reader.check_names();
    reader.finish()
}

impl Reader<'_> {
    fn read_root(&mut self, root: Node<'_>) {
        self.log.set_text(root, "model", &mut self.spec.modelname);
        root.comment().unwrap_or_default().clone_into(&mut self.spec.comment);
        let sections = root.children();
        // the order of reading is fixed; the order in the file is free
        let each =
            |name: &'static str| sections.iter().copied().filter(move |section| section.name() == name);
        each("compiler").for_each(|s| settings::read_compiler(&mut self.log, s, &mut self.spec.compilers[0]));
        each("option").for_each(|s| settings::read_option(&mut self.log, s, &mut self.spec.option));
        each("size").for_each(|s| settings::read_size(&mut self.log, s, &mut self.spec.size));
        each("visual").for_each(|s| settings::read_visual(&mut self.log, s, &mut self.spec.visual));
        each("statistic").for_each(|s| settings::read_statistic(&mut self.log, s, &mut self.spec.stat));
        each("default").for_each(|s| self.read_defaults(s));
        each("extension").for_each(|s| self.read_extension(s));
        each("custom").for_each(|s| self.read_custom(s));
        each("asset").for_each(|s| self.read_assets(s));
        each("contact").for_each(|s| self.read_contacts(s));
        each("deformable").for_each(|s| self.read_deformables(s));
        each("equality").for_each(|s| self.read_equalities(s));
        each("tendon").for_each(|s| self.read_tendons(s));
        each("actuator").for_each(|s| self.read_actuators(s));
        each("sensor").for_each(|s| self.read_sensors(s));
        each("soft").for_each(|s| self.read_soft(s));
        each("keyframe").for_each(|s| self.read_keyframes(s));
        let world = Scope { body: self.spec.world(), frame: None, class: DefaultId(0) };
        each("worldbody").for_each(|s| self.read_tree(s, world));
    }

    /// Reports names that stand for two elements of one kind.
    fn check_names(&mut self) {
        fn check<T: Element>(log: &mut Log, arena: &Arena<T>) {
            let named = arena.values().filter(|element| !element.name().is_empty());
            let names: Vec<_> = named.map(|element| (element.name(), element.origin().pos)).collect();
            log.check_unique(&names, T::KIND);
        }
        let (log, spec) = (&mut self.log, &self.spec);
        check(log, &spec.bodies);
        check(log, &spec.frames);
        check(log, &spec.joints);
        check(log, &spec.geoms);
        check(log, &spec.sites);
        check(log, &spec.cameras);
        check(log, &spec.lights);
        check(log, &spec.flexes);
        check(log, &spec.meshes);
        check(log, &spec.skins);
        check(log, &spec.hfields);
        check(log, &spec.textures);
        check(log, &spec.materials);
        check(log, &spec.pairs);
        check(log, &spec.excludes);
        check(log, &spec.equalities);
        check(log, &spec.tendons);
        check(log, &spec.actuators);
        check(log, &spec.sensors);
        check(log, &spec.numerics);
        check(log, &spec.texts);
        check(log, &spec.tuples);
        check(log, &spec.keys);
        check(log, &spec.plugins);
    }
}
