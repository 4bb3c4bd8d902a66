//! The identity of the model that an object was made for, checked where the two meet.

use crate::error::IkError;
use kinetree_model::Model;

/// A model, told by its signature: numbers of elements that were looked up in one mean nothing in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MadeFor(u64);

impl MadeFor {
    pub(crate) fn new(model: &Model) -> Self {
        Self(model.signature())
    }

    /// An error unless the model is the same, as far as sizes tell.
    pub(crate) fn check(self, what: &'static str, model: &Model) -> Result<(), IkError> {
        if self == Self::new(model) { Ok(()) } else { Err(IkError::OtherModel { what }) }
    }
}
