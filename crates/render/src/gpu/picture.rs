//! Pictures of a scene: what each needs is found, uploaded and drawn.

use super::encode::ColorFrame;
use super::error::RenderError;
use super::image::{ColorImage, SensorImage, sensor_pixels};
use super::layout::Glyph;
use super::list::{DrawList, ListSource, Sensed};
use super::pipeline::MAX_LIGHTS;
use super::regions::Region;
use super::renderer::{Renderer, no_picture};
use super::shadow::{self, ShadowView};
use super::target::{ColorTargets, SensorTargets, ShadowMaps, append_rgb, check_size};
use super::text;
use super::view::{self, Eye, ViewBlock};
use super::visible::Purpose;
use super::window::{Window, lens, windows};
use crate::scene::{
    MjvGLCamera, MjvLight, MjvScene, RndFlag, SceneError, mjv_average_camera, mjv_camera_in_model,
};
use kinetree_model::enums::LightType;

/// Nearest near plane that can be drawn (m).
const MIN_NEAR: f32 = 1e-15;

impl Renderer {
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

    /// Whether pictures of a size can be drawn.
    ///
    /// # Errors
    /// [`RenderError::Size`] when they are too large.
    pub fn check_picture(&self, width: u32, height: u32) -> Result<(), RenderError> {
        check_size(&self.gpu, [width, height], self.samples)
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
}
