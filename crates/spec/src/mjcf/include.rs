//! `<include>`: the children of another file's root in the place of the element.
//!
//! A file is looked up next to the main model file first, then next to the including file. Including the same file twice is
//! refused, which also rules out cycles.

use std::sync::Arc;

use super::log::Log;
use crate::diagnostics::SourcePos;
use crate::vfs::{self, Vfs};
use crate::xml::{Document, Dom, Node};

/// Folders that compiler sections anywhere in the file ask for. The last one in the file wins.
#[derive(Clone, Debug, Default)]
pub(super) struct Folders {
    pub assetdir: String,
    pub meshdir: String,
    pub texturedir: String,
}

/// An `<include>` that still has to be resolved.
struct Pending {
    document: u32,
    node: u32,
    file: String,
    pos: SourcePos,
}

/// Loads everything that the main document includes, in document order, and notes the asset folders on the way.
pub(super) fn resolve(
    log: &mut Log,
    dom: &mut Dom,
    model_dir: &str,
    main_name: &str,
    vfs: Option<&Vfs>,
) -> Folders {
    let mut folders = Folders::default();
    let mut included = vec![main_name.to_owned()];
    let mut pending = Vec::new();
    scan(log, dom.root(0), &mut folders, &mut pending);
    pending.reverse();
    while let Some(item) = pending.pop() {
        let parent_dir = dom.documents[item.document as usize].dir.clone();
        let Some(path) = locate(log, &item, model_dir, &parent_dir, vfs) else { continue };
        if included.contains(&path) {
            log.error_help(
                item.pos,
                format!("the file '{}' is included already", item.file),
                "a file can be included once, and neither by itself nor by a file that it includes",
            );
            continue;
        }
        let Some(document) = load(log, &path, &item, vfs) else { continue };
        included.push(path);
        let id = dom.documents.len() as u32;
        dom.documents.push(document);
        dom.set_include(item.document, item.node, id);
        if dom.root(id).raw_children().is_empty() {
            log.error(item.pos, format!("the included file '{}' is empty", item.file));
        }
        let mut found = Vec::new();
        scan(log, dom.root(id), &mut folders, &mut found);
        pending.extend(found.into_iter().rev());
    }
    folders
}

/// Collects includes and asset folders below a node.
fn scan(log: &mut Log, root: Node<'_>, folders: &mut Folders, pending: &mut Vec<Pending>) {
    let mut stack = vec![root];
    while let Some(node) = stack.pop() {
        if node.name().eq_ignore_ascii_case("compiler") {
            log.set_text(node, "assetdir", &mut folders.assetdir);
            log.set_text(node, "meshdir", &mut folders.meshdir);
            log.set_text(node, "texturedir", &mut folders.texturedir);
        }
        if node.name().eq_ignore_ascii_case("include") {
            if node.has_content() {
                log.error(node.pos(), "an <include> cannot have content");
            }
            for attr in node.attrs().filter(|attr| attr.name() != "file") {
                log.warning(attr.name_pos(), format!("unknown attribute '{}' in <include>", attr.name()));
            }
            let file = log.required_text(node, "file");
            if !file.is_empty() {
                pending.push(Pending { document: node.document(), node: node.id(), file, pos: node.pos() });
            }
            continue;
        }
        stack.extend(node.raw_children().into_iter().rev());
    }
}

/// The path of an included file.
fn locate(
    log: &mut Log,
    item: &Pending,
    model_dir: &str,
    parent_dir: &str,
    vfs: Option<&Vfs>,
) -> Option<String> {
    let candidates =
        [vfs::combine(model_dir, &item.file), vfs::combine(model_dir, &vfs::combine(parent_dir, &item.file))];
    let found = candidates.iter().find(|path| vfs::exists(path, vfs)).cloned();
    if found.is_none() {
        log.error(item.pos, format!("cannot find the included file '{}'", item.file));
    }
    found
}

fn load(log: &mut Log, path: &str, item: &Pending, vfs: Option<&Vfs>) -> Option<Document> {
    let text = match super::read_text(path, vfs) {
        Ok(text) => text,
        Err(message) => {
            log.error(item.pos, message);
            return None;
        }
    };
    let text: Arc<str> = text.into();
    let file = log.sources.add(path, Arc::clone(&text));
    match Document::new(file, text) {
        Ok(mut document) => {
            vfs::folder_of(path).clone_into(&mut document.dir);
            Some(document)
        }
        Err((error, pos)) => {
            log.error(pos, error.message);
            None
        }
    }
}
