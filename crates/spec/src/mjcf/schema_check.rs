//! Checks a file against the schema: walks all of it and reports every violation, each with the nearest known
//! name.

use super::level_words;
use super::log::Log;
use super::schema::{ElementSchema, Occurs};
use super::tables::BODY_LIKE;
use crate::diagnostics::{Severity, suggest};
use crate::xml::Node;

impl ElementSchema {
    /// The schema of a child element, with the recursion of bodies, frames and default classes resolved.
    fn child(&'static self, name: &str) -> Option<&'static ElementSchema> {
        if self.recursive && self.name == name {
            return Some(self);
        }
        if let Some(child) = self.children.iter().find(|child| child.name == name) {
            return Some(child);
        }
        // frames and replicates hold what bodies hold
        self.is_body_like().then(|| BODY_LIKE.iter().find(|e| e.name == name).copied()).flatten()
    }

    fn is_body_like(&self) -> bool {
        matches!(self.name, "worldbody" | "body" | "frame" | "replicate")
    }

    fn child_names(&self) -> impl Iterator<Item = &'static str> {
        let own = self.recursive.then_some(self.name).into_iter();
        let body_like = self.is_body_like().then_some(BODY_LIKE).into_iter().flatten();
        own.chain(self.children.iter().map(|child| child.name)).chain(body_like.map(|e| e.name))
    }
}

/// Checks an element and everything below it.
pub(crate) fn check(log: &mut Log, node: Node<'_>, schema: &'static ElementSchema) {
    check_at(log, node, schema, Severity::Error);
}

/// Checks an element; what is unknown in it is worth a warning only.
pub(crate) fn check_leniently(log: &mut Log, node: Node<'_>, schema: &'static ElementSchema) {
    check_at(log, node, schema, Severity::Warning);
}

/// An element whose children are being checked. Elements are walked in a loop: files can be nested to any
/// depth by including one another.
struct Level<'d> {
    name: &'d str,
    children: std::vec::IntoIter<Node<'d>>,
    schema: &'static ElementSchema,
    severity: Severity,
    /// Children that may stand only once.
    seen: Vec<&'static str>,
}

fn check_at(log: &mut Log, node: Node<'_>, schema: &'static ElementSchema, severity: Severity) {
    let mut open = vec![Level::enter(log, node, schema, severity)];
    while let Some(level) = open.last_mut() {
        if log.is_full() {
            return;
        }
        match level.children.next() {
            Some(child) => {
                if let Some(schema) = level.check_child(log, child) {
                    let severity = level.severity;
                    open.push(Level::enter(log, child, schema, severity));
                }
            }
            None => {
                open.pop();
            }
        }
    }
}

impl<'d> Level<'d> {
    /// Checks the attributes of an element.
    ///
    /// The reference does not look inside frames and replicates; there an unknown word is worth a warning
    /// only, so that the models it accepts keep loading. A word that only the other reference level knows is
    /// an error everywhere: the file means something by it.
    fn enter(
        log: &mut Log,
        node: Node<'d>,
        schema: &'static ElementSchema,
        mut severity: Severity,
    ) -> Level<'d> {
        if matches!(schema.name, "frame" | "replicate") {
            severity = Severity::Warning;
        }
        for attr in node.attrs() {
            if log.is_full() {
                break;
            }
            if let Some(fault) = level_words::attribute(log.reference, schema.name, attr.name()) {
                log.report(Severity::Error, attr.name_pos(), fault, None);
            } else if schema.attr_names().any(|known| known == attr.name()) {
                if let Some(fault) = level_words::value(log.reference, schema.name, attr.name(), attr.value())
                {
                    log.report(Severity::Error, attr.value_pos(), fault, None);
                }
            } else {
                let message = format!("unknown attribute '{}' in <{}>", attr.name(), node.name());
                let suggestion = suggest(attr.name(), schema.attr_names());
                log.report(severity, attr.name_pos(), message, suggestion);
            }
        }
        Level { name: node.name(), children: node.children().into_iter(), schema, severity, seen: Vec::new() }
    }

    /// Checks that a child may stand here. Returns its schema, by which to check what is in it.
    fn check_child(&mut self, log: &mut Log, child: Node<'_>) -> Option<&'static ElementSchema> {
        // an include that is still here was refused, and the reason told
        if child.name().eq_ignore_ascii_case("include") {
            return None;
        }
        if let Some(fault) = level_words::element(log.reference, self.schema.name, child.name()) {
            log.report(Severity::Error, child.pos(), fault, None);
            return None;
        }
        let Some(schema) = self.schema.child(child.name()) else {
            let message = format!("unknown element <{}> in <{}>", child.name(), self.name);
            // in a body the reader itself refuses unknown elements
            let severity = if self.schema.is_body_like() { Severity::Error } else { self.severity };
            log.report(severity, child.pos(), message, suggest(child.name(), self.schema.child_names()));
            return None;
        };
        if schema.occurs == Occurs::Once {
            let times = 1 + self.seen.iter().filter(|seen| **seen == schema.name).count();
            if times > 1 {
                let message =
                    format!("unique element '{}' found {times} times in <{}>", child.name(), self.name);
                log.report(self.severity, child.pos(), message, None);
            }
            self.seen.push(schema.name);
        }
        Some(schema)
    }
}
