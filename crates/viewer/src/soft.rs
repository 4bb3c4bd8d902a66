//! Deformable bodies as pictures have them.

use kinetree_math::Vec3;
use kinetree_model::Model;
use kinetree_render::scene::{Deformable, MjvOption, MjvScene, mjv_add_deformable};
use kinetree_soft::SoftWorld;

/// The shapes of all deformable bodies at one moment: a copy, which may be drawn while the world goes on.
#[derive(Clone, Debug, Default)]
pub struct SoftShapes(Vec<Shape>);

#[derive(Clone, Debug, Default)]
struct Shape {
    name: String,
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    segments: Vec<[u32; 2]>,
    radius: f64,
    rgba: [f32; 4],
}

impl SoftShapes {
    /// Takes the present shapes, in the memory of those that were there.
    pub fn update(&mut self, world: &SoftWorld) {
        self.0.resize_with(world.len(), Shape::default);
        let mut shapes = self.0.iter_mut();
        world.for_each_shape(|body| {
            let Some(shape) = shapes.next() else { return };
            body.name.clone_into(&mut shape.name);
            body.vertices.clone_into(&mut shape.vertices);
            body.triangles.clone_into(&mut shape.triangles);
            body.segments.clone_into(&mut shape.segments);
            (shape.radius, shape.rgba) = (body.radius, body.rgba);
        });
    }

    /// Adds the shapes to a scene that was updated.
    pub fn draw(&self, model: &Model, option: &MjvOption, scene: &mut MjvScene) {
        for shape in &self.0 {
            let body = Deformable {
                name: &shape.name,
                vertices: &shape.vertices,
                triangles: &shape.triangles,
                segments: &shape.segments,
                radius: shape.radius,
                rgba: shape.rgba,
            };
            mjv_add_deformable(model, &body, option, scene);
        }
    }
}

/// Adds the bodies of a world to a scene that was updated.
pub fn draw_soft_world(model: &Model, world: &SoftWorld, option: &MjvOption, scene: &mut MjvScene) {
    world.for_each_shape(|body| mjv_add_deformable(model, body, option, scene));
}
