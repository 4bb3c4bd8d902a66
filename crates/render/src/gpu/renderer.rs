//! The renderer: from a scene to pixels.

use super::assets::Assets;
use super::deformed::Deformed;
use super::detail::Lens;
use super::device::Gpu;
use super::encode::ColorFrame;
use super::error::RenderError;
use super::frame_buffers::FrameBuffers;
use super::image::{ColorImage, SensorImage, sensor_pixels};
use super::layout::Glyph;
use super::list::{Coatings, DrawList, ListSource, Sensed};
use super::pipeline::MAX_LIGHTS;
use super::regions::Region;
use super::shadow::{self, ShadowView};
use super::target::{ColorTargets, PixelStack, ReadBack, SensorTargets, ShadowMaps, append_rgb, check_size};
use super::text;
use super::view::{self, Eye, ViewBlock, ViewSettings};
use super::visible::{Purpose, VisibleCells};
use crate::scene::{
    MjvGLCamera, MjvLight, MjvScene, RndFlag, SceneError, mjv_average_camera, mjv_camera_in_model,
};
use kinetree_model::Model;
use kinetree_model::enums::LightType;
use std::sync::Arc;

/// Nearest near plane that can be drawn (m).
const MIN_NEAR: f32 = 1e-15;

/// Draws scenes of one model.
///
/// What the model brings along (meshes, textures, height fields) is uploaded once; a frame uploads poses and
/// colours.
#[derive(Debug)]
pub struct Renderer {
    pub(super) gpu: Arc<Gpu>,
    pub(super) assets: Arc<Assets>,
    coatings: Arc<Coatings>,
    settings: ViewSettings,
    pub(super) deformed: Deformed,
    pub(super) visible: VisibleCells,
    pub(super) samples: u8,
    shadow_size: u32,
    full_shadow_maps: bool,
    /// Whether samples cost enough to draw with several of them only where there are outlines.
    pub(super) sparing: bool,
    font_scale: f32,
    pub(super) letters: wgpu::BindGroup,
    /// One set for a picture; more when pictures are drawn in batches.
    pub(super) buffers: Vec<FrameBuffers>,
    /// Which of them the next picture uses.
    pub(super) chosen: usize,
    stack: Option<PixelStack>,
    /// Renderers of the threads that draw batches.
    workers: Vec<Self>,
    pub(super) shadows: Option<ShadowMaps>,
    pub(super) color: Option<ColorTargets>,
    /// Parts of the picture with several samples per pixel, where the rest has one.
    pub(super) regions: Vec<ColorTargets>,
    pub(super) sensor: Option<SensorTargets>,
    read_back: ReadBack,
}

/// One eye of a picture, with where it draws.
pub(super) struct Window {
    eye: Eye,
    pub(super) rect: [f32; 4],
    pub(super) view: u32,
    /// 0 for the picture, more for its regions.
    pub(super) region: usize,
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
            assets: Arc::new(assets),
            coatings: Arc::new(Coatings::of(model)),
            settings: ViewSettings::of(model),
            deformed: Deformed::new(model),
            visible: VisibleCells::default(),
            samples: if model.vis.quality.offsamples > 1 { 4 } else { 1 },
            shadow_size: model.vis.quality.shadowsize.max(0) as u32,
            full_shadow_maps: false,
            sparing: gpu.is_software(),
            font_scale: 2.0,
            buffers: vec![FrameBuffers::new(&gpu)],
            chosen: 0,
            stack: None,
            workers: Vec::new(),
            shadows: None,
            color: None,
            regions: Vec::new(),
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
        self.assets = Arc::new(Assets::new(&self.gpu, model)?);
        self.coatings = Arc::new(Coatings::of(model));
        self.workers.clear();
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
        check_size(&self.gpu, size, self.samples)?;
        let (lights, eyes) = self.sorted_lights(scene, &cam);
        let mut windows = windows(scene, &cam, size, eyes.len() as u32);
        self.update_surfaces(scene, &windows, Purpose::Shading);
        let list = self.list_source(scene, &cam, &windows, &lights[lights.len() - eyes.len()..]).color();
        let glyphs = text::screen(scene, &windows[0].eye, windows[0].viewport(), self.font_scale);
        let source = self.list_source(scene, &cam, &windows, &[]);
        let regions = match self.sparing && glyphs.is_empty() {
            true => source.regions(&windows[0].eye, size, &list),
            false => None,
        };
        for (region, i) in regions.iter().flatten().zip(1..) {
            let window = windows[0].part(region, size, i);
            self.visible.add_region(scene, &self.assets.grids, &window.eye);
            windows.push(window);
        }
        self.prepare_color_targets(size, list.stencil, regions.as_deref());
        let shadows = self.prepare_shadow_maps(&eyes, &list, width.max(height));
        let views = self.views(scene, &windows, &lights, &shadows, &list);
        self.upload(&views, &list, &glyphs);
        self.encode_color(&ColorFrame {
            list,
            windows,
            regions,
            shadows: shadows.len(),
            glyphs: glyphs.len(),
        })
    }

    fn prepare_color_targets(&mut self, size: [u32; 2], stencil: bool, regions: Option<&[Region]>) {
        let samples = if regions.is_some() { 1 } else { self.samples };
        let fits = |t: &ColorTargets| (t.size, t.samples, t.stencil) == (size, samples, stencil);
        if !self.color.as_ref().is_some_and(fits) {
            let last = self.color.take().filter(|targets| targets.size == size);
            self.color = Some(match last {
                Some(targets) => ColorTargets::around(&self.gpu, targets.color, samples, stencil),
                None => ColorTargets::new(&self.gpu, size, samples, stencil),
            });
        }
        let regions = regions.unwrap_or_default();
        let same = regions.len() == self.regions.len()
            && regions.iter().zip(&self.regions).all(|(region, targets)| region.size == targets.size);
        if !same {
            self.regions.clear();
            let target = |region: &Region| ColorTargets::new(&self.gpu, region.size, self.samples, false);
            self.regions.extend(regions.iter().map(target));
        }
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
        let (commands, far) = self.prepare_sensor(scene, width, height, sensed)?;
        let Some(targets) = &self.sensor else { return Err(no_picture()) };
        let pixels = (width * height) as usize;
        let (mut segid, mut depth) = (Vec::with_capacity(pixels), Vec::with_capacity(pixels));
        self.read_back.run(&self.gpu, commands, &targets.sensor.texture, 8, |row| {
            segid.extend(sensor_pixels(row, far).map(|(id, _)| id));
            depth.extend(sensor_pixels(row, far).map(|(_, distance)| distance));
        })?;
        Ok(SensorImage { width, height, segid, depth })
    }

    /// Uploads what a picture of objects and distances needs and returns the commands that draw it, with the
    /// distance of the far plane.
    pub(super) fn prepare_sensor(
        &mut self,
        scene: &MjvScene,
        width: u32,
        height: u32,
        sensed: Sensed,
    ) -> Result<(wgpu::CommandEncoder, f32), RenderError> {
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
        Ok((self.encode_sensor(&frame, &windows)?, cam.frustum_far))
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

    /// Makes the maps of lights with shadows, and finds the parts of their views that these hold.
    fn prepare_shadow_maps(&mut self, eyes: &[Eye], frame: &DrawList, side: u32) -> Vec<ShadowView> {
        if eyes.is_empty() {
            return Vec::new();
        }
        let limit = self.gpu.device.limits().max_texture_dimension_2d;
        let whole = shadow::whole_size(self.shadow_size, side, self.full_shadow_maps, limit);
        let last = self.shadows.as_ref().filter(|maps| maps.layers.len() == eyes.len()).map(|maps| maps.size);
        let (views, size) = shadow::views(eyes, frame.casters.as_deref(), whole, last);
        if last != Some(size) {
            self.shadows = None;
            self.shadows = Some(ShadowMaps::new(&self.gpu, size, eyes.len()));
        }
        views
    }

    /// Blocks of all views: the lights with shadows, then each window and its mirror image.
    fn views(
        &self,
        scene: &MjvScene,
        windows: &[Window],
        lights: &[&MjvLight],
        shadows: &[ShadowView],
        frame: &DrawList,
    ) -> Vec<ViewBlock> {
        let lookups: Vec<_> = shadows.iter().map(|view| view.lookup).collect();
        let block = |eye: &Eye, viewport, mirror| {
            view::block(scene, eye, lights, &lookups, viewport, &self.settings, mirror)
        };
        let mut views: Vec<ViewBlock> = shadows.iter().map(|view| block(&view.eye, [1.0; 2], None)).collect();
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
    pub(super) fn frame(&self) -> &FrameBuffers {
        &self.buffers[self.chosen]
    }

    /// The colour picture that was drawn last.
    pub(super) fn color_texture(&self) -> Result<&wgpu::Texture, RenderError> {
        self.color.as_ref().map(|targets| &targets.color.texture).ok_or_else(no_picture)
    }

    /// The objects and distances that were drawn last.
    pub(super) fn sensor_texture(&self) -> Result<&wgpu::Texture, RenderError> {
        self.sensor.as_ref().map(|targets| &targets.sensor.texture).ok_or_else(no_picture)
    }

    /// Renderers for a number of threads, those of the last batch first.
    pub(super) fn take_workers(&mut self, count: usize) -> Vec<Self> {
        let mut workers = std::mem::take(&mut self.workers);
        workers.truncate(count);
        workers.resize_with(count, || self.with_own_targets());
        for worker in &mut workers {
            (worker.font_scale, worker.full_shadow_maps) = (self.font_scale, self.full_shadow_maps);
        }
        workers
    }

    /// Keeps such renderers for the next batch.
    pub(super) fn keep_workers(&mut self, workers: Vec<Self>) {
        self.workers = workers;
    }

    /// A renderer of the same model with targets and buffers of its own.
    fn with_own_targets(&self) -> Self {
        Self {
            gpu: self.gpu.clone(),
            assets: self.assets.clone(),
            coatings: self.coatings.clone(),
            settings: self.settings.clone(),
            deformed: self.deformed.clone(),
            visible: VisibleCells::default(),
            letters: self.letters.clone(),
            buffers: vec![FrameBuffers::new(&self.gpu)],
            chosen: 0,
            stack: None,
            workers: Vec::new(),
            shadows: None,
            color: None,
            regions: Vec::new(),
            sensor: None,
            read_back: ReadBack::default(),
            ..*self
        }
    }

    /// Memory for `count` pictures on their way back, that of the last batch if it fits.
    pub(super) fn take_stack(&mut self, size: [u32; 2], pixel: u32, count: usize) -> PixelStack {
        let kept = self.stack.take().filter(|stack| stack.fits(size, pixel, count));
        kept.unwrap_or_else(|| PixelStack::new(&self.gpu, size, pixel, count))
    }

    /// Keeps such memory for the next batch.
    pub(super) fn keep_stack(&mut self, stack: PixelStack) {
        self.stack = Some(stack);
    }
}

impl Window {
    fn viewport(&self) -> [f32; 2] {
        [self.rect[2], self.rect[3]]
    }

    /// Window `index` of a picture, onto one of its regions; this is the first.
    fn part(&self, region: &Region, picture: [u32; 2], index: usize) -> Self {
        let [w, h] = region.size.map(|s| s as f32);
        let eye = region.eye(&self.eye, picture);
        Self { eye, rect: [0.0, 0.0, w, h], view: self.view + 2 * index as u32, region: index }
    }
}

/// One window, or two side by side for two eyes; their views follow those of the lights.
fn windows(scene: &MjvScene, cam: &MjvGLCamera, size: [u32; 2], lights: u32) -> Vec<Window> {
    let [w, h] = size.map(|s| s as f32);
    if scene.stereo == 0 {
        let eye = Eye::camera(scene, cam, w, h);
        return vec![Window { eye, rect: [0.0, 0.0, w, h], view: lights, region: 0 }];
    }
    let half = (0.5 * w).floor().max(1.0);
    let window = |(i, cam): (usize, &MjvGLCamera)| Window {
        eye: Eye::camera(scene, cam, half, h),
        rect: [half * i as f32, 0.0, half, h],
        view: lights + 2 * i as u32,
        region: 0,
    };
    scene.camera.iter().enumerate().map(window).collect()
}

/// There are no targets to draw to; they were made just before.
pub(super) fn no_picture() -> RenderError {
    RenderError::Device { reason: "no picture".into() }
}

/// How large things are seen, unless there are two eyes.
fn lens(windows: &[Window]) -> Option<Lens> {
    match windows {
        [window] => Some(Lens::new(&window.eye, window.rect[3])),
        _ => None,
    }
}
