//! What the window has to say: findings about the model, and news that go away by themselves.

use kinetree_spec::Diagnostic;
use kinetree_spec::diagnostics::Severity;

/// How long news stay (s).
const NEWS: f64 = 4.0;

/// Findings and news.
#[derive(Default)]
pub(crate) struct Messages {
    /// What is wrong with the file, while the last good model is shown.
    pub(crate) findings: Vec<Diagnostic>,
    /// Which file they are about.
    pub(crate) about: String,
    /// Why nothing can be drawn.
    pub(crate) drawing: Option<String>,
    news: Option<(String, f64)>,
}

impl Messages {
    /// Whether the model was refused.
    pub(crate) fn has_errors(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity == Severity::Error)
    }

    /// Tells something.
    pub(crate) fn tell(&mut self, text: impl Into<String>, now: f64) {
        self.news = Some((text.into(), now + NEWS));
    }

    /// What is told at this time.
    pub(crate) fn news(&self, now: f64) -> Option<&str> {
        self.news.as_ref().filter(|(_, until)| now < *until).map(|(text, _)| text.as_str())
    }
}
