//! A description with its default classes by name.

use std::collections::HashMap;
use std::ops::Deref;

use super::tag::Tag;
use crate::spec::{DefaultClass, DefaultId, Origin, Spec};

/// A description with its default classes by name.
pub(super) struct Book<'s> {
    pub(super) spec: &'s Spec,
    pub(super) classes: HashMap<&'s str, DefaultId>,
}

impl<'s> Book<'s> {
    pub(super) fn new(spec: &'s Spec) -> Self {
        // of two classes with one name, the first one counts
        let classes =
            spec.defaults.iter().enumerate().rev().map(|(i, class)| (class.name.as_str(), DefaultId(i)));
        Book { spec, classes: classes.collect() }
    }

    /// The default class of an element.
    pub(super) fn class_of(&self, origin: &Origin) -> &'s DefaultClass {
        let id = self.classes.get(origin.class.as_str()).copied().unwrap_or_default();
        self.spec.default_class(id)
    }

    /// Writes the class of an element where it is not the one around it, and returns it.
    pub(super) fn set_class(&self, tag: &mut Tag, origin: &Origin, around: &str) -> &'s DefaultClass {
        let class = self.class_of(origin);
        tag.text("class", &class.name, around);
        class
    }
}

impl Deref for Book<'_> {
    type Target = Spec;
    fn deref(&self) -> &Spec {
        self.spec
    }
}
