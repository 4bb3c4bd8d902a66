//! Copies from the device.

use crate::device::Gpu;
use crate::error::GpuError;
use crate::precision::{Number, Precision, from_device};

/// Counters or indices of a buffer, once everything submitted before is done.
pub(crate) fn read<T: bytemuck::AnyBitPattern + bytemuck::NoUninit>(
    gpu: &Gpu,
    buffer: &wgpu::Buffer,
    count: usize,
) -> Result<Vec<T>, GpuError> {
    read_bytes(gpu, buffer, (count * size_of::<T>()) as u64, bytemuck::pod_collect_to_vec)
}

/// Numbers of a buffer, which has them in some precision.
pub(crate) fn read_numbers<T: Number>(
    gpu: &Gpu,
    buffer: &wgpu::Buffer,
    count: usize,
    precision: Precision,
) -> Result<Vec<T>, GpuError> {
    read_bytes(gpu, buffer, count as u64 * precision.bytes(), |bytes| from_device(precision, bytes))
}

/// What `take` makes of the first bytes of a buffer.
fn read_bytes<R: Default>(
    gpu: &Gpu,
    buffer: &wgpu::Buffer,
    size: u64,
    take: impl FnOnce(&[u8]) -> R,
) -> Result<R, GpuError> {
    if size == 0 {
        return Ok(R::default());
    }
    let copy = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("copy"),
        size,
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    encoder.copy_buffer_to_buffer(buffer, 0, &copy, 0, size);
    gpu.queue.submit([encoder.finish()]);
    let (done, mapped) = std::sync::mpsc::channel();
    copy.slice(..).map_async(wgpu::MapMode::Read, move |result| {
        // whoever waits for this is there until it comes
        let _ = done.send(result);
    });
    gpu.device
        .poll(wgpu::PollType::wait_indefinitely())
        .map_err(|error| GpuError::Device(error.to_string()))?;
    gpu.check()?;
    match mapped.recv() {
        Ok(Ok(())) => {}
        Ok(Err(error)) => return Err(GpuError::Device(error.to_string())),
        Err(error) => return Err(GpuError::Device(error.to_string())),
    }
    let view = copy.slice(..).get_mapped_range().map_err(|error| GpuError::Device(error.to_string()))?;
    Ok(take(&view))
}
