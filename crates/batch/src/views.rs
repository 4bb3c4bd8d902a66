//! What a batch shows of its tables.

use crate::error::BatchError;
use crate::output::Output;
use crate::record::Part;
use crate::rows::Rows;
use crate::sim::BatchSim;
use kinetree_model::StepError;

impl BatchSim {
    /// Numbers in a row of the controls: `nu` of the largest model.
    #[must_use]
    pub fn control_columns(&self) -> usize {
        self.tables.controls.columns()
    }

    /// Numbers in a row of the states: `nq + nv` of the largest model.
    #[must_use]
    pub fn state_columns(&self) -> usize {
        self.tables.states.columns()
    }

    /// Numbers in a row of the sensors: `nsensordata` of the largest model.
    #[must_use]
    pub fn sensor_columns(&self) -> usize {
        self.tables.sensors.columns()
    }

    /// Controls, a row for each world.
    #[must_use]
    pub fn controls(&self) -> &[f64] {
        self.tables.controls.all()
    }

    /// Controls, a row for each world, to be set before a step.
    pub fn controls_mut(&mut self) -> &mut [f64] {
        self.tables.controls.all_mut()
    }

    /// States, a row for each world: `qpos`, then `qvel`.
    #[must_use]
    pub fn states(&self) -> &[f64] {
        self.tables.states.all()
    }

    /// States, a row for each world. What is written here is where the next step starts from.
    pub fn states_mut(&mut self) -> &mut [f64] {
        self.tables.states.all_mut()
    }

    /// Sensor values, a row for each world.
    #[must_use]
    pub fn sensors(&self) -> &[f64] {
        self.tables.sensors.all()
    }

    /// Sensor values, a row for each world. The next step overwrites them.
    pub fn sensors_mut(&mut self) -> &mut [f64] {
        self.tables.sensors.all_mut()
    }

    /// Which arrays of the data the batch shows, and where they are in a row of the outputs.
    #[must_use]
    pub fn output_columns(&self) -> &[Output] {
        &self.setup.outputs
    }

    /// Arrays of the data after the last step, a row for each world.
    #[must_use]
    pub fn outputs(&self) -> &[f64] {
        self.tables.outputs.all()
    }

    /// Arrays of the data, a row for each world. The next step overwrites them.
    pub fn outputs_mut(&mut self) -> &mut [f64] {
        self.tables.outputs.all_mut()
    }

    /// Parts of an observation; empty without a task.
    #[must_use]
    pub fn observation_parts(&self) -> &[Part] {
        self.setup.task.as_ref().map_or(&[], |task| &task.observation)
    }

    /// Observations, a row for each world; empty without a task.
    #[must_use]
    pub fn observations(&self) -> &[f64] {
        self.tables.observations.all()
    }

    /// Observations, a row for each world. The next step overwrites them.
    pub fn observations_mut(&mut self) -> &mut [f64] {
        self.tables.observations.all_mut()
    }

    /// Lets steps leave observations in a copy as well, until [`take_copy`](Self::take_copy) takes it: one
    /// that threads write while they have the observations at hand costs less than one that is made later.
    pub fn copy_observations(&mut self) {
        self.tables.copies = Rows::new(self.len(), self.tables.observations.columns());
    }

    /// Takes the copy of the observations that steps have left; empty when there was to be none.
    pub fn take_copy(&mut self) -> Vec<f64> {
        let none = Rows::new(self.len(), 0);
        std::mem::replace(&mut self.tables.copies, none).into_numbers()
    }

    /// Parts of the metrics that any state has, and of those of steps, which come after them.
    #[must_use]
    pub fn metric_parts(&self) -> [&[Part]; 2] {
        self.setup.task.as_ref().map_or([&[], &[]], |task| [&task.metrics[0], &task.metrics[1]])
    }

    /// Metrics of the task, a row for each world.
    #[must_use]
    pub fn metrics(&self) -> &[f64] {
        self.tables.metrics.all()
    }

    /// Metrics, a row for each world. The next step overwrites them.
    pub fn metrics_mut(&mut self) -> &mut [f64] {
        self.tables.metrics.all_mut()
    }

    /// Rewards of the last step.
    #[must_use]
    pub fn rewards(&self) -> &[f64] {
        &self.tables.rewards
    }

    /// Rewards, for a task that is computed outside. The next step overwrites them.
    pub fn rewards_mut(&mut self) -> &mut [f64] {
        &mut self.tables.rewards
    }

    /// Worlds whose episode ended with the last step.
    #[must_use]
    pub fn terminated(&self) -> &[bool] {
        &self.tables.terminated
    }

    /// Worlds whose episode reached its time limit with the last step.
    #[must_use]
    pub fn truncated(&self) -> &[bool] {
        &self.tables.truncated
    }

    /// Why worlds failed in the last step.
    #[must_use]
    pub fn errors(&self) -> &[Option<StepError>] {
        &self.tables.errors
    }

    /// An error that names the first control that is not a finite number.
    ///
    /// # Errors
    /// When there is one.
    pub fn check_controls(&self) -> Result<(), BatchError> {
        match self.tables.controls.all().iter().position(|value| !value.is_finite()) {
            None => Ok(()),
            Some(index) => Err(BatchError::NotFinite {
                what: "a control",
                world: index / self.tables.controls.columns(),
                index: index % self.tables.controls.columns(),
                value: self.tables.controls.all()[index],
            }),
        }
    }
}
