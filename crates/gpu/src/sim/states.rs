//! What goes to the worlds and comes back: controls, states, sensor values, counters.

use super::simulator::GpuSim;
use super::totals::SolverTotals;
use crate::device::readback::{read, read_numbers};
use crate::error::GpuError;
use crate::features::sensors::Sensors;
use crate::layout::buffer_layout::{
    FAILURES, FLAG_BAD_STATE, FLAGS_SEEN, STATUS_CONTACTS, STATUS_FLAGS, STATUS_FRESH, STATUS_ITERATIONS,
    STATUS_POINTS, STATUS_ROWS, STATUS_SIZE, STATUS_STEPS, first_state,
};
use crate::precision::{Number, to_device};
use std::ops::Range;

/// Quantities that a world is reset for.
const BAD_STATE: &str = "positions or velocities";
const BAD_ACCELERATION: &str = "accelerations";

impl GpuSim {
    /// Sets the controls of all worlds, a row for each.
    ///
    /// # Errors
    /// When the number of controls is wrong.
    pub fn set_controls<T: Number>(&mut self, controls: &[T]) -> Result<(), GpuError> {
        self.check_length("the controls", controls.len(), self.basis.model.nu)?;
        self.wait_for_tensors()?;
        self.put_controls(&to_device(self.basis.options.precision, controls));
        // others may write to them next
        self.wait_for_device()
    }

    /// Sends controls of all worlds, as the device has them, and remembers them.
    pub(super) fn put_controls(&mut self, controls: &[u8]) {
        self.controls.clear();
        self.controls.extend_from_slice(controls);
        let number = self.basis.options.precision.bytes() as usize;
        let (width, size) = (number * self.basis.model.nu, number * self.built.layout.input);
        let send = |offset: usize, bytes: &[u8]| {
            self.gpu.queue.write_buffer(&self.built.buffers.inputs, offset as u64, bytes);
        };
        if width == size {
            send(0, controls);
        } else {
            let rows = controls.chunks_exact(width.max(1)).enumerate();
            rows.for_each(|(world, row)| send(world * size, row));
        }
    }

    /// Positions of all worlds, a row for each.
    ///
    /// # Errors
    /// When the device fails.
    pub async fn positions_async(&self) -> Result<Vec<f32>, GpuError> {
        self.columns(self.built.layout.qpos, self.basis.model.nq).await
    }

    /// Velocities of all worlds, a row for each.
    ///
    /// # Errors
    /// When the device fails.
    pub async fn velocities_async(&self) -> Result<Vec<f32>, GpuError> {
        self.columns(self.built.layout.qvel, self.basis.model.nv).await
    }

    /// Accelerations at the beginning of the last step, a row for each world.
    ///
    /// # Errors
    /// When the device fails.
    pub async fn accelerations_async(&self) -> Result<Vec<f32>, GpuError> {
        self.columns(self.built.layout.warm, self.basis.model.nv).await
    }

    /// Activations of all worlds, a row for each.
    ///
    /// # Errors
    /// When the device fails.
    pub async fn activations_async(&self) -> Result<Vec<f32>, GpuError> {
        self.columns(self.built.layout.act, self.basis.model.na).await
    }

    /// Sensor values at the beginning of the last step, a row of `nsensordata` for each world; zero
    /// before the first.
    ///
    /// # Errors
    /// When the model has sensors that are not covered, with the names of all of them, when the simulator was
    /// made without sensors, or when the device fails.
    pub async fn sensordata_async<T: Number>(&self) -> Result<Vec<T>, GpuError> {
        self.check_sensors()?;
        if self.built.layout.sensordata == 0 {
            return Ok(vec![T::narrow(0.0); self.basis.worlds * self.basis.model.nsensordata]);
        }
        self.check_whole()?;
        self.read(&self.built.buffers.sensordata, self.basis.worlds * self.built.layout.sensordata).await
    }

    /// An error where sensor values are not computed.
    pub(super) fn check_sensors(&self) -> Result<(), GpuError> {
        let missing = Sensors::new(&self.basis.model).missing;
        if !missing.is_empty() {
            return Err(GpuError::Unsupported(missing));
        }
        match self.basis.options.sensors || self.basis.model.nsensordata == 0 {
            true => Ok(()),
            false => Err(GpuError::Sensors),
        }
    }

    /// States of all worlds, as [`set_states`](Self::set_states) takes them: rows of positions, velocities,
    /// activations and accelerations of the last step.
    ///
    /// # Errors
    /// When the device fails.
    pub async fn states_async<T: Number>(&self) -> Result<Vec<T>, GpuError> {
        self.check_whole()?;
        self.wait_for_tensors()?;
        self.read(&self.built.buffers.state, self.built.layout.state * self.basis.worlds).await
    }

    /// Copies numbers from the device.
    pub(crate) async fn read<T: Number>(
        &self,
        buffer: &wgpu::Buffer,
        count: usize,
    ) -> Result<Vec<T>, GpuError> {
        read_numbers(&self.gpu, buffer, count, self.basis.options.precision).await
    }

    /// Copies numbers to the device, behind so many others.
    pub(crate) fn write<T: Number>(&self, buffer: &wgpu::Buffer, offset: usize, values: &[T]) {
        let precision = self.basis.options.precision;
        self.gpu.queue.write_buffer(buffer, offset as u64 * precision.bytes(), &to_device(precision, values));
    }

    async fn columns(&self, first: usize, count: usize) -> Result<Vec<f32>, GpuError> {
        let (size, all) = (self.built.layout.state, self.states_async::<f32>().await?);
        Ok(all.chunks_exact(size).flat_map(|row| row[first..first + count].iter().copied()).collect())
    }

    /// Sets states of all worlds: positions, velocities, activations and accelerations to start the solver
    /// from, a row for each.
    ///
    /// # Errors
    /// When the number of values is wrong.
    pub fn set_states<T: Number>(&mut self, states: &[T]) -> Result<(), GpuError> {
        self.check_length("the states", states.len(), self.built.layout.state)?;
        self.check_landed()?;
        self.wait_for_tensors()?;
        self.write(&self.built.buffers.state, 0, states);
        self.forgive(&vec![true; self.basis.worlds]);
        self.wait_for_device()?;
        self.gpu.check()
    }

    /// Sets states of worlds where `mask` is true; there are rows for all of them, as
    /// [`set_states`](Self::set_states) takes them.
    ///
    /// # Errors
    /// When the number of values is wrong, or the mask does not have an entry for each world.
    pub fn set_states_where<T: Number>(&mut self, mask: &[bool], states: &[T]) -> Result<(), GpuError> {
        self.check_length("the mask", mask.len(), 1)?;
        let width = self.built.layout.state;
        self.check_length("the states", states.len(), width)?;
        self.check_landed()?;
        self.wait_for_tensors()?;
        for worlds in runs(mask) {
            let rows = &states[worlds.start * width..worlds.end * width];
            self.write(&self.built.buffers.state, worlds.start * width, rows);
        }
        self.forgive(mask);
        self.wait_for_device()?;
        self.gpu.check()
    }

    /// Puts all worlds into the first state of the model.
    ///
    /// # Errors
    /// When the device fails.
    pub fn reset_all(&mut self) -> Result<(), GpuError> {
        self.reset(&vec![true; self.basis.worlds])
    }

    /// Puts worlds into the first state of the model where `mask` is true. Their controls become zero, but
    /// for those in a [tensor](Self::tensor), which are its program's.
    ///
    /// # Errors
    /// When the mask does not have an entry for each world.
    pub fn reset(&mut self, mask: &[bool]) -> Result<(), GpuError> {
        self.check_length("the mask", mask.len(), 1)?;
        self.check_landed()?;
        self.wait_for_tensors()?;
        let model = &self.basis.model;
        let state = first_state(model, &self.built.layout);
        let mocap_bodies = (0..model.nbody).filter(|&b| model.body_mocapid[b] >= 0);
        // controls in a tensor are its program's
        let first_input = if self.is_shared() { model.nu } else { 0 };
        let mut input = vec![0.0; model.nu - first_input];
        for b in mocap_bodies {
            input.extend(model.body_pos[b].iter().chain(&model.body_quat[b]));
        }
        let first = self.built.layout.first_active.iter().flatten();
        input.extend(first.map(|&active| f64::from(u8::from(active))));
        for worlds in runs(mask) {
            if first_input == 0 {
                let row = model.nu * self.basis.options.precision.bytes() as usize;
                self.controls[worlds.start * row..worlds.end * row].fill(0);
            }
            let write = |buffer: &wgpu::Buffer, row: &[f64]| {
                self.write(buffer, worlds.start * row.len(), &row.repeat(worlds.len()));
            };
            write(&self.built.buffers.state, &state);
            if first_input == 0 {
                write(&self.built.buffers.inputs, &input);
            } else {
                for world in worlds.clone() {
                    let offset = world * self.built.layout.input + first_input;
                    self.write(&self.built.buffers.inputs, offset, &input);
                }
            }
            if self.built.layout.sensordata > 0 {
                write(&self.built.buffers.sensordata, &vec![0.0; self.built.layout.sensordata]);
            }
        }
        if self.basis.options.sensors && Sensors::new(model).needs().clock {
            // clocks begin anew
            for world in (0..self.basis.worlds).filter(|&world| mask[world]) {
                let offset = 4 * (world * STATUS_SIZE + STATUS_FRESH) as u64;
                self.gpu.queue.write_buffer(&self.built.buffers.status, offset, &[0; 4]);
            }
        }
        self.forgive(mask);
        if let Some(user) = &self.built.user {
            user.run_begin(&self.gpu, mask);
        }
        self.wait_for_device()?;
        self.gpu.check()
    }

    /// Why worlds were reset since this was asked last: None, or what was wrong.
    ///
    /// # Errors
    /// When the device fails.
    pub async fn take_errors_async(&mut self) -> Result<Vec<Option<&'static str>>, GpuError> {
        let describe = |quantity: Option<&str>| match quantity {
            None => None,
            Some(BAD_STATE) => Some("positions or velocities were not finite or too large"),
            Some(_) => Some("accelerations were not finite or too large"),
        };
        Ok(self.take_failed().await?.into_iter().map(describe).collect())
    }

    /// Whether worlds may have failed since [`take_errors_async`](Self::take_errors_async) was asked last:
    /// where this is false, it has nothing to tell.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.failed || self.late.is_some()
    }

    /// Which quantity of a world was of no use, for each world that was reset since this was asked last.
    pub(crate) async fn take_failed(&mut self) -> Result<Vec<Option<&'static str>>, GpuError> {
        self.check_landed()?;
        self.check_whole()?;
        if !self.failed {
            return Ok(vec![None; self.basis.worlds]);
        }
        let mut status = self.status().await?;
        let quantity = |row: &[u32]| match row[STATUS_FLAGS] {
            0 => None,
            flags if (flags | flags >> FLAGS_SEEN) & FLAG_BAD_STATE != 0 => Some(BAD_STATE),
            _ => Some(BAD_ACCELERATION),
        };
        let failed: Vec<_> = status.chunks_exact(STATUS_SIZE).map(quantity).collect();
        if failed.iter().any(Option::is_some) {
            status.chunks_exact_mut(STATUS_SIZE).for_each(|row| row[STATUS_FLAGS] = 0);
            self.gpu.queue.write_buffer(&self.built.buffers.status, 0, bytemuck::cast_slice(&status));
        }
        self.gpu.queue.write_buffer(&self.built.buffers.needed, 4 * FAILURES, &[0; 4]);
        self.failed = false;
        Ok(failed)
    }

    async fn status(&self) -> Result<Vec<u32>, GpuError> {
        self.check_whole()?;
        self.counters().await
    }

    /// Counters of all worlds, whether they have made all steps or not.
    pub(super) async fn counters(&self) -> Result<Vec<u32>, GpuError> {
        read(&self.gpu, &self.built.buffers.status, STATUS_SIZE * self.basis.worlds).await
    }

    /// Number of contacts of each world at the beginning of the last step.
    ///
    /// # Errors
    /// When the device fails.
    pub async fn contacts_async(&self) -> Result<Vec<usize>, GpuError> {
        Ok(self.status().await?.chunks_exact(STATUS_SIZE).map(|row| row[STATUS_CONTACTS] as usize).collect())
    }

    /// What the solver did since the simulator was made.
    ///
    /// # Errors
    /// When the device fails.
    pub async fn solver_totals_async(&self) -> Result<SolverTotals, GpuError> {
        let mut totals = SolverTotals::default();
        for row in self.status().await?.chunks_exact(STATUS_SIZE) {
            totals.steps += u64::from(row[STATUS_STEPS]);
            totals.iterations += u64::from(row[STATUS_ITERATIONS]);
            totals.rows += u64::from(row[STATUS_ROWS]);
            totals.contacts += u64::from(row[STATUS_POINTS]);
        }
        Ok(totals)
    }
}

/// Worlds that follow each other and are in the mask: one write to the device will do for each.
fn runs(mask: &[bool]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut next = 0;
    std::iter::from_fn(move || {
        let first = next + mask[next..].iter().position(|&chosen| chosen)?;
        next = first + mask[first..].iter().take_while(|&&chosen| chosen).count();
        Some(first..next)
    })
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn neighbours_in_a_mask_are_written_together() {
        let found: Vec<_> = runs(&[true, false, true, true, false, false, true]).collect();
        assert_eq!(found, [0..1, 2..4, 6..7]);
        assert_eq!(runs(&[false; 3]).count() + runs(&[]).count(), 0);
    }
}
