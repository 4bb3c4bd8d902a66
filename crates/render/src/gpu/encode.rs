//! Commands of a picture: its passes, and one call for each batch of shapes.

use super::error::RenderError;
use super::layout::Instance;
use super::list::{Batch, DrawList};
use super::pipeline::{Blend, Cull, Mapping, PipelineKey, Shading, Stage};
use super::regions::{self, Region};
use super::renderer::{Renderer, no_picture};
use super::shape::Shape;
use super::target::ColorTargets;
use super::view::ViewBlock;
use super::window::Window;
use std::ops::Range;

/// What a colour picture is encoded from.
pub(super) struct ColorFrame {
    pub(super) list: DrawList,
    /// The windows of the picture, then those onto its regions.
    pub(super) windows: Vec<Window>,
    /// Where several samples per pixel are used; everywhere when there are none.
    pub(super) regions: Option<Vec<Region>>,
    /// Number of lights with shadows.
    pub(super) shadows: usize,
    /// Number of letters.
    pub(super) glyphs: usize,
}

impl Renderer {
    /// Commands that draw shadow maps and then the picture, as a whole or in regions.
    pub(super) fn encode_color(&self, frame: &ColorFrame) -> Result<wgpu::CommandEncoder, RenderError> {
        let targets = self.color.as_ref().ok_or_else(no_picture)?;
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        if let Some(maps) = self.shadows.as_ref().filter(|_| frame.shadows > 0) {
            for (light, layer) in maps.layers.iter().enumerate() {
                self.encode_shadow(&mut encoder, layer, maps.size, light as u32, &frame.list.shadow);
            }
        }
        match &frame.regions {
            None => self.encode_whole(&mut encoder, targets, frame),
            Some(regions) => self.encode_regions(&mut encoder, targets, frame, regions),
        }
        Ok(encoder)
    }

    fn encode_whole(&self, encoder: &mut wgpu::CommandEncoder, targets: &ColorTargets, frame: &ColorFrame) {
        let mut pass = self.color_pass(encoder, targets, frame);
        pass.set_stencil_reference(1);
        for window in &frame.windows {
            self.draw_window(&mut pass, window, &frame.list.color);
        }
        if frame.glyphs > 0 {
            self.draw_glyphs(&mut pass, frame.windows[0].view, frame.glyphs, targets.stencil);
        }
    }

    /// The backdrop with one sample per pixel, then each region with several.
    fn encode_regions(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        targets: &ColorTargets,
        frame: &ColorFrame,
        regions: &[Region],
    ) {
        let (picture, parts) = (&frame.windows[0], &frame.windows[1..]);
        self.draw_window(
            &mut self.color_pass(encoder, targets, frame),
            picture,
            &regions::backdrop(&frame.list, targets.samples),
        );
        let edges = regions::backdrop(&frame.list, self.samples);
        for ((region, part), window) in regions.iter().zip(&self.regions).zip(parts) {
            let batches = if region.shapes { &frame.list.color } else { &edges };
            self.draw_window(&mut self.color_pass(encoder, part, frame), window, batches);
            let [x, y] = region.origin;
            let destination = wgpu::TexelCopyTextureInfo {
                origin: wgpu::Origin3d { x, y, z: 0 },
                ..targets.color.texture.as_image_copy()
            };
            encoder.copy_texture_to_texture(
                part.color.texture.as_image_copy(),
                destination,
                part.color.texture.size(),
            );
        }
    }

    fn color_pass<'a>(
        &self,
        encoder: &'a mut wgpu::CommandEncoder,
        targets: &ColorTargets,
        frame: &ColorFrame,
    ) -> wgpu::RenderPass<'a> {
        let (view, resolve) = match &targets.multisampled {
            Some(many) => (&many.view, Some(&targets.color.view)),
            None => (&targets.color.view, None),
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("color"),
            color_attachments: &[Some(color_attachment(view, resolve))],
            depth_stencil_attachment: Some(depth_attachment(&targets.depth.view, targets.stencil)),
            ..Default::default()
        });
        if let Some(maps) = self.shadows.as_ref().filter(|_| frame.shadows > 0) {
            pass.set_bind_group(2, &maps.group, &[]);
        }
        pass
    }

    fn draw_window(&self, pass: &mut wgpu::RenderPass<'_>, window: &Window, batches: &[Batch]) {
        let [x, y, w, h] = window.rect;
        pass.set_viewport(x, y, w, h, 0.0, 1.0);
        let view = |batch: &Batch| window.view + u32::from(batch.key.mirrored);
        self.draw_batches(pass, batches, window.region, view);
    }

    fn encode_shadow(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        layer: &wgpu::TextureView,
        size: u32,
        light: u32,
        batches: &[Batch],
    ) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadow"),
            depth_stencil_attachment: Some(depth_attachment(layer, false)),
            ..Default::default()
        });
        // a rim stays empty, so that nothing beyond the map is in shadow
        pass.set_scissor_rect(1, 1, size.saturating_sub(2).max(1), size.saturating_sub(2).max(1));
        self.draw_batches(&mut pass, batches, 0, |_| light);
    }

    /// Commands that draw objects and distances.
    pub(super) fn encode_sensor(
        &self,
        frame: &DrawList,
        windows: &[Window],
    ) -> Result<wgpu::CommandEncoder, RenderError> {
        let targets = self.sensor.as_ref().ok_or_else(no_picture)?;
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("sensor"),
            color_attachments: &[Some(color_attachment(&targets.sensor.view, None))],
            depth_stencil_attachment: Some(depth_attachment(&targets.depth.view, false)),
            ..Default::default()
        });
        for window in windows {
            self.draw_window(&mut pass, window, &frame.sensor);
        }
        drop(pass);
        Ok(encoder)
    }

    /// One call per batch, with the state that changed since the last.
    fn draw_batches(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        batches: &[Batch],
        region: usize,
        view: impl Fn(&Batch) -> u32,
    ) {
        let mut last: Option<&Batch> = None;
        for batch in batches {
            if last.is_none_or(|l| l.key != batch.key) {
                pass.set_pipeline(&self.gpu.pipelines.get(&self.gpu.device, batch.key));
                pass.set_bind_group(
                    0,
                    &self.frame().view_group,
                    &[view(batch) * size_of::<ViewBlock>() as u32],
                );
            }
            let same_texture = |l: &Batch| l.texture == batch.texture && l.key.stage == batch.key.stage;
            if batch.key.stage == Stage::Color && !last.is_some_and(same_texture) {
                pass.set_bind_group(1, self.assets.textures.group(batch.texture), &[]);
            }
            let (vertices, indices, range) = self.triangles(batch, region);
            if last.is_none_or(|l| self.triangles(l, region).1 != indices) {
                pass.set_vertex_buffer(0, vertices.slice(..));
                pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
            }
            // browsers know no first instance: the buffer begins with it instead
            let first = u64::from(batch.instances.start) * size_of::<Instance>() as u64;
            pass.set_vertex_buffer(1, self.frame().instances.buffer.slice(first..));
            pass.draw_indexed(range, 0, 0..batch.instances.len() as u32);
            last = Some(batch);
        }
    }

    /// Vertices, indices and the range of indices of a shape.
    fn triangles(&self, batch: &Batch, region: usize) -> (&wgpu::Buffer, &wgpu::Buffer, Range<u32>) {
        let shape = batch.shape;
        match shape {
            Shape::Deformed(_) => {
                (&self.frame().vertices.buffer, &self.frame().indices.buffer, self.deformed.range(shape))
            }
            Shape::VisiblePlane(id) => {
                (&self.assets.vertices, &self.frame().cells.buffer, self.visible.window_range(id, region))
            }
            _ => (&self.assets.vertices, &self.assets.indices, self.assets.range(shape, batch.detail)),
        }
    }

    fn draw_glyphs(&self, pass: &mut wgpu::RenderPass<'_>, view: u32, count: usize, stencil: bool) {
        let key = PipelineKey {
            stage: Stage::Text,
            mapping: Mapping::None,
            shading: Shading::Plain,
            blend: Blend::Over,
            cull: Cull::Never,
            line: false,
            mirrored: false,
            clipped: false,
            stencil,
            outline: false,
            shadows: 0,
            samples: self.samples,
        };
        pass.set_pipeline(&self.gpu.pipelines.get(&self.gpu.device, key));
        pass.set_bind_group(0, &self.frame().view_group, &[view * size_of::<ViewBlock>() as u32]);
        pass.set_bind_group(1, &self.letters, &[]);
        pass.set_vertex_buffer(0, self.frame().glyphs.buffer.slice(..));
        pass.draw(0..4, 0..count as u32);
    }
}

/// A picture that is cleared, with several samples per pixel resolved to one.
fn color_attachment<'a>(
    view: &'a wgpu::TextureView,
    resolve_target: Option<&'a wgpu::TextureView>,
) -> wgpu::RenderPassColorAttachment<'a> {
    let load = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);
    let ops = wgpu::Operations { load, store: wgpu::StoreOp::Store };
    wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target, ops }
}

/// A depth buffer that is cleared to the far plane and not needed afterwards unless it is a shadow map.
fn depth_attachment(view: &wgpu::TextureView, stencil: bool) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Store }),
        stencil_ops: stencil
            .then_some(wgpu::Operations { load: wgpu::LoadOp::Clear(0), store: wgpu::StoreOp::Discard }),
    }
}
