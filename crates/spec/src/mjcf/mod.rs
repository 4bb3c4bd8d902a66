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
pub(crate) mod log;
mod plugin;
mod relations;
mod schema;
pub(crate) mod schema_check;
pub(crate) mod schema_text;
pub(crate) mod sensor;
pub(crate) mod settings;
pub(crate) mod soft;
pub(crate) mod tables;

use std::collections::HashMap;

use assets::Folder;
use body::Place;
use copies::SubModel;
use include::Folders;
use log::Log;

use crate::diagnostics::{Diagnostics, Severity, suggest};
use crate::spec::{Arena, DefaultId, Element, Spec};
use crate::vfs::{self, Vfs};
use crate::xml::{Dom, Node};

/// The state of one run of the reader.
pub(crate) struct Reader<'d> {
    spec: Spec,
    log: Log,
    vfs: Option<&'d Vfs>,
    folders: Folders,
    models: Vec<SubModel>,
    /// Files that are being read, the main one first: a model must not contain itself.
    chain: Vec<String>,
}

/// Reads a parsed MJCF file. `name` is the file name without its folder.
pub(crate) fn read(
    mut dom: Dom,
    mut log: Log,
    model_dir: &str,
    vfs: Option<&Vfs>,
    chain: Vec<String>,
) -> Result<Spec, Diagnostics> {
    let main_name = chain.first().cloned().unwrap_or_default();
    let folders = include::resolve(&mut log, &mut dom, model_dir, &main_name, vfs);
    let root = dom.root(0);
    schema_check::check(&mut log, root, &tables::ROOT);
    let mut reader = Reader { spec: Spec::new(), log, vfs, folders, models: Vec::new(), chain };
    model_dir.clone_into(&mut reader.spec.compiler_mut().modelfiledir);
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
        let world = Place { body: self.spec.world(), frame: None, class: DefaultId(0) };
        each("worldbody").for_each(|s| self.read_tree(s, world));
    }

    fn finish(mut self) -> Result<Spec, Diagnostics> {
        if self.log.has_errors() {
            return Err(self.log.into_diagnostics());
        }
        self.spec.warnings = std::mem::take(&mut self.log.list);
        self.spec.not_numbers = self.log.not_numbers;
        self.spec.sources = self.log.sources;
        Ok(self.spec)
    }

    /// The class that an element names in its attribute `class`.
    fn class_of(&mut self, node: Node<'_>) -> Option<DefaultId> {
        self.named_class(node, "class")
    }

    fn named_class(&mut self, node: Node<'_>, attr: &str) -> Option<DefaultId> {
        let attr = node.attr(attr)?;
        // the empty name stands for the main class elsewhere, but is no name to refer to it by
        let class =
            Some(attr.value()).filter(|name| !name.is_empty()).and_then(|name| self.spec.find_default(name));
        if class.is_none() {
            let known = self.spec.defaults.iter().map(|class| class.name.as_str());
            let help = suggest(attr.value(), known);
            let message = format!("unknown default class '{}'", attr.value());
            self.log.report(Severity::Error, attr.value_pos(), message, help);
        }
        class
    }

    /// The file that an attribute names. A file that is not where the main model would look for it is looked
    /// for next to the included file that names it.
    fn file(&mut self, node: Node<'_>, attr: &str, folder: Folder) -> Option<String> {
        let file = vfs::reduce(node.attr(attr)?.value());
        if vfs::is_absolute(&file) || node.include_dir().is_empty() {
            return Some(file);
        }
        let own = match folder {
            Folder::Mesh if !self.folders.meshdir.is_empty() => &self.folders.meshdir,
            Folder::Texture if !self.folders.texturedir.is_empty() => &self.folders.texturedir,
            Folder::Model => "",
            _ => &self.folders.assetdir,
        };
        let usual = vfs::combine(&vfs::combine(&self.spec.compiler().modelfiledir, own), &file);
        if vfs::exists(&usual, self.vfs) { Some(file) } else { Some(vfs::combine(node.include_dir(), &file)) }
    }

    /// Reports names that stand for two elements of one kind.
    fn check_names(&mut self) {
        fn check<T: Element>(log: &mut Log, arena: &Arena<T>) {
            let mut first: HashMap<&str, &T> = HashMap::new();
            for element in arena.values().filter(|element| !element.name().is_empty()) {
                if let Some(earlier) = first.insert(element.name(), element) {
                    let line = earlier.origin().pos.line;
                    let message = format!("the {} name '{}' is used twice", T::KIND, element.name());
                    log.error_help(
                        element.origin().pos,
                        message,
                        format!("it was first used in line {line}"),
                    );
                }
            }
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

/// The text of a file, virtual or on the disk.
pub(crate) fn read_text(path: &str, vfs: Option<&Vfs>) -> Result<String, String> {
    let bytes = vfs::read(path, vfs).map_err(|error| error.to_string())?;
    if bytes.is_empty() {
        return Err(format!("the file '{path}' is empty"));
    }
    // a file that is not UTF-8 is usually Latin text in comments: keep what can be kept
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
