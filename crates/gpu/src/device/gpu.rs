//! The device that kernels run on.

use crate::error::GpuError;
use crate::layout::lanes::Lanes;
use crate::precision::Precision;
use kinetree_device::{FirstFailure, adapter_name, best_adapter, named_adapter};

/// An opened GPU.
#[derive(Clone, Debug)]
pub struct Gpu {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    pub(crate) lanes: Lanes,
    adapter: String,
    failure: FirstFailure,
    /// Bytes of the largest buffer that is made.
    largest_buffer: u64,
}

impl Gpu {
    /// Opens the fastest adapter of this machine, or the first whose name contains `wanted`. `WGPU_BACKEND`
    /// (`vulkan`, `metal`, `dx12`) narrows the choice. In a browser there is one adapter, WebGPU's.
    ///
    /// # Errors
    /// When there is no adapter, or its driver refuses.
    pub async fn open(wanted: Option<&str>) -> Result<Self, GpuError> {
        let backends = wgpu::Backends::from_env().unwrap_or(wgpu::Backends::PRIMARY);
        let adapter = match wanted {
            None => best_adapter(backends).await?,
            Some(wanted) => named_adapter(backends, wanted).await?,
        };
        Self::with_adapter(&adapter).await
    }

    /// Opens an adapter with its own limits.
    async fn with_adapter(adapter: &wgpu::Adapter) -> Result<Self, GpuError> {
        let info = adapter.get_info();
        let optional = wgpu::Features::SUBGROUP
            | wgpu::Features::SUBGROUP_BARRIER
            | wgpu::Features::TIMESTAMP_QUERY
            | wgpu::Features::SHADER_F64
            | wgpu::Features::VULKAN_EXTERNAL_MEMORY_FD;
        let (device, queue) = kinetree_device::open(adapter, optional).await?;
        let failure = FirstFailure::watch(&device, |_| true);
        let fits = info.subgroup_min_size == 32 && info.subgroup_max_size == 32;
        let lanes = if fits && device.features().contains(wgpu::Features::SUBGROUP) {
            Lanes::Subgroups
        } else {
            Lanes::Workgroup
        };
        let adapter = adapter_name(&info);
        let limits = device.limits();
        let largest_buffer = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        Ok(Self { device, queue, lanes, adapter, failure, largest_buffer })
    }

    /// Name of the adapter and its interface, as in `llvmpipe (LLVM 15.0.6, 256 bits) (vulkan)`.
    #[must_use]
    pub fn adapter(&self) -> &str {
        &self.adapter
    }

    /// The same device with no buffer of simulators that are made with it larger than so many bytes, where
    /// other programs need its memory: worlds that do not fit are refused.
    #[must_use]
    pub fn with_largest_buffer(mut self, bytes: u64) -> Self {
        self.largest_buffer = self.largest_buffer.min(bytes);
        self
    }

    /// Bytes of the largest buffer that may be made.
    pub(crate) fn largest_buffer(&self) -> u64 {
        self.largest_buffer
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

    /// Whether the device has nothing to do, now or soon.
    #[cfg(not(target_arch = "wasm32"))]
    #[must_use]
    pub fn is_idle_within(&self, time: std::time::Duration) -> bool {
        self.device.poll(wgpu::PollType::Wait { submission_index: None, timeout: Some(time) }).is_ok()
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
        self.failure.amend(|reason| {
            let blamed = reason.ends_with(COMPILED);
            (!blamed).then(|| format!("{reason}, while the kernel '{stage}'{COMPILED}"))
        });
    }

    /// The first failure that the device reported, if any.
    pub(crate) fn check(&self) -> Result<(), GpuError> {
        self.failure.get().map_or(Ok(()), |reason| Err(GpuError::Device(reason)))
    }
}

/// End of a reason that names a kernel.
#[cfg(not(target_arch = "wasm32"))]
const COMPILED: &str = " was compiled";
