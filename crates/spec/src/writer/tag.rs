//! XML elements on their way to text, and how attributes are written.
//!
//! An attribute is written when it differs from what a reader would assume without it: the value of the
//! default class.

use std::fmt::Write;

use super::number::{Shortest, join};
use crate::mjcf::keywords::{BOOL, Keywords};
use crate::xml::MAX_DEPTH;

/// An XML element with its attributes in the order of writing.
#[derive(Debug)]
pub(super) struct Tag {
    name: &'static str,
    attrs: Vec<(&'static str, String)>,
    children: Vec<Tag>,
}

impl Tag {
    pub(super) fn new(name: &'static str) -> Self {
        Tag { name, attrs: Vec::new(), children: Vec::new() }
    }

    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// Neither attributes nor children.
    pub(super) fn is_empty(&self) -> bool {
        self.attrs.is_empty() && self.children.is_empty()
    }

    pub(super) fn push(&mut self, child: Tag) {
        self.children.push(child);
    }

    /// Adds a child that says something.
    pub(super) fn push_used(&mut self, child: Tag) {
        if !child.is_empty() {
            self.children.push(child);
        }
    }

    /// Writes an attribute.
    pub(super) fn set(&mut self, name: &'static str, value: impl Into<String>) {
        self.attrs.push((name, value.into()));
    }

    /// Writes a text that is not empty.
    pub(super) fn given(&mut self, name: &'static str, value: &str) {
        if !value.is_empty() {
            self.set(name, value);
        }
    }

    /// Writes a text that differs from the default.
    pub(super) fn text(&mut self, name: &'static str, value: &str, default: &str) {
        if value != default {
            self.set(name, value);
        }
    }

    /// Writes a number that differs from the default.
    pub(super) fn number<T: Shortest>(&mut self, name: &'static str, value: T, default: T) {
        if !value.same(&default) {
            self.set(name, value.shortest());
        }
    }

    /// Writes all numbers of a vector that differs from the default.
    pub(super) fn numbers<T: Shortest>(&mut self, name: &'static str, values: &[T], defaults: &[T]) {
        if !same(values, defaults) {
            self.set(name, join(values));
        }
    }

    /// Writes the first numbers of a vector, up to the last one that differs from the default; readers keep
    /// the rest.
    pub(super) fn leading<T: Shortest>(&mut self, name: &'static str, values: &[T], defaults: &[T]) {
        if let Some(last) = (0..values.len()).rev().find(|&i| !values[i].same(&defaults[i])) {
            self.set(name, join(&values[..=last]));
        }
    }

    /// Writes a list of any length that is neither empty nor the default.
    pub(super) fn list<T: Shortest>(&mut self, name: &'static str, values: &[T], defaults: &[T]) {
        if !values.is_empty() && !same(values, defaults) {
            self.set(name, join(values));
        }
    }

    /// Writes the word for a value that differs from the default.
    pub(super) fn keyword<T: PartialEq>(
        &mut self,
        name: &'static str,
        words: Keywords<T>,
        value: &T,
        default: &T,
    ) {
        if value != default {
            self.word(name, words, value);
        }
    }

    /// Writes the word for a value.
    pub(super) fn word<T: PartialEq>(&mut self, name: &'static str, words: Keywords<T>, value: &T) {
        if let Some((word, _)) = words.iter().find(|(_, known)| known == value) {
            self.set(name, *word);
        }
    }

    /// Writes a switch that differs from the default.
    pub(super) fn flag(&mut self, name: &'static str, value: bool, default: bool) {
        self.keyword(name, BOOL, &value, &default);
    }

    /// The text of a whole document: an empty line between sections.
    pub(super) fn document(&self, comment: &str) -> String {
        let mut out = String::new();
        if self.children.is_empty() && comment.is_empty() {
            self.write(&mut out, 0);
            return out;
        }
        self.open(&mut out, 0);
        out.push_str(">\n");
        // two dashes cannot stand in a comment
        if !comment.is_empty() && !comment.contains("--") && !comment.ends_with('-') {
            let _ = writeln!(out, "  <!--{comment}-->\n");
        }
        for (i, section) in self.children.iter().enumerate() {
            if i > 0 {
                out.push('\n');
            }
            section.write(&mut out, 1);
        }
        let _ = writeln!(out, "</{}>", self.name);
        out
    }

    fn open(&self, out: &mut String, depth: usize) {
        let _ = write!(out, "{:width$}<{}", "", self.name, width = indentation(depth));
        for (name, value) in &self.attrs {
            let _ = write!(out, " {name}=\"");
            escape(out, value);
            out.push('"');
        }
    }

    /// Writes the element with all that is in it, which can be nested to any depth.
    fn write(&self, out: &mut String, depth: usize) {
        let mut open: Vec<(&Tag, std::slice::Iter<'_, Tag>)> = Vec::new();
        let mut next = Some(self);
        loop {
            if let Some(tag) = next {
                tag.open(out, depth + open.len());
                out.push_str(if tag.children.is_empty() { "/>\n" } else { ">\n" });
                if !tag.children.is_empty() {
                    open.push((tag, tag.children.iter()));
                }
            }
            let Some((tag, children)) = open.last_mut() else { return };
            next = children.next();
            if next.is_none() {
                let name = tag.name;
                open.pop();
                let _ = writeln!(out, "{:width$}</{name}>", "", width = indentation(depth + open.len()));
            }
        }
    }
}

/// Children go in a loop, since elements can be nested to any depth.
impl Drop for Tag {
    fn drop(&mut self) {
        let mut pending = std::mem::take(&mut self.children);
        while let Some(mut tag) = pending.pop() {
            pending.append(&mut tag.children);
        }
    }
}

/// Blanks before an element. Deeper than readers follow they do not grow any more: the text would be as long
/// as the square of the depth.
fn indentation(depth: usize) -> usize {
    2 * depth.min(MAX_DEPTH)
}

fn same<T: Shortest>(a: &[T], b: &[T]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.same(y))
}

/// Replaces what cannot stand in an attribute.
fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            _ => out.push(c),
        }
    }
}
