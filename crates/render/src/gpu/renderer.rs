//! What draws scenes of one model: the device, what the model brings along, and targets.

use super::assets::Assets;
use super::deformed::Deformed;
use super::device::Gpu;
use super::error::RenderError;
use super::frame_buffers::FrameBuffers;
use super::list::Coatings;
use super::target::{ColorTargets, PixelStack, ReadBack, SensorTargets, ShadowMaps};
use super::text;
use super::view::ViewSettings;
use super::visible::VisibleCells;
use kinetree_model::Model;
use std::sync::Arc;

/// Draws scenes of one model.
///
/// What the model brings along (meshes, textures, height fields) is uploaded once; a frame uploads poses and
/// colours.
#[derive(Debug)]
pub struct Renderer {
    pub(super) gpu: Arc<Gpu>,
    pub(super) assets: Arc<Assets>,
    pub(super) coatings: Arc<Coatings>,
    pub(super) settings: ViewSettings,
    pub(super) deformed: Deformed,
    pub(super) visible: VisibleCells,
    pub(super) samples: u8,
    pub(super) shadow_size: u32,
    pub(super) full_shadow_maps: bool,
    /// Whether samples cost enough to draw with several of them only where there are outlines.
    pub(super) sparing: bool,
    pub(super) font_scale: f32,
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
    pub(super) read_back: ReadBack,
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
        let renderer = Self {
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
        };
        renderer.send_uploads();
        Ok(renderer)
    }

    /// Sends what is uploaded to the device now. Otherwise it would stay in memory until somebody draws, also
    /// after the renderer is gone.
    fn send_uploads(&self) {
        self.gpu.queue.submit([]);
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
        self.send_uploads();
        self.coatings = Arc::new(Coatings::of(model));
        self.workers.clear();
        self.deformed = Deformed::new(model);
        Ok(())
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

/// There are no targets to draw to; they were made just before.
pub(super) fn no_picture() -> RenderError {
    RenderError::Device { reason: "no picture".into() }
}
