//! `<include>`: the children of another file's root in the place of the element.
//!
//! A file is looked up next to the main model file first, then next to the including file. Including the same
//! file twice is refused, which also rules out cycles.

use std::sync::Arc;

use super::log::Log;
use crate::diagnostics::SourcePos;
use crate::vfs::{self, Vfs};
use crate::xml::{Document, Dom, Node};

/// Most files that may include each other in a row.
const MAX_DEPTH: usize = 1000;

/// Folders that compiler sections ask for, where the elements of included files are put in the place of their
/// `<include>`. The last one wins.
#[derive(Clone, Debug, Default)]
pub(super) struct Folders {
    pub assetdir: String,
    pub meshdir: String,
    pub texturedir: String,
}

/// An `<include>` that has to be resolved.
struct Include {
    document: u32,
    node: u32,
    file: String,
    pos: SourcePos,
}

/// Loads everything that the main document includes, depth first in document order, and notes the asset
/// folders on the way.
pub(super) fn resolve(
    log: &mut Log,
    dom: &mut Dom,
    model_dir: &str,
    main_name: &str,
    vfs: Option<&Vfs>,
) -> Folders {
    let mut folders = Folders::default();
    let mut included = vec![main_name.to_owned()];
    let mut stack = vec![(0, 0)];
    // how many files each document is included through
    let mut depths = vec![0];
    while let Some((document, id)) = stack.pop() {
        let node = dom.node(document, id);
        if node.name().eq_ignore_ascii_case("include") {
            let Some(include) = read(log, node) else { continue };
            let depth = depths[document as usize] + 1;
            if depth > MAX_DEPTH {
                log.error(include.pos, format!("files include each other more than {MAX_DEPTH} deep"));
                continue;
            }
            if let Some(child) = insert(log, dom, &include, model_dir, &mut included, vfs) {
                depths.push(depth);
                stack.push((child, 0));
            }
            continue;
        }
        if node.name().eq_ignore_ascii_case("compiler") {
            log.set_text(node, "assetdir", &mut folders.assetdir);
            log.set_text(node, "meshdir", &mut folders.meshdir);
            log.set_text(node, "texturedir", &mut folders.texturedir);
        }
        stack.extend(node.raw_children().into_iter().rev().map(|child| (child.document(), child.id())));
    }
    folders
}

/// What an `<include>` asks for.
fn read(log: &mut Log, node: Node<'_>) -> Option<Include> {
    if node.has_content() {
        log.error(node.pos(), "Include element cannot have children");
    }
    for attr in node.attrs().filter(|attr| attr.name() != "file") {
        log.warning(attr.name_pos(), format!("unknown attribute '{}' in <include>", attr.name()));
    }
    let file = log.required_text(node, "file");
    let found = Include { document: node.document(), node: node.id(), file, pos: node.pos() };
    Some(found).filter(|include| !include.file.is_empty())
}

/// Adds the document that an `<include>` names. Returns its number.
fn insert(
    log: &mut Log,
    dom: &mut Dom,
    include: &Include,
    model_dir: &str,
    included: &mut Vec<String>,
    vfs: Option<&Vfs>,
) -> Option<u32> {
    let parent_dir = &dom.documents[include.document as usize].dir;
    let path = locate(log, include, model_dir, parent_dir, vfs)?;
    if included.contains(&path) {
        log.error_help(
            include.pos,
            format!("File '{}' already included", include.file),
            "a file can be included once, and neither by itself nor by a file that it includes",
        );
        return None;
    }
    let document = load(log, &path, include, vfs)?;
    included.push(path);
    let id = dom.documents.len() as u32;
    dom.documents.push(document);
    dom.set_include(include.document, include.node, id);
    if dom.root(id).raw_children().is_empty() {
        log.error(include.pos, format!("the included file '{}' is empty", include.file));
    }
    Some(id)
}

/// The path of an included file. Where none has the very name, a virtual file in another folder will do.
fn locate(
    log: &mut Log,
    include: &Include,
    model_dir: &str,
    parent_dir: &str,
    vfs: Option<&Vfs>,
) -> Option<String> {
    let beside_parent = vfs::combine(parent_dir, &include.file);
    let candidates = [vfs::combine(model_dir, &include.file), vfs::combine(model_dir, &beside_parent)];
    let exact = candidates.iter().find(|path| vfs::exists_exactly(path, vfs));
    let found = exact.or_else(|| candidates.iter().find(|path| vfs::exists(path, vfs))).cloned();
    if found.is_none() {
        log.error(include.pos, format!("cannot find the included file '{}'", include.file));
    }
    found
}

fn load(log: &mut Log, path: &str, include: &Include, vfs: Option<&Vfs>) -> Option<Document> {
    let text = match vfs::read_text(path, vfs) {
        Ok(text) => text,
        Err(message) => {
            log.error(include.pos, message);
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
