//! Why the pipeline could not go on.

use crate::sensor::SensorError;
use kinetree_math::sparse::LuError;
use kinetree_model::{Mismatch, Model};

/// Why the pipeline could not go on. The data is left as it was when the stage failed; reset it or set another state.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// A sensor cannot be computed.
    #[error(transparent)]
    Sensor(#[from] SensorError),
    /// The matrix of the implicit integrator is singular.
    #[error("the implicit integrator cannot factor its matrix: {0}")]
    Implicit(#[from] LuError),
    /// The options name an integrator that does not exist.
    #[error("invalid integrator {0} in the model's options")]
    Integrator(i32),
    /// The options name a solver that does not exist.
    #[error("mj_fwdConstraint: unknown solver type {0}")]
    Solver(i32),
    /// The model asks for something that does not exist yet.
    #[error("unsupported: {0}")]
    Unsupported(&'static str),
    /// The data was made for another model.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
}

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
