//! Collecting what is wrong with a model, so that one run can report all of it.

use std::fmt::Display;

use kinetree_model::enums::ObjType;

use super::name_index::NameIndex;
use crate::diagnostics::{Diagnostic, Diagnostics, SourceMap, SourcePos, Subject, nearest};
use crate::spec::Element;

/// Findings of one compilation.
#[derive(Debug)]
pub(crate) struct Report<'s> {
    sources: &'s SourceMap,
    found: Diagnostics,
}

impl<'s> Report<'s> {
    pub(crate) fn new(sources: &'s SourceMap) -> Self {
        Self { sources, found: Diagnostics::default() }
    }

    /// An error about an element: its kind and name come first.
    pub(crate) fn error<E: Element>(&mut self, element: &E, message: impl Display) {
        let diagnostic = self.about(element, message.to_string());
        self.push_once(diagnostic);
    }

    /// What is wrong with an element, at its place.
    fn about<E: Element>(&self, element: &E, problem: String) -> Diagnostic {
        let mut diagnostic =
            self.sources.error(element.origin().pos, format!("{}: {problem}", label(element)));
        diagnostic.subject = Some(Box::new(Subject {
            kind: E::KIND,
            name: element.name().to_owned(),
            info: element.origin().info.clone(),
            problem,
        }));
        diagnostic
    }

    /// The same with a suggestion.
    pub(crate) fn error_help<E: Element>(&mut self, element: &E, message: &str, help: &str) {
        let diagnostic = self.about(element, message.to_owned());
        self.push_once(diagnostic.with_suggestion(help));
    }

    /// An error about a position in the text.
    pub(crate) fn error_at(&mut self, pos: SourcePos, message: impl Into<String>) {
        self.push_once(self.sources.error(pos, message));
    }

    /// The same with a suggestion.
    pub(crate) fn error_at_help(&mut self, pos: SourcePos, message: impl Into<String>, help: &str) {
        self.push_once(self.sources.error(pos, message).with_suggestion(help));
    }

    /// Adds a finding, unless it is known: the same position may be reached twice, for example through
    /// replicated elements.
    fn push_once(&mut self, diagnostic: Diagnostic) {
        if !self.found.list.contains(&diagnostic) {
            self.found.push(diagnostic);
        }
    }

    /// An error about the model as a whole.
    pub(crate) fn error_global(&mut self, message: impl Into<String>) {
        self.found.push(Diagnostic::error(message));
    }

    /// A name that no element of the wanted kind has, with the nearest one that exists.
    pub(crate) fn unknown_name<E: Element>(
        &mut self,
        element: &E,
        names: &NameIndex<'_>,
        kind: ObjType,
        name: &str,
    ) {
        self.unknown_name_at(element.origin().pos, &label(element), names, kind, name);
    }

    /// The same for a part of an element that has its own position.
    pub(crate) fn unknown_name_at(
        &mut self,
        pos: SourcePos,
        owner: &str,
        names: &NameIndex<'_>,
        kind: ObjType,
        name: &str,
    ) {
        let what = kind_word(kind);
        let mut diagnostic = self.sources.error(pos, format!("{owner}: {what} '{name}' not found"));
        if let Some(meant) = nearest(name, names.candidates(kind)) {
            diagnostic = diagnostic.with_suggestion(format!("did you mean '{meant}'?"));
        }
        self.found.push(diagnostic);
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.found.has_errors()
    }

    /// Hands over all findings.
    pub(crate) fn take(&mut self) -> Diagnostics {
        std::mem::take(&mut self.found)
    }
}

/// Kind and name of an element, for messages.
pub(crate) fn label<E: Element>(element: &E) -> String {
    if element.name().is_empty() { E::KIND.to_owned() } else { format!("{} '{}'", E::KIND, element.name()) }
}

/// A kind of object as the schema spells it.
pub(crate) fn kind_word(kind: ObjType) -> &'static str {
    match kind {
        ObjType::Body => "body",
        ObjType::Xbody => "xbody",
        ObjType::Joint => "joint",
        ObjType::Dof => "dof",
        ObjType::Geom => "geom",
        ObjType::Site => "site",
        ObjType::Camera => "camera",
        ObjType::Light => "light",
        ObjType::Flex => "flex",
        ObjType::Mesh => "mesh",
        ObjType::Skin => "skin",
        ObjType::Hfield => "hfield",
        ObjType::Texture => "texture",
        ObjType::Material => "material",
        ObjType::Pair => "pair",
        ObjType::Exclude => "exclude",
        ObjType::Equality => "equality",
        ObjType::Tendon => "tendon",
        ObjType::Actuator => "actuator",
        ObjType::Sensor => "sensor",
        ObjType::Numeric => "numeric",
        ObjType::Text => "text",
        ObjType::Tuple => "tuple",
        ObjType::Key => "key",
        ObjType::Plugin => "plugin",
        ObjType::Frame => "frame",
        ObjType::Default => "default",
        ObjType::Model => "model",
        ObjType::Unknown => "object",
    }
}
