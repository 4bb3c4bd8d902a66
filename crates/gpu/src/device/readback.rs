//! Copies from the device.

use crate::device::gpu::Gpu;
use crate::device::signal::{Signal, signal};
use crate::error::GpuError;
use crate::precision::{Number, Precision, from_device};
use kinetree_model::is_interrupted;

/// Counters or indices of a buffer, once everything submitted before is done.
pub(crate) async fn read<T: bytemuck::AnyBitPattern + bytemuck::NoUninit>(
    gpu: &Gpu,
    buffer: &wgpu::Buffer,
    count: usize,
) -> Result<Vec<T>, GpuError> {
    read_bytes(gpu, buffer, (count * size_of::<T>()) as u64, bytemuck::pod_collect_to_vec).await
}

/// Numbers of a buffer, which has them in some precision.
pub(crate) async fn read_numbers<T: Number>(
    gpu: &Gpu,
    buffer: &wgpu::Buffer,
    count: usize,
    precision: Precision,
) -> Result<Vec<T>, GpuError> {
    read_bytes(gpu, buffer, count as u64 * precision.bytes(), |bytes| from_device(precision, bytes)).await
}

/// What `take` makes of the first bytes of a buffer.
async fn read_bytes<R: Default>(
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
    let mapped = map(&copy);
    arrive(gpu, mapped, None).await?;
    let view = copy.slice(..).get_mapped_range().map_err(|error| GpuError::Device(error.to_string()))?;
    Ok(take(&view))
}

/// What comes of making a buffer readable.
pub(crate) type Mapped = Signal<Result<(), wgpu::BufferAsyncError>>;

/// Makes a buffer readable once everything submitted before is done.
pub(crate) fn map(buffer: &wgpu::Buffer) -> Mapped {
    let (done, mapped) = signal();
    buffer.slice(..).map_async(wgpu::MapMode::Read, move |outcome| done.send(outcome));
    mapped
}

/// How long a thread looks for the end of a copy by itself: one that sleeps is woken late, which short calls
/// would feel.
#[cfg(not(target_arch = "wasm32"))]
const PATIENCE: web_time::Duration = web_time::Duration::from_millis(5);

/// Whether a buffer becomes readable soon; other threads run meanwhile.
#[cfg(not(target_arch = "wasm32"))]
fn soon(gpu: &Gpu, mapped: &Mapped) -> Result<bool, wgpu::PollError> {
    let start = web_time::Instant::now();
    while start.elapsed() < PATIENCE {
        gpu.device.poll(wgpu::PollType::Poll)?;
        if mapped.has_come() {
            return Ok(true);
        }
        std::thread::yield_now();
    }
    Ok(false)
}

/// A browser calls back by itself.
#[cfg(target_arch = "wasm32")]
fn soon(_: &Gpu, _: &Mapped) -> Result<bool, wgpu::PollError> {
    Ok(false)
}

/// How long a wait lasts until it is asked whether its caller wants it to end.
const LOOK: web_time::Duration = web_time::Duration::from_millis(20);

/// Waits until the device has done a submission and those before it, or all of them. In a browser it does
/// nothing.
///
/// # Errors
/// When the device fails, and when the caller wants the call to end ([`kinetree_model::interruptible`]): the
/// device goes on by itself then.
pub(crate) fn wait(gpu: &Gpu, submission: Option<&wgpu::SubmissionIndex>) -> Result<(), GpuError> {
    loop {
        let part = wgpu::PollType::Wait { submission_index: submission.cloned(), timeout: Some(LOOK) };
        match gpu.device.poll(part) {
            Ok(_) => return Ok(()),
            Err(wgpu::PollError::Timeout) if is_interrupted() => return Err(GpuError::Interrupted),
            Err(wgpu::PollError::Timeout) => {}
            Err(error) => return Err(GpuError::Device(error.to_string())),
        }
    }
}

/// Waits until a buffer is readable, which it is after a submission or after all of them: natively in `poll`,
/// which calls back before it returns; in a browser, where `poll` does nothing, until the browser calls back.
pub(crate) async fn arrive(
    gpu: &Gpu,
    mapped: Mapped,
    submission: Option<&wgpu::SubmissionIndex>,
) -> Result<(), GpuError> {
    let failed = |error: wgpu::PollError| GpuError::Device(error.to_string());
    if !soon(gpu, &mapped).map_err(failed)? {
        wait(gpu, submission)?;
    }
    gpu.check()?;
    let outcome = mapped.await;
    gpu.check()?;
    match outcome {
        Some(Ok(())) => Ok(()),
        Some(Err(error)) => Err(GpuError::Device(error.to_string())),
        None => Err(GpuError::Device("a copy was not finished".to_owned())),
    }
}
