//! Costs of trajectories from Python's lists.

use crate::errors::{claim, invalid};
use kinetree_control::{Norm, QuadraticCost, SensorTerm};
use kinetree_model::Model;
use pyo3::prelude::*;

/// A term of a sensor: index, target, weights of steps and of the end, name of the norm, its width.
type Term = (usize, Vec<f64>, f64, f64, String, f64);

/// The lists that describe a cost.
#[derive(FromPyObject)]
pub(super) struct CostLists(Option<(Vec<f64>, Vec<f64>)>, [Option<Vec<f64>>; 4], Vec<Term>);

impl CostLists {
    /// Whether the cost looks at sensors.
    pub(super) fn has_sensors(&self) -> bool {
        !self.2.is_empty()
    }

    /// The cost, of the lists that were given.
    pub(super) fn build(self, model: &Model) -> PyResult<QuadraticCost> {
        let Self(target, [running, terminal, controls, control_target], terms) = self;
        let mut cost = QuadraticCost::new(model);
        if let Some((qpos, qvel)) = target {
            cost = cost.target(&qpos, &qvel).map_err(invalid)?;
        }
        if let Some(weights) = running {
            cost = cost.running_weights(&weights).map_err(invalid)?;
        }
        if let Some(weights) = terminal {
            cost = cost.terminal_weights(&weights).map_err(invalid)?;
        }
        if let Some(weights) = controls {
            cost = cost.control_weights(&weights).map_err(invalid)?;
        }
        if let Some(controls) = control_target {
            cost = cost.control_target(&controls).map_err(invalid)?;
        }
        for (sensor, target, running, terminal, norm, width) in terms {
            let norm = Norm::named(&norm, width).map_err(invalid)?;
            cost = cost
                .sensor(model, SensorTerm { sensor, target, running, terminal, norm })
                .map_err(invalid)?;
        }
        Ok(cost)
    }
}

/// An error when there is no memory for so much, or it cannot be counted.
pub(super) fn claim_memory(what: &'static str, bytes: Option<usize>) -> PyResult<()> {
    claim(what, bytes.unwrap_or(usize::MAX))
}
