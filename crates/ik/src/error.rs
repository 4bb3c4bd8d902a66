//! What can be wrong with a chain, a target or a task.

/// An error of this crate. Each names the thing that is wrong and, where there is one, the way out.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum IkError {
    /// No element of the model has this name.
    #[error("there is no {kinds} called '{name}' in the model{hint}")]
    UnknownFrame {
        /// Name that was asked for.
        name: String,
        /// Kinds of elements that were searched.
        kinds: &'static str,
        /// Names that are close, or what may have removed the element.
        hint: String,
    },
    /// An element number is out of range.
    #[error("there is no {kind} {id}: the model has {count}")]
    UnknownId {
        /// Kind of element.
        kind: &'static str,
        /// Number that was asked for.
        id: usize,
        /// How many there are.
        count: usize,
    },
    /// The end of a chain is not moved by what is below its base.
    #[error(
        "there is no path from '{base}' down to '{end}': the end must be on the base's body or below it (both are below '{common}', take that as base)"
    )]
    NoPath {
        /// Base of the chain.
        base: String,
        /// End of the chain.
        end: String,
        /// Nearest body above both.
        common: String,
    },
    /// No joint lies between the ends of a chain.
    #[error("no joint moves '{end}' relative to '{base}'")]
    NoJoints {
        /// Base of the chain.
        base: String,
        /// End of the chain.
        end: String,
    },
    /// A joint axis has no direction.
    #[error("the axis of joint '{joint}' is zero or not a number")]
    ZeroAxis {
        /// Name of the joint.
        joint: String,
    },
    /// A direction has no length.
    #[error("{what} is zero: give a direction")]
    ZeroDirection {
        /// The direction.
        what: &'static str,
    },
    /// A number is infinite or not a number.
    #[error("{what} holds a value that is not a finite number: {value:?}")]
    NotFinite {
        /// The array.
        what: &'static str,
        /// The value.
        value: f64,
    },
    /// A quaternion is not of unit length.
    #[error("{what} must be a unit quaternion (w, x, y, z), its length is {norm}: divide by it")]
    NotUnit {
        /// The quaternion.
        what: &'static str,
        /// Its length.
        norm: f64,
    },
    /// An array does not have the size it must have.
    #[error("{what} must have {expected} numbers, it has {got}")]
    Size {
        /// The array.
        what: &'static str,
        /// Required length.
        expected: usize,
        /// Its length.
        got: usize,
    },
    /// A setting is outside of its range.
    #[error("{what} must be {must}, it is {value:?}")]
    Setting {
        /// The setting.
        what: &'static str,
        /// What it must be.
        must: &'static str,
        /// Its value.
        value: f64,
    },
    /// Limits or equality tasks contradict each other.
    #[error("the limits and equality tasks contradict each other: {what}")]
    Infeasible {
        /// What cannot hold.
        what: String,
    },
    /// Something was made for another model.
    #[error("{what} was made for another model: make one for this model")]
    OtherModel {
        /// The task or limit.
        what: &'static str,
    },
    /// A stage of the simulation refused its input: a configuration of another model, or a model that is
    /// broken.
    #[error("{0}")]
    Simulation(String),
    /// What this crate cannot do.
    #[error("unsupported: {0}")]
    Unsupported(String),
}

impl From<kinetree_sim::ArgumentError> for IkError {
    fn from(error: kinetree_sim::ArgumentError) -> Self {
        Self::Simulation(error.to_string())
    }
}

impl From<kinetree_model::Mismatch> for IkError {
    fn from(error: kinetree_model::Mismatch) -> Self {
        Self::Simulation(error.to_string())
    }
}

/// Fails unless all numbers are finite.
pub(crate) fn check_finite(what: &'static str, values: &[f64]) -> Result<(), IkError> {
    // all of them, without a branch: in lanes
    if values.iter().fold(true, |finite, v| finite & v.is_finite()) {
        return Ok(());
    }
    match values.iter().find(|v| !v.is_finite()) {
        Some(&value) => Err(IkError::NotFinite { what, value }),
        None => Ok(()),
    }
}

/// Fails unless the array has this length.
pub(crate) fn check_size(what: &'static str, values: &[f64], expected: usize) -> Result<(), IkError> {
    if values.len() == expected { Ok(()) } else { Err(IkError::Size { what, expected, got: values.len() }) }
}

/// Fails unless a setting is a finite number of at least `least`.
pub(crate) fn check_setting(what: &'static str, value: f64, least: f64) -> Result<(), IkError> {
    if value.is_finite() && value >= least {
        Ok(())
    } else {
        let must = if least > 0.0 { "a positive number" } else { "a number of at least zero" };
        Err(IkError::Setting { what, must, value })
    }
}
