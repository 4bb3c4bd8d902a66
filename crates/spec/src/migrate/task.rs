//! A migration that is under way, and how its notes call elements.

use kinetree_model::{Model, Reference};

use super::note::{MigrationNote, NoteKind};
use crate::spec::{Element, Spec};
use crate::vfs::Vfs;

/// What the rules work on.
pub(super) struct Task<'s> {
    pub(super) from: Reference,
    pub(super) to: Reference,
    /// The description at its own level.
    pub(super) old: &'s Spec,
    /// What it compiles to.
    pub(super) model: &'s Model,
    /// The description that becomes one of the other level.
    pub(super) spec: Spec,
    pub(super) notes: Vec<MigrationNote>,
    pub(super) vfs: Option<&'s Vfs>,
}

impl Task<'_> {
    pub(super) fn note(&mut self, kind: NoteKind, element: String, text: impl Into<String>) {
        self.notes.push(MigrationNote { kind, element, text: text.into() });
    }

    pub(super) fn changed(&mut self, element: String, text: impl Into<String>) {
        self.note(NoteKind::Changed, element, text);
    }

    pub(super) fn warn(&mut self, element: String, text: impl Into<String>) {
        self.note(NoteKind::Warning, element, text);
    }

    pub(super) fn differs(&mut self, element: String, text: impl Into<String>) {
        self.note(NoteKind::Difference, element, text);
    }
}

/// Kind and name of an element, or the number among those of its kind.
pub(super) fn label<T: Element>(element: &T, number: usize) -> String {
    named(T::KIND, element.name(), number)
}

pub(super) fn named(kind: &str, name: &str, number: usize) -> String {
    if name.is_empty() { format!("{kind} {number}") } else { format!("{kind} '{name}'") }
}

/// A number as people write it: without what rounding left in its last digits.
pub(super) fn short(value: f64) -> f64 {
    format!("{value:.11e}").parse().unwrap_or(value)
}
