//! Where no library takes over memory of a device.

use super::gpu::Gpu;
use crate::error::GpuError;

/// A buffer that other libraries see: here there is none.
#[derive(Clone, Debug)]
pub(crate) struct SharedBuffer {
    pub(crate) buffer: wgpu::Buffer,
    never: std::convert::Infallible,
}

impl SharedBuffer {
    pub(crate) fn new(gpu: &Gpu, _: &'static str, _: u64) -> Result<Self, GpuError> {
        let what = format!(
            "tensors on '{}' without copies, which need CUDA on Linux; read arrays instead",
            gpu.adapter()
        );
        Err(GpuError::Unsupported(vec![what]))
    }

    pub(crate) fn address(&self) -> u64 {
        match self.never {}
    }

    pub(crate) fn ordinal(&self) -> i32 {
        match self.never {}
    }

    pub(crate) fn wait(&self) -> Result<(), GpuError> {
        match self.never {}
    }
}
