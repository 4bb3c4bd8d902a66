//! The graphics device: one per process is enough, and renderers share it with its compiled pipelines.

use super::blit::BlitCache;
use super::error::RenderError;
use super::pipeline::PipelineCache;
use kinetree_device::{FirstFailure, adapter_name, best_adapter};
use std::sync::{Arc, Mutex, OnceLock};

/// A graphics device with its queue, and the pipelines compiled for it.
#[derive(Debug)]
pub struct Gpu {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    pub(super) pipelines: PipelineCache,
    pub(super) blits: BlitCache,
    pub(super) depth_format: wgpu::TextureFormat,
    adapter: String,
    /// Fewest layers of a texture that is an array: OpenGL takes one of a single layer for a plain texture.
    pub(super) least_layers: u32,
    software: bool,
    failure: FirstFailure,
}

impl Gpu {
    /// Opens the best adapter of this machine, without a window. `WGPU_BACKEND` (`vulkan`, `gl`, `metal`,
    /// `dx12`) narrows the choice.
    ///
    /// # Errors
    /// [`RenderError::NoAdapter`] says what to install; [`RenderError::NoDevice`] what the driver refused.
    pub fn new() -> Result<Self, RenderError> {
        let chosen = wgpu::Backends::from_env();
        let find = |backends| pollster::block_on(best_adapter(backends));
        let adapter = match chosen {
            Some(backends) => find(backends),
            // OpenGL looks for displays and complains when there is none: only when nothing else is there
            None => find(wgpu::Backends::PRIMARY).or_else(|_| find(wgpu::Backends::all())),
        }?;
        let (device, queue) = pollster::block_on(kinetree_device::open(&adapter, optional_features()))?;
        Ok(Self::from_device(&adapter.get_info(), device, queue))
    }

    /// The device of the process, opened at the first call. A failure is not remembered: the next call tries
    /// again.
    ///
    /// # Errors
    /// As [`Gpu::new`].
    pub fn shared() -> Result<Arc<Self>, RenderError> {
        static SHARED: OnceLock<Mutex<Option<Arc<Gpu>>>> = OnceLock::new();
        let mut slot =
            SHARED.get_or_init(Mutex::default).lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match slot.as_ref() {
            Some(gpu) if gpu.check().is_ok() => Ok(gpu.clone()),
            _ => {
                let gpu = Arc::new(Self::new()?);
                *slot = Some(gpu.clone());
                Ok(gpu)
            }
        }
    }

    /// How a device is to be opened for a [`Gpu`]: with the adapter's limits and everything that the renderer
    /// can use.
    #[must_use]
    pub fn device_descriptor(adapter: &wgpu::Adapter) -> wgpu::DeviceDescriptor<'static> {
        kinetree_device::descriptor(adapter, optional_features())
    }

    /// Uses a device that a window system has opened already.
    #[must_use]
    pub fn from_device(info: &wgpu::AdapterInfo, device: wgpu::Device, queue: wgpu::Queue) -> Self {
        // a window that is closed destroys its device
        let failure = FirstFailure::watch(&device, |reason| reason != wgpu::DeviceLostReason::Destroyed);
        let depth_format = if device.features().contains(wgpu::Features::DEPTH32FLOAT_STENCIL8) {
            wgpu::TextureFormat::Depth32FloatStencil8
        } else {
            wgpu::TextureFormat::Depth24PlusStencil8
        };
        Self {
            pipelines: PipelineCache::new(&device, depth_format),
            blits: BlitCache::new(&device),
            device,
            queue,
            depth_format,
            adapter: adapter_name(info),
            least_layers: if info.backend == wgpu::Backend::Gl { 2 } else { 1 },
            software: info.device_type == wgpu::DeviceType::Cpu,
            failure,
        }
    }

    /// Name of the adapter and its interface, as in `llvmpipe (LLVM 15.0.6, 256 bits) (vulkan)`.
    #[must_use]
    pub fn adapter(&self) -> &str {
        &self.adapter
    }

    /// Whether the processor draws, without a graphics card.
    #[must_use]
    pub fn is_software(&self) -> bool {
        self.software
    }

    /// The device, for programs that show what was drawn.
    #[must_use]
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// The queue of the device.
    #[must_use]
    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// Whether triangles can be drawn as outlines.
    pub(super) fn draws_outlines(&self) -> bool {
        self.device.features().contains(wgpu::Features::POLYGON_MODE_LINE)
    }

    /// The first error that the device reported, if any.
    pub(super) fn check(&self) -> Result<(), RenderError> {
        self.failure.get().map_or(Ok(()), |reason| Err(RenderError::Device { reason }))
    }
}

/// Features that are used where an adapter has them.
fn optional_features() -> wgpu::Features {
    wgpu::Features::POLYGON_MODE_LINE | wgpu::Features::DEPTH32FLOAT_STENCIL8
}
