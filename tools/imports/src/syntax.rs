//! Pieces of syntax: tests, the leaves of `use` trees, imports inside functions, and the paths that a piece
//! of code names, inside macros too.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use std::collections::HashSet;
use syn::visit::Visit;
use syn::{Attribute, Item, Meta, UseTree};

/// Whether attributes say that an item is compiled for tests alone: `#[test]`, `#[cfg(test)]`, or
/// `#[cfg(all(test, …))]`.
pub fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        if attribute.path().is_ident("test") {
            return true;
        }
        let Meta::List(list) = &attribute.meta else { return false };
        attribute.path().is_ident("cfg") && needs_test(list.tokens.clone())
    })
}

/// Whether a condition holds in tests only.
fn needs_test(condition: TokenStream) -> bool {
    let tokens: Vec<_> = condition.into_iter().collect();
    match &tokens[..] {
        [TokenTree::Ident(word)] => word == "test",
        [TokenTree::Ident(word), TokenTree::Group(group)] if word == "all" => group
            .stream()
            .into_iter()
            .collect::<Vec<_>>()
            .split(|token| matches!(token, TokenTree::Punct(comma) if comma.as_char() == ','))
            .any(|part| needs_test(part.iter().cloned().collect())),
        _ => false,
    }
}

/// A path of a `use`, and the name that it gets.
#[derive(Debug, PartialEq, Eq)]
pub struct Leaf {
    pub path: Vec<String>,
    /// `None` for `as _` and for globs.
    pub name: Option<String>,
    pub is_glob: bool,
}

/// The paths of a `use` tree, one by one.
pub fn leaves(tree: &UseTree) -> Vec<Leaf> {
    let mut found = Vec::new();
    collect_leaves(tree, &mut Vec::new(), &mut found);
    found
}

fn collect_leaves(tree: &UseTree, prefix: &mut Vec<String>, found: &mut Vec<Leaf>) {
    let leaf = |ident: &syn::Ident, name: Option<String>, prefix: &[String]| {
        let mut path = prefix.to_vec();
        // `a::{self}` is `a`
        if ident != "self" || prefix.is_empty() {
            path.push(ident.to_string());
        }
        Leaf { name: name.or_else(|| path.last().cloned()), path, is_glob: false }
    };
    match tree {
        UseTree::Path(path) => {
            prefix.push(path.ident.to_string());
            collect_leaves(&path.tree, prefix, found);
            prefix.pop();
        }
        UseTree::Name(name) => found.push(leaf(&name.ident, None, prefix)),
        UseTree::Rename(rename) => {
            let mut renamed = leaf(&rename.ident, Some(rename.rename.to_string()), prefix);
            renamed.name = renamed.name.filter(|name| name != "_");
            found.push(renamed);
        }
        UseTree::Glob(_) => found.push(Leaf { path: prefix.clone(), name: None, is_glob: true }),
        UseTree::Group(group) => group.items.iter().for_each(|item| collect_leaves(item, prefix, found)),
    }
}

/// The `use` trees inside the functions of an item.
pub fn use_statements(item: &Item) -> Vec<UseTree> {
    struct Uses(Vec<UseTree>);
    impl<'ast> Visit<'ast> for Uses {
        fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
            self.0.push(item.tree.clone());
        }
    }
    let mut uses = Uses(Vec::new());
    uses.visit_item(item);
    uses.0
}

/// The names that patterns of an item bind: variables and parameters, which hide functions.
pub fn bound_names(item: &Item, names: &mut HashSet<String>) {
    struct Bound<'a>(&'a mut HashSet<String>);
    impl<'ast> Visit<'ast> for Bound<'_> {
        fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
            self.0.insert(pattern.ident.to_string());
            syn::visit::visit_pat_ident(self, pattern);
        }
    }
    Bound(names).visit_item(item);
}

/// A path that code names, as far as it is written down: `a::b::<T>::c` is `a::b`.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct NamedPath {
    pub segments: Vec<String>,
    /// Followed by an exclamation mark.
    pub is_macro: bool,
    /// One lower-case word that is not called: a function as a value, or something local.
    pub is_plain_word: bool,
}

/// The paths in a stream of tokens. Fields, methods, lifetimes and the names that declarations give are no
/// paths.
pub fn paths(tokens: TokenStream, found: &mut Vec<NamedPath>) {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let mut index = 0;
    while index < tokens.len() {
        match &tokens[index] {
            TokenTree::Group(group) => {
                paths(group.stream(), found);
                index += 1;
            }
            TokenTree::Ident(_) => {
                let (segments, end) = segments_from(&tokens, index);
                if may_begin_path(&tokens[..index]) {
                    found.extend(named_path(segments, &tokens[end..]));
                }
                index = end;
            }
            _ => index += 1,
        }
    }
}

/// The words from `start` that `::` joins, and where they end.
fn segments_from(tokens: &[TokenTree], start: usize) -> (Vec<String>, usize) {
    let mut segments = Vec::new();
    let mut index = start;
    while let Some(TokenTree::Ident(word)) = tokens.get(index) {
        segments.push(word.to_string());
        index += 1;
        let joined = is_punct(tokens.get(index), ':')
            && is_punct(tokens.get(index + 1), ':')
            && matches!(tokens.get(index + 2), Some(TokenTree::Ident(_)));
        if !joined {
            break;
        }
        index += 2;
    }
    (segments, index)
}

fn is_punct(token: Option<&TokenTree>, mark: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

/// Whether a path may follow these tokens.
fn may_begin_path(before: &[TokenTree]) -> bool {
    let token = |back: usize| before.len().checked_sub(back).and_then(|index| before.get(index));
    match token(1) {
        // `a.b` is a field, `a..b` a range
        Some(TokenTree::Punct(punct)) if punct.as_char() == '.' => is_punct(token(2), '.'),
        Some(TokenTree::Punct(punct)) if punct.as_char() == '\'' => false,
        // `::a` and `<T>::a`
        Some(TokenTree::Punct(punct)) if punct.as_char() == ':' => {
            !matches!(token(2), Some(TokenTree::Punct(first)) if first.as_char() == ':' && first.spacing() == Spacing::Joint)
        }
        Some(TokenTree::Ident(word)) => !["fn", "struct", "enum", "trait", "mod", "type", "const", "static"]
            .iter()
            .any(|keyword| word == keyword),
        _ => true,
    }
}

/// The path of these words, unless they are a keyword or the name of a field; `after` follows.
fn named_path(segments: Vec<String>, after: &[TokenTree]) -> Option<NamedPath> {
    const KEYWORDS: [&str; 36] = [
        "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern",
        "false", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref",
        "return", "self", "Self", "static", "struct", "super", "trait", "true", "use", "where", "while",
    ];
    let [first, rest @ ..] = &segments[..] else { return None };
    if first == "Self" || rest.is_empty() && KEYWORDS.contains(&first.as_str()) {
        return None;
    }
    let is_call =
        matches!(after.first(), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis);
    let is_macro = is_punct(after.first(), '!') && !is_punct(after.get(1), '=');
    let is_field = is_punct(after.first(), ':') && !is_punct(after.get(1), ':');
    let is_word = rest.is_empty() && !is_call && !is_macro && !first.starts_with(char::is_uppercase);
    if is_word && is_field {
        return None;
    }
    Some(NamedPath { segments, is_macro, is_plain_word: is_word })
}
