//! A simulator on a GPU as a batch like any other: numbers in double precision go in and out.

use crate::error::GpuError;
use crate::sim::GpuSim;
use kinetree_batch::{BatchError, Worlds, state_size};
use kinetree_model::{Model, StepError};
use std::sync::Arc;

impl From<GpuError> for BatchError {
    fn from(error: GpuError) -> Self {
        match error {
            GpuError::Length { what, expected, got, explanation } => {
                Self::Length { what, expected, got, explanation }
            }
            GpuError::NotFinite { what, world, index, value } => {
                Self::NotFinite { what, world, index, value }
            }
            GpuError::Field(name) => Self::Field { name, suggestion: String::new() },
            other => Self::Device(other.to_string()),
        }
    }
}

/// An error unless there is room for what the device has.
fn check_length(what: &'static str, expected: usize, got: usize) -> Result<(), BatchError> {
    if expected == got {
        return Ok(());
    }
    let explanation = "a row for each world".to_owned();
    Err(BatchError::Length { what, expected, got, explanation })
}

/// Copies rows of the device; `what` they are.
fn copy(what: &'static str, from: &[f64], to: &mut [f64]) -> Result<(), BatchError> {
    check_length(what, from.len(), to.len())?;
    to.copy_from_slice(from);
    Ok(())
}

impl Worlds for GpuSim {
    fn create(model: Arc<Model>, worlds: usize) -> Result<Self, BatchError> {
        Ok(Self::new(model, worlds)?)
    }

    fn count(&self) -> usize {
        self.len()
    }

    fn common_model(&self) -> &Arc<Model> {
        self.model()
    }

    fn set_controls(&mut self, controls: &[f64]) -> Result<(), BatchError> {
        Ok(self.set_controls(controls)?)
    }

    fn steps(&mut self, count: usize) -> Result<(), BatchError> {
        Ok(self.steps(count)?)
    }

    fn reset(&mut self, mask: &[bool]) -> Result<(), BatchError> {
        Ok(self.reset(mask)?)
    }

    fn read_states(&mut self, states: &mut [f64]) -> Result<(), BatchError> {
        debug_assert_eq!(self.state_size(), state_size(self.model()));
        copy("the states", &self.states_as()?, states)
    }

    /// The states before the last step are copied while the device makes it.
    fn steps_with_last(
        &mut self,
        count: usize,
        before: &mut [f64],
        after: &mut [f64],
    ) -> Result<(), BatchError> {
        if self.observation_size().is_some() {
            // functions of the user need all worlds to be through
            self.steps(count.saturating_sub(1))?;
            copy("the states", &self.states_as()?, before)?;
            self.steps(1)?;
            return copy("the states", &self.states_as()?, after);
        }
        self.begin_steps(count.saturating_sub(1))?;
        self.begin_steps(1)?;
        let [first, last] = [self.finish_steps_as()?, self.finish_steps_as()?];
        copy("the states", &first, before)?;
        copy("the states", &last, after)
    }

    fn write_states(&mut self, mask: &[bool], states: &[f64]) -> Result<(), BatchError> {
        Ok(self.set_states_where(mask, states)?)
    }

    fn read_sensors(&mut self, sensordata: &mut [f64]) -> Result<(), BatchError> {
        copy("the sensor values", &self.sensordata_as()?, sensordata)
    }

    fn read_rewards(&mut self, rewards: &mut [f64]) -> Result<(), BatchError> {
        check_length("the rewards", self.len(), rewards.len())?;
        match self.results() {
            Ok(results) => {
                rewards.iter_mut().zip(results.rewards).for_each(|(to, from)| *to = f64::from(from));
                Ok(())
            }
            Err(GpuError::NoFunctions) => {
                rewards.fill(0.0);
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }

    fn take_failures(&mut self, failures: &mut [Option<StepError>]) -> Result<(), BatchError> {
        check_length("the failures", self.len(), failures.len())?;
        for (failure, quantity) in failures.iter_mut().zip(pollster::block_on(self.take_failed())?) {
            *failure = quantity.map(StepError::Diverged);
        }
        Ok(())
    }

    fn set_equalities(&mut self, active: &[bool]) -> Result<(), BatchError> {
        Ok(self.set_equalities(active)?)
    }

    fn read_equalities(&mut self, active: &mut [bool]) -> Result<(), BatchError> {
        let all = self.equalities()?;
        check_length("the equalities", all.len(), active.len())?;
        active.copy_from_slice(&all);
        Ok(())
    }

    fn set_mocap(&mut self, poses: &[f64]) -> Result<(), BatchError> {
        Ok(self.set_mocap(poses)?)
    }

    fn read_mocap(&mut self, poses: &mut [f64]) -> Result<(), BatchError> {
        copy("the poses of mocap bodies", &self.mocap()?, poses)
    }

    fn vary(&mut self, field: &str, values: &[f64]) -> Result<(), BatchError> {
        Ok(self.vary(field, values)?)
    }

    fn end_variations(&mut self) -> Result<(), BatchError> {
        Ok(self.end_variations()?)
    }
}
