//! What can be wrong with a request for a task.

/// Why a task cannot be made or changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TaskError {
    /// There is no such task.
    #[error("there is no task '{name}'; there are {known}")]
    Unknown {
        /// The name that was given.
        name: String,
        /// Names of all tasks.
        known: String,
    },
    /// The model lacks something that the task refers to by name.
    #[error("the task needs a {kind} '{name}', which the model does not have")]
    Missing {
        /// What it is.
        kind: &'static str,
        /// Its name.
        name: &'static str,
    },
    /// The task has no such setting.
    #[error("the task has no setting '{name}'; it has {known}")]
    Setting {
        /// The name that was given.
        name: String,
        /// Names of the settings that the task has.
        known: String,
    },
    /// A setting has another form.
    #[error("'{name}' must be {expected}")]
    Value {
        /// The setting.
        name: String,
        /// What it must be.
        expected: &'static str,
    },
}
