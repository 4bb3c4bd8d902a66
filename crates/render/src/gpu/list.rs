//! The order of drawing: which shapes, in which passes, in how few calls.
//!
//! Opaque shapes are sorted by pipeline, texture and shape, so that thousands of equal ones are one call.
//! Transparent shapes keep their order by distance, drawn once from front to back and once from back to
//! front.

use super::assets::Assets;
use super::bounds::Sphere;
use super::deformed::Deformed;
use super::detail::{Detail, Lens};
use super::instance::for_each_shape;
use super::layout::{Affine, Instance, SHININESS};
use super::pipeline::{Blend, Cull, Mapping, PipelineKey, Shading, Stage};
use super::shape::Shape;
use super::view::Mirror;
use super::visible::VisibleCells;
use crate::scene::{CatBit, MjvGeom, MjvLight, MjvScene, RndFlag};
use kinetree_model::Model;
use kinetree_model::enums::{GeomType, LightType, ObjType, TextureRole, TextureType};
use nalgebra::Vector3;
use std::ops::Range;

/// Opacity from which a shape counts as opaque.
const OPAQUE: f32 = 0.995;
/// Factor on the opacity of a plane that is seen from behind.
const PLANE_BEHIND: f32 = 0.3;
/// Distance of the sky, relative to the far plane: its corners stay in front of that.
const SKY_DISTANCE: f32 = 0.7;
/// Most texels of a cube per angle, relative to those in the middle of a face.
const SKY_STRETCH: f32 = 3.0;
/// How far the centre of a shape may lie below a floor and still count as above it (m).
const BELOW_FLOOR: f32 = 1e-3;

/// Texture of a material.
#[derive(Clone, Copy, Debug)]
struct Coating {
    texture: usize,
    flat: bool,
    uniform: bool,
    repeat: [f32; 2],
}

/// Textures of the model's materials and of its sky, and the colour of haze.
#[derive(Clone, Debug)]
pub(super) struct Coatings {
    materials: Vec<Option<Coating>>,
    sky: Option<usize>,
    /// Columns of textures.
    widths: Vec<f32>,
    haze: [f32; 4],
    line_width: f32,
}

impl Coatings {
    /// The materials of a model.
    pub(super) fn of(model: &Model) -> Self {
        let coating = |mat: usize| {
            let texture = usize::try_from(model.mat_texid[mat][TextureRole::Rgb as usize]).ok()?;
            Some(Coating {
                texture,
                flat: *model.tex_type.get(texture)? == TextureType::T2d as i32,
                uniform: model.mat_texuniform[mat] != 0,
                repeat: model.mat_texrepeat[mat],
            })
        };
        Self {
            materials: (0..model.nmat).map(coating).collect(),
            sky: model.tex_type.iter().position(|&t| t == TextureType::Skybox as i32),
            widths: model.tex_width.iter().map(|&width| width as f32).collect(),
            haze: model.vis.rgba.haze,
            line_width: model.vis.global.linewidth,
        }
    }

    /// How the texture of a geom lies on it: mapping, texture and factors.
    fn of_geom(&self, geom: &MjvGeom) -> (Mapping, Option<usize>, [f32; 3]) {
        let coating = usize::try_from(geom.matid).ok().and_then(|mat| *self.materials.get(mat)?);
        let Some(c) = coating else { return (Mapping::None, None, [0.0; 3]) };
        if !c.flat {
            return (Mapping::Cube, Some(c.texture), if c.uniform { geom.size } else { [1.0; 3] });
        }
        if geom.texcoord != 0 {
            return (Mapping::Explicit, Some(c.texture), [0.0; 3]);
        }
        let scale = [0, 1].map(|k| {
            let size = geom.size[k];
            // shapes in true size are brought back to the unit shape
            let relative =
                if geom.dataid >= 0 && size > 0.0 { c.repeat[k] / size.max(1e-15) } else { c.repeat[k] };
            if c.uniform && size > 0.0 { relative * size } else { relative }
        });
        (Mapping::Plane, Some(c.texture), [scale[0], scale[1], 0.0])
    }
}

/// Equal shapes that one call draws.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    pub(super) key: PipelineKey,
    pub(super) texture: Option<usize>,
    pub(super) shape: Shape,
    pub(super) detail: Detail,
    pub(super) instances: Range<u32>,
}

/// A shape before it is put into a batch.
pub(super) struct Entry {
    pub(super) key: PipelineKey,
    pub(super) texture: Option<usize>,
    shape: Shape,
    detail: Detail,
    instance: Instance,
}

/// All shapes of a frame, in order.
#[derive(Debug, Default)]
pub(super) struct DrawList {
    pub(super) instances: Vec<Instance>,
    pub(super) color: Vec<Batch>,
    pub(super) shadow: Vec<Batch>,
    pub(super) sensor: Vec<Batch>,
    /// The mirror, when there is one.
    pub(super) mirror: Option<Mirror>,
    /// Whether a stencil keeps its image within it.
    pub(super) stencil: bool,
    /// Where the shapes are that cast shadows, if all of them have bounds.
    pub(super) casters: Option<Vec<Sphere>>,
}

/// Which shapes a sensor sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sensed {
    /// All shapes that have an id in segmentation images, transparent ones too.
    Segmented,
    /// What hides other things in a colour picture: opaque shapes and the sky.
    Opaque,
}

/// What a list is made from.
pub(super) struct ListSource<'a> {
    pub(super) scene: &'a MjvScene,
    pub(super) coatings: &'a Coatings,
    pub(super) assets: &'a Assets,
    pub(super) deformed: &'a Deformed,
    pub(super) visible: &'a VisibleCells,
    /// Position of the camera.
    pub(super) head: Vector3<f32>,
    /// Distance of the far plane.
    pub(super) far: f32,
    /// How large things are seen; `None` draws them in full detail.
    pub(super) lens: Option<Lens>,
    /// Samples per pixel.
    pub(super) samples: u8,
    /// Lights with shadows.
    pub(super) casting: &'a [&'a MjvLight],
}

impl ListSource<'_> {
    /// Everything that a colour picture needs.
    pub(super) fn color(&self) -> DrawList {
        let geoms = &self.scene.geoms;
        let mut list = DrawList::default();
        let transparent = self.transparent_order();
        let reflective = (0..geoms.len()).find(|&i| self.is_reflective(&geoms[i]));
        if self.flag(RndFlag::Reflection)
            && let Some(i) = reflective
        {
            self.mirror_image(&mut list, i, &transparent);
        }
        let lit = self.key(Stage::Color, Blend::Replace, self.casting.len() as u8);
        let mut opaque = Vec::new();
        if let Some(i) = reflective {
            // its own colour is added to the mirror image
            let blend = if list.mirror.is_some() { Blend::Add } else { Blend::Replace };
            self.add(&mut opaque, &geoms[i], PipelineKey { blend, ..lit }, 1.0);
        }
        list.push_in_order(&opaque);
        opaque.clear();
        for (i, geom) in geoms.iter().enumerate() {
            if Some(i) != reflective && !self.is_transparent(geom) {
                self.add(&mut opaque, geom, lit, 1.0);
            }
        }
        list.push_sorted(&mut opaque);
        list.push_in_order(&self.sky());
        self.push_transparent(&mut list, &transparent, None, 1.0);
        if !self.casting.is_empty() {
            self.push_shadow_casters(&mut list);
        }
        for batch in &mut list.color {
            batch.key.stencil = list.stencil;
        }
        list
    }

    /// Everything that a sensor picture needs.
    pub(super) fn sensor(&self, sensed: Sensed) -> DrawList {
        let mut list = DrawList::default();
        let key = PipelineKey { samples: 1, outline: false, ..self.key(Stage::Sensor, Blend::Replace, 0) };
        let mut entries = Vec::new();
        for geom in &self.scene.geoms {
            let seen = match sensed {
                Sensed::Segmented => geom.segid >= 0,
                Sensed::Opaque => !self.is_transparent(geom),
            };
            if seen {
                self.add(&mut entries, geom, key, 1.0);
            }
        }
        if sensed == Sensed::Opaque {
            let sky = self.sky().into_iter().map(|e| Entry {
                key: PipelineKey { cull: e.key.cull, ..key },
                texture: None,
                ..e
            });
            entries.extend(sky);
        }
        // texture and shading do not matter here, and would only split batches
        for entry in &mut entries {
            entry.texture = None;
            entry.key = PipelineKey { mapping: Mapping::None, shading: Shading::Plain, ..entry.key };
        }
        list.push_sorted(&mut entries);
        list.sensor = std::mem::take(&mut list.color);
        list
    }

    fn flag(&self, flag: RndFlag) -> bool {
        self.scene.flags[flag as usize] != 0
    }

    pub(super) fn key(&self, stage: Stage, blend: Blend, shadows: u8) -> PipelineKey {
        PipelineKey {
            stage,
            mapping: Mapping::None,
            shading: Shading::Lit,
            blend,
            cull: if self.flag(RndFlag::CullFace) { Cull::Back } else { Cull::Never },
            line: false,
            mirrored: false,
            clipped: false,
            stencil: false,
            outline: self.flag(RndFlag::Wireframe),
            shadows,
            samples: self.samples,
        }
    }

    /// Whether the camera is behind the plane of a geom's x and y axes.
    pub(super) fn is_behind(&self, pos: Vector3<f32>, normal: Vector3<f32>) -> bool {
        (self.head - pos).dot(&normal) < 0.0
    }

    pub(super) fn is_transparent(&self, geom: &MjvGeom) -> bool {
        geom.rgba[3] < OPAQUE
            || (geom.type_ == GeomType::Plane as i32 && self.is_behind(geom.pos.into(), normal(geom)))
    }

    /// Transparent geoms from near to far; planes are farther than anything.
    fn transparent_order(&self) -> Vec<usize> {
        let geoms = &self.scene.geoms;
        let mut order: Vec<(f32, usize)> = (0..geoms.len())
            .filter(|&i| self.is_transparent(&geoms[i]))
            .map(|i| {
                let plane = geoms[i].type_ == GeomType::Plane as i32;
                let distance = (Vector3::from(geoms[i].pos) - self.head).norm() - bounding_radius(&geoms[i]);
                (if plane { 1e10 } else { distance }, i)
            })
            .collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        order.into_iter().map(|(_, i)| i).collect()
    }

    /// Transparent shapes, front to back and back to front; the mirror image has them too, without the
    /// mirror.
    pub(super) fn push_transparent(
        &self,
        list: &mut DrawList,
        order: &[usize],
        mirror: Option<usize>,
        brightness: f32,
    ) {
        let blend = if self.flag(RndFlag::Additive) { Blend::Glow } else { Blend::Over };
        let mirrored = mirror.is_some();
        let key = PipelineKey { mirrored, clipped: mirrored, ..self.key(Stage::Color, blend, 0) };
        let mut entries = Vec::new();
        let mut add = |i: usize| {
            if mirror != Some(i) {
                self.add(&mut entries, &self.scene.geoms[i], key, brightness);
            }
        };
        order.iter().copied().for_each(&mut add);
        if !self.flag(RndFlag::Additive) {
            order.iter().rev().copied().for_each(&mut add);
        }
        list.push_in_order(&entries);
    }

    /// Whether a geom is an opaque plane with the camera, all lights and all shapes above it: its shadow is
    /// out of sight.
    fn is_lit_floor(&self, geom: &MjvGeom) -> bool {
        let (pos, up) = (Vector3::from(geom.pos), normal(geom));
        let above = |light: &MjvLight| match light.type_ == LightType::Directional as i32 {
            true => Vector3::from(light.dir).dot(&up) < 0.0,
            false => (Vector3::from(light.pos) - pos).dot(&up) > 0.0,
        };
        let nothing_below =
            || self.scene.geoms.iter().all(|g| (Vector3::from(g.pos) - pos).dot(&up) >= -BELOW_FLOOR);
        geom.type_ == GeomType::Plane as i32
            && !self.is_transparent(geom)
            && self.casting.iter().all(|l| above(l))
            && (is_endless_plane(geom) || nothing_below())
    }

    /// Everything but lines and decorations casts shadows, with both sides of its triangles.
    fn push_shadow_casters(&self, list: &mut DrawList) {
        let key = PipelineKey { samples: 1, outline: false, ..self.key(Stage::Shadow, Blend::Replace, 0) };
        let mut entries = Vec::new();
        let casts = |geom: &&MjvGeom| geom.category != CatBit::Decor as i32 && !self.is_lit_floor(geom);
        list.casters = self.scene.geoms.iter().filter(casts).map(Sphere::around).collect();
        for geom in self.scene.geoms.iter().filter(casts) {
            self.add(&mut entries, geom, key, 1.0);
        }
        entries.retain(|e| !e.key.line);
        for entry in &mut entries {
            entry.texture = None;
            entry.key =
                PipelineKey { mapping: Mapping::None, shading: Shading::Plain, cull: Cull::Never, ..key };
        }
        let color = std::mem::take(&mut list.color);
        list.push_sorted(&mut entries);
        list.shadow = std::mem::replace(&mut list.color, color);
    }

    /// How the sky is looked up: without mipmaps where its pixels are larger than those of the picture.
    fn sky_mapping(&self, texture: usize) -> Mapping {
        let texels = SKY_STRETCH * self.coatings.widths.get(texture).map_or(0.0, |&width| 0.5 * width);
        match &self.lens {
            Some(lens) if lens.perspective && texels <= lens.pixels => Mapping::NearSky,
            _ => Mapping::Sky,
        }
    }

    /// The sky around the camera and the haze over the first endless plane.
    fn sky(&self) -> Vec<Entry> {
        let Some(texture) = self.coatings.sky.filter(|_| self.flag(RndFlag::Skybox)) else {
            return Vec::new();
        };
        let mut distance = self.far * SKY_DISTANCE;
        if self.scene.enabletransform {
            distance /= self.scene.scale;
        }
        let h = self.head;
        let affine = [[distance, 0.0, 0.0, h.x], [0.0, distance, 0.0, h.y], [0.0, 0.0, distance, h.z]];
        let key = PipelineKey {
            mapping: self.sky_mapping(texture),
            shading: Shading::Plain,
            cull: Cull::Front,
            outline: false,
            ..self.key(Stage::Color, Blend::Replace, 0)
        };
        // in full detail: SwiftShader, which draws in browsers without a graphics card, clips triangles that
        // reach from the picture to behind the camera wrongly
        let mut entries = vec![entry(key, Some(texture), Shape::Cylinder, affine, [1.0; 4])];
        let endless =
            |g: &&MjvGeom| g.type_ == GeomType::Plane as i32 && g.size[0] == 0.0 && g.size[1] == 0.0;
        let plane = self.scene.geoms.iter().find(endless).filter(|_| self.flag(RndFlag::Haze));
        if let Some(plane) = plane {
            let height = (h - Vector3::from(plane.pos)).dot(&normal(plane));
            if height >= 0.0 {
                let [x, y, z] = [0, 1, 2].map(|k| [0, 3, 6].map(|r| plane.mat[r + k]));
                let haze: Affine = [0, 1, 2]
                    .map(|r| [x[r] * distance, y[r] * distance, z[r] * height, h[r] - z[r] * height]);
                let [red, green, blue, _] = self.coatings.haze;
                let key = PipelineKey {
                    mapping: Mapping::None,
                    shading: Shading::Fading,
                    blend: Blend::Over,
                    ..key
                };
                entries.push(entry(key, None, Shape::Haze, haze, [red, green, blue, 1.0]));
            }
        }
        entries
    }

    /// Adds the shapes of a geom with the colour times `brightness`.
    pub(super) fn add(&self, entries: &mut Vec<Entry>, geom: &MjvGeom, key: PipelineKey, brightness: f32) {
        let (mapping, texture, texscale) = self.coatings.of_geom(geom);
        let plane_behind =
            geom.type_ == GeomType::Plane as i32 && self.is_behind(geom.pos.into(), normal(geom));
        let [r, g, b, a] = geom.rgba;
        let alpha = if plane_behind { a * PLANE_BEHIND } else { a };
        let rgba = [r * brightness, g * brightness, b * brightness, alpha];
        let cull = match geom.type_ {
            t if t == GeomType::Triangle as i32 => Cull::Never,
            _ if plane_behind && key.cull == Cull::Back => Cull::Front,
            _ => key.cull,
        };
        let key = PipelineKey { mapping, cull, ..key };
        let flex = geom.type_ == GeomType::Flex as i32;
        let mut add = |shape: Shape, affine: Affine, width: f32| {
            let line = shape == Shape::Line;
            // vertices and edges of flexes have no texture
            let bare = line || (flex && !matches!(shape, Shape::Deformed(_)));
            let mut key = key;
            if bare {
                key.mapping = Mapping::None;
            }
            if line {
                key = PipelineKey { line, shading: Shading::Plain, cull: Cull::Never, outline: false, ..key };
            }
            let instance = Instance {
                affine,
                rgba,
                material: [
                    geom.emission,
                    geom.specular,
                    geom.shininess * SHININESS,
                    width * self.coatings.line_width,
                ],
                texscale,
                id: (geom.segid + 1).max(0) as u32,
            };
            let detail = self.detail(shape, &affine, key);
            entries.push(Entry { key, texture: if bare { None } else { texture }, shape, detail, instance });
        };
        let whole = key.mirrored || key.stage == Stage::Shadow;
        for_each_shape(geom, |shape, affine, width| match shape {
            Shape::Plane(id) if !whole && self.visible.range(id).is_some() => {
                if self.visible.range(id).is_some_and(|range| !range.is_empty()) {
                    add(Shape::VisiblePlane(id), affine, width);
                }
            }
            _ if self.assets.range(shape, Detail::FULL).is_empty() => {}
            _ => add(shape, affine, width),
        });
        self.deformed.for_each_shape(geom, self.scene, |shape, affine| add(shape, affine, 1.0));
    }

    /// How finely a shape is divided. Sensors get exact outlines, and wireframes all lines.
    fn detail(&self, shape: Shape, affine: &Affine, key: PipelineKey) -> Detail {
        match (key.stage, &self.lens) {
            (Stage::Color, Some(lens)) if !key.outline => {
                lens.detail(shape, affine, self.assets.quality, false)
            }
            (Stage::Shadow, Some(lens)) => lens.detail(shape, affine, self.assets.quality, true),
            (Stage::Color, _) => Detail::FULL,
            _ => Detail::OUTLINE,
        }
    }
}

impl DrawList {
    /// Adds shapes in any order.
    pub(super) fn push_sorted(&mut self, entries: &mut [Entry]) {
        entries.sort_by_key(|e| (e.key, e.texture, e.shape, e.detail));
        self.push_in_order(entries);
    }

    /// Adds shapes in the given order; equal neighbours become one batch.
    pub(super) fn push_in_order(&mut self, entries: &[Entry]) {
        for e in entries {
            let at = self.instances.len() as u32;
            self.instances.push(e.instance);
            match self.color.last_mut() {
                Some(b)
                    if (b.key, b.texture, b.shape, b.detail) == (e.key, e.texture, e.shape, e.detail)
                        && b.instances.end == at =>
                {
                    b.instances.end = at + 1;
                }
                _ => self.color.push(Batch {
                    key: e.key,
                    texture: e.texture,
                    shape: e.shape,
                    detail: e.detail,
                    instances: at..at + 1,
                }),
            }
        }
    }
}

/// A shape without material.
fn entry(key: PipelineKey, texture: Option<usize>, shape: Shape, affine: Affine, rgba: [f32; 4]) -> Entry {
    let instance = Instance { affine, rgba, material: [0.0; 4], texscale: [1.0; 3], id: 0 };
    Entry { key, texture, shape, detail: Detail::FULL, instance }
}

/// The z axis of a geom.
fn normal(geom: &MjvGeom) -> Vector3<f32> {
    Vector3::new(geom.mat[2], geom.mat[5], geom.mat[8])
}

/// Whether a geom is a plane that reaches to the horizon in all directions.
pub(super) fn is_endless_plane(geom: &MjvGeom) -> bool {
    geom.type_ == GeomType::Plane as i32 && geom.size[0] == 0.0 && geom.size[1] == 0.0
}

/// Radius of a sphere that holds a geom, which brings it nearer in the order of transparent shapes.
fn bounding_radius(geom: &MjvGeom) -> f32 {
    if geom.objtype == ObjType::Geom as i32 {
        return geom.modelrbound;
    }
    let [x, y, z] = geom.size;
    match GeomType::try_from(geom.type_) {
        Ok(GeomType::Sphere) => x,
        Ok(GeomType::Capsule) => x + z,
        Ok(GeomType::Cylinder) => libm::sqrtf(x * x + z * z),
        Ok(GeomType::Box) => libm::sqrtf(x * x + y * y + z * z),
        _ => x.max(y).max(z),
    }
}
