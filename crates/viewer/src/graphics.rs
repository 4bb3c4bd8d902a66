//! The graphics device of a window or a canvas.

use egui_wgpu::{WgpuSetup, WgpuSetupCreateNew};
use kinetree_render::gpu::{Gpu, wgpu};
use std::sync::Arc;

/// How a window opens its graphics device: with what the renderer can use.
#[must_use]
pub fn graphics_setup() -> WgpuSetup {
    WgpuSetup::CreateNew(new_device())
}

/// A new device.
pub(crate) fn new_device() -> WgpuSetupCreateNew {
    let device = |adapter: &wgpu::Adapter| Gpu::device_descriptor(adapter);
    WgpuSetupCreateNew { device_descriptor: Arc::new(device), ..WgpuSetupCreateNew::without_display_handle() }
}
