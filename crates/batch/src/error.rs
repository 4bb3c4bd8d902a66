//! What can be wrong with a request to a batch.

use kinetree_model::StepError;

/// Why a batch refused a request. Nothing was changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BatchError {
    /// A list has the wrong number of entries.
    #[error("{what} must have {expected} values ({explanation}), but {got} were given")]
    Length {
        /// What the list is.
        what: &'static str,
        /// How many it must have.
        expected: usize,
        /// How many it has.
        got: usize,
        /// Where that number comes from.
        explanation: String,
    },
    /// There is no such world.
    #[error("there is no world {index}: the batch has {count}")]
    World {
        /// The number that was given.
        index: usize,
        /// Worlds of the batch.
        count: usize,
    },
    /// The model has no such array of numbers.
    #[error("the model has no array of floating-point numbers called '{name}'{suggestion}")]
    Field {
        /// The name that was given.
        name: String,
        /// What may have been meant.
        suggestion: String,
    },
    /// The data has no such array of numbers.
    #[error(
        "the data has no array of floating-point numbers called '{0}' whose size the model fixes; 'xpos', 'cvel' and \
         'qfrc_actuator' are such arrays"
    )]
    Output(String),
    /// Worlds of several models have no field in common.
    #[error("fields can be varied only when all worlds have one model; this batch has {0} models")]
    SeveralModels(usize),
    /// A number is not finite.
    #[error("{what} of world {world} is {value} at index {index}; it must be a finite number")]
    NotFinite {
        /// What the number is.
        what: &'static str,
        /// The world.
        world: usize,
        /// Its index in the row.
        index: usize,
        /// The number.
        value: f64,
    },
    /// A number that cannot be negative is.
    #[error("{field} of world {world} is {value} at index {index}; it cannot be negative{}", nor_zero(.field))]
    Negative {
        /// The varied field.
        field: &'static str,
        /// The world.
        world: usize,
        /// Its index in the row.
        index: usize,
        /// The number.
        value: f64,
    },
    /// What the compiler derives cannot be computed from the varied fields of a world.
    #[error("the constants of world {world} cannot be computed: {reason}")]
    Constants {
        /// The world.
        world: usize,
        /// Why.
        reason: String,
    },
    /// A task does not get along with the model.
    #[error("the task fails with the first state of the model: {0}")]
    Task(StepError),
    /// The device that steps the worlds cannot do what was asked, or failed.
    #[error("{0}")]
    Device(String),
    /// Threads could not be started.
    #[error("threads could not be started: {0}")]
    Threads(String),
}

/// What a message about a field adds that cannot be zero either.
fn nor_zero(field: &str) -> &'static str {
    if field == "timestep" { ", nor zero" } else { "" }
}
