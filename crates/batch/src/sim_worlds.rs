//! A batch as worlds like any other: what programs that do not care about the device see of it.

use crate::error::BatchError;
use crate::rows::Rows;
use crate::sim::BatchSim;
use crate::world::{read_state, write_state};
use crate::worlds::{Worlds, check_rows, state_size};
use kinetree_model::{Model, StepError};
use std::sync::Arc;

/// All worlds of the batch must have one model. A step is one of the batch, so it makes as many steps of
/// physics as [`set_frame_skip`](BatchSim::set_frame_skip) says.
impl Worlds for BatchSim {
    fn create(model: Arc<Model>, worlds: usize) -> Result<Self, BatchError> {
        Ok(Self::new(model, worlds))
    }

    fn count(&self) -> usize {
        self.len()
    }

    fn common_model(&self) -> &Arc<Model> {
        self.model(0)
    }

    fn set_controls(&mut self, controls: &[f64]) -> Result<(), BatchError> {
        check_rows("the controls", controls.len(), self.len(), self.control_columns())?;
        self.controls_mut().copy_from_slice(controls);
        self.check_controls()
    }

    fn steps(&mut self, count: usize) -> Result<(), BatchError> {
        self.advance_by(count);
        Ok(())
    }

    fn reset(&mut self, mask: &[bool]) -> Result<(), BatchError> {
        self.reset_where(mask)
    }

    fn read_states(&mut self, states: &mut [f64]) -> Result<(), BatchError> {
        let width = state_size(self.model(0));
        check_rows("the states", states.len(), self.len(), width)?;
        self.pool
            .worlds()
            .zip(Rows::rows_of(states, width))
            .for_each(|(world, row)| read_state(&world.data, row));
        Ok(())
    }

    fn write_states(&mut self, mask: &[bool], states: &[f64]) -> Result<(), BatchError> {
        self.check_mask(mask)?;
        let width = state_size(self.model(0));
        check_rows("the states", states.len(), self.len(), width)?;
        let columns = self.state_columns();
        for (w, row) in states.chunks_exact(width.max(1)).enumerate().filter(|(w, _)| mask[*w]) {
            write_state(self.world_mut(w)?, row);
            self.states_mut()[w * columns..][..columns].copy_from_slice(&row[..columns]);
        }
        Ok(())
    }

    fn read_sensors(&mut self, sensordata: &mut [f64]) -> Result<(), BatchError> {
        check_rows("the sensor values", sensordata.len(), self.len(), self.sensor_columns())?;
        sensordata.copy_from_slice(self.sensors());
        Ok(())
    }

    fn read_rewards(&mut self, rewards: &mut [f64]) -> Result<(), BatchError> {
        check_rows("the rewards", rewards.len(), self.len(), 1)?;
        rewards.copy_from_slice(self.rewards());
        Ok(())
    }

    fn take_failures(&mut self, failures: &mut [Option<StepError>]) -> Result<(), BatchError> {
        check_rows("the failures", failures.len(), self.len(), 1)?;
        failures.clone_from_slice(&self.tables.errors);
        self.tables.errors.fill(None);
        Ok(())
    }

    fn set_equalities(&mut self, active: &[bool]) -> Result<(), BatchError> {
        self.set_equalities(active)
    }

    fn read_equalities(&mut self, active: &mut [bool]) -> Result<(), BatchError> {
        check_rows("the equalities", active.len(), self.len(), self.equality_columns())?;
        active.copy_from_slice(&self.equalities());
        Ok(())
    }

    fn set_mocap(&mut self, poses: &[f64]) -> Result<(), BatchError> {
        self.set_mocap(poses)
    }

    fn read_mocap(&mut self, poses: &mut [f64]) -> Result<(), BatchError> {
        check_rows("the poses of mocap bodies", poses.len(), self.len(), self.mocap_columns())?;
        poses.copy_from_slice(&self.mocap());
        Ok(())
    }

    fn vary(&mut self, field: &str, values: &[f64]) -> Result<(), BatchError> {
        self.vary(field, values)
    }

    fn end_variations(&mut self) -> Result<(), BatchError> {
        self.end_variations()
    }
}
