//! The MJCF schema as a tree of tables: which elements may stand where, how often, and with which attributes.
//!
//! Attribute names are written as groups of space-separated words, so that families of elements share their
//! groups.

/// How often an element may stand in its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Occurs {
    /// At most once.
    Once,
    /// Any number of times.
    Many,
}

/// One element of the schema.
#[derive(Debug)]
pub(crate) struct ElementSchema {
    /// Name of the element.
    pub name: &'static str,
    /// How often it may stand in its parent.
    pub occurs: Occurs,
    /// Attribute names: groups of space-separated words.
    pub attrs: &'static [&'static str],
    /// Elements that may stand inside.
    pub children: &'static [&'static ElementSchema],
    /// The element may stand inside itself.
    pub recursive: bool,
}

impl ElementSchema {
    /// All attribute names.
    pub(crate) fn attr_names(&self) -> impl Iterator<Item = &'static str> {
        self.attrs.iter().flat_map(|group| group.split_ascii_whitespace())
    }
}
