//! Settings of iterative LQR.

use crate::error::{ControlError, expect_positive};

/// Settings of iterative LQR.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Most iterations of [`solve`](super::Ilqr::solve).
    pub iterations: usize,
    /// Relative decrease of the cost below which the search ends.
    pub tolerance: f64,
    /// Regularization of the first iteration: a penalty on leaving the states of the trajectory, in units of
    /// the cost's Hessian. The search lowers it as long as that helps.
    pub regularization: f64,
    /// The regularization above which the search gives up.
    pub max_regularization: f64,
    /// Step lengths that the line search tries, all at once.
    pub step_lengths: Vec<f64>,
    /// Whether controls stay within the model's control ranges.
    pub limits: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            iterations: 100,
            tolerance: 1e-7,
            regularization: 1e-6,
            max_regularization: 1e10,
            step_lengths: (0..10).map(|power| 0.5_f64.powi(power)).collect(),
            limits: true,
        }
    }
}

impl Settings {
    /// Checks all of them.
    pub(super) fn check(&self) -> Result<(), ControlError> {
        expect_positive("regularization", self.regularization)?;
        expect_positive("max_regularization", self.max_regularization)?;
        if self.tolerance.is_nan() || self.tolerance < 0.0 {
            return Err(ControlError::Setting {
                what: "tolerance",
                should: "zero or more",
                value: self.tolerance,
            });
        }
        if self.step_lengths.is_empty() {
            return Err(ControlError::Nothing("the list of step lengths is empty"));
        }
        match self.step_lengths.iter().find(|length| !(**length > 0.0 && **length <= 1.0)) {
            Some(length) => Err(ControlError::Setting {
                what: "a step length",
                should: "above 0 and at most 1",
                value: *length,
            }),
            None => Ok(()),
        }
    }
}
