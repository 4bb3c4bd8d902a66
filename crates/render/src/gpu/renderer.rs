//! The renderer: from a scene to pixels.

use super::assets::Assets;
use super::deformed::Deformed;
use super::detail::Lens;
use super::device::Gpu;
use super::error::RenderError;
use super::frame_buffers::FrameBuffers;
use super::image::{ColorImage, SensorImage};
use super::layout::{Glyph, Instance};
use super::list::{Batch, Coatings, DrawList, ListSource, Sensed};
use super::pipeline::{Blend, Cull, MAX_LIGHTS, Mapping, PipelineKey, Shading, Stage};
use super::shape::Shape;
use super::target::{ColorTargets, ReadBack, SensorTargets, ShadowMaps, StackedPictures, append_rgb};
use super::text;
use super::view::{self, Eye, ViewBlock, ViewSettings};
use super::visible::{Purpose, VisibleCells};
use crate::scene::{
    MjvGLCamera, MjvLight, MjvScene, RndFlag, SceneError, mjv_average_camera, mjv_camera_in_model,
};
use kinetree_model::Model;
use kinetree_model::enums::LightType;
use std::ops::Range;
use std::sync::Arc;

/// Nearest near plane that can be drawn (m).
const MIN_NEAR: f32 = 1e-15;
/// Texels of a shadow map per pixel along a side of the picture: finer ones could not be seen.
const SHADOW_TEXELS: u32 = 2;
/// Least size of a shadow map that follows the picture (pixels).
const MIN_SHADOW: u32 = 1024;

/// Draws scenes of one model.
///
/// What the model brings along (meshes, textures, height fields) is uploaded once; a frame uploads poses and
/// colours.
#[derive(Debug)]
pub struct Renderer {
    gpu: Arc<Gpu>,
    assets: Assets,
    coatings: Coatings,
    settings: ViewSettings,
    deformed: Deformed,
    visible: VisibleCells,
    samples: u8,
    shadow_size: u32,
    full_shadow_maps: bool,
    font_scale: f32,
    letters: wgpu::BindGroup,
    /// One set for a picture; more when pictures are drawn in batches.
    pub(super) buffers: Vec<FrameBuffers>,
    /// Which of them the next picture uses.
    pub(super) chosen: usize,
    stack: Option<StackedPictures>,
    shadows: Option<ShadowMaps>,
    color: Option<ColorTargets>,
    sensor: Option<SensorTargets>,
    read_back: ReadBack,
}

/// One eye of a picture, with where it draws.
struct Window {
    eye: Eye,
    rect: [f32; 4],
    view: u32,
}

impl Renderer {
    /// A renderer on the graphics device of the process.
    ///
    /// # Errors
    /// [`RenderError`] when there is no device, or the model does not fit onto it.
    pub fn new(model: &Model) -> Result<Self, RenderError> {
        Self::with_gpu(Gpu::shared()?, model)
    }

    /// A renderer on a given device.
    ///
    /// # Errors
    /// [`RenderError`] when the model does not fit onto the device.
    pub fn with_gpu(gpu: Arc<Gpu>, model: &Model) -> Result<Self, RenderError> {
        gpu.check()?;
        let assets = Assets::new(&gpu, model)?;
        Ok(Self {
            letters: assets.textures.with_image(&gpu, &text::atlas()),
            assets,
            coatings: Coatings::of(model),
            settings: ViewSettings::of(model),
            deformed: Deformed::new(model),
            visible: VisibleCells::default(),
            samples: if model.vis.quality.offsamples > 1 { 4 } else { 1 },
            shadow_size: model.vis.quality.shadowsize.max(0) as u32,
            full_shadow_maps: false,
            font_scale: 2.0,
            buffers: vec![FrameBuffers::new(&gpu)],
            chosen: 0,
            stack: None,
            shadows: None,
            color: None,
            sensor: None,
            read_back: ReadBack::default(),
            gpu,
        })
    }

    /// The device that this renderer draws on.
    #[must_use]
    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    /// Sets the size of labels: pixels of the screen per pixel of a letter, which is 5 wide and 7 high.
    pub fn set_font_scale(&mut self, scale: f32) {
        self.font_scale = scale.clamp(1.0, 16.0);
    }

    /// Makes shadow maps as large as the model's `shadowsize` says, however small the picture is: finer edges
    /// of shadows, slower.
    pub fn set_full_shadow_maps(&mut self, full: bool) {
        self.full_shadow_maps = full;
    }

    /// Uploads meshes, textures and height fields again, after the model's have changed.
    ///
    /// # Errors
    /// [`RenderError`] when the model does not fit onto the device.
    pub fn reload(&mut self, model: &Model) -> Result<(), RenderError> {
        self.assets = Assets::new(&self.gpu, model)?;
        self.coatings = Coatings::of(model);
        self.deformed = Deformed::new(model);
        Ok(())
    }

    /// Draws a colour picture and reads it back.
    ///
    /// # Errors
    /// As [`Renderer::draw`].
    pub fn color(&mut self, scene: &MjvScene, width: u32, height: u32) -> Result<ColorImage, RenderError> {
        let commands = self.prepare_color(scene, width, height)?;
        let Some(targets) = &self.color else { return Err(no_picture()) };
        let mut rgb = Vec::with_capacity(3 * (width * height) as usize);
        self.read_back
            .run(&self.gpu, commands, &targets.color.texture, 4, |row| append_rgb(&mut rgb, row))?;
        Ok(ColorImage { width, height, rgb })
    }

    /// Draws a colour picture and leaves it on the device, where a window can show it.
    ///
    /// # Errors
    /// [`RenderError`] when the picture is too large, the scene has no camera or the device has failed.
    pub fn draw(&mut self, scene: &MjvScene, width: u32, height: u32) -> Result<&wgpu::Texture, RenderError> {
        let commands = self.prepare_color(scene, width, height)?;
        self.gpu.queue.submit([commands.finish()]);
        self.gpu.check()?;
        self.color_texture()
    }

    /// Uploads what a colour picture needs and returns the commands that draw it.
    pub(super) fn prepare_color(
        &mut self,
        scene: &MjvScene,
        width: u32,
        height: u32,
    ) -> Result<wgpu::CommandEncoder, RenderError> {
        let cam = self.begin(scene)?;
        if scene.flags[RndFlag::Wireframe as usize] != 0 && !self.gpu.draws_outlines() {
            let adapter = self.gpu.adapter().to_owned();
            return Err(RenderError::Unsupported { what: "wireframe", adapter });
        }
        let size = [width, height];
        if self.color.as_ref().is_none_or(|t| t.size != size || t.samples != self.samples) {
            self.color = None;
            self.color = Some(ColorTargets::new(&self.gpu, size, self.samples)?);
        }
        let (lights, shadows) = self.sorted_lights(scene, &cam);
        self.prepare_shadow_maps(shadows.len(), width.max(height));
        let windows = windows(scene, &cam, size, shadows.len() as u32);
        self.update_surfaces(scene, &windows, Purpose::Shading);
        let frame = self.list_source(scene, &cam, &windows, &lights[lights.len() - shadows.len()..]).color();
        let glyphs = text::screen(scene, &windows[0].eye, windows[0].viewport(), self.font_scale);
        let views = self.views(scene, &windows, &lights, &shadows, &frame);
        self.upload(&views, &frame, &glyphs);
        self.encode_color(&frame, &windows, shadows.len(), glyphs.len())
    }

    /// Draws objects and distances, and reads them back.
    ///
    /// # Errors
    /// As [`Renderer::draw`].
    pub fn sense(
        &mut self,
        scene: &MjvScene,
        width: u32,
        height: u32,
        sensed: Sensed,
    ) -> Result<SensorImage, RenderError> {
        let cam = self.begin(scene)?;
        let size = [width, height];
        if self.sensor.as_ref().is_none_or(|t| t.size != size) {
            self.sensor = None;
            self.sensor = Some(SensorTargets::new(&self.gpu, size)?);
        }
        let windows = windows(scene, &cam, size, 0);
        self.update_surfaces(scene, &windows, Purpose::Geometry);
        let frame = self.list_source(scene, &cam, &windows, &[]).sensor(sensed);
        let views = self.views(scene, &windows, &[], &[], &frame);
        self.upload(&views, &frame, &[]);
        let commands = self.encode_sensor(&frame, &windows)?;
        let Some(targets) = &self.sensor else { return Err(no_picture()) };
        let pixels = (width * height) as usize;
        let (mut segid, mut depth) = (Vec::with_capacity(pixels), Vec::with_capacity(pixels));
        self.read_back.run(&self.gpu, commands, &targets.sensor.texture, 8, |row| {
            let words = || row.chunks_exact(8).map(bytemuck::pod_read_unaligned::<[u32; 2]>);
            segid.extend(words().map(|p| p[0] as i32 - 1));
            // nothing is at distance 0, which lies before the near plane
            let metres = |bits: u32| if bits == 0 { cam.frustum_far } else { f32::from_bits(bits) };
            depth.extend(words().map(|p| metres(p[1])));
        })?;
        Ok(SensorImage { width, height, segid, depth })
    }

    /// Checks what every picture needs, and finds its camera: the one between both eyes.
    fn begin(&self, scene: &MjvScene) -> Result<MjvGLCamera, RenderError> {
        self.gpu.check()?;
        let mut cam = mjv_average_camera(&scene.camera[0], &scene.camera[1])?;
        if cam.frustum_near < MIN_NEAR || cam.frustum_near.is_nan() {
            if !scene.geoms.is_empty() {
                return Err(SceneError::NearPlane.into());
            }
            // an empty scene needs no camera: any will do
            cam = MjvGLCamera { forward: [0.0, 0.0, -1.0], up: [0.0, 1.0, 0.0], ..cam };
            (cam.frustum_near, cam.frustum_far, cam.frustum_bottom, cam.frustum_top) =
                (0.01, 50.0, -0.01, 0.01);
        }
        Ok(cam)
    }

    /// Triangles that this frame brings along: skins, flexes and what is seen of planes.
    fn update_surfaces(&mut self, scene: &MjvScene, windows: &[Window], purpose: Purpose) {
        self.deformed.update(scene);
        let eye = (windows.len() == 1).then_some(&windows[0].eye);
        // a wireframe shows all cells
        let whole = purpose == Purpose::Shading && scene.flags[RndFlag::Wireframe as usize] != 0;
        self.visible.update(scene, &self.assets.grids, eye.zip(lens(windows)).filter(|_| !whole), purpose);
    }

    fn list_source<'a>(
        &'a self,
        scene: &'a MjvScene,
        cam: &MjvGLCamera,
        windows: &[Window],
        casting: &'a [&'a MjvLight],
    ) -> ListSource<'a> {
        ListSource {
            scene,
            coatings: &self.coatings,
            assets: &self.assets,
            deformed: &self.deformed,
            visible: &self.visible,
            head: mjv_camera_in_model(scene).map_or(cam.pos, |h| h.headpos.map(|x| x as f32)).into(),
            far: cam.frustum_far,
            lens: lens(windows),
            samples: self.samples,
            casting,
        }
    }

    /// Lights of a scene, those with shadows last, and what these see.
    fn sorted_lights<'a>(&self, scene: &'a MjvScene, cam: &MjvGLCamera) -> (Vec<&'a MjvLight>, Vec<Eye>) {
        let on = scene.flags[RndFlag::Shadow as usize] != 0 && self.shadow_size > 0;
        let (mut lights, mut casting, mut eyes) = (Vec::new(), Vec::new(), Vec::new());
        let shining = scene.lights.iter().filter(|l| l.type_ != LightType::Image as i32);
        for light in shining.take(MAX_LIGHTS) {
            match Eye::light(light, cam, &self.settings).filter(|_| on && light.castshadow) {
                Some(eye) => {
                    casting.push(light);
                    eyes.push(eye);
                }
                None => lights.push(light),
            }
        }
        lights.extend(casting);
        (lights, eyes)
    }

    fn prepare_shadow_maps(&mut self, count: usize, side: u32) {
        if count == 0 {
            return;
        }
        let useful = match self.full_shadow_maps {
            true => u32::MAX,
            false => (SHADOW_TEXELS * side).next_power_of_two().max(MIN_SHADOW),
        };
        let size = self.shadow_size.min(useful).min(self.gpu.device.limits().max_texture_dimension_2d);
        if self.shadows.as_ref().is_none_or(|s| s.size != size || s.layers.len() != count) {
            self.shadows = None;
            self.shadows = Some(ShadowMaps::new(&self.gpu, size, count));
        }
    }

    /// Blocks of all views: the lights with shadows, then each window and its mirror image.
    fn views(
        &self,
        scene: &MjvScene,
        windows: &[Window],
        lights: &[&MjvLight],
        shadows: &[Eye],
        frame: &DrawList,
    ) -> Vec<ViewBlock> {
        let block = |eye: &Eye, viewport, mirror| {
            view::block(scene, eye, lights, shadows, viewport, &self.settings, mirror)
        };
        let mut views: Vec<ViewBlock> = shadows.iter().map(|eye| block(eye, [1.0; 2], None)).collect();
        for window in windows {
            views.push(block(&window.eye, window.viewport(), None));
            let mirror = frame.mirror.as_ref();
            let eye = mirror.map_or(window.eye, |m| window.eye.mirrored(m));
            views.push(block(&eye, window.viewport(), mirror));
        }
        views
    }

    fn upload(&mut self, views: &[ViewBlock], frame: &DrawList, glyphs: &[Glyph]) {
        let (gpu, buffers) = (&self.gpu, &mut self.buffers[self.chosen]);
        buffers.write_views(gpu, views);
        buffers.instances.write(gpu, bytemuck::cast_slice(&frame.instances));
        buffers.glyphs.write(gpu, bytemuck::cast_slice(glyphs));
        buffers.vertices.write(gpu, bytemuck::cast_slice(&self.deformed.surface.vertices));
        buffers.indices.write(gpu, bytemuck::cast_slice(&self.deformed.surface.indices));
        buffers.cells.write(gpu, bytemuck::cast_slice(&self.visible.indices));
    }

    /// The buffers of the picture that is being drawn.
    fn frame(&self) -> &FrameBuffers {
        &self.buffers[self.chosen]
    }

    /// The colour picture that was drawn last.
    pub(super) fn color_texture(&self) -> Result<&wgpu::Texture, RenderError> {
        self.color.as_ref().map(|targets| &targets.color.texture).ok_or_else(no_picture)
    }

    /// Memory for `count` pictures on their way back, that of the last batch if it fits.
    pub(super) fn stack(&mut self, width: u32, height: u32, count: usize) -> StackedPictures {
        let kept = self.stack.take().filter(|stack| stack.fits(width, height, count));
        kept.unwrap_or_else(|| StackedPictures::new(&self.gpu, width, height, count))
    }

    /// Keeps such memory for the next batch.
    pub(super) fn keep_stack(&mut self, stack: StackedPictures) {
        self.stack = Some(stack);
    }

    fn encode_color(
        &self,
        frame: &DrawList,
        windows: &[Window],
        shadows: usize,
        glyphs: usize,
    ) -> Result<wgpu::CommandEncoder, RenderError> {
        let targets = self.color.as_ref().ok_or_else(no_picture)?;
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        if let Some(maps) = self.shadows.as_ref().filter(|_| shadows > 0) {
            for (light, layer) in maps.layers.iter().enumerate() {
                self.encode_shadow(&mut encoder, layer, maps.size as f32, light as u32, &frame.shadow);
            }
        }
        let (view, resolve) = match &targets.multisampled {
            Some(many) => (&many.view, Some(&targets.color.view)),
            None => (&targets.color.view, None),
        };
        let attachment = wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: resolve,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                store: wgpu::StoreOp::Store,
            },
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("color"),
            color_attachments: &[Some(attachment)],
            depth_stencil_attachment: Some(depth_attachment(&targets.depth.view, true)),
            ..Default::default()
        });
        if let Some(maps) = self.shadows.as_ref().filter(|_| shadows > 0) {
            pass.set_bind_group(2, &maps.group, &[]);
        }
        pass.set_stencil_reference(1);
        for window in windows {
            let [x, y, w, h] = window.rect;
            pass.set_viewport(x, y, w, h, 0.0, 1.0);
            self.draw_batches(&mut pass, &frame.color, |batch| window.view + u32::from(batch.key.mirrored));
        }
        if glyphs > 0 {
            self.draw_glyphs(&mut pass, windows[0].view, glyphs);
        }
        drop(pass);
        Ok(encoder)
    }

    fn encode_shadow(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        layer: &wgpu::TextureView,
        size: f32,
        light: u32,
        batches: &[Batch],
    ) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadow"),
            depth_stencil_attachment: Some(depth_attachment(layer, false)),
            ..Default::default()
        });
        // a rim stays empty, so that nothing beyond the map is in shadow
        pass.set_viewport(1.0, 1.0, size - 2.0, size - 2.0, 0.0, 1.0);
        self.draw_batches(&mut pass, batches, |_| light);
    }

    fn encode_sensor(
        &self,
        frame: &DrawList,
        windows: &[Window],
    ) -> Result<wgpu::CommandEncoder, RenderError> {
        let targets = self.sensor.as_ref().ok_or_else(no_picture)?;
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let attachment = wgpu::RenderPassColorAttachment {
            view: &targets.sensor.view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                store: wgpu::StoreOp::Store,
            },
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("sensor"),
            color_attachments: &[Some(attachment)],
            depth_stencil_attachment: Some(depth_attachment(&targets.depth.view, false)),
            ..Default::default()
        });
        for window in windows {
            let [x, y, w, h] = window.rect;
            pass.set_viewport(x, y, w, h, 0.0, 1.0);
            self.draw_batches(&mut pass, &frame.sensor, |_| window.view);
        }
        drop(pass);
        Ok(encoder)
    }

    /// One call per batch, with the state that changed since the last.
    fn draw_batches(&self, pass: &mut wgpu::RenderPass<'_>, batches: &[Batch], view: impl Fn(&Batch) -> u32) {
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
            let (vertices, indices, range) = self.triangles(batch);
            if last.is_none_or(|l| self.triangles(l).1 != indices) {
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
    fn triangles(&self, batch: &Batch) -> (&wgpu::Buffer, &wgpu::Buffer, Range<u32>) {
        let shape = batch.shape;
        match shape {
            Shape::Deformed(_) => {
                (&self.frame().vertices.buffer, &self.frame().indices.buffer, self.deformed.range(shape))
            }
            Shape::VisiblePlane(id) => {
                (&self.assets.vertices, &self.frame().cells.buffer, self.visible.range(id).unwrap_or(0..0))
            }
            _ => (&self.assets.vertices, &self.assets.indices, self.assets.range(shape, batch.detail)),
        }
    }

    fn draw_glyphs(&self, pass: &mut wgpu::RenderPass<'_>, view: u32, count: usize) {
        let key = PipelineKey {
            stage: Stage::Text,
            mapping: Mapping::None,
            shading: Shading::Plain,
            blend: Blend::Over,
            cull: Cull::Never,
            line: false,
            mirrored: false,
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

impl Window {
    fn viewport(&self) -> [f32; 2] {
        [self.rect[2], self.rect[3]]
    }
}

/// One window, or two side by side for two eyes; their views follow those of the lights.
fn windows(scene: &MjvScene, cam: &MjvGLCamera, size: [u32; 2], lights: u32) -> Vec<Window> {
    let [w, h] = size.map(|s| s as f32);
    if scene.stereo == 0 {
        return vec![Window { eye: Eye::camera(scene, cam, w, h), rect: [0.0, 0.0, w, h], view: lights }];
    }
    let half = (0.5 * w).floor().max(1.0);
    let window = |(i, cam): (usize, &MjvGLCamera)| Window {
        eye: Eye::camera(scene, cam, half, h),
        rect: [half * i as f32, 0.0, half, h],
        view: lights + 2 * i as u32,
    };
    scene.camera.iter().enumerate().map(window).collect()
}

/// There are no targets to draw to; they were made just before.
fn no_picture() -> RenderError {
    RenderError::Device { reason: "no picture".into() }
}

/// How large things are seen, unless there are two eyes.
fn lens(windows: &[Window]) -> Option<Lens> {
    match windows {
        [window] => Some(Lens::new(&window.eye, window.rect[3])),
        _ => None,
    }
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
