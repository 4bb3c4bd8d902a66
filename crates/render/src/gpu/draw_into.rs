//! Pictures in textures of other programs, whatever their format.

use super::device::Gpu;
use super::error::RenderError;
use super::renderer::Renderer;
use crate::scene::MjvScene;

impl Renderer {
    /// Draws a colour picture into a texture of the program, which must be of the renderer's device
    /// ([`Gpu::from_device`], [`Renderer::with_gpu`]), have one sample per pixel and be as large as the
    /// picture.
    ///
    /// # Errors
    /// As [`Renderer::draw`], and [`RenderError::Unsupported`] for formats that colours cannot be drawn to.
    pub fn draw_into(
        &mut self,
        scene: &MjvScene,
        target: &wgpu::TextureView,
        format: wgpu::TextureFormat,
        [width, height]: [u32; 2],
    ) -> Result<(), RenderError> {
        check_format(self.gpu(), format)?;
        let mut encoder = self.prepare_color(scene, width, height)?;
        let picture = self.color_texture()?.create_view(&wgpu::TextureViewDescriptor::default());
        let gpu = self.gpu();
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("blit"),
            layout: &gpu.blits.layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::TextureView(&picture),
            }],
        });
        let attachment = wgpu::RenderPassColorAttachment {
            view: target,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                store: wgpu::StoreOp::Store,
            },
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("blit"),
            color_attachments: &[Some(attachment)],
            ..Default::default()
        });
        pass.set_pipeline(&gpu.blits.get(&gpu.device, format));
        pass.set_bind_group(0, &group, &[]);
        pass.draw(0..3, 0..1);
        drop(pass);
        gpu.queue.submit([encoder.finish()]);
        gpu.check()
    }
}

/// Refuses formats that are no colours or cannot be drawn to.
fn check_format(gpu: &Gpu, format: wgpu::TextureFormat) -> Result<(), RenderError> {
    let features = format.guaranteed_format_features(gpu.device.features());
    let drawn = features.allowed_usages.contains(wgpu::TextureUsages::RENDER_ATTACHMENT);
    let float = matches!(format.sample_type(None, None), Some(wgpu::TextureSampleType::Float { .. }));
    if drawn && float && !format.has_depth_aspect() {
        return Ok(());
    }
    let adapter = gpu.adapter().to_owned();
    Err(RenderError::Unsupported { what: "a texture of this format as the target of a picture", adapter })
}
