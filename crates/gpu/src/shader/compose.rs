//! Composes the text of a kernel from WGSL modules with imports and conditions.
//!
//! A module is a file of `wgsl/`. Lines that begin with `//#` are directives, and comments for everybody
//! else:
//!
//! - `//#import name`: the module of that name is part of the kernel, once, wherever it is imported
//! - `//#if A && !B`, `//#if A || B`, `//#elif …`, `//#else`, `//#end`: lines for some models only
//! - `//#insert name`: text that is generated for the model
//!
//! Order does not matter in WGSL, so modules may import each other.

use std::collections::{BTreeMap, BTreeSet};

/// What holds for a kernel.
#[derive(Clone, Debug, Default)]
pub(super) struct Conditions(BTreeSet<&'static str>);

impl Conditions {
    /// Says whether something holds.
    pub(super) fn set(&mut self, name: &'static str, holds: bool) {
        if holds {
            self.0.insert(name);
        } else {
            self.0.remove(name);
        }
    }

    /// The same with something else that holds or not.
    pub(super) fn with(mut self, name: &'static str, holds: bool) -> Self {
        self.set(name, holds);
        self
    }

    /// Whether an expression holds: names, each perhaps behind `!`, between all `&&` or all `||`.
    fn hold(&self, expression: &str) -> bool {
        let is = |term: &str| match term.trim().strip_prefix('!') {
            Some(name) => !self.0.contains(name.trim()),
            None => self.0.contains(term.trim()),
        };
        if expression.contains("||") {
            expression.split("||").any(is)
        } else {
            expression.split("&&").all(is)
        }
    }
}

/// A kernel in the making.
#[derive(Debug)]
pub(super) struct Composer<'a> {
    modules: &'a [(&'a str, &'a str)],
    conditions: &'a Conditions,
    inserts: BTreeMap<&'a str, String>,
    imported: BTreeSet<&'a str>,
    text: String,
}

impl<'a> Composer<'a> {
    /// An empty kernel.
    pub(super) fn new(modules: &'a [(&'a str, &'a str)], conditions: &'a Conditions) -> Self {
        let (inserts, imported) = (BTreeMap::new(), BTreeSet::new());
        Self { modules, conditions, inserts, imported, text: String::new() }
    }

    /// Gives a generated text its name.
    pub(super) fn insert(mut self, name: &'a str, text: &str) -> Self {
        self.inserts.insert(name, text.to_owned());
        self
    }

    /// The text of a module and of all that it imports.
    pub(super) fn compose(self, module: &'a str) -> String {
        self.compose_named(module).0
    }

    /// The same with the names of the modules.
    pub(super) fn compose_named(mut self, module: &'a str) -> (String, BTreeSet<&'a str>) {
        self.import(module);
        (self.text, self.imported)
    }

    fn import(&mut self, name: &'a str) {
        if !self.imported.insert(name) {
            return;
        }
        let known = self.modules.iter().find(|(other, _)| *other == name);
        debug_assert!(known.is_some(), "no module is called '{name}'");
        let Some((_, text)) = known else { return };
        // whether lines count, and whether a branch of the condition has been taken, for each open condition
        let mut open: Vec<(bool, bool)> = Vec::new();
        let mut imports = Vec::new();
        for line in text.split_inclusive('\n') {
            let counts = open.iter().all(|(counts, _)| *counts);
            let Some(directive) = line.trim().strip_prefix("//#") else {
                if counts {
                    self.text.push_str(line);
                }
                continue;
            };
            let (word, rest) = directive.split_once(' ').unwrap_or((directive, ""));
            match word {
                "if" => {
                    let holds = self.conditions.hold(rest);
                    open.push((holds, holds));
                }
                "elif" | "else" => {
                    if let Some((counts, taken)) = open.last_mut() {
                        *counts = !*taken && (word == "else" || self.conditions.hold(rest));
                        *taken |= *counts;
                    }
                }
                "end" => {
                    open.pop();
                }
                "import" if counts => imports.push(rest.trim()),
                "insert" if counts => {
                    let generated = self.inserts.get(rest.trim());
                    debug_assert!(generated.is_some(), "nothing is generated for '{rest}'");
                    self.text.push_str(generated.map_or("", String::as_str));
                }
                _ => {}
            }
        }
        self.text.push('\n');
        imports.into_iter().for_each(|name| self.import(name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULES: [(&str, &str); 3] = [
        ("a", "1\n//#if X && !Y\n2\n//#elif Z\n3\n//#else\n4\n//#end\n//#import b\n"),
        ("b", "5\n//#if Y || Z\n//#if X\n6\n//#end\n//#import c\n//#end\n//#import a\n"),
        ("c", "    //#insert text\n"),
    ];

    fn composed(names: &[&'static str]) -> String {
        let mut conditions = Conditions::default();
        names.iter().for_each(|name| conditions.set(name, true));
        let composer = Composer::new(&MODULES, &conditions).insert("text", "7\n");
        composer.compose("a").split_whitespace().collect()
    }

    #[test]
    fn conditions_imports_and_generated_texts_are_followed() {
        assert_eq!(composed(&["X"]), "125");
        assert_eq!(composed(&["X", "Z"]), "12567");
        assert_eq!(composed(&["Z"]), "1357");
        assert_eq!(composed(&["X", "Y"]), "14567");
        assert_eq!(composed(&[]), "145");
    }
}
