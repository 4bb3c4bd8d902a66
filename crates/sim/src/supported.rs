//! What the pipeline refuses to simulate.

use kinetree_model::{Model, StepError};

/// Refuses models that ask for what does not exist yet.
pub(crate) fn check_supported(model: &Model) -> Result<(), StepError> {
    if model.nplugin > 0 {
        return Err(StepError::Unsupported("plugins"));
    }
    Ok(())
}
