//! Pipelines that copy a picture into a texture of another format.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Pipelines that copy pictures, by the format of the target.
#[derive(Debug)]
pub(super) struct BlitCache {
    pub(super) layout: wgpu::BindGroupLayout,
    pipelines: Mutex<HashMap<wgpu::TextureFormat, wgpu::RenderPipeline>>,
}

impl BlitCache {
    /// The layout; pipelines come later.
    pub(super) fn new(device: &wgpu::Device) -> Self {
        let ty = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: false },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        };
        let visibility = wgpu::ShaderStages::FRAGMENT;
        let entry = wgpu::BindGroupLayoutEntry { binding: 0, visibility, ty, count: None };
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("blit"),
            entries: &[entry],
        });
        Self { layout, pipelines: Mutex::default() }
    }

    /// The pipeline for targets of a format.
    pub(super) fn get(&self, device: &wgpu::Device, format: wgpu::TextureFormat) -> wgpu::RenderPipeline {
        let mut pipelines = self.pipelines.lock().unwrap_or_else(PoisonError::into_inner);
        pipelines.entry(format).or_insert_with(|| self.make(device, format)).clone()
    }

    fn make(&self, device: &wgpu::Device, format: wgpu::TextureFormat) -> wgpu::RenderPipeline {
        let module = device.create_shader_module(wgpu::include_wgsl!("blit.wgsl"));
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("blit"),
            bind_group_layouts: &[Some(&self.layout)],
            immediate_size: 0,
        });
        let constants = [("ENCODED", f64::from(u8::from(format.is_srgb())))];
        let options = wgpu::PipelineCompilationOptions { constants: &constants, ..Default::default() };
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("blit"),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vs_blit"),
                compilation_options: options.clone(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fs_blit"),
                compilation_options: options,
                targets: &[Some(format.into())],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}
