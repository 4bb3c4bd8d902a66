//! What all tasks have in common: their settings, and the rows that they write.

use crate::error::{IkError, check_setting};

/// Settings that every task has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaskOptions {
    /// Fraction of the error that one step shall remove, in (0, 1].
    pub gain: f64,
    /// Damping in proportion to the squared weighted error, for targets out of reach.
    pub lm_damping: f64,
    /// Tasks of priority 0 count before those of priority 1, and so on; tasks of the same priority are
    /// weighted.
    pub priority: usize,
}

impl Default for TaskOptions {
    fn default() -> Self {
        Self { gain: 1.0, lm_damping: 0.0, priority: 0 }
    }
}

impl TaskOptions {
    /// Fails unless the settings are in their ranges.
    pub(super) fn check(&self) -> Result<(), IkError> {
        check_setting("lm_damping", self.lm_damping, 0.0)?;
        if self.gain > 0.0 && self.gain <= 1.0 {
            Ok(())
        } else {
            Err(IkError::Setting { what: "gain", must: "above zero and at most one", value: self.gain })
        }
    }
}

/// Rows of a task: errors, costs and a row-major Jacobian. The memory is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    pub(super) error: Vec<f64>,
    /// Weight of each row, to be squared.
    pub(super) cost: Vec<f64>,
    pub(super) jacobian: Vec<f64>,
    /// Space for Jacobians of frames.
    pub(super) scratch: Vec<f64>,
}

impl Rows {
    /// Makes room for `count` rows of `nv` zeros.
    pub(super) fn resize(&mut self, count: usize, nv: usize) {
        for (v, len) in [(&mut self.error, count), (&mut self.cost, count), (&mut self.jacobian, count * nv)]
        {
            v.clear();
            v.resize(len, 0.0);
        }
    }
}

/// Fails unless costs are numbers of at least zero.
pub(super) fn check_costs(costs: &[f64]) -> Result<(), IkError> {
    costs.iter().try_for_each(|&cost| check_setting("a cost", cost, 0.0))
}
