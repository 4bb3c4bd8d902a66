//! Steps that were begun, and memory that the processor reads their states from.

use crate::device::gpu::Gpu;
use crate::device::readback::{Mapped, arrive, map};
use crate::error::GpuError;
use crate::layout::buffer_layout::{CROWDED, FAILURES};

/// Steps that were begun.
#[derive(Debug)]
pub(crate) struct Flight {
    /// Steps that every world has made after them.
    pub(super) goal: u32,
    pub(super) count: usize,
    pub(super) controls: Vec<u8>,
    pub(super) copy: Transfer,
}

/// A copy that the device makes.
#[derive(Debug)]
pub(super) struct Transfer {
    pub(super) staging: Staging,
    pub(super) submission: wgpu::SubmissionIndex,
    pub(super) mapped: Mapped,
}

/// Memory that the processor can read: states, then counters of all worlds, then what room they needed.
#[derive(Debug)]
pub(crate) struct Staging {
    pub(super) buffer: wgpu::Buffer,
    pub(super) states: u64,
    pub(super) status: u64,
}

/// Bytes of the counters of needed room, failures and crowded worlds.
pub(super) const NEEDED: u64 = 48;

/// What kernels have told about all worlds together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needs {
    /// Contacts, rows and candidates of the world that needs most of them.
    pub(super) room: [usize; 3],
    /// Whether a world has begun anew since the counters were made.
    pub(super) failed: bool,
    /// Steps of crowded worlds since the counters were made.
    pub(super) crowded: u32,
}

impl Needs {
    pub(super) fn new(words: &[u32]) -> Self {
        Self {
            room: [0, 1, 2].map(|k| words[k] as usize),
            failed: words[FAILURES as usize] > 0,
            crowded: words[CROWDED],
        }
    }
}

/// Memory that the processor reads the counters from after steps, which each submission's end copies there.
#[derive(Debug)]
pub(crate) struct NeedsCopy(wgpu::Buffer);

impl NeedsCopy {
    pub(super) fn new(gpu: &Gpu) -> Self {
        Self(gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("counters of needed room"),
            size: NEEDED,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        }))
    }

    /// Records the copy.
    pub(super) fn record(&self, encoder: &mut wgpu::CommandEncoder, needed: &wgpu::Buffer) {
        encoder.copy_buffer_to_buffer(needed, 0, &self.0, 0, NEEDED);
    }

    /// Waits for everything that was submitted, and reads the last copy. When the wait is interrupted, it may
    /// be read again.
    pub(super) async fn read(&self, gpu: &Gpu) -> Result<Needs, GpuError> {
        let mapped = map(&self.0);
        // also where nobody waits for the end of this call any more
        let _unmap = Unmap(&self.0);
        arrive(gpu, mapped, None).await?;
        let failed = |error: wgpu::MapRangeError| GpuError::Device(error.to_string());
        let view = self.0.slice(..).get_mapped_range().map_err(failed)?;
        Ok(Needs::new(&bytemuck::pod_collect_to_vec::<u8, u32>(&view)))
    }
}

/// Gives a buffer back to the device at its end.
struct Unmap<'a>(&'a wgpu::Buffer);

impl Drop for Unmap<'_> {
    fn drop(&mut self) {
        self.0.unmap();
    }
}

impl Staging {
    pub(super) fn new(gpu: &Gpu, states: u64, status: u64) -> Result<Self, GpuError> {
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
pub(super) struct Landed<T> {
    pub(super) states: Vec<T>,
    /// Steps that each world has made.
    pub(super) steps: Vec<u32>,
    pub(super) needs: Needs,
}
