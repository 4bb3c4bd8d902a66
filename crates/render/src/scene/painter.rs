//! What all parts of a scene have in common: the model, what is shown, and the list that geoms are added to.

use super::enums::{CatBit, FrameMode, LabelMode, PertBit, VisFlag};
use super::geom::{mjv_connector, mjv_init_geom, single};
use super::label::Label;
use super::types::{MjvGeom, MjvOption, MjvPerturb, MjvScene, N_GROUP};
use kinetree_math::Vec3;
use kinetree_math::rot::mat3;
use kinetree_model::enums::{GeomType, ObjType};
use kinetree_model::{Data, Model, mj_id2name};
use std::fmt::Write;

/// Adds geoms to a scene.
pub(super) struct Painter<'a> {
    pub(super) model: &'a Model,
    pub(super) data: &'a Data,
    pub(super) opt: &'a MjvOption,
    pub(super) pert: &'a MjvPerturb,
    /// Categories that are shown (`mjtCatBit`).
    pub(super) catmask: i32,
    pub(super) scn: &'a mut MjvScene,
}

impl MjvOption {
    /// Whether a visual flag is on.
    #[must_use]
    pub fn shows(&self, flag: VisFlag) -> bool {
        self.flags[flag as usize] != 0
    }

    /// Whether objects of a kind have labels.
    #[must_use]
    pub fn labels(&self, mode: LabelMode) -> bool {
        self.label == mode as i32
    }

    /// Whether frames of a kind are shown.
    #[must_use]
    pub fn frames(&self, mode: FrameMode) -> bool {
        self.frame == mode as i32
    }

    /// Whether flexes are shown in any way.
    #[must_use]
    pub fn shows_flexes(&self) -> bool {
        [VisFlag::Flexvert, VisFlag::Flexedge, VisFlag::Flexface, VisFlag::Flexskin]
            .into_iter()
            .any(|flag| self.shows(flag))
    }
}

impl MjvPerturb {
    /// Whether either perturbation moves or rotates the selected body.
    pub(super) fn does(&self, bit: PertBit) -> bool {
        (self.active | self.active2) & bit as i32 != 0
    }
}

/// Whether a group is on; groups out of range count as the nearest one.
pub(super) fn in_group(groups: &[u8; N_GROUP], group: i32) -> bool {
    groups[group.clamp(0, N_GROUP as i32 - 1) as usize] != 0
}

/// The point of a frame with local coordinates `local`.
pub(super) fn point_of(pos: &[f64; 3], mat: &[f64; 9], local: &[f64; 3]) -> [f64; 3] {
    (mat3(mat) * Vec3::from(*local) + Vec3::from(*pos)).into()
}

/// The point `by` away from another one.
pub(super) fn shifted(point: &[f64; 3], direction: &[f64; 3], by: f64) -> [f64; 3] {
    std::array::from_fn(|k| point[k] + by * direction[k])
}

/// The text of an object: its name, or its kind and id.
pub(super) fn label_of(model: &Model, kind: ObjType, id: usize) -> Label {
    if let Some(name) = mj_id2name(model, kind, id) {
        return Label::from(name);
    }
    let word = match kind {
        ObjType::Body => "body",
        ObjType::Joint => "joint",
        ObjType::Geom => "geom",
        ObjType::Site => "site",
        ObjType::Camera => "camera",
        ObjType::Light => "light",
        ObjType::Flex => "flex",
        ObjType::Skin => "skin",
        ObjType::Equality => "equality",
        ObjType::Tendon => "tendon",
        ObjType::Actuator => "actuator",
        _ => "object",
    };
    text(format_args!("{word} {id}"))
}

/// A label from formatted text.
pub(super) fn text(arguments: std::fmt::Arguments<'_>) -> Label {
    let mut label = Label::EMPTY;
    // writing to a label never fails
    let _ = label.write_fmt(arguments);
    label
}

/// An empty geom that shows an object.
pub(super) fn geom_for(kind: ObjType, id: usize, category: CatBit) -> MjvGeom {
    MjvGeom { objtype: kind as i32, objid: id as i32, category: category as i32, ..MjvGeom::default() }
}

/// A decoration of an object.
pub(super) fn decor(kind: ObjType, id: usize) -> MjvGeom {
    geom_for(kind, id, CatBit::Decor)
}

impl MjvGeom {
    /// Sets type, size, pose and colour.
    pub(super) fn shape(
        &mut self,
        kind: GeomType,
        size: &[f64; 3],
        pos: &[f64; 3],
        mat: &[f64; 9],
        rgba: &[f32; 4],
    ) {
        mjv_init_geom(self, kind as i32, Some(size), Some(pos), Some(mat), Some(rgba));
    }

    /// Makes this a connector; `kind` must be one.
    pub(super) fn connect(&mut self, kind: GeomType, width: f64, from: &[f64; 3], to: &[f64; 3]) {
        let connected = mjv_connector(self, kind as i32, width, from, to);
        debug_assert!(connected.is_ok(), "{kind:?} is no connector");
    }

    /// Makes this a sphere with axes along the world's.
    pub(super) fn ball(&mut self, radius: f64, pos: &[f64; 3], rgba: &[f32; 4]) {
        self.type_ = GeomType::Sphere as i32;
        self.size = [radius as f32; 3];
        self.pos = single(pos);
        self.rgba = *rgba;
    }
}

impl Painter<'_> {
    /// Sizes of decorations are relative to this (m).
    pub(super) fn meansize(&self) -> f64 {
        self.model.stat.meansize
    }

    /// Length and width of the axes of frames (m).
    pub(super) fn frame_size(&self) -> [f64; 2] {
        let scale = &self.model.vis.scale;
        [scale.framelength, scale.framewidth].map(|size| f64::from(size) * self.meansize())
    }

    /// Whether a category is shown.
    pub(super) fn in_category(&self, category: CatBit) -> bool {
        self.catmask & category as i32 != 0
    }

    /// Category of what is attached to a body: static when it is fixed to the world and belongs to no mocap
    /// body.
    pub(super) fn category(&self, body: i32) -> CatBit {
        let model = self.model;
        let body = body as usize;
        let root = model.body_rootid[body] as usize;
        if model.body_weldid[body] == 0 && model.body_mocapid[root] == -1 {
            CatBit::Static
        } else {
            CatBit::Dynamic
        }
    }

    /// Appends a geom, unless the scene is full.
    pub(super) fn add(&mut self, mut geom: MjvGeom) {
        if self.scn.geoms.len() >= self.scn.maxgeom {
            self.scn.status = 1;
            return;
        }
        geom.segid = self.scn.geoms.len() as i32;
        self.scn.geoms.push(geom);
    }

    /// Appends a decoration that connects two points.
    pub(super) fn add_connector(
        &mut self,
        (objtype, id): (ObjType, usize),
        (kind, width): (GeomType, f64),
        [from, to]: [&[f64; 3]; 2],
        rgba: &[f32; 4],
    ) {
        let mut geom = decor(objtype, id);
        geom.connect(kind, width, from, to);
        geom.rgba = *rgba;
        self.add(geom);
    }

    /// Appends the three axes of a frame: red, green and blue cylinders.
    pub(super) fn add_frame(&mut self, id: usize, pos: &[f64; 3], mat: &[f64; 9], [length, width]: [f64; 2]) {
        for axis in 0..3 {
            let to = shifted(pos, &[mat[axis], mat[3 + axis], mat[6 + axis]], length);
            let mut rgba = [0.0, 0.0, 0.0, 1.0];
            rgba[axis] = 0.9;
            self.add_connector((ObjType::Unknown, id), (GeomType::Cylinder, width), [pos, &to], &rgba);
        }
    }

    /// Appends a triangle: its frame has the first two edges and the normal as axes, and their lengths as
    /// size.
    pub(super) fn add_triangle(
        &mut self,
        (objtype, id): (ObjType, usize),
        [v0, v1, v2]: [&[f64; 3]; 3],
        rgba: &[f32; 4],
    ) {
        let corner = Vec3::from(*v0);
        let mut axes = [Vec3::from(*v1) - corner, Vec3::from(*v2) - corner, Vec3::zeros()];
        axes[2] = axes[0].cross(&axes[1]);
        let mut size = [0.0; 3];
        let mut mat = [0.0; 9];
        for (k, axis) in axes.iter_mut().enumerate() {
            size[k] = kinetree_math::rot::normalize3(axis);
            for row in 0..3 {
                mat[3 * row + k] = axis[row];
            }
        }
        let mut geom = decor(objtype, id);
        geom.shape(GeomType::Triangle, &size, v0, &mat, rgba);
        self.add(geom);
    }

    /// Copies the material of an object, or its own colour where it has one.
    pub(super) fn set_material(&self, geom: &mut MjvGeom, matid: i32, rgba: &[f32; 4]) {
        const DEFAULT: [f32; 4] = [0.5, 0.5, 0.5, 1.0];
        let model = self.model;
        let material = usize::try_from(matid).ok();
        if let Some(id) = material {
            geom.rgba = model.mat_rgba[id];
            geom.emission = model.mat_emission[id];
            geom.specular = model.mat_specular[id];
            geom.shininess = model.mat_shininess[id];
            geom.reflectance = model.mat_reflectance[id];
        }
        if *rgba != DEFAULT || material.is_none() {
            geom.rgba = *rgba;
        }
        if self.opt.shows(VisFlag::Texture) && material.is_some() {
            geom.matid = matid;
        }
        if self.opt.shows(VisFlag::Transparent) && geom.category == CatBit::Dynamic {
            geom.rgba[3] *= model.vis.map.alpha;
        }
    }

    /// Lets a geom of a selected object glow.
    pub(super) fn glow(&self, geom: &mut MjvGeom) {
        geom.emission += self.model.vis.global.glow;
    }
}
