//! What is wrong with the arguments of a function.

use kinetree_model::Mismatch;

/// An argument that does not fit the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArgumentError {
    /// The data does not fit the model.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// There is no such object.
    #[error("{kind} {id} does not exist: the model has {count}")]
    NoObject {
        /// Kind of object.
        kind: &'static str,
        /// Its id.
        id: usize,
        /// How many there are.
        count: usize,
    },
    /// A slice has the wrong length.
    #[error("`{name}` should have {expected} values, but has {found}")]
    Length {
        /// Name of the argument.
        name: &'static str,
        /// Values that it must have.
        expected: usize,
        /// Values that it has.
        found: usize,
    },
}

/// An error unless the object exists.
pub(crate) fn exists(kind: &'static str, id: usize, count: usize) -> Result<(), ArgumentError> {
    if id < count { Ok(()) } else { Err(ArgumentError::NoObject { kind, id, count }) }
}

/// An error unless there are as many values as there must be.
pub(crate) fn has_length(name: &'static str, found: usize, expected: usize) -> Result<(), ArgumentError> {
    if found == expected { Ok(()) } else { Err(ArgumentError::Length { name, expected, found }) }
}
