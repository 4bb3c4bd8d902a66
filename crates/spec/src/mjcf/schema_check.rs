//! Checks a file against the schema: walks all of it and reports every violation, each with the nearest known
//! name.

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

/// The reference does not look inside frames and replicates; there an unknown word is worth a warning only,
/// so that the models it accepts keep loading.
fn check_at(log: &mut Log, node: Node<'_>, schema: &'static ElementSchema, mut severity: Severity) {
    if log.is_full() {
        return;
    }
    if matches!(schema.name, "frame" | "replicate") {
        severity = Severity::Warning;
    }
    for attr in node.attrs() {
        if !schema.attr_names().any(|known| known == attr.name()) {
            let message = format!("unknown attribute '{}' in <{}>", attr.name(), node.name());
            let suggestion = suggest(attr.name(), schema.attr_names());
            log.report(severity, attr.name_pos(), message, suggestion);
        }
    }
    let mut seen: Vec<&'static str> = Vec::new();
    for child in node.children() {
        if log.is_full() {
            return;
        }
        // an include that is still here was refused, and the reason told
        if child.name().eq_ignore_ascii_case("include") {
            continue;
        }
        let Some(child_schema) = schema.child(child.name()) else {
            let message = format!("unknown element <{}> in <{}>", child.name(), node.name());
            // in a body the reader itself refuses unknown elements
            let severity = if schema.is_body_like() { Severity::Error } else { severity };
            log.report(severity, child.pos(), message, suggest(child.name(), schema.child_names()));
            continue;
        };
        if child_schema.occurs == Occurs::Once {
            if seen.contains(&child_schema.name) {
                let message = format!("<{}> may stand only once in <{}>", child.name(), node.name());
                log.report(severity, child.pos(), message, None);
            }
            seen.push(child_schema.name);
        }
        check_at(log, child, child_schema, severity);
    }
}
