//! How a command fails: the cause, whether it still has to be told, and the exit code.

use kinetree::Diagnostics;
use kinetree::model::{BinaryError, StateError};
use kinetree::sim::StepError;
use kinetree::spec::Diagnostic;
use std::fmt;
use std::path::Path;
use std::process::ExitCode;

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A sentence for the user.
    Message(String),
    /// A sentence, and what can be done about it.
    WithHelp(String, String),
    /// The model has faults.
    Model(Vec<Diagnostic>),
    /// The faults have been reported already.
    Reported,
    /// The output could not be written; a closed pipe is not a fault.
    Output(std::io::Error),
    /// The user pressed Ctrl-C.
    Interrupted,
}

impl Failure {
    /// A failure to read or write a file.
    pub(crate) fn file(action: &str, path: &Path, error: &std::io::Error) -> Self {
        Failure::Message(format!("cannot {action} '{}': {error}", path.display()))
    }

    /// What is to be said about a model that could not be read. Failures that are about no model are returned
    /// as they are.
    pub(crate) fn into_findings(self) -> Result<Vec<Diagnostic>, Self> {
        match self {
            Failure::Model(list) => Ok(list),
            Failure::Message(message) => Ok(vec![Diagnostic::error(message)]),
            Failure::WithHelp(message, help) => Ok(vec![Diagnostic::error(message).with_suggestion(help)]),
            other => Err(other),
        }
    }

    /// Whether there is nothing left to tell.
    pub(crate) fn is_silent(&self) -> bool {
        matches!(self, Failure::Reported) || self.is_closed_pipe()
    }

    fn is_closed_pipe(&self) -> bool {
        matches!(self, Failure::Output(error) if error.kind() == std::io::ErrorKind::BrokenPipe)
    }

    /// 0 for a closed pipe, 130 after Ctrl-C as shells expect, 1 otherwise.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            _ if self.is_closed_pipe() => ExitCode::SUCCESS,
            Failure::Interrupted => ExitCode::from(130),
            _ => ExitCode::FAILURE,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Message(message) | Failure::WithHelp(message, _) => f.write_str(message),
            Failure::Model(list) => write!(f, "the model has {}", count_errors(list)),
            Failure::Reported => f.write_str("failed"),
            Failure::Output(error) => write!(f, "cannot write the output: {error}"),
            Failure::Interrupted => f.write_str("interrupted"),
        }
    }
}

/// "1 error" or "3 errors".
pub(crate) fn count_errors(list: &[Diagnostic]) -> String {
    match list.iter().filter(|d| d.severity == kinetree::spec::diagnostics::Severity::Error).count() {
        1 => "1 error".into(),
        n => format!("{n} errors"),
    }
}

#[cfg(feature = "gpu")]
impl From<kinetree::gpu::GpuError> for Failure {
    fn from(error: kinetree::gpu::GpuError) -> Self {
        Failure::Message(error.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Failure::Output(error)
    }
}

impl From<Diagnostics> for Failure {
    fn from(diagnostics: Diagnostics) -> Self {
        Failure::Model(diagnostics.list)
    }
}

macro_rules! message_from {
    ($( $error:ty ),*) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Failure::Message(error.to_string())
            }
        }
    )*};
}
message_from!(StepError, StateError, BinaryError);
#[cfg(feature = "render")]
message_from!(kinetree_render::gpu::RenderError, kinetree_render::scene::SceneError);
