//! The state of the reader, and what readers of all sections ask for: default classes and files.

use std::collections::HashMap;

use super::include::Folders;
use super::log::Log;
use crate::diagnostics::{Diagnostics, Severity, suggest};
use crate::spec::{DefaultId, Spec};
use crate::vfs::{self, Vfs};
use crate::xml::Node;

/// The state of one run of the reader.
pub(crate) struct Reader<'d> {
    pub(super) spec: Spec,
    pub(super) log: Log,
    pub(super) vfs: Option<&'d Vfs>,
    pub(super) folders: Folders,
    pub(super) models: Vec<SubModel>,
    /// What became of the models that the asset section names, by their elements.
    pub(super) read_models: HashMap<NodeId, Result<Spec, Diagnostics>>,
    /// Files that are being read, the main one first: a model must not contain itself.
    pub(super) chain: Vec<String>,
}

/// An element: the number of its document, and its own.
pub(crate) type NodeId = (u32, u32);

/// A model named in the asset section.
pub(super) struct SubModel {
    pub(super) name: String,
    pub(super) spec: Spec,
}

/// The folder an asset is looked up in.
#[derive(Clone, Copy)]
pub(super) enum Folder {
    Mesh,
    Texture,
    Asset,
}

/// The path of the file that a `<model>` names: seen from the main file, or else from the included one that
/// it is in.
pub(super) fn model_path(node: Node<'_>, model_dir: &str, vfs: Option<&Vfs>) -> Option<String> {
    let file = vfs::reduce(node.attr("file")?.value());
    let usual = vfs::combine(model_dir, &file);
    let included = node.include_dir();
    if vfs::is_absolute(&file) || included.is_empty() || vfs::exists(&usual, vfs) {
        return Some(usual);
    }
    Some(vfs::combine(model_dir, &vfs::combine(included, &file)))
}

impl Reader<'_> {
    pub(super) fn finish(mut self) -> Result<Spec, Diagnostics> {
        if self.log.has_errors() {
            return Err(self.log.into_diagnostics());
        }
        self.spec.warnings = std::mem::take(&mut self.log.list);
        self.spec.not_numbers = self.log.not_numbers;
        self.spec.sources = self.log.sources;
        Ok(self.spec)
    }

    /// The class that an element names in its attribute `class`.
    pub(super) fn class_of(&mut self, node: Node<'_>) -> Option<DefaultId> {
        self.named_class(node, "class")
    }

    pub(super) fn named_class(&mut self, node: Node<'_>, attr: &str) -> Option<DefaultId> {
        let attr = node.attr(attr)?;
        // the empty name stands for the main class elsewhere, but is no name to refer to it by
        let class =
            Some(attr.value()).filter(|name| !name.is_empty()).and_then(|name| self.spec.find_default(name));
        if class.is_none() {
            let known = self.spec.defaults.iter().map(|class| class.name.as_str());
            let help = suggest(attr.value(), known);
            let message = format!("unknown default class name '{}'", attr.value());
            self.log.report(Severity::Error, attr.value_pos(), message, help);
        }
        class
    }

    /// The file that an attribute names. A file that is not where the main model would look for it is looked
    /// for next to the included file that names it.
    pub(super) fn file(&mut self, node: Node<'_>, attr: &str, folder: Folder) -> Option<String> {
        let file = vfs::reduce(node.attr(attr)?.value());
        if vfs::is_absolute(&file) || node.include_dir().is_empty() {
            return Some(file);
        }
        let own = match folder {
            Folder::Mesh if !self.folders.meshdir.is_empty() => &self.folders.meshdir,
            Folder::Texture if !self.folders.texturedir.is_empty() => &self.folders.texturedir,
            _ => &self.folders.assetdir,
        };
        let usual = vfs::combine(&vfs::combine(&self.spec.compiler().modelfiledir, own), &file);
        if vfs::exists(&usual, self.vfs) { Some(file) } else { Some(vfs::combine(node.include_dir(), &file)) }
    }

    /// Where the file that an attribute names is looked for; `None` without the attribute, or an empty one.
    pub(super) fn asset_path(&mut self, node: Node<'_>, attr: &str, folder: Folder) -> Option<String> {
        let file = self.file(node, attr, folder).filter(|file| !file.is_empty())?;
        let compiler = self.spec.compiler();
        let own = if matches!(folder, Folder::Texture) { &compiler.texturedir } else { &compiler.meshdir };
        let file = if compiler.strippath { vfs::strip_path(&file) } else { &file };
        Some(vfs::combine(&compiler.modelfiledir, &vfs::combine(own, file)))
    }
}
