//! Entry points: the public functions and methods of a crate that take a model and a data, and whether they
//! are in the file of entry points, or call one of them.

use crate::module_tree::{CrateTree, FileId, ItemKind, Module, ModuleId, Seen, Target};
use crate::resolve::Meaning;
use crate::syntax::paths;
use quote::ToTokens;
use std::collections::{BTreeSet, HashSet};
use syn::{ImplItem, Item, Signature, Visibility};

/// Public functions and methods that take both types, outside of the file `entry`: their files and names.
pub fn skipping(tree: &CrateTree, entry: FileId, types: [&str; 2]) -> BTreeSet<(FileId, String)> {
    let mut public =
        Public { tree, functions: BTreeSet::new(), types: BTreeSet::new(), seen: HashSet::new() };
    public.module(0);
    let mut found = BTreeSet::new();
    for (id, module) in tree.modules.iter().enumerate().filter(|(_, module)| module.file != entry) {
        let entering = entering(tree, id, entry);
        for (name, signature) in signatures(module, &public) {
            if types.iter().all(|wanted| takes(signature, wanted)) && !entering.contains(&name) {
                found.insert((module.file, name));
            }
        }
    }
    found
}

/// The functions of a module that call an entry point, or another such function of the module.
fn entering(tree: &CrateTree, module: ModuleId, entry: FileId) -> HashSet<String> {
    let functions: Vec<_> = tree.modules[module]
        .code
        .iter()
        .filter_map(|item| match item {
            Item::Fn(function) => Some((function.sig.ident.to_string(), named_paths(&function.block))),
            _ => None,
        })
        .collect();
    let is_entry = |path: &[String]| {
        let meanings = tree.resolve(module, path);
        meanings.iter().any(|meaning| matches!(meaning, Meaning::Item { file, .. } if *file == entry))
    };
    let mut found = HashSet::new();
    loop {
        let before = found.len();
        for (name, paths) in &functions {
            if paths.iter().any(|path| is_entry(path) || path.len() == 1 && found.contains(&path[0])) {
                found.insert(name.clone());
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn named_paths(block: &syn::Block) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    paths(block.to_token_stream(), &mut found);
    found.into_iter().map(|path| path.segments).collect()
}

/// What a crate shows to its users.
struct Public<'a> {
    tree: &'a CrateTree,
    functions: BTreeSet<(FileId, String)>,
    types: BTreeSet<String>,
    seen: HashSet<ModuleId>,
}

impl Public<'_> {
    fn module(&mut self, id: ModuleId) {
        if !self.seen.insert(id) {
            return;
        }
        let module = &self.tree.modules[id];
        for (name, bindings) in &module.names {
            for binding in bindings.iter().filter(|binding| binding.seen == Seen::Everywhere) {
                match &binding.target {
                    Target::Module(child) => self.module(*child),
                    Target::Import(path) => self.meanings(self.tree.resolve(id, path)),
                    Target::Item(kind) => self.item(module.file, name, *kind),
                }
            }
        }
        for glob in module.globs.iter().filter(|glob| glob.seen == Seen::Everywhere) {
            self.meanings(self.tree.resolve(id, &glob.path));
        }
    }

    fn meanings(&mut self, meanings: Vec<Meaning>) {
        for meaning in meanings {
            match meaning {
                Meaning::Module(module) => self.module(module),
                Meaning::Item { file, name, kind } => self.item(file, &name, kind),
            }
        }
    }

    fn item(&mut self, file: FileId, name: &str, kind: ItemKind) {
        match kind {
            ItemKind::Value => drop(self.functions.insert((file, name.into()))),
            ItemKind::Type => drop(self.types.insert(name.into())),
            ItemKind::Macro => {}
        }
    }
}

/// The public functions of a module, and the public methods of public types.
fn signatures<'a>(module: &'a Module, public: &Public) -> Vec<(String, &'a Signature)> {
    let mut found = Vec::new();
    for item in &module.code {
        match item {
            Item::Fn(function) => {
                let name = function.sig.ident.to_string();
                if public.functions.contains(&(module.file, name.clone())) {
                    found.push((name, &function.sig));
                }
            }
            Item::Impl(block) if block.trait_.is_none() => {
                let syn::Type::Path(of) = &*block.self_ty else { continue };
                let Some(of) = of.path.segments.last().map(|segment| segment.ident.to_string()) else {
                    continue;
                };
                if !public.types.contains(&of) {
                    continue;
                }
                for inner in &block.items {
                    if let ImplItem::Fn(method) = inner
                        && matches!(method.vis, Visibility::Public(_))
                    {
                        found.push((format!("{of}::{}", method.sig.ident), &method.sig));
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether a parameter is of this type, or of one made of it.
fn takes(signature: &Signature, wanted: &str) -> bool {
    signature.inputs.iter().any(|input| {
        let text = input.to_token_stream().to_string();
        text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| word == wanted)
    })
}
