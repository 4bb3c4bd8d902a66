//! Name resolution, as far as imports need it: from a path in a module to the file that defines what it
//! means, through imports, globs and re-exports.

use crate::module_tree::{CrateTree, FileId, ItemKind, ModuleId, Seen, Target};
use crate::syntax::{NamedPath, bound_names, paths};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use syn::{ImplItem, Item, TraitItem};

/// What a path means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    Module(ModuleId),
    Item { file: FileId, name: String, kind: ItemKind },
}

/// Which files a file refers to, and by which names.
pub type Arrows = BTreeMap<(FileId, FileId), BTreeSet<String>>;

/// A resolution under way: the names that are being looked up, since re-exports may run in circles.
type Visited = HashSet<(ModuleId, String)>;

impl CrateTree {
    /// All meanings of a path that is written in `module`: a name may be a module, a type and a function.
    pub fn resolve(&self, module: ModuleId, path: &[String]) -> Vec<Meaning> {
        self.resolve_path(module, path, &mut Visited::new())
    }

    fn resolve_path(&self, module: ModuleId, path: &[String], visited: &mut Visited) -> Vec<Meaning> {
        let Some((first, mut rest)) = path.split_first() else { return vec![Meaning::Module(module)] };
        let mut current = match first.as_str() {
            "crate" => vec![Meaning::Module(0)],
            "self" => vec![Meaning::Module(module)],
            "super" => self.modules[module].parent.map(Meaning::Module).into_iter().collect(),
            name => self.lookup(module, module, name, visited),
        };
        while let Some((name, others)) = rest.split_first() {
            let mut next = Vec::new();
            for meaning in current {
                match meaning {
                    Meaning::Module(inner) if name == "super" => {
                        next.extend(self.modules[inner].parent.map(Meaning::Module));
                    }
                    Meaning::Module(inner) => next.extend(self.member(module, inner, name, visited)),
                    // variants and associated items belong to their type
                    item @ Meaning::Item { kind: ItemKind::Type, .. } => next.push(item),
                    Meaning::Item { .. } => {}
                }
            }
            (current, rest) = (next, others);
        }
        current
    }

    /// A name of a module that a path leads into. What is not found was made by a macro of that module.
    fn member(&self, from: ModuleId, module: ModuleId, name: &str, visited: &mut Visited) -> Vec<Meaning> {
        let found = self.lookup(from, module, name, visited);
        let is_open = self.modules[module].code.iter().any(makes_items);
        if found.is_empty() && is_open && !visited.contains(&(module, name.to_string())) {
            let kind = if name.starts_with(char::is_uppercase) { ItemKind::Type } else { ItemKind::Value };
            return vec![Meaning::Item { file: self.modules[module].file, name: name.into(), kind }];
        }
        found
    }

    /// A name in the scope of a module, as `from` sees it: definitions and imports first, then globs.
    fn lookup(&self, from: ModuleId, module: ModuleId, name: &str, visited: &mut Visited) -> Vec<Meaning> {
        if !visited.insert((module, name.to_string())) {
            return Vec::new();
        }
        let sees_private = self.is_within(from, module);
        let file = self.modules[module].file;
        let mut found = Vec::new();
        for binding in self.modules[module].names.get(name).into_iter().flatten() {
            if binding.seen == Seen::Below && !sees_private {
                continue;
            }
            found.extend(match &binding.target {
                Target::Module(child) => vec![Meaning::Module(*child)],
                Target::Item(kind) => vec![Meaning::Item { file, name: name.into(), kind: *kind }],
                Target::Import(path) => self.resolve_path(module, path, visited),
            });
        }
        if found.is_empty() {
            for glob in
                self.modules[module].globs.iter().filter(|glob| glob.seen > Seen::Below || sees_private)
            {
                for target in self.resolve_path(module, &glob.path, &mut visited.clone()) {
                    if let Meaning::Module(inner) = target {
                        found.extend(self.lookup(module, inner, name, visited));
                    }
                }
            }
        }
        visited.remove(&(module, name.to_string()));
        found.dedup();
        found
    }

    fn is_within(&self, module: ModuleId, ancestor: ModuleId) -> bool {
        std::iter::successors(Some(module), |&inner| self.modules[inner].parent).any(|m| m == ancestor)
    }

    /// A macro by its bare name: in the module, or written before a module around it.
    fn resolve_macro(&self, module: ModuleId, name: &str) -> Vec<Meaning> {
        std::iter::successors(Some(module), |&inner| self.modules[inner].parent)
            .map(|scope| {
                let mut found = self.resolve(scope, &[name.to_string()]);
                found.retain(|meaning| matches!(meaning, Meaning::Item { kind: ItemKind::Macro, .. }));
                found
            })
            .find(|found| !found.is_empty())
            .unwrap_or_default()
    }

    /// The arrows of a crate: every private import, and every path in the code, to the file that defines
    /// what it means. A re-export and the declaration of a module are none.
    pub fn arrows(&self) -> Arrows {
        let mut arrows = Arrows::new();
        for (id, module) in self.modules.iter().enumerate() {
            let mut add = |meanings: Vec<Meaning>| {
                for meaning in meanings {
                    if let Meaning::Item { file, name, .. } = meaning
                        && file != module.file
                    {
                        arrows.entry((module.file, file)).or_default().insert(name);
                    }
                }
            };
            for path in &module.imports {
                add(self.resolve(id, path));
            }
            let mut bound = HashSet::new();
            for item in &module.code {
                bound_names(item, &mut bound);
            }
            for path in module.code.iter().flat_map(code_paths) {
                add(self.meaning_of(id, &path, &bound));
            }
        }
        arrows
    }

    fn meaning_of(&self, module: ModuleId, path: &NamedPath, bound: &HashSet<String>) -> Vec<Meaning> {
        let [first, rest @ ..] = &path.segments[..] else { return Vec::new() };
        if path.is_macro && rest.is_empty() {
            return self.resolve_macro(module, first);
        }
        if path.is_plain_word && bound.contains(first) {
            return Vec::new();
        }
        self.resolve(module, &path.segments)
    }
}

/// Whether an item is a call of a macro, which may make other items.
fn makes_items(item: &Item) -> bool {
    matches!(item, Item::Macro(item) if item.ident.is_none())
}

/// The paths that an item names, without its tests.
fn code_paths(item: &Item) -> Vec<NamedPath> {
    let mut found = Vec::new();
    let mut item = item.clone();
    match &mut item {
        Item::Impl(block) => block.items.retain(|inner| match inner {
            ImplItem::Fn(function) => !crate::syntax::is_test(&function.attrs),
            _ => true,
        }),
        Item::Trait(definition) => definition.items.retain(|inner| match inner {
            TraitItem::Fn(function) => !crate::syntax::is_test(&function.attrs),
            _ => true,
        }),
        _ => {}
    }
    let is_macro_definition = matches!(&item, Item::Macro(item) if item.ident.is_some());
    paths(item.to_token_stream(), &mut found);
    if is_macro_definition {
        // other names mean what they mean where the macro is called
        found.retain(|path| path.segments[0] == "crate");
    }
    found
}
