//! What is drawn: the camera, and colours, distances or objects.

use super::args::Args;
use super::film::{Picture, Pixels};
use crate::controls::unknown;
use crate::failure::Failure;
use kinetree::model::enums::ObjType;
use kinetree::prelude::*;
use kinetree::soft::SoftWorld;
use kinetree_render::gpu::{Renderer, Sensed, segmentation_color};
use kinetree_render::scene::{
    CAT_ALL, CameraType, MjvCamera, MjvOption, MjvScene, mjv_add_deformable, mjv_default_free_camera,
    mjv_update_scene,
};

/// Most geoms of a scene.
const MAX_GEOMS: usize = 100_000;

/// A scene, the camera that looks at it, and what is made of it.
pub(super) struct View {
    scene: MjvScene,
    camera: MjvCamera,
    size: [u32; 2],
    kind: Kind,
}

enum Kind {
    Color,
    /// Distances; the farthest that the first picture shows.
    Depth(Option<f32>),
    Segmentation,
}

impl View {
    pub(super) fn new(args: &Args, model: &Model) -> Result<Self, Failure> {
        let kind = match (args.depth, args.segmentation) {
            (true, _) => Kind::Depth(None),
            (_, true) => Kind::Segmentation,
            _ => Kind::Color,
        };
        Ok(Self {
            scene: MjvScene::new(model, MAX_GEOMS),
            camera: camera(args, model)?,
            size: args.size,
            kind,
        })
    }

    /// The first view that a viewer has of a model: the camera that it names, or a free one.
    pub(super) fn first(model: &Model, size: [u32; 2]) -> Self {
        let mut camera = MjvCamera::default();
        mjv_default_free_camera(model, &mut camera);
        let named = model.vis.global.cameraid;
        if usize::try_from(named).is_ok_and(|id| id < model.ncam) {
            (camera.type_, camera.fixedcamid) = (CameraType::Fixed as i32, named);
        }
        Self { scene: MjvScene::new(model, MAX_GEOMS), camera, size, kind: Kind::Color }
    }

    /// Draws the state of a world.
    pub(super) fn draw(
        &mut self,
        model: &Model,
        data: &Data,
        soft: &SoftWorld,
        renderer: &mut Renderer,
    ) -> Result<Picture, Failure> {
        // poses belong to the state only after the stages that depend on positions
        let mut shown = data.clone();
        mj_forward(model, &mut shown)?;
        let option = MjvOption::default();
        // twice: endless planes are centred at where the camera was before
        for _ in 0..2 {
            mjv_update_scene(model, &shown, &option, None, &mut self.camera, CAT_ALL, &mut self.scene)?;
        }
        soft.for_each_shape(|body| mjv_add_deformable(model, body, &option, &mut self.scene));
        let [width, height] = self.size;
        let pixels = match &mut self.kind {
            Kind::Color => Pixels::Color(renderer.color(&self.scene, width, height)?.rgb),
            Kind::Segmentation => {
                let image = renderer.sense(&self.scene, width, height, Sensed::Segmented)?;
                Pixels::Color(image.segid.iter().flat_map(|&id| segmentation_color(id)).collect())
            }
            Kind::Depth(farthest) => {
                let image = renderer.sense(&self.scene, width, height, Sensed::Segmented)?;
                let seen = image.depth.iter().zip(&image.segid).filter(|(_, id)| **id >= 0).map(|(d, _)| *d);
                let farthest = *farthest.get_or_insert(seen.fold(0.0, f32::max));
                Pixels::Depth { metres: image.depth, farthest }
            }
        };
        Ok(Picture { width, height, pixels })
    }
}

/// The camera that the arguments ask for.
fn camera(args: &Args, model: &Model) -> Result<MjvCamera, Failure> {
    let mut camera = MjvCamera::default();
    mjv_default_free_camera(model, &mut camera);
    if let Some(name) = &args.camera {
        camera.type_ = CameraType::Fixed as i32;
        camera.fixedcamid = element(model, ObjType::Camera, "camera", name, model.ncam)? as i32;
        return Ok(camera);
    }
    if let Some(name) = &args.track {
        camera.type_ = CameraType::Tracking as i32;
        camera.trackbodyid = element(model, ObjType::Body, "body", name, model.nbody)? as i32;
    }
    camera.azimuth = args.azimuth.unwrap_or(camera.azimuth);
    camera.elevation = args.elevation.unwrap_or(camera.elevation);
    camera.distance = args.distance.unwrap_or(camera.distance);
    if let Some(point) = &args.lookat {
        camera.lookat = point.as_slice().try_into().map_err(|_| {
            Failure::Message(format!("--lookat needs three numbers, {} were given", point.len()))
        })?;
    }
    if ![camera.azimuth, camera.elevation, camera.distance]
        .iter()
        .chain(&camera.lookat)
        .all(|x| x.is_finite())
        || camera.distance <= 0.0
    {
        return Err(Failure::Message("the camera needs finite numbers and a positive distance".into()));
    }
    Ok(camera)
}

/// Id of an element by name, or by number where there is no such name.
fn element(model: &Model, kind: ObjType, word: &str, name: &str, count: usize) -> Result<usize, Failure> {
    let number = || name.parse().ok().filter(|&id: &usize| id < count);
    mj_name2id(model, kind, name).or_else(number).ok_or_else(|| unknown(model, kind, word, name, count))
}
