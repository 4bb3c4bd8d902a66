//! The module tree of a crate: its files, the names that each module defines or imports, and the code left
//! over to be searched for paths.

use crate::syntax::{is_test, leaves, use_statements};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use syn::{Attribute, Item, UseTree, Visibility};

/// Index of a file in [`CrateTree::files`].
pub type FileId = usize;
/// Index of a module in [`CrateTree::modules`].
pub type ModuleId = usize;

/// What a name stands for in a module.
#[derive(Clone, Debug)]
pub enum Target {
    /// A module, in a file of its own or inline.
    Module(ModuleId),
    /// Anything else that is defined in the module.
    Item(ItemKind),
    /// A `use` of this path, not resolved yet.
    Import(Vec<String>),
}

/// Kinds of items, as far as references to them look different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// Types, traits and aliases.
    Type,
    /// Functions, constants and statics.
    Value,
    /// `macro_rules!`.
    Macro,
}

/// Who may see a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Seen {
    /// The module itself and those below it.
    Below,
    /// Other modules of the crate.
    InCrate,
    /// Everybody who sees the module.
    Everywhere,
}

/// A name of a module.
#[derive(Clone, Debug)]
pub struct Binding {
    pub target: Target,
    pub seen: Seen,
}

/// A glob import.
#[derive(Clone, Debug)]
pub struct Glob {
    pub path: Vec<String>,
    pub seen: Seen,
}

/// A module: a file, or an inline part of one.
pub struct Module {
    pub file: FileId,
    pub parent: Option<ModuleId>,
    pub names: HashMap<String, Vec<Binding>>,
    pub globs: Vec<Glob>,
    /// Items that are not tests, modules or imports: the code that refers to others.
    pub code: Vec<Item>,
    /// Paths of imports that are not re-exports.
    pub imports: Vec<Vec<String>>,
}

/// All modules of a library or program.
#[derive(Default)]
pub struct CrateTree {
    /// Paths of files, relative to the root of the workspace.
    pub files: Vec<PathBuf>,
    pub modules: Vec<Module>,
}

/// Where the text of a file comes from: the disk, or a test.
pub trait Sources {
    /// The text of a file, `None` where there is none.
    fn read(&self, path: &Path) -> Option<String>;
}

/// The files under a folder.
pub struct Disk<'a>(pub &'a Path);

impl Sources for Disk<'_> {
    fn read(&self, path: &Path) -> Option<String> {
        std::fs::read_to_string(self.0.join(path)).ok()
    }
}

impl CrateTree {
    /// Reads the crate whose root is the file `root`, such as `crates/sim/src/lib.rs`.
    pub fn read(sources: &dyn Sources, root: &Path) -> Result<Self, String> {
        let mut tree = Self::default();
        let folder = root.parent().unwrap_or(Path::new("")).to_path_buf();
        tree.read_file(sources, root, &folder, None)?;
        Ok(tree)
    }

    /// Reads a file as a module; its children are in `folder`.
    fn read_file(
        &mut self,
        sources: &dyn Sources,
        path: &Path,
        folder: &Path,
        parent: Option<ModuleId>,
    ) -> Result<ModuleId, String> {
        let text = sources.read(path).ok_or_else(|| format!("{}: not found", path.display()))?;
        let parsed = syn::parse_file(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        self.files.push(path.to_path_buf());
        self.read_items(sources, self.files.len() - 1, folder, parent, parsed.items)
    }

    fn read_items(
        &mut self,
        sources: &dyn Sources,
        file: FileId,
        folder: &Path,
        parent: Option<ModuleId>,
        items: Vec<Item>,
    ) -> Result<ModuleId, String> {
        let id = self.modules.len();
        self.modules.push(Module {
            file,
            parent,
            names: HashMap::new(),
            globs: Vec::new(),
            code: Vec::new(),
            imports: Vec::new(),
        });
        for item in items {
            match item {
                item if is_test(attributes(&item)) => {}
                Item::Mod(item) => {
                    let name = item.ident.to_string();
                    let below = folder.join(&name);
                    let child = if let Some((_, items)) = item.content {
                        self.read_items(sources, file, &below, Some(id), items)?
                    } else {
                        let path = file_of(sources, folder, &name, &item.attrs);
                        self.read_file(sources, &path, &below, Some(id))?
                    };
                    self.bind(id, &name, Target::Module(child), seen(&item.vis));
                }
                Item::Use(item) => self.import(id, &item.tree, seen(&item.vis)),
                item => self.define(id, item),
            }
        }
        Ok(id)
    }

    /// The names that a `use` brings. One with a visibility is a re-export, which is no import by itself.
    fn import(&mut self, module: ModuleId, tree: &UseTree, seen: Seen) {
        for leaf in leaves(tree) {
            if leaf.is_glob {
                self.modules[module].globs.push(Glob { path: leaf.path, seen });
                continue;
            }
            if seen == Seen::Below {
                self.modules[module].imports.push(leaf.path.clone());
            }
            if let Some(name) = leaf.name {
                self.bind(module, &name, Target::Import(leaf.path), seen);
            }
        }
    }

    /// An item that is neither a module nor an import, with the imports inside its functions.
    fn define(&mut self, module: ModuleId, item: Item) {
        for tree in use_statements(&item) {
            self.import(module, &tree, Seen::Below);
        }
        if let Some((name, kind, public)) = defined_name(&item) {
            self.bind(module, &name, Target::Item(kind), public);
            let exported = attributes(&item).iter().any(|a| a.path().is_ident("macro_export"));
            if exported && module != 0 {
                let path = self.path_of(module).into_iter().chain([name.clone()]).collect();
                self.bind(0, &name, Target::Import(path), Seen::Everywhere);
            }
        }
        self.modules[module].code.push(item);
    }

    fn bind(&mut self, module: ModuleId, name: &str, target: Target, seen: Seen) {
        let names = &mut self.modules[module].names;
        names.entry(name.to_string()).or_default().push(Binding { target, seen });
    }

    /// The path of a module from the root of its crate.
    fn path_of(&self, module: ModuleId) -> Vec<String> {
        let mut path = Vec::new();
        let mut current = module;
        while let Some(parent) = self.modules[current].parent {
            let is_current = |b: &Binding| matches!(b.target, Target::Module(child) if child == current);
            let named = self.modules[parent].names.iter().find(|(_, all)| all.iter().any(is_current));
            path.extend(named.map(|(name, _)| name.clone()));
            current = parent;
        }
        path.push("crate".into());
        path.reverse();
        path
    }
}

/// The file of a module that is declared in `folder`.
fn file_of(sources: &dyn Sources, folder: &Path, name: &str, attributes: &[Attribute]) -> PathBuf {
    for attribute in attributes.iter().filter(|a| a.path().is_ident("path")) {
        if let syn::Meta::NameValue(pair) = &attribute.meta
            && let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(path), .. }) = &pair.value
        {
            return folder.join(path.value());
        }
    }
    let flat = folder.join(format!("{name}.rs"));
    if sources.read(&flat).is_some() { flat } else { folder.join(name).join("mod.rs") }
}

fn seen(visibility: &Visibility) -> Seen {
    match visibility {
        Visibility::Public(_) => Seen::Everywhere,
        Visibility::Restricted(_) => Seen::InCrate,
        Visibility::Inherited => Seen::Below,
    }
}

/// Name, kind and visibility of what an item defines.
fn defined_name(item: &Item) -> Option<(String, ItemKind, Seen)> {
    let (ident, kind, visibility) = match item {
        Item::Struct(item) => (&item.ident, ItemKind::Type, &item.vis),
        Item::Enum(item) => (&item.ident, ItemKind::Type, &item.vis),
        Item::Union(item) => (&item.ident, ItemKind::Type, &item.vis),
        Item::Trait(item) => (&item.ident, ItemKind::Type, &item.vis),
        Item::TraitAlias(item) => (&item.ident, ItemKind::Type, &item.vis),
        Item::Type(item) => (&item.ident, ItemKind::Type, &item.vis),
        Item::Fn(item) => (&item.sig.ident, ItemKind::Value, &item.vis),
        Item::Const(item) => (&item.ident, ItemKind::Value, &item.vis),
        Item::Static(item) => (&item.ident, ItemKind::Value, &item.vis),
        // macros are seen by all that follows, whatever module it is in
        Item::Macro(item) => {
            return item.ident.as_ref().map(|name| (name.to_string(), ItemKind::Macro, Seen::InCrate));
        }
        _ => return None,
    };
    Some((ident.to_string(), kind, seen(visibility)))
}

/// The attributes of an item.
pub fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
