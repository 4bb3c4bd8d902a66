//! The picture of the world: its scene, the renderer, and the texture that the window shows.

use crate::snapshot::Snapshot;
use crate::view::View;
use egui_wgpu::RenderState;
use kinetree_render::gpu::{ColorImage, Gpu, RenderError, Renderer, wgpu};
use kinetree_render::scene::{CAT_ALL, MjvGeom, MjvScene, mjv_update_scene};
use std::sync::Arc;

/// Most geoms of a scene.
const MAX_GEOMS: usize = 100_000;

/// Draws one model.
pub(crate) struct Picture {
    pub(crate) scene: MjvScene,
    renderer: Renderer,
    /// The texture as the window knows it, and its size.
    shown: Option<(egui::TextureId, [u32; 2])>,
}

impl Picture {
    /// A picture of a model on the device of the window.
    pub(crate) fn new(gpu: Arc<Gpu>, snapshot: &Snapshot) -> Result<Self, RenderError> {
        let renderer = Renderer::with_gpu(gpu, &snapshot.model)?;
        Ok(Self { scene: MjvScene::new(&snapshot.model, MAX_GEOMS), renderer, shown: None })
    }

    /// Sets the scene: what the world looks like in a view, and geoms that a program has added.
    pub(crate) fn update(
        &mut self,
        snapshot: &Snapshot,
        view: &mut View,
        added: &[MjvGeom],
    ) -> Result<(), RenderError> {
        let (model, data) = (&snapshot.model, &snapshot.data);
        let perturb = view.perturb;
        // endless planes are centred at where the camera was before: a first camera needs two updates
        let updates = if self.scene.camera[0].frustum_far == 0.0 { 2 } else { 1 };
        for _ in 0..updates {
            mjv_update_scene(
                model,
                data,
                &view.option,
                Some(&perturb),
                &mut view.camera,
                CAT_ALL,
                &mut self.scene,
            )?;
        }
        snapshot.soft.draw(model, &view.option, &mut self.scene);
        self.scene.geoms.extend_from_slice(added);
        self.scene.flags = view.effects;
        Ok(())
    }

    /// Draws the scene and returns the texture.
    pub(crate) fn draw(
        &mut self,
        state: &RenderState,
        size: [u32; 2],
    ) -> Result<egui::TextureId, RenderError> {
        let texture = self.renderer.draw(&self.scene, size[0], size[1])?;
        let id = match self.shown {
            Some((id, before)) if before == size => id,
            before => {
                let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
                let filter = wgpu::FilterMode::Linear;
                let mut window = state.renderer.write();
                match before {
                    Some((id, _)) => {
                        window.update_egui_texture_from_wgpu_texture(&state.device, &view, filter, id);
                        id
                    }
                    None => window.register_native_texture(&state.device, &view, filter),
                }
            }
        };
        self.shown = Some((id, size));
        Ok(id)
    }

    /// Gives the texture back to the window.
    pub(crate) fn release(&mut self, state: &RenderState) {
        if let Some((id, _)) = self.shown.take() {
            state.renderer.write().free_texture(&id);
        }
    }

    /// The picture that is shown as pixels, with shadows as fine as the model asks for.
    pub(crate) fn read(&mut self) -> Result<ColorImage, RenderError> {
        let [width, height] = self.shown.map_or([0, 0], |(_, size)| size);
        self.renderer.set_full_shadow_maps(true);
        let image = self.renderer.color(&self.scene, width, height);
        self.renderer.set_full_shadow_maps(false);
        image
    }
}
