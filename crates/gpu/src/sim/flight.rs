//! Steps in flight: the device makes steps while states of earlier ones are copied and looked at.

use super::simulator::GpuSim;
use super::staging::{Flight, Landed, NEEDED, Needs, Staging, Transfer};
#[cfg(not(target_arch = "wasm32"))]
use crate::device::readback::wait;
use crate::device::readback::{arrive, map};
use crate::device::watch::Watch;
use crate::error::GpuError;
use crate::layout::buffer_layout::{STATUS_SIZE, STATUS_STEPS};
use crate::precision::{Number, from_device};

/// Most steps that may be begun and not finished: one copy is looked at while the other is made.
const MOST: usize = 2;

impl GpuSim {
    /// Begins `count` steps with the controls that are set, and a copy of the states after them, and returns
    /// at once. Up to two such calls may be under way: while the device makes the later steps, the states of
    /// the earlier ones are copied and [`finish_steps`](Self::finish_steps) returns them. Controls may be set
    /// in between; everything else has to wait until all steps are finished.
    ///
    /// # Errors
    /// When two are under way already, with functions of the user (which need all worlds to be through a
    /// step), or when the device fails.
    pub fn begin_steps(&mut self, count: usize) -> Result<(), GpuError> {
        if self.built.user.is_some() {
            return Err(GpuError::Unsupported(vec![
                "functions of your own in steps that overlap".to_owned(),
            ]));
        }
        if self.is_shared() {
            return Err(GpuError::Unsupported(vec![
                "tensors without copies in steps that overlap".to_owned(),
            ]));
        }
        if self.flights.len() >= MOST {
            return Err(GpuError::Unfinished);
        }
        self.check_whole()?;
        self.check_steps(count)?;
        self.submit_all(count);
        let staging = match self.idle.pop() {
            Some(staging) => staging,
            None => self.staging()?,
        };
        let (goal, controls, copy) = (self.goal, self.controls.clone(), self.copy_out(staging));
        self.flights.push_back(Flight { goal, count, controls, copy });
        self.gpu.check()
    }

    /// Waits for the steps that were begun first without finishing them, so that
    /// [`finish_steps`](Self::finish_steps) returns soon: unlike that, this call may be
    /// [interrupted](kinetree_model::interruptible), and made again. Without steps under way it does nothing.
    ///
    /// # Errors
    /// When it is interrupted, or when the device fails.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn await_steps(&self) -> Result<(), GpuError> {
        self.flights.front().map_or(Ok(()), |flight| wait(&self.gpu, Some(&flight.copy.submission)))
    }

    /// Waits for the steps that were begun first, and returns the states after them, as
    /// [`states_async`](Self::states_async) does.
    ///
    /// # Errors
    /// When no steps were begun, or when the device fails.
    pub async fn finish_steps_async<T: Number>(&mut self) -> Result<Vec<T>, GpuError> {
        self.check_whole()?;
        let Flight { goal, count, controls, copy } =
            self.flights.pop_front().ok_or(GpuError::NothingBegun)?;
        let (mut landed, staging) = self.land(copy).await?;
        self.failed |= landed.needs.failed;
        if self.capacity().is_exceeded(landed.needs.room) {
            let last = (self.goal, self.controls.clone());
            let caught_up = self.repeat_all(goal, count, &controls, &mut landed).await;
            self.goal = last.0;
            self.put_controls(&last.1);
            if let Err(error) = caught_up {
                // steps that were begun since had other controls, so nothing can be made up for
                self.flights.clear();
                self.note_late(&error, None).await;
                return Err(error);
            }
        } else if self.flights.is_empty() {
            self.review_rooms(&landed.needs, &mut Watch::none()).await?;
        }
        self.idle.push(staging);
        Ok(landed.states)
    }

    /// An error while steps are under way.
    pub(crate) fn check_landed(&self) -> Result<(), GpuError> {
        if self.flights.is_empty() { Ok(()) } else { Err(GpuError::Unfinished) }
    }

    fn staging(&self) -> Result<Staging, GpuError> {
        let count = |size: usize| (size * self.basis.worlds) as u64;
        let states = count(self.built.layout.state) * self.built.layout.precision.bytes();
        Staging::new(&self.gpu, states, 4 * count(STATUS_SIZE))
    }

    /// Submits a copy of what the worlds are when everything before is done.
    fn copy_out(&self, staging: Staging) -> Transfer {
        let Staging { buffer, states, status } = &staging;
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        if self.basis.worlds > 0 {
            encoder.copy_buffer_to_buffer(&self.built.buffers.state, 0, buffer, 0, *states);
            encoder.copy_buffer_to_buffer(&self.built.buffers.status, 0, buffer, *states, *status);
        }
        encoder.copy_buffer_to_buffer(&self.built.buffers.needed, 0, buffer, states + status, NEEDED);
        let submission = self.gpu.queue.submit([encoder.finish()]);
        let mapped = map(buffer);
        Transfer { staging, submission, mapped }
    }

    /// Waits for a copy, and no longer, and reads it.
    async fn land<T: Number>(&self, copy: Transfer) -> Result<(Landed<T>, Staging), GpuError> {
        let Transfer { staging, submission, mapped } = copy;
        arrive(&self.gpu, mapped, Some(&submission)).await?;
        let Staging { buffer, states, .. } = &staging;
        let landed = {
            let failed = |error: wgpu::MapRangeError| GpuError::Device(error.to_string());
            let view = buffer.slice(..).get_mapped_range().map_err(failed)?;
            let (states, rest) = view.split_at(*states as usize);
            let rest: &[u32] = bytemuck::cast_slice(rest);
            let (status, needed) = rest.split_at(rest.len() - NEEDED as usize / 4);
            Landed {
                states: from_device(self.built.layout.precision, states),
                steps: status.chunks_exact(STATUS_SIZE).map(|row| row[STATUS_STEPS]).collect(),
                needs: Needs::new(needed),
            }
        };
        buffer.unmap();
        Ok((landed, staging))
    }

    /// Makes room for worlds that had none, lets them make the steps that they have missed with the controls
    /// of these steps, and the same for steps that were begun since.
    async fn repeat_all<T: Number>(
        &mut self,
        goal: u32,
        count: usize,
        controls: &[u8],
        landed: &mut Landed<T>,
    ) -> Result<(), GpuError> {
        let late: Vec<bool> = landed.steps.iter().map(|&steps| steps < goal).collect();
        self.repeat(goal, count, controls).await?;
        let (size, states) = (self.built.layout.state, self.states_async::<T>().await?);
        for (w, _) in late.iter().enumerate().filter(|(_, late)| **late) {
            landed.states[w * size..(w + 1) * size].copy_from_slice(&states[w * size..(w + 1) * size]);
        }
        // worlds that were late have not made later steps either: what room they need follows from their
        // states
        if let Some(later) = self.flights.pop_front() {
            let Flight { goal, count, controls, copy } = later;
            self.repeat(goal, count, &controls).await?;
            let (_, staging) = self.land::<T>(copy).await?;
            let copy = self.copy_out(staging);
            self.flights.push_back(Flight { goal, count, controls, copy });
        }
        Ok(())
    }

    /// Lets worlds that have not made so many steps yet make them, with room for all of them.
    async fn repeat(&mut self, goal: u32, count: usize, controls: &[u8]) -> Result<(), GpuError> {
        self.put_controls(controls);
        self.goal = goal;
        self.submit_again(count);
        while self.grow_if_needed(&mut Watch::none()).await? {
            self.submit_again(count);
        }
        Ok(())
    }
}
