//! The section of deformable bodies, an extension that the reference does not know.
//!
//! The engine's core does not step such bodies, so that a description and a compiled model carry them as
//! custom texts: one for each body, with the prefix [`PREFIX`] before its name. The first line is the kind of
//! body; every other line is an attribute and its value, or `pin` and `attach` with theirs. Whoever steps
//! them reads these lines.

use super::Reader;
use crate::spec::{DefaultId, Text};
use crate::xml::Node;

/// Beginning of the names of texts that describe deformable bodies.
pub(crate) const PREFIX: &str = "soft/";

/// Kinds of bodies and their attributes of numbers, besides [`COMMON`].
pub(crate) const KINDS: [(&str, &[&str]); 3] = [
    ("cloth", &["cells", "size", "pos", "quat", "thickness"]),
    ("body", &["cells", "size", "pos", "quat", "radius"]),
    ("rope", &["fromto", "segments", "point", "radius", "solidity"]),
];

/// Attributes of numbers that all kinds have.
pub(crate) const COMMON: [&str; 9] =
    ["young", "poisson", "density", "friction", "damping", "drag", "substeps", "iterations", "sleep"];

/// Attributes of text.
pub(crate) const WORDS: [&str; 2] = ["preset", "selfcontact"];

impl Reader<'_> {
    /// Reads a section of deformable bodies.
    pub(super) fn read_soft(&mut self, section: Node<'_>) {
        for node in section.children() {
            let Some((kind, numbers)) = KINDS.iter().find(|(kind, _)| *kind == node.name()) else { continue };
            let name = self.log.required_text(node, "name");
            let mut data = (*kind).to_owned();
            for attr in WORDS {
                if let Some(value) = self.log.text(node, attr) {
                    push(&mut data, attr, value);
                }
            }
            for attr in numbers.iter().chain(&COMMON) {
                self.push_numbers(node, attr, &mut data);
            }
            for child in node.children() {
                match child.name() {
                    "pin" => {
                        self.log.required(child, "vertex");
                        if let Some(vertex) = self.log.list::<i32>(child, "vertex") {
                            push(&mut data, "pin", &join(&vertex));
                        }
                    }
                    "attach" => self.read_soft_attachment(child, &mut data),
                    _ => {}
                }
            }
            let origin = self.origin(node, DefaultId(0));
            self.spec.add_text(Text { name: format!("{PREFIX}{name}"), origin, data });
        }
    }

    fn push_numbers(&mut self, node: Node<'_>, attr: &str, data: &mut String) {
        if let Some(numbers) = self.log.list::<f64>(node, attr) {
            push(data, attr, &join(&numbers));
        }
    }

    fn read_soft_attachment(&mut self, node: Node<'_>, data: &mut String) {
        let Some(vertex) = self.log.maybe_number::<i32>(node, "vertex") else {
            self.log.required(node, "vertex");
            return;
        };
        match (self.log.text(node, "site"), self.log.text(node, "body")) {
            (Some(site), None) => push(data, "attach", &format!("{vertex} site {site}")),
            (None, Some(body)) => push(data, "attach", &format!("{vertex} body {body}")),
            _ => self.log.error(node.pos(), "an attachment has either a 'site' or a 'body'"),
        }
    }
}

/// Appends a line.
fn push(data: &mut String, attr: &str, value: &str) {
    // lines end a value
    let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    *data += &format!("\n{attr} {value}");
}

/// Numbers in the shortest form that reads back to the same bits.
fn join<T: std::fmt::Display>(numbers: &[T]) -> String {
    numbers.iter().map(T::to_string).collect::<Vec<_>>().join(" ")
}
