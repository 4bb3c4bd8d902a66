//! Steps that were begun, and memory that the processor reads their states from.

use crate::device::gpu::Gpu;
use crate::device::readback::Mapped;
use crate::error::GpuError;

/// Steps that were begun.
#[derive(Debug)]
pub(crate) struct Flight {
    /// Steps that every world has made after them.
    pub(super) goal: u32,
    pub(super) count: usize,
    pub(super) controls: Vec<f64>,
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

/// Bytes of the counters of needed room.
pub(super) const NEEDED: u64 = 16;

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
    pub(super) needed: [usize; 3],
}
