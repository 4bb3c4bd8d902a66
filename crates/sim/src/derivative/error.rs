//! Why derivatives could not be computed.

use kinetree_model::{Mismatch, Model, StateError, StepError};

/// Why derivatives could not be computed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DerivativeError {
    /// A step or inverse dynamics failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The state could not be saved or restored.
    #[error(transparent)]
    State(#[from] StateError),
    /// The data does not fit the model.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// The model asks for what has no derivatives.
    #[error("{0} is not supported")]
    Unsupported(&'static str),
    /// The radius of smooth contacts is no length.
    #[error("the radius of smooth contacts should be positive and finite, but is {0}")]
    Radius(f64),
    /// A field of the model has no gradients.
    #[error("there is no gradient with respect to {name}; there are those of {known}")]
    Field {
        /// The field asked for.
        name: String,
        /// The fields that have gradients.
        known: &'static str,
    },
    /// The caller has ended the computation early.
    #[error("the computation was interrupted")]
    Interrupted,
    /// A matrix has the wrong number of values.
    #[error("matrix {name} should have {expected} values, but has {found}")]
    Size {
        /// Name of the matrix.
        name: &'static str,
        /// Number of values that it must have.
        expected: usize,
        /// Number of values that it has.
        found: usize,
    },
}

/// Checks the size of a matrix that may be left out.
pub(super) fn expect(
    name: &'static str,
    matrix: Option<&[f64]>,
    expected: usize,
) -> Result<(), DerivativeError> {
    match matrix {
        Some(values) if values.len() != expected => {
            Err(DerivativeError::Size { name, expected, found: values.len() })
        }
        _ => Ok(()),
    }
}

/// Checks the sizes of `A`, `B`, `C` and `D` of a step, each of which may be left out.
pub(crate) fn expect_transition(
    model: &Model,
    [a, b, c, d]: [Option<&[f64]>; 4],
) -> Result<(), DerivativeError> {
    let (nx, nu, ns) = (2 * model.nv + model.na, model.nu, model.nsensordata);
    expect("A", a, nx * nx)?;
    expect("B", b, nx * nu)?;
    expect("C", c, ns * nx)?;
    expect("D", d, ns * nu)
}
