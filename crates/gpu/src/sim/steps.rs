//! Stepping all worlds: submission of kernels, checks after them, and times of their stages.

use super::simulator::GpuSim;
use crate::device::profile::{StageTime, profile};
use crate::device::watch::Watch;
use crate::error::GpuError;
use crate::features::capacity::Capacity;
#[cfg(not(target_arch = "wasm32"))]
use web_time::Instant;

/// Workgroups in a row of the dispatch grid.
const PER_ROW: u32 = 32768;
/// Most steps of one submission. The first has one step, so that the device begins while the next are
/// prepared.
const SUBMITTED_STEPS: usize = 16;

impl GpuSim {
    /// Makes `count` steps of all worlds with the same controls. A world that needs more contacts or rows
    /// than there is room for waits; capacities grow then, and it catches up.
    ///
    /// # Errors
    /// When the device fails, or has no room for larger capacities.
    pub async fn steps_async(&mut self, count: usize) -> Result<(), GpuError> {
        if self.basis.worlds == 0 {
            return Ok(());
        }
        self.check_landed()?;
        self.check_steps(count)?;
        self.wait_for_tensors()?;
        self.make_steps(count, &mut Watch::none()).await?;
        self.run_functions()
    }

    /// Makes steps that are followed by no functions of the user.
    async fn make_steps(&mut self, count: usize, watch: &mut Watch<'_>) -> Result<(), GpuError> {
        self.finish_late(watch).await?;
        self.submit_all(count);
        self.catch_up(count, watch).await
    }

    /// Runs functions of the user after steps.
    pub(super) fn run_functions(&self) -> Result<(), GpuError> {
        if let Some(user) = &self.built.user {
            user.run_after_steps(&self.gpu, self.basis.worlds);
            self.wait_for_device()?;
        }
        Ok(())
    }

    /// Submits so many more steps.
    pub(crate) fn submit_all(&mut self, count: usize) {
        self.goal += count as u32;
        self.announce();
        self.submit_parts(count);
    }

    /// Submits steps in parts, at the end a copy of what worlds have needed.
    fn submit_parts(&self, count: usize) {
        let (mut left, mut part) = (count, 1);
        while left > 0 {
            part = left.min(part);
            left -= part;
            self.submit(part, left == 0);
            part = SUBMITTED_STEPS;
        }
    }

    /// Submits as many steps again for worlds that have not made them.
    pub(crate) fn submit_again(&self, count: usize) {
        self.announce();
        self.submit_parts(count);
    }

    /// Whether so many more steps can be counted.
    pub(crate) fn check_steps(&self, count: usize) -> Result<(), GpuError> {
        match u32::try_from(count).ok().and_then(|count| self.goal.checked_add(count)) {
            Some(_) => Ok(()),
            None => Err(GpuError::Steps),
        }
    }

    /// Makes steps without waiting for the device to find out whether a world needed more room.
    fn submit(&self, steps: usize, is_last: bool) {
        if self.basis.worlds == 0 {
            return;
        }
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_bind_group(0, &self.built.program.bindings, &[]);
        let grid = self.grid();
        for _ in 0..steps * self.built.layout.evaluations {
            self.built.program.stages.iter().for_each(|stage| stage.dispatch(&mut pass, grid));
        }
        drop(pass);
        if is_last {
            self.needs.record(&mut encoder, &self.built.buffers.needed);
        }
        self.gpu.queue.submit([encoder.finish()]);
    }

    /// Tells the kernels how many steps there are to make.
    fn announce(&self) {
        let Capacity { contacts, candidates, .. } = self.built.design.rooms.most;
        let [scratch, contacts, candidates] =
            [self.built.layout.scratch, contacts, candidates].map(|size| size as u32);
        let words = [self.goal, self.basis.worlds as u32, self.grid()[0], scratch, contacts, candidates];
        self.gpu.queue.write_buffer(&self.built.buffers.submission, 0, bytemuck::cast_slice(&words));
    }

    fn grid(&self) -> [u32; 2] {
        let worlds = self.basis.worlds as u32;
        [worlds.min(PER_ROW), worlds.div_ceil(PER_ROW)]
    }

    /// Makes steps as [`steps_async`](Self::steps_async) does and tells the time of each stage; empty where
    /// the device has no clock.
    ///
    /// # Errors
    /// As [`steps_async`](Self::steps_async).
    pub async fn profile_async(&mut self, steps: usize) -> Result<Vec<StageTime>, GpuError> {
        if self.basis.worlds == 0 {
            return Ok(Vec::new());
        }
        self.check_landed()?;
        self.check_steps(steps)?;
        self.wait_for_tensors()?;
        self.finish_late(&mut Watch::none()).await?;
        self.goal += steps as u32;
        self.announce();
        let mut left = steps * self.built.layout.evaluations;
        let mut times: Vec<StageTime> = Vec::new();
        while left > 0 {
            let (made, parts) = profile(&self.gpu, &self.built.program, self.grid(), left).await?;
            if made == 0 {
                break;
            }
            left -= made;
            match times.is_empty() {
                true => times = parts,
                false => times.iter_mut().zip(parts).for_each(|(all, part)| all.time += part.time),
            }
        }
        // without a clock nothing has been made, and some worlds may have waited for room
        self.submit_again(steps);
        self.catch_up(steps, &mut Watch::none()).await?;
        self.run_functions()?;
        self.wait_for_device()?;
        Ok(times)
    }

    /// Makes up to `count` steps, and asks `go_on` ten times a second whether to go on: when it says no,
    /// worlds stop after the steps that the device is at, and have the states of these. Returns how many they
    /// made.
    ///
    /// # Errors
    /// As [`steps_async`](Self::steps_async), when it is stopped while kernels for larger capacities are
    /// compiled, and when its caller [interrupts](kinetree_model::interruptible) it while the device is at
    /// work: the next call that makes steps makes what is missing first, as [`settle`](Self::settle) does.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) async fn steps_watched_async(
        &mut self,
        count: usize,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<usize, GpuError> {
        if self.basis.worlds == 0 {
            return Ok(count);
        }
        self.check_landed()?;
        self.check_steps(count)?;
        self.wait_for_tensors()?;
        let mut done = 0;
        while done < count && go_on() {
            let (part, start) = (self.pace.piece(count - done), Instant::now());
            self.make_steps(part, &mut Watch::new(go_on)).await?;
            self.pace.measured(part, start.elapsed());
            done += part;
        }
        if done > 0 {
            self.run_functions()?;
        }
        Ok(done)
    }
}
