//! The device that kernels run on.

use crate::error::GpuError;
use crate::lanes::Lanes;
use crate::precision::Precision;
use std::sync::{Arc, Mutex};

/// An opened GPU.
#[derive(Clone, Debug)]
pub struct Gpu {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    pub(crate) lanes: Lanes,
    adapter: String,
    failure: Arc<Mutex<Option<String>>>,
}

impl Gpu {
    /// Opens the fastest adapter of this machine, or the first whose name contains `wanted`. `WGPU_BACKEND`
    /// (`vulkan`, `metal`, `dx12`) narrows the choice. In a browser there is one adapter, WebGPU's.
    ///
    /// # Errors
    /// When there is no adapter, or its driver refuses.
    pub async fn open(wanted: Option<&str>) -> Result<Self, GpuError> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
        descriptor.backends = wgpu::Backends::from_env().unwrap_or(wgpu::Backends::PRIMARY);
        let instance = wgpu::Instance::new(descriptor);
        let adapter = match wanted {
            None => {
                let options = wgpu::RequestAdapterOptions {
                    power_preference: wgpu::PowerPreference::HighPerformance,
                    ..Default::default()
                };
                instance
                    .request_adapter(&options)
                    .await
                    .map_err(|error| GpuError::NoAdapter { reason: error.to_string() })?
            }
            Some(wanted) => named_adapter(&instance, wanted).await?,
        };
        Self::with_adapter(&adapter).await
    }

    /// Opens an adapter with its own limits.
    async fn with_adapter(adapter: &wgpu::Adapter) -> Result<Self, GpuError> {
        let info = adapter.get_info();
        let optional = wgpu::Features::SUBGROUP
            | wgpu::Features::SUBGROUP_BARRIER
            | wgpu::Features::TIMESTAMP_QUERY
            | wgpu::Features::SHADER_F64;
        let features = adapter.features() & optional;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("kinetree"),
            required_features: features,
            required_limits: adapter.limits(),
            ..Default::default()
        };
        let (device, queue) = adapter
            .request_device(&descriptor)
            .await
            .map_err(|error| GpuError::NoDevice { adapter: info.name.clone(), reason: error.to_string() })?;
        let failure = Arc::new(Mutex::new(None));
        let slot = failure.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| remember(&slot, error.to_string())));
        let slot = failure.clone();
        device.set_device_lost_callback(move |_, message| remember(&slot, format!("device lost: {message}")));
        let fits = info.subgroup_min_size == 32 && info.subgroup_max_size == 32;
        let lanes = if fits && features.contains(wgpu::Features::SUBGROUP) {
            Lanes::Subgroups
        } else {
            Lanes::Workgroup
        };
        // browsers do not tell every name
        let name = if info.name.is_empty() { "unnamed device" } else { &info.name };
        Ok(Self { device, queue, lanes, adapter: format!("{name} ({})", info.backend), failure })
    }

    /// Name of the adapter and its interface, as in `llvmpipe (LLVM 15.0.6, 256 bits) (vulkan)`.
    #[must_use]
    pub fn adapter(&self) -> &str {
        &self.adapter
    }

    /// Whether the device computes in double precision.
    #[must_use]
    pub fn has_double(&self) -> bool {
        self.device.features().contains(wgpu::Features::SHADER_F64)
    }

    /// The device, for programs with kernels of their own.
    #[must_use]
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// The queue of the device.
    #[must_use]
    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// An error unless the device computes in this precision.
    pub(crate) fn check_precision(&self, precision: Precision) -> Result<(), GpuError> {
        match precision {
            Precision::Double if !self.has_double() => {
                Err(GpuError::NoDouble { adapter: self.adapter.clone() })
            }
            _ => Ok(()),
        }
    }

    /// Says during what the device failed, if it has failed and nothing was said before.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn blame(&self, stage: &str) {
        // a device that is lost says so when it is asked for its progress
        let _ = self.device.poll(wgpu::PollType::Poll);
        let mut failure = self.failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(reason) = failure.as_mut()
            && !reason.ends_with(COMPILED)
        {
            *reason = format!("{reason}, while the kernel '{stage}'{COMPILED}");
        }
    }

    /// The first failure that the device reported, if any.
    pub(crate) fn check(&self) -> Result<(), GpuError> {
        let failure = self.failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        failure.as_ref().map_or(Ok(()), |reason| Err(GpuError::Device(reason.clone())))
    }
}

async fn named_adapter(instance: &wgpu::Instance, wanted: &str) -> Result<wgpu::Adapter, GpuError> {
    let adapters = instance.enumerate_adapters(wgpu::Backends::all()).await;
    let names: Vec<_> = adapters.iter().map(|adapter| adapter.get_info().name).collect();
    let place = names.iter().position(|name| name.to_lowercase().contains(&wanted.to_lowercase()));
    let found = place.and_then(|place| adapters.into_iter().nth(place));
    found.ok_or_else(|| GpuError::NoAdapter {
        reason: format!("no adapter is called '{wanted}'; there are: {}", names.join(", ")),
    })
}

/// End of a reason that names a kernel.
#[cfg(not(target_arch = "wasm32"))]
const COMPILED: &str = " was compiled";

/// Keeps the first failure: later ones follow from it.
fn remember(slot: &Mutex<Option<String>>, reason: String) {
    slot.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(reason);
}
