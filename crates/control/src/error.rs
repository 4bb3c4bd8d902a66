//! What can be wrong with a problem of control.

use kinetree_model::{Mismatch, StateError, StepError};
use kinetree_sim::DerivativeError;

/// Why a problem of control has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ControlError {
    /// A list has the wrong length.
    #[error("{what} should have {expected} values, but has {found}")]
    Size {
        /// The list.
        what: &'static str,
        /// Length that it must have.
        expected: usize,
        /// Length that it has.
        found: usize,
    },
    /// A number is infinite or not a number.
    #[error("{what} should be finite, but value {index} is not")]
    NotFinite {
        /// The list.
        what: &'static str,
        /// Index of the value.
        index: usize,
    },
    /// A weight is negative.
    #[error("{what} should not be negative, but value {index} is {value}")]
    Negative {
        /// The list.
        what: &'static str,
        /// Index of the value.
        index: usize,
        /// The value.
        value: f64,
    },
    /// A setting has no meaning.
    #[error("{what} should be {should}, but is {value}")]
    Setting {
        /// Name of the setting.
        what: &'static str,
        /// What it must be.
        should: &'static str,
        /// What it is.
        value: f64,
    },
    /// A name that nothing has.
    #[error("there is no {what} '{name}'; there are {}", listed(known))]
    Unknown {
        /// What should have the name.
        what: &'static str,
        /// The name.
        name: String,
        /// Those that there are.
        known: &'static [&'static str],
    },
    /// The horizon has no step, or the model nothing to control.
    #[error("there is nothing to control: {0}")]
    Nothing(&'static str),
    /// The cost or a derivative of it is not a number.
    #[error("the cost of step {step} is not finite: {part}")]
    Cost {
        /// The step; that after the last one for the cost of the end.
        step: usize,
        /// Which part of it.
        part: &'static str,
    },
    /// A step of a trajectory cannot be made.
    #[error("step {step} of the trajectory: {cause}")]
    Step {
        /// The step.
        step: usize,
        /// Why.
        cause: StepError,
    },
    /// The range of an actuator's control has no room, so that no control is within it.
    #[error("the control range of {actuator} should be from low to high, but is from {low} to {high}")]
    ControlRange {
        /// The actuator.
        actuator: String,
        /// Lower end of the range.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// An actuator sees its control some steps later: derivatives of a step do not have that.
    #[error(
        "the control of {actuator} is delayed, which derivatives of steps do not see: set its delay to zero"
    )]
    Delay {
        /// The actuator.
        actuator: String,
    },
    /// The trajectory to begin with is unstable.
    #[error(
        "step {step} of the trajectory is unstable: {warning}; begin with other controls, or take a smaller time step"
    )]
    Unstable {
        /// The step.
        step: usize,
        /// The warning of the simulation.
        warning: String,
    },
    /// A step has no derivatives.
    #[error("derivatives of step {step}: {cause}")]
    Derivative {
        /// The step.
        step: usize,
        /// Why.
        cause: DerivativeError,
    },
    /// No linear feedback keeps the system stable.
    #[error("no regulator was found: {0}")]
    NoRegulator(&'static str),
    /// The cost of controls has no minimum.
    #[error(
        "the matrix of control weights is not positive definite at step {step}: give every control a positive weight"
    )]
    ControlWeights {
        /// The step.
        step: usize,
    },
    /// There is no such sensor.
    #[error("sensor {index} does not exist: the model has {nsensor}")]
    NoSensor {
        /// Index asked for.
        index: usize,
        /// Number of sensors.
        nsensor: usize,
    },
    /// There is nothing to identify, or nothing to identify it from.
    #[error("nothing can be identified: {0}")]
    Unidentified(&'static str),
    /// A quantity cannot be identified as it was asked for.
    #[error("the {quantity} cannot be identified: {reason}")]
    Quantity {
        /// The quantity.
        quantity: String,
        /// Why.
        reason: &'static str,
    },
    /// What follows from masses or geometry cannot be computed.
    #[error("the model makes no sense with these parameters: {0}")]
    Constants(String),
    /// The caller has ended the computation early.
    #[error("the computation was interrupted")]
    Interrupted,
    /// A state does not fit the model.
    #[error(transparent)]
    State(#[from] StateError),
    /// A data does not fit the model.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
}

/// Names as a sentence lists them.
fn listed(names: &[&str]) -> String {
    let (last, others) = names.split_last().unwrap_or((&"", &[]));
    let others: Vec<String> = others.iter().map(|name| format!("'{name}'")).collect();
    format!("{} and '{last}'", others.join(", "))
}

/// The error of a name that nothing has.
pub(crate) fn unknown(what: &'static str, name: &str, known: &'static [&'static str]) -> ControlError {
    ControlError::Unknown { what, name: name.to_owned(), known }
}

/// Checks the length of a list, and that its values are finite.
pub(crate) fn expect(what: &'static str, values: &[f64], expected: usize) -> Result<(), ControlError> {
    if values.len() != expected {
        return Err(ControlError::Size { what, expected, found: values.len() });
    }
    match values.iter().position(|value| !value.is_finite()) {
        Some(index) => Err(ControlError::NotFinite { what, index }),
        None => Ok(()),
    }
}

/// Checks a list of weights, none of which may be negative.
pub(crate) fn expect_weights(
    what: &'static str,
    values: &[f64],
    expected: usize,
) -> Result<(), ControlError> {
    expect(what, values, expected)?;
    match values.iter().position(|value| *value < 0.0) {
        Some(index) => Err(ControlError::Negative { what, index, value: values[index] }),
        None => Ok(()),
    }
}

/// Checks a number that must be positive.
pub(crate) fn expect_positive(what: &'static str, value: f64) -> Result<(), ControlError> {
    if value > 0.0 && value.is_finite() {
        Ok(())
    } else {
        Err(ControlError::Setting { what, should: "positive and finite", value })
    }
}
