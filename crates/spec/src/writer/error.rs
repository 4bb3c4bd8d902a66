//! Why a description could not be written.

use crate::diagnostics::Diagnostics;

/// Why a description could not be written.
#[derive(Clone, Debug, thiserror::Error)]
pub enum WriteError {
    /// MJCF cannot express an element.
    #[error("the {kind} '{name}' cannot be written: {cause}")]
    Element {
        /// Kind of element.
        kind: &'static str,
        /// Its name.
        name: String,
        /// Why not.
        cause: String,
    },
    /// A part that this version reads but does not keep.
    #[error("unsupported: writing {what}")]
    Unsupported {
        /// What it is.
        what: String,
    },
    /// Keyframes of attached parts and inertias are completed by compiling, which failed.
    #[error("what is written depends on the compiled model, which has errors: {0}")]
    Compile(Diagnostics),
}
