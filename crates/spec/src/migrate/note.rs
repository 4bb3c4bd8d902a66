//! What a migration says of each element.

use std::fmt;

/// What a note says of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoteKind {
    /// It was changed so that its physics stay.
    Changed,
    /// It may move, or measure, otherwise in some states.
    Warning,
    /// Its physics differ, and no description can make up for that.
    Difference,
}

impl fmt::Display for NoteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Changed => "changed",
            Self::Warning => "warning",
            Self::Difference => "difference",
        })
    }
}

/// What became of one element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MigrationNote {
    /// What the note says.
    pub kind: NoteKind,
    /// Kind and name of the element.
    pub element: String,
    /// What became of it.
    pub text: String,
}

impl fmt::Display for MigrationNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.element, self.text)
    }
}
