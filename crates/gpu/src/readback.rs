//! Copies from the device.

use crate::device::Gpu;
use crate::error::GpuError;

/// The contents of a buffer, once everything submitted before is done.
pub(crate) fn read<T: bytemuck::AnyBitPattern>(
    gpu: &Gpu,
    buffer: &wgpu::Buffer,
    count: usize,
) -> Result<Vec<T>, GpuError> {
    let size = (count * size_of::<T>()) as u64;
    if size == 0 {
        return Ok(Vec::new());
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
    Ok(bytemuck::cast_slice(&view).to_vec())
}
