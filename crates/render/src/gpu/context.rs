//! Rendering contexts: buffers that scenes, texts and figures are drawn to, as the functions `mjr_…` have
//! them.

use super::error::RenderError;
use super::image::{SensorImage, segmentation_color};
use super::list::Sensed;
use super::renderer::Renderer;
use crate::canvas::{Canvas, CanvasFont, MjrRect, Picture};
use crate::scene::{MjvScene, RndFlag};
use kinetree_model::Model;

/// Number of auxiliary buffers of a context.
pub const AUX_BUFFERS: usize = 10;

/// Which buffer of a context is drawn to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawBuffer {
    /// The offscreen buffer.
    Offscreen,
    /// The picture of a window, which a program shows by itself.
    Window,
    /// An auxiliary buffer.
    Aux(usize),
}

/// A scene that was given to draw, and which of its pictures exist already.
#[derive(Debug)]
struct Pending {
    rect: MjrRect,
    color: bool,
    depth: bool,
}

/// Buffers that are drawn to, with the renderer of a model.
///
/// What [`MjrContext::render`] is given is drawn when it is first read, so that only what is asked for,
/// colours or depth, costs time.
#[derive(Debug)]
pub struct MjrContext {
    renderer: Option<Renderer>,
    font: CanvasFont,
    offscreen: Canvas,
    window: Canvas,
    aux: [Option<Canvas>; AUX_BUFFERS],
    chosen: DrawBuffer,
    scene: MjvScene,
    pending: Option<Pending>,
}

impl MjrContext {
    /// A context with an offscreen buffer of a size, and letters of a font scale (`mjtFontScale`). Without a
    /// model it draws texts and figures only, and needs no graphics adapter.
    ///
    /// # Errors
    /// [`RenderError`] when there is no device, or something is too large.
    pub fn new(
        model: Option<&Model>,
        [width, height]: [i32; 2],
        fontscale: i32,
    ) -> Result<Self, RenderError> {
        let mut context = Self {
            offscreen: Canvas::new(width, height)?,
            window: Canvas::new(0, 0)?,
            renderer: model.map(Renderer::new).transpose()?,
            font: CanvasFont::new(fontscale),
            aux: Default::default(),
            chosen: DrawBuffer::Offscreen,
            scene: MjvScene::default(),
            pending: None,
        };
        context.set_font(fontscale);
        Ok(context)
    }

    /// Size of letters.
    #[must_use]
    pub fn font(&self) -> CanvasFont {
        self.font
    }

    /// Changes the size of letters (`mjtFontScale`).
    pub fn set_font(&mut self, fontscale: i32) {
        self.font = CanvasFont::new(fontscale);
        if let Some(renderer) = &mut self.renderer {
            renderer.set_font_scale(self.font.letter() as f32);
        }
    }

    /// Takes meshes, textures and height fields of the model again.
    ///
    /// # Errors
    /// [`RenderError`] when they do not fit onto the device.
    pub fn upload(&mut self, model: &Model) -> Result<(), RenderError> {
        self.flush(true, true)?;
        self.renderer.as_mut().ok_or(RenderError::NoModel)?.reload(model)
    }

    /// The buffer that is drawn to.
    #[must_use]
    pub fn chosen(&self) -> DrawBuffer {
        self.chosen
    }

    /// Draws to another buffer from now on.
    ///
    /// # Errors
    /// [`RenderError`] when there is no such buffer, or what was given to draw before cannot be drawn.
    pub fn choose(&mut self, buffer: DrawBuffer) -> Result<(), RenderError> {
        if let DrawBuffer::Aux(index) = buffer {
            self.aux(index)?;
        }
        if self.chosen != buffer {
            let drawn = self.flush(true, true);
            (self.pending, self.chosen) = (None, buffer);
            drawn?;
        }
        Ok(())
    }

    /// Changes the size of the offscreen buffer, which clears it.
    ///
    /// # Errors
    /// [`RenderError`] when it is too large.
    pub fn resize(&mut self, width: i32, height: i32) -> Result<(), RenderError> {
        self.offscreen = Canvas::new(width, height)?;
        if self.chosen == DrawBuffer::Offscreen {
            self.pending = None;
        }
        Ok(())
    }

    /// Makes the picture of the window as large as it is, and empties it where that is another size.
    ///
    /// # Errors
    /// [`RenderError`] when it is too large.
    pub fn fit_window(&mut self, width: i32, height: i32) -> Result<(), RenderError> {
        if self.window.rect() != MjrRect::new(0, 0, width, height) {
            self.window = Canvas::new(width, height)?;
            if self.chosen == DrawBuffer::Window {
                self.pending = None;
            }
        }
        Ok(())
    }

    /// An auxiliary buffer.
    ///
    /// # Errors
    /// [`RenderError::NoBuffer`] when there is none of that number.
    pub fn aux(&self, index: usize) -> Result<&Canvas, RenderError> {
        self.aux.get(index).and_then(Option::as_ref).ok_or(RenderError::NoBuffer { index })
    }

    /// Makes an auxiliary buffer instead of the one that was there; without pixels there is none. When it was
    /// drawn to, `main` is from now on.
    ///
    /// # Errors
    /// [`RenderError`] when it is too large, or there is no such number.
    pub fn add_aux(
        &mut self,
        index: usize,
        [width, height]: [i32; 2],
        main: DrawBuffer,
    ) -> Result<(), RenderError> {
        let made = if width > 0 && height > 0 { Some(Canvas::new(width, height)?) } else { None };
        if index >= AUX_BUFFERS {
            return Err(RenderError::NoBuffer { index });
        }
        if self.chosen == DrawBuffer::Aux(index) {
            (self.pending, self.chosen) = (None, main);
        }
        self.aux[index] = made;
        Ok(())
    }

    /// Copies colours of an auxiliary buffer to a main one, which is drawn to from now on.
    ///
    /// # Errors
    /// [`RenderError`] when there is no such buffer, or what was given to draw before cannot be drawn.
    pub fn blit_aux(
        &mut self,
        index: usize,
        src: MjrRect,
        [left, bottom]: [i32; 2],
        main: DrawBuffer,
    ) -> Result<(), RenderError> {
        self.choose(main)?;
        self.flush(true, false)?;
        let Self { aux, offscreen, window, .. } = self;
        let from = aux.get(index).and_then(Option::as_ref).ok_or(RenderError::NoBuffer { index })?;
        let to = if main == DrawBuffer::Window { window } else { offscreen };
        from.copy_color(src, to, left, bottom);
        Ok(())
    }

    /// Copies a part of the buffer that is drawn to into the other main one, window or offscreen.
    ///
    /// # Errors
    /// [`RenderError`] when what was given to draw before cannot be drawn.
    pub fn blit(&mut self, src: MjrRect, dst: MjrRect, color: bool, depth: bool) -> Result<(), RenderError> {
        self.flush(color, depth)?;
        let Self { aux, offscreen, window, .. } = self;
        match self.chosen {
            DrawBuffer::Window => window.scale_to(src, offscreen, dst, color, depth),
            DrawBuffer::Offscreen => offscreen.scale_to(src, window, dst, color, depth),
            DrawBuffer::Aux(index) => {
                if let Some(from) = aux.get(index).and_then(Option::as_ref) {
                    from.scale_to(src, window, dst, color, depth);
                }
            }
        }
        Ok(())
    }

    /// Draws a scene into a part of the buffer.
    ///
    /// # Errors
    /// [`RenderError`] when the context has no model, or the picture is too large.
    pub fn render(&mut self, rect: MjrRect, scene: &MjvScene) -> Result<(), RenderError> {
        if rect.is_empty() {
            return Ok(());
        }
        let renderer = self.renderer.as_ref().ok_or(RenderError::NoModel)?;
        renderer.check_picture(rect.width as u32, rect.height as u32)?;
        if self.pending.as_ref().is_some_and(|pending| pending.rect != rect) {
            self.flush(true, true)?;
        }
        self.scene.clone_from(scene);
        self.pending = Some(Pending { rect, color: false, depth: false });
        Ok(())
    }

    /// The buffer that is drawn to, with the colours or the depth that were given to draw.
    ///
    /// # Errors
    /// [`RenderError`] when that cannot be drawn.
    pub fn canvas(&mut self, color: bool, depth: bool) -> Result<&mut Canvas, RenderError> {
        self.flush(color, depth)?;
        self.buffer()
    }

    fn buffer(&mut self) -> Result<&mut Canvas, RenderError> {
        match self.chosen {
            DrawBuffer::Offscreen => Ok(&mut self.offscreen),
            DrawBuffer::Window => Ok(&mut self.window),
            DrawBuffer::Aux(index) => {
                self.aux.get_mut(index).and_then(Option::as_mut).ok_or(RenderError::NoBuffer { index })
            }
        }
    }

    /// Draws what is pending, colours or depth. A picture that cannot be drawn is not tried again.
    fn flush(&mut self, color: bool, depth: bool) -> Result<(), RenderError> {
        let Some(mut pending) = self.pending.take() else { return Ok(()) };
        let renderer = self.renderer.as_mut().ok_or(RenderError::NoModel)?;
        let (rect, scene) = (pending.rect, &self.scene);
        let (width, height) = (rect.width as u32, rect.height as u32);
        if color && !pending.color {
            let rgb = renderer.shown(scene, width, height)?;
            self.buffer()?.take_picture(rect, Picture::Color(&rgb));
            pending.color = true;
        }
        if depth && !pending.depth {
            let (renderer, scene) = (self.renderer.as_mut().ok_or(RenderError::NoModel)?, &self.scene);
            let seen = renderer.sense(scene, width, height, sensed(scene))?;
            let pixels: Vec<f32> = depth_buffer(&seen, scene).map(|z| z as f32).collect();
            self.buffer()?.take_picture(rect, Picture::Depth(&pixels));
            pending.depth = true;
        }
        self.pending = Some(pending);
        Ok(())
    }
}

impl Renderer {
    /// Red, green and blue of each pixel, rows from the top: colours, ids or distances, as the flags of the
    /// scene say.
    ///
    /// # Errors
    /// As [`Renderer::draw`].
    pub fn shown(&mut self, scene: &MjvScene, width: u32, height: u32) -> Result<Vec<u8>, RenderError> {
        if scene.flags[RndFlag::Segment as usize] != 0 {
            let seen = self.sense(scene, width, height, Sensed::Segmented)?;
            return Ok(id_colors(&seen, scene.flags[RndFlag::Idcolor as usize] != 0));
        }
        if scene.flags[RndFlag::Depth as usize] != 0 {
            let seen = self.sense(scene, width, height, Sensed::Opaque)?;
            let grey = |z: f64| [(255.0 * z.clamp(0.0, 1.0)).round() as u8; 3];
            return Ok(depth_buffer(&seen, scene).flat_map(grey).collect());
        }
        Ok(self.color(scene, width, height)?.rgb)
    }
}

/// What hides other things, by the flags of a scene.
fn sensed(scene: &MjvScene) -> Sensed {
    if scene.flags[RndFlag::Segment as usize] != 0 { Sensed::Segmented } else { Sensed::Opaque }
}

/// Ids as 24-bit numbers, or as colours that can be told apart.
fn id_colors(seen: &SensorImage, exact: bool) -> Vec<u8> {
    let color = |&id: &i32| {
        let [red, green, blue, _] = (id + 1).to_le_bytes();
        if exact { [red, green, blue] } else { segmentation_color(id) }
    };
    seen.segid.iter().flat_map(color).collect()
}

/// Distances as a depth buffer has them, 1 at the near plane and 0 at the far one.
fn depth_buffer<'a>(seen: &'a SensorImage, scene: &MjvScene) -> impl Iterator<Item = f64> + use<'a> {
    let camera = &scene.camera[0];
    let (near, far) = (f64::from(camera.frustum_near), f64::from(camera.frustum_far));
    let orthographic = camera.orthographic != 0;
    seen.depth.iter().map(move |&metres| {
        let metres = f64::from(metres);
        let share = if orthographic { far - metres } else { near * (far / metres - 1.0) };
        share / (far - near)
    })
}
