//! Errors and warnings about a model, with the position in the text they are about.
//!
//! A [`Diagnostic`] is a plain record (severity, message, file, line, column, offending line, suggestion), so
//! that tools can show it their own way; its `Display` prints it the way rustc does:
//!
//! ```text
//! error: unknown attribute 'raduis' in <geom>
//!  --> arm.xml:7:24
//!   |
//! 7 |     <geom type="sphere" raduis="0.1"/>
//!   |                         ^^^^^^
//!   = help: did you mean 'radius'?
//! ```

use kinetree_model::NoMemory;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Longest part of a source line that a snippet shows, in characters.
const SNIPPET_WIDTH: usize = 120;

/// Index of a file in a [`SourceMap`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A position in a source text. Line and column count from 1; line 0 means "no position".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SourcePos {
    /// The file.
    pub file: FileId,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// Length of the marked text in characters.
    pub length: u32,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The model is usable.
    Warning,
    /// The model is refused.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// File name; empty when the finding has no position.
    pub file: String,
    /// Line, from 1; 0 when unknown.
    pub line: u32,
    /// Column in characters, from 1; 0 when unknown.
    pub column: u32,
    /// Length of the offending text in characters.
    pub length: u32,
    /// The offending line (cut when it is very long).
    pub snippet: String,
    /// Column of the offending text within the snippet, from 1.
    pub snippet_column: u32,
    /// What could be written instead.
    pub suggestion: Option<String>,
    /// The element that the finding is about, when it is about one.
    pub subject: Option<Box<Subject>>,
}

/// An element that something is wrong with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Kind as the schema spells it.
    pub kind: &'static str,
    /// Name; empty when it has none.
    pub name: String,
    /// What the program that made it says about it.
    pub info: String,
    /// What is wrong, without the kind and name that the message begins with.
    pub problem: String,
}

impl Diagnostic {
    /// An error that belongs to no position in the text.
    pub fn error(message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            file: String::new(),
            line: 0,
            column: 0,
            length: 0,
            snippet: String::new(),
            snippet_column: 0,
            suggestion: None,
            subject: None,
        }
    }

    /// The same finding with a suggestion.
    #[must_use]
    pub fn with_suggestion(mut self, suggestion: impl Into<String>) -> Self {
        self.suggestion = Some(suggestion.into());
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.severity, self.message)?;
        let gutter = self.line.to_string().len();
        if !self.file.is_empty() || self.line > 0 {
            let file = if self.file.is_empty() { "<string>" } else { &self.file };
            write!(f, "\n{:gutter$}--> {file}", "")?;
            if self.line > 0 {
                write!(f, ":{}:{}", self.line, self.column)?;
            }
        }
        if !self.snippet.is_empty() {
            let indent = self.snippet_column.saturating_sub(1) as usize;
            let room = self.snippet.chars().count().saturating_sub(indent).max(1);
            let marks = (self.length.max(1) as usize).min(room);
            write!(f, "\n{:gutter$} |\n{} | {}", "", self.line, self.snippet)?;
            write!(f, "\n{:gutter$} | {:indent$}{:^<marks$}", "", "", "")?;
        }
        if let Some(suggestion) = &self.suggestion {
            write!(f, "\n{:gutter$} = help: {suggestion}", "")?;
        }
        Ok(())
    }
}

/// All findings of one run, in the order they were found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics {
    /// The findings.
    pub list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// True when at least one finding is an error.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|d| d.severity == Severity::Error)
    }

    /// True when there is not enough memory for what the description asks for.
    pub fn lack_memory(&self) -> bool {
        self.list.iter().any(|d| d.message.contains(NoMemory::TEXT))
    }

    /// Adds a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Diagnostics { list: vec![diagnostic] }
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, diagnostic) in self.list.iter().enumerate() {
            if i > 0 {
                f.write_str("\n\n")?;
            }
            diagnostic.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}

/// A text that elements were read from.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Name as the user would write it; empty for a string.
    pub path: String,
    /// The text.
    pub text: Arc<str>,
    /// Where its lines begin, found when the first one is asked for.
    line_starts: OnceLock<Vec<usize>>,
}

impl SourceFile {
    /// A line, from 1, without its end.
    fn line(&self, number: u32) -> &str {
        let starts = self.line_starts.get_or_init(|| {
            let breaks = self.text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1);
            std::iter::once(0).chain(breaks).collect()
        });
        let index = number.saturating_sub(1) as usize;
        let Some(&start) = starts.get(index) else { return "" };
        let end = starts.get(index + 1).copied().unwrap_or(self.text.len());
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }
}

/// The texts a model was read from.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    /// The files, addressed by [`FileId`].
    pub files: Vec<SourceFile>,
}

impl SourceMap {
    /// Registers a text.
    pub fn add(&mut self, path: impl Into<String>, text: Arc<str>) -> FileId {
        self.files.push(SourceFile { path: path.into(), text, line_starts: OnceLock::new() });
        FileId(self.files.len() as u32 - 1)
    }

    /// Builds a finding about a position.
    pub fn diagnostic(&self, severity: Severity, pos: SourcePos, message: impl Into<String>) -> Diagnostic {
        let mut diagnostic = Diagnostic { severity, ..Diagnostic::error(message) };
        let Some(file) = self.files.get(pos.file.0 as usize).filter(|_| pos.line > 0) else {
            return diagnostic;
        };
        diagnostic.file.clone_from(&file.path);
        (diagnostic.line, diagnostic.column, diagnostic.length) = (pos.line, pos.column, pos.length);
        (diagnostic.snippet, diagnostic.snippet_column) = cut_snippet(file.line(pos.line), pos.column);
        diagnostic
    }

    /// Builds an error about a position.
    pub fn error(&self, pos: SourcePos, message: impl Into<String>) -> Diagnostic {
        self.diagnostic(Severity::Error, pos, message)
    }
}

/// The part of a line around a column, and the column within that part. Tabs become single spaces to keep
/// marks aligned.
fn cut_snippet(line: &str, column: u32) -> (String, u32) {
    let column = column.max(1) as usize;
    let skip = if column > SNIPPET_WIDTH * 3 / 4 { column - SNIPPET_WIDTH / 2 } else { 0 };
    let part = line.chars().skip(skip).take(SNIPPET_WIDTH).map(|c| if c.is_control() { ' ' } else { c });
    (part.collect(), (column - skip) as u32)
}

/// The candidate nearest to a misspelt word, when it is near enough to be meant.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    nearest_of(word, &candidates)
}

/// Compiled once, whatever the candidates come from.
fn nearest_of<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let lower = word.to_lowercase();
    let bound = (word.chars().count() / 3).max(1);
    let letters = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        letters
    };
    let own_letters = letters(&lower);
    let distance = |candidate: &str| {
        let candidate = candidate.to_lowercase();
        // the same letters in another order are near, however far they moved
        if letters(&candidate) == own_letters { 1 } else { edit_distance(&lower, &candidate, bound) }
    };
    let near = candidates.iter().map(|candidate| (distance(candidate), *candidate));
    near.filter(|(distance, _)| *distance <= bound)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// "Did you mean …", when a known word is near.
pub(crate) fn suggest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    nearest(word, known).map(|near| format!("did you mean '{near}'?"))
}

/// Number of insertions, deletions, replacements and swaps of neighbours that turn one word into another.
/// Words whose lengths differ by more than `bound` are not compared.
fn edit_distance(a: &str, b: &str, bound: usize) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > bound || a.len().max(b.len()) > 64 {
        return usize::MAX;
    }
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replace = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replace.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_meant_word() {
        let known = ["size", "type", "friction", "conaffinity", "mass"];
        assert_eq!(nearest("frition", known), Some("friction"));
        assert_eq!(nearest("tpye", known), Some("type"));
        assert_eq!(nearest("Mass", known), Some("mass"));
        assert_eq!(nearest("elevation", known), None);
    }

    #[test]
    fn prints_like_a_compiler() {
        let mut map = SourceMap::default();
        let file = map.add("arm.xml", Arc::from("<mujoco>\n\t<geom raduis='1'/>\n</mujoco>"));
        let pos = SourcePos { file, line: 2, column: 8, length: 6 };
        let text = map
            .error(pos, "unknown attribute 'raduis'")
            .with_suggestion("did you mean 'radius'?")
            .to_string();
        let expected = "error: unknown attribute 'raduis'\n --> arm.xml:2:8\n  |\n2 |  <geom raduis='1'/>\n  |        ^^^^^^\n  = help: did you mean 'radius'?";
        assert_eq!(text, expected);
    }

    #[test]
    fn long_lines_are_cut_around_the_position() {
        let line = "x".repeat(500) + "HERE" + &"y".repeat(500);
        let (snippet, column) = cut_snippet(&line, 501);
        assert!(snippet.chars().count() <= SNIPPET_WIDTH);
        assert_eq!(&snippet[column as usize - 1..column as usize + 3], "HERE");
    }
}
