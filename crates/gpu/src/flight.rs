//! Steps in flight: the device makes steps while states of earlier ones are copied and looked at.

use crate::device::Gpu;
use crate::error::GpuError;
use crate::layout::{STATUS_SIZE, STATUS_STEPS};
use crate::precision::{Number, from_device};
use crate::readback::{Mapped, arrive, map};
use crate::sim::GpuSim;

/// Most steps that may be begun and not finished: one copy is looked at while the other is made.
const MOST: usize = 2;

/// Steps that were begun.
#[derive(Debug)]
pub(crate) struct Flight {
    /// Steps that every world has made after them.
    goal: u32,
    count: usize,
    controls: Vec<f64>,
    copy: Transfer,
}

/// A copy that the device makes.
#[derive(Debug)]
struct Transfer {
    staging: Staging,
    submission: wgpu::SubmissionIndex,
    mapped: Mapped,
}

/// Memory that the processor can read: states, then counters of all worlds, then what room they needed.
#[derive(Debug)]
pub(crate) struct Staging {
    buffer: wgpu::Buffer,
    states: u64,
    status: u64,
}

/// Bytes of the counters of needed room.
const NEEDED: u64 = 16;

impl Staging {
    fn new(gpu: &Gpu, states: u64, status: u64) -> Result<Self, GpuError> {
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("states in flight"),
            size: states + status + NEEDED,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        gpu.check()?;
        Ok(Self { buffer, states, status })
    }
}

/// What a copy says.
struct Landed<T> {
    states: Vec<T>,
    /// Steps that each world has made.
    steps: Vec<u32>,
    needed: [usize; 3],
}

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
        if self.user.is_some() {
            return Err(GpuError::Unsupported(vec![
                "functions of your own in steps that overlap".to_owned(),
            ]));
        }
        if self.flights.len() >= MOST {
            return Err(GpuError::Unfinished);
        }
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

    /// Waits for the steps that were begun first, and returns the states after them, as
    /// [`states_async`](Self::states_async) does.
    ///
    /// # Errors
    /// When no steps were begun, or when the device fails.
    pub async fn finish_steps_async<T: Number>(&mut self) -> Result<Vec<T>, GpuError> {
        let Flight { goal, count, controls, copy } =
            self.flights.pop_front().ok_or(GpuError::NothingBegun)?;
        let (mut landed, staging) = self.land(copy).await?;
        if self.capacity().is_exceeded(landed.needed) {
            self.catch_up(goal, count, &controls, &mut landed).await?;
        }
        self.idle.push(staging);
        Ok(landed.states)
    }

    /// An error while steps are under way.
    pub(crate) fn check_landed(&self) -> Result<(), GpuError> {
        if self.flights.is_empty() { Ok(()) } else { Err(GpuError::Unfinished) }
    }

    fn staging(&self) -> Result<Staging, GpuError> {
        let count = |size: usize| (size * self.worlds) as u64;
        let states = count(self.layout.state) * self.layout.precision.bytes();
        Staging::new(&self.gpu, states, 4 * count(STATUS_SIZE))
    }

    /// Submits a copy of what the worlds are when everything before is done.
    fn copy_out(&self, staging: Staging) -> Transfer {
        let Staging { buffer, states, status } = &staging;
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        if self.worlds > 0 {
            encoder.copy_buffer_to_buffer(&self.buffers.state, 0, buffer, 0, *states);
            encoder.copy_buffer_to_buffer(&self.buffers.status, 0, buffer, *states, *status);
        }
        encoder.copy_buffer_to_buffer(&self.buffers.needed, 0, buffer, states + status, NEEDED);
        let submission = self.gpu.queue.submit([encoder.finish()]);
        let mapped = map(buffer);
        Transfer { staging, submission, mapped }
    }

    /// Waits for a copy, and no longer, and reads it.
    async fn land<T: Number>(&self, copy: Transfer) -> Result<(Landed<T>, Staging), GpuError> {
        let Transfer { staging, submission, mapped } = copy;
        let wait = wgpu::PollType::Wait { submission_index: Some(submission), timeout: None };
        arrive(&self.gpu, mapped, wait).await?;
        let Staging { buffer, states, .. } = &staging;
        let landed = {
            let failed = |error: wgpu::MapRangeError| GpuError::Device(error.to_string());
            let view = buffer.slice(..).get_mapped_range().map_err(failed)?;
            let (states, rest) = view.split_at(*states as usize);
            let rest: &[u32] = bytemuck::cast_slice(rest);
            let (status, needed) = rest.split_at(rest.len() - NEEDED as usize / 4);
            Landed {
                states: from_device(self.layout.precision, states),
                steps: status.chunks_exact(STATUS_SIZE).map(|row| row[STATUS_STEPS]).collect(),
                needed: [0, 1, 2].map(|k| needed[k] as usize),
            }
        };
        buffer.unmap();
        Ok((landed, staging))
    }

    /// Makes room for worlds that had none, lets them make the steps that they have missed with the controls
    /// of these steps, and the same for steps that were begun since.
    async fn catch_up<T: Number>(
        &mut self,
        goal: u32,
        count: usize,
        controls: &[f64],
        landed: &mut Landed<T>,
    ) -> Result<(), GpuError> {
        let late: Vec<bool> = landed.steps.iter().map(|&steps| steps < goal).collect();
        let last_controls = self.controls.clone();
        self.repeat(goal, count, controls).await?;
        let (size, states) = (self.layout.state, self.states_async::<T>().await?);
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
        self.set_controls(&last_controls)
    }

    /// Lets worlds that have not made so many steps yet make them, with room for all of them.
    async fn repeat(&mut self, goal: u32, count: usize, controls: &[f64]) -> Result<(), GpuError> {
        self.set_controls(controls)?;
        let last = std::mem::replace(&mut self.goal, goal);
        self.submit_again(count);
        while self.grow_if_needed().await? {
            self.submit_again(count);
        }
        self.goal = last;
        Ok(())
    }
}
