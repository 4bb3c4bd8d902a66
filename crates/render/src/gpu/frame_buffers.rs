//! What changes from picture to picture: views, instances, letters, deformed surfaces and visible cells.

use super::device::Gpu;
use super::target::GrowingBuffer;
use super::view::ViewBlock;

/// The buffers of one picture. Pictures that are drawn in one submission need one set each.
#[derive(Debug)]
pub(super) struct FrameBuffers {
    views: GrowingBuffer,
    /// The views, bound with an offset.
    pub(super) view_group: wgpu::BindGroup,
    pub(super) instances: GrowingBuffer,
    pub(super) glyphs: GrowingBuffer,
    pub(super) vertices: GrowingBuffer,
    pub(super) indices: GrowingBuffer,
    pub(super) cells: GrowingBuffer,
}

impl FrameBuffers {
    pub(super) fn new(gpu: &Gpu) -> Self {
        let views = GrowingBuffer::new(gpu, wgpu::BufferUsages::UNIFORM);
        Self {
            view_group: view_group(gpu, &views.buffer),
            views,
            instances: GrowingBuffer::new(gpu, wgpu::BufferUsages::VERTEX),
            glyphs: GrowingBuffer::new(gpu, wgpu::BufferUsages::VERTEX),
            vertices: GrowingBuffer::new(gpu, wgpu::BufferUsages::VERTEX),
            indices: GrowingBuffer::new(gpu, wgpu::BufferUsages::INDEX),
            cells: GrowingBuffer::new(gpu, wgpu::BufferUsages::INDEX),
        }
    }

    /// Replaces the views.
    pub(super) fn write_views(&mut self, gpu: &Gpu, views: &[ViewBlock]) {
        if self.views.write(gpu, bytemuck::cast_slice(views)) {
            self.view_group = view_group(gpu, &self.views.buffer);
        }
    }
}

fn view_group(gpu: &Gpu, buffer: &wgpu::Buffer) -> wgpu::BindGroup {
    let binding = wgpu::BufferBinding {
        buffer,
        offset: 0,
        size: std::num::NonZeroU64::new(size_of::<ViewBlock>() as u64),
    };
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("view"),
        layout: &gpu.pipelines.view_layout,
        entries: &[wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::Buffer(binding) }],
    })
}
