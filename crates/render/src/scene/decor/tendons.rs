//! Tendons: straight segments along their paths, or a catenary where a slack one hangs between two sites; and
//! slider-cranks.

use super::catenary::{MAX_POINTS, catenary};
use super::islands::island_color;
use crate::scene::enums::{CatBit, LabelMode, VisFlag};
use crate::scene::painter::{Painter, geom_for, in_group, label_of, shifted};
use crate::scene::types::MjvGeom;
use kinetree_math::misc::is_zero;
use kinetree_math::{MINVAL, Vec3};
use kinetree_model::enums::{ConstraintType, DisableBit, GeomType, ObjType, TrnType};

/// Colour of tendons that have none of their own.
const DEFAULT_COLOR: [f32; 4] = [0.5, 0.5, 0.5, 1.0];
/// In `wrap_obj`: the point is at a pulley.
const PULLEY: i32 = -2;

impl Painter<'_> {
    /// Spatial tendons.
    pub(in crate::scene) fn add_tendons(&mut self) {
        if !self.in_category(CatBit::Dynamic) || !self.opt.shows(VisFlag::Tendon) {
            return;
        }
        for tendon in 0..self.model.ntendon {
            if !in_group(&self.opt.tendongroup, self.model.tendon_group[tendon]) {
                continue;
            }
            match self.slack_length(tendon) {
                Some(length) => self.add_catenary(tendon, length),
                None => self.add_straight(tendon),
            }
        }
    }

    /// Start, end and width of each segment of a tendon's path, and whether it is the first.
    pub(super) fn segment(&self, tendon: usize, index: usize) -> Option<([[f64; 3]; 2], f64, bool)> {
        let data = self.data;
        let (objects, points) = (data.wrap_obj.as_flattened(), data.wrap_xpos.as_flattened());
        let j = data.ten_wrapadr[tendon] as usize + index;
        if objects[j] == PULLEY || objects[j + 1] == PULLEY {
            return None;
        }
        let point = |k: usize| [points[3 * k], points[3 * k + 1], points[3 * k + 2]];
        // segments inside a wrapping geom are thin
        let thin = objects[j] >= 0 && objects[j + 1] >= 0;
        let width = self.model.tendon_width[tendon] * if thin { 0.5 } else { 1.0 };
        Some(([point(j), point(j + 1)], width, index == 0))
    }

    /// Number of segments of a tendon's path, those at pulleys included.
    pub(super) fn segment_count(&self, tendon: usize) -> usize {
        (self.data.ten_wrapnum[tendon] - 1).max(0) as usize
    }

    fn add_straight(&mut self, tendon: usize) {
        let model = self.model;
        for index in 0..self.segment_count(tendon) {
            let Some(([from, to], width, first)) = self.segment(tendon, index) else { continue };
            let mut geom = geom_for(ObjType::Tendon, tendon, CatBit::Dynamic);
            geom.connect(GeomType::Capsule, width, &from, &to);
            let rgba = self.tendon_color(tendon);
            self.set_material(&mut geom, model.tendon_matid[tendon], &rgba);
            if self.opt.shows(VisFlag::Island) {
                geom.matid = -1;
                let row = self.data.tendon_efcadr.get(tendon).copied().unwrap_or(-1);
                geom.rgba = island_color(self.island_of_row(row), true);
            }
            if first {
                self.label_tendon(&mut geom, tendon);
            }
            self.add(geom);
        }
    }

    fn label_tendon(&self, geom: &mut MjvGeom, tendon: usize) {
        if self.opt.labels(LabelMode::Tendon) {
            geom.label = label_of(self.model, ObjType::Tendon, tendon);
        }
    }

    /// Colour of a tendon; one without its own fades to that of constraints as far as its limit acts.
    fn tendon_color(&self, tendon: usize) -> [f32; 4] {
        let own = self.model.tendon_rgba[tendon];
        if self.model.tendon_matid[tendon] != -1 || own != DEFAULT_COLOR {
            return own;
        }
        let [r, g, b] = self.limit_color([own[0], own[1], own[2]], ConstraintType::LimitTendon, tendon);
        [r, g, b, own[3]]
    }

    /// A colour mixed with that of constraints by the impedance of an object's limit.
    pub(super) fn limit_color(&self, rgb: [f32; 3], kind: ConstraintType, id: usize) -> [f32; 3] {
        let data = self.data;
        let rows = data.ne + data.nf..data.ne + data.nf + data.nl;
        let active = |&row: &usize| data.efc_type[row] == kind && data.efc_id[row] == id as i32;
        let impedance = rows.rev().find(active).map_or(0.0, |row| data.efc_KBIP[row][2]);
        let limit = self.model.vis.rgba.constraint;
        std::array::from_fn(|k| {
            ((1.0 - impedance) * f64::from(rgb[k]) + impedance * f64::from(limit[k])) as f32
        })
    }

    /// Length of a tendon that hangs like a chain: between two sites, under gravity, limited above by a
    /// spring or a constraint, and nothing else acts on it.
    fn slack_length(&self, tendon: usize) -> Option<f64> {
        let model = self.model;
        let stiff = model.tendon_stiffness[tendon] != 0.0 || !is_zero(&model.tendon_stiffnesspoly[tendon]);
        let damped = model.tendon_damping[tendon] != 0.0 || !is_zero(&model.tendon_dampingpoly[tendon]);
        let [rest_low, rest_high] = model.tendon_lengthspring[tendon];
        let [low, high] = model.tendon_range[tendon];
        let by_spring = stiff && rest_low == 0.0 && rest_high > 0.0;
        let by_limit =
            !stiff && model.tendon_limited[tendon] == 1 && low == 0.0 && self.data.ten_length[tendon] < high;
        let hangs = !model.disabled(DisableBit::Gravity)
            && Vec3::from(model.opt.gravity).norm() > MINVAL
            && model.tendon_num[tendon] == 2
            && by_spring != by_limit
            && !damped
            && model.tendon_frictionloss[tendon] == 0.0;
        let driven = |actuator: usize| {
            model.actuator_trntype[actuator] == TrnType::Tendon
                && model.actuator_trnid[actuator][0] == tendon as i32
        };
        (hangs && !(0..model.nu).any(driven)).then_some(if by_limit { high } else { rest_high })
    }

    fn add_catenary(&mut self, tendon: usize, length: f64) {
        let (model, data) = (self.model, self.data);
        let Some(&[a, b, c, d, e, f]) =
            data.wrap_xpos.as_flattened()[3 * data.ten_wrapadr[tendon] as usize..].first_chunk::<6>()
        else {
            return;
        };
        let ends = [Vec3::new(a, b, c), Vec3::new(d, e, f)];
        let mut points = [Vec3::zeros(); MAX_POINTS];
        let wanted = (model.vis.quality.numslices + 1).clamp(2, MAX_POINTS as i32) as usize;
        let gravity = Vec3::from(model.opt.gravity);
        let count = catenary([&ends[0], &ends[1]], &gravity, length, &mut points, wanted);
        for pair in points[..count].windows(2) {
            let mut geom = geom_for(ObjType::Tendon, tendon, CatBit::Dynamic);
            let width = model.tendon_width[tendon];
            geom.connect(GeomType::Capsule, width, &pair[0].into(), &pair[1].into());
            self.set_material(&mut geom, model.tendon_matid[tendon], &model.tendon_rgba[tendon]);
            self.label_tendon(&mut geom, tendon);
            self.add(geom);
        }
    }

    /// Slider-cranks: the slider as a cylinder, the rod as a capsule, in another colour where the rod is too
    /// short.
    pub(in crate::scene) fn add_slider_cranks(&mut self) {
        if !self.in_category(CatBit::Dynamic) {
            return;
        }
        let (model, data) = (self.model, self.data);
        let width = self.meansize() * f64::from(model.vis.scale.slidercrank);
        for actuator in 0..model.nu {
            if model.actuator_trntype[actuator] != TrnType::Slidercrank {
                continue;
            }
            let [crank, slider] = model.actuator_trnid[actuator].map(|id| id as usize);
            let mat = &data.site_xmat[slider];
            let axis = [mat[2], mat[5], mat[8]];
            let reach = Vec3::from(data.site_xpos[crank]) - Vec3::from(data.site_xpos[slider]);
            let along = reach.dot(&Vec3::from(axis));
            let rod = model.actuator_cranklength[actuator];
            let rest = along * along + rod * rod - reach.dot(&reach);
            let end = shifted(&data.site_xpos[slider], &axis, along - rest.max(0.0).sqrt());

            let mut geom = geom_for(ObjType::Actuator, actuator, CatBit::Dynamic);
            geom.connect(GeomType::Cylinder, width, &data.site_xpos[slider], &end);
            geom.rgba = model.vis.rgba.slidercrank;
            if self.opt.labels(LabelMode::Actuator) {
                geom.label = label_of(model, ObjType::Actuator, actuator);
            }
            self.add(geom);

            let mut geom = geom_for(ObjType::Actuator, actuator, CatBit::Dynamic);
            geom.connect(GeomType::Capsule, width / 2.0, &end, &data.site_xpos[crank]);
            let colors = &model.vis.rgba;
            geom.rgba = if rest < 0.0 { colors.crankbroken } else { colors.slidercrank };
            self.add(geom);
        }
    }
}
