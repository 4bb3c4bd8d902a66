//! The graphics device: one per process is enough, and renderers share it with its compiled pipelines.

use super::blit::BlitCache;
use super::error::RenderError;
use super::pipeline::PipelineCache;
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
    failure: Arc<Mutex<Option<String>>>,
}

impl Gpu {
    /// Opens the best adapter of this machine, without a window. `WGPU_BACKEND` (`vulkan`, `gl`, `metal`,
    /// `dx12`) narrows the choice.
    ///
    /// # Errors
    /// [`RenderError::NoAdapter`] says what to install; [`RenderError::NoDevice`] what the driver refused.
    pub fn new() -> Result<Self, RenderError> {
        let chosen = wgpu::Backends::from_env();
        let adapter = match chosen {
            Some(backends) => find_adapter(backends),
            // OpenGL looks for displays and complains when there is none: only when nothing else is there
            None => find_adapter(wgpu::Backends::PRIMARY).or_else(|_| find_adapter(wgpu::Backends::all())),
        }?;
        let name = adapter.get_info().name;
        let descriptor = Self::device_descriptor(&adapter);
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|error| RenderError::NoDevice { adapter: name, reason: error.to_string() })?;
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
        wgpu::DeviceDescriptor {
            label: Some("kinetree"),
            required_features: adapter.features() & optional_features(),
            required_limits: adapter.limits(),
            ..Default::default()
        }
    }

    /// Uses a device that a window system has opened already.
    #[must_use]
    pub fn from_device(info: &wgpu::AdapterInfo, device: wgpu::Device, queue: wgpu::Queue) -> Self {
        let failure = Arc::new(Mutex::new(None));
        let slot = failure.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| remember(&slot, error.to_string())));
        let slot = failure.clone();
        device.set_device_lost_callback(move |reason, message| {
            if reason != wgpu::DeviceLostReason::Destroyed {
                remember(&slot, format!("device lost: {message}"));
            }
        });
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
            adapter: format!("{} ({})", info.name, info.backend),
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
        let failure = self.failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        failure.as_ref().map_or(Ok(()), |reason| Err(RenderError::Device { reason: reason.clone() }))
    }
}

/// The best adapter of some interfaces, without a window.
fn find_adapter(backends: wgpu::Backends) -> Result<wgpu::Adapter, RenderError> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    descriptor.backends = backends;
    let options = wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::HighPerformance,
        ..Default::default()
    };
    pollster::block_on(wgpu::Instance::new(descriptor).request_adapter(&options))
        .map_err(|error| RenderError::NoAdapter { reason: error.to_string() })
}

/// Features that are used where an adapter has them.
fn optional_features() -> wgpu::Features {
    wgpu::Features::POLYGON_MODE_LINE | wgpu::Features::DEPTH32FLOAT_STENCIL8
}

/// Keeps the first failure: later ones follow from it.
fn remember(slot: &Mutex<Option<String>>, reason: String) {
    slot.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(reason);
}
