//! Attributes of plugins, with their types.

use std::borrow::Cow;

/// What the text of an attribute must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeKind {
    /// A number.
    Number,
    /// Numbers, separated by blanks.
    Numbers,
    /// `true` or `false`.
    Flag,
    /// Any text.
    Text,
}

impl AttributeKind {
    /// The kind in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Numbers => "numbers",
            Self::Flag => "flag",
            Self::Text => "text",
        }
    }

    /// Whether a text is of this kind. An empty one always is: it stands for the default.
    #[must_use]
    pub fn admits(self, text: &str) -> bool {
        let number = |word: &str| word.parse::<f64>().is_ok_and(|x| !x.is_nan());
        match self {
            Self::Number => text.trim().is_empty() || number(text.trim()),
            Self::Numbers => text.split_whitespace().all(number),
            Self::Flag => matches!(text.trim(), "" | "true" | "false"),
            Self::Text => true,
        }
    }
}

/// Something that can be configured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Its name.
    pub name: Cow<'static, str>,
    /// What its text must be.
    pub kind: AttributeKind,
    /// The text that an empty one stands for.
    pub default: Cow<'static, str>,
    /// A line about it.
    pub doc: Cow<'static, str>,
}

impl Attribute {
    /// An attribute whose texts live as long as the program.
    #[must_use]
    pub const fn new(
        name: &'static str,
        kind: AttributeKind,
        default: &'static str,
        doc: &'static str,
    ) -> Self {
        Self { name: Cow::Borrowed(name), kind, default: Cow::Borrowed(default), doc: Cow::Borrowed(doc) }
    }
}
