//! Opening graphics devices: the choice of an adapter, a device with the adapter's own limits, and the first
//! failure that it reports.
//!
//! Calls are futures, since a browser answers later; natively they are ready when they are polled.

#![forbid(unsafe_code)]

use std::sync::{Arc, Mutex, PoisonError};

/// Why a device could not be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// There is no adapter.
    #[error("no graphics adapter was found: {reason}")]
    NoAdapter {
        /// What the system said.
        reason: String,
    },
    /// The driver would not open a device.
    #[error("the graphics adapter '{adapter}' could not be opened: {reason}")]
    NoDevice {
        /// Name of the adapter.
        adapter: String,
        /// What the driver said.
        reason: String,
    },
}

/// The fastest adapter of some interfaces, without a window.
///
/// # Errors
/// [`OpenError::NoAdapter`] when there is none.
pub async fn best_adapter(backends: wgpu::Backends) -> Result<wgpu::Adapter, OpenError> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    descriptor.backends = backends;
    let options = wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::HighPerformance,
        ..Default::default()
    };
    let found = wgpu::Instance::new(descriptor).request_adapter(&options).await;
    found.map_err(|error| OpenError::NoAdapter { reason: error.to_string() })
}

/// The first adapter whose name contains some text, in upper or lower case.
///
/// # Errors
/// [`OpenError::NoAdapter`] with the names that there are.
pub async fn named_adapter(backends: wgpu::Backends, wanted: &str) -> Result<wgpu::Adapter, OpenError> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    descriptor.backends = backends;
    let adapters = wgpu::Instance::new(descriptor).enumerate_adapters(wgpu::Backends::all()).await;
    let names: Vec<_> = adapters.iter().map(|adapter| adapter.get_info().name).collect();
    let index = names.iter().position(|name| name.to_lowercase().contains(&wanted.to_lowercase()));
    let found = index.and_then(|index| adapters.into_iter().nth(index));
    found.ok_or_else(|| OpenError::NoAdapter {
        reason: format!("no adapter is called '{wanted}'; there are: {}", names.join(", ")),
    })
}

/// How a device is opened: with the adapter's limits, and those of the features `optional` that it has.
#[must_use]
pub fn descriptor(adapter: &wgpu::Adapter, optional: wgpu::Features) -> wgpu::DeviceDescriptor<'static> {
    wgpu::DeviceDescriptor {
        label: Some("kinetree"),
        required_features: adapter.features() & optional,
        required_limits: adapter.limits(),
        ..Default::default()
    }
}

/// Opens a device as [`descriptor`] has it.
///
/// # Errors
/// [`OpenError::NoDevice`] with what the driver said.
pub async fn open(
    adapter: &wgpu::Adapter,
    optional: wgpu::Features,
) -> Result<(wgpu::Device, wgpu::Queue), OpenError> {
    let opened = adapter.request_device(&descriptor(adapter, optional)).await;
    opened
        .map_err(|error| OpenError::NoDevice { adapter: adapter.get_info().name, reason: error.to_string() })
}

/// Name of an adapter and its interface, as in `llvmpipe (LLVM 15.0.6, 256 bits) (vulkan)`.
#[must_use]
pub fn adapter_name(info: &wgpu::AdapterInfo) -> String {
    // browsers do not tell every name
    let name = if info.name.is_empty() { "unnamed device" } else { &info.name };
    format!("{name} ({})", info.backend)
}

/// The first failure that a device reports; later ones follow from it.
#[derive(Clone, Debug)]
pub struct FirstFailure(Arc<Mutex<Option<String>>>);

impl FirstFailure {
    /// Watches a device. `counts` says which reasons for its loss are failures.
    #[must_use]
    pub fn watch(device: &wgpu::Device, counts: fn(wgpu::DeviceLostReason) -> bool) -> Self {
        let failure = Self(Arc::default());
        let slot = failure.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| slot.remember(error.to_string())));
        let slot = failure.clone();
        device.set_device_lost_callback(move |reason, message| {
            if counts(reason) {
                slot.remember(format!("device lost: {message}"));
            }
        });
        failure
    }

    /// The failure, if there was one.
    #[must_use]
    pub fn get(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Says more about the failure, if there was one.
    pub fn amend(&self, words: impl FnOnce(&str) -> Option<String>) {
        let mut failure = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(more) = failure.as_deref().and_then(words) {
            *failure = Some(more);
        }
    }

    fn remember(&self, reason: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
    }
}
