//! What the pipeline refuses to simulate.

use kinetree_model::{Model, StepError};

/// Refuses models that ask for what does not exist yet.
pub(crate) fn check_supported(model: &Model) -> Result<(), StepError> {
    if model.nflex > 0 {
        return Err(StepError::Unsupported("flex"));
    }
    if model.nplugin > 0 {
        return Err(StepError::Unsupported("plugins"));
    }
    Ok(())
}
