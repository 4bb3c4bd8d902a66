//! Actuators: what they act on, in a colour between those of their least and greatest control.

use crate::scene::enums::{LabelMode, VisFlag};
use crate::scene::geom::mjv_init_geom;
use crate::scene::painter::{Painter, decor, in_group, label_of, shifted};
use crate::scene::types::MjvGeom;
use kinetree_math::MINVAL;
use kinetree_math::misc::clip;
use kinetree_model::enums::{GeomType, JointType, ObjType, TrnType};
use kinetree_sim::mj_actuator_disabled;

/// What an actuator acts on is drawn this much larger.
const INFLATION: f64 = 1.05;

impl Painter<'_> {
    /// All actuators that are not disabled.
    pub(in crate::scene) fn add_actuators(&mut self) {
        if !self.opt.shows(VisFlag::Actuator) {
            return;
        }
        let model = self.model;
        for id in 0..model.nu {
            let shown = in_group(&self.opt.actuatorgroup, model.actuator_group[id]);
            if !shown || mj_actuator_disabled(model, id) {
                continue;
            }
            let rgba = self.actuator_color(id);
            let Ok(target) = usize::try_from(model.actuator_trnid[id][0]) else { continue };
            match TrnType::try_from(model.actuator_trntype[id]) {
                Ok(TrnType::Joint | TrnType::Jointinparent) => self.add_joint_actuator(id, target, &rgba),
                Ok(TrnType::Site) => self.add_site_actuator(id, target, &rgba),
                Ok(TrnType::Body) => self.add_body_actuator(id, target, &rgba),
                Ok(TrnType::Tendon) => self.add_tendon_actuator(id, target, &rgba),
                _ => {}
            }
        }
    }

    /// Colour by control or activation, relative to the range that it can have.
    fn actuator_color(&self, id: usize) -> [f32; 4] {
        let (model, data) = (self.model, self.data);
        let by_activation = self.opt.shows(VisFlag::Activation);
        let [low, high] = if model.actuator_ctrllimited[id] != 0 {
            model.actuator_ctrlrange[id]
        } else if by_activation && model.actuator_actlimited[id] != 0 {
            model.actuator_actrange[id]
        } else {
            [-1.0, 1.0]
        };
        // least, middle and greatest value
        let [mut least, middle, mut greatest] = if low >= 0.0 {
            [-1.0, low, high]
        } else if high <= 0.0 {
            [low, high, 1.0]
        } else {
            [low, 0.0, high]
        };
        least = least.min(middle - MINVAL);
        greatest = greatest.max(middle + MINVAL);
        // the last activation variable; a motor with dynamics may have none
        let activation = usize::try_from(model.actuator_actadr[id] + model.actuator_actnum[id] - 1).ok();
        let activation = activation.filter(|_| by_activation && model.actuator_dyntype[id] != 0);
        let value = activation.map_or(data.ctrl[id], |last| data.act[last]);
        let value = clip(value, least, greatest);
        let colors = &model.vis.rgba;
        let (share, end) = if value <= middle {
            ((middle - value) / (middle - least).max(MINVAL), &colors.actuatornegative)
        } else {
            ((value - middle) / (greatest - middle).max(MINVAL), &colors.actuatorpositive)
        };
        let share = share as f32;
        std::array::from_fn(|k| share * end[k] + (1.0 - share) * colors.actuator[k])
    }

    /// Sets colour and label, and appends the geom.
    fn add_actuator_geom(&mut self, mut geom: MjvGeom, id: usize, rgba: &[f32; 4], labelled: bool) {
        geom.rgba = *rgba;
        if labelled && self.opt.labels(LabelMode::Actuator) {
            geom.label = label_of(self.model, ObjType::Actuator, id);
        }
        self.add(geom);
    }

    fn add_joint_actuator(&mut self, id: usize, joint: usize, rgba: &[f32; 4]) {
        let (model, data) = (self.model, self.data);
        let scale = &model.vis.scale;
        let sizes = [scale.actuatorlength, scale.actuatorwidth, scale.jointlength];
        let [length, width, joint_length] = sizes.map(|s| f64::from(s) * self.meansize());
        let anchor = &data.xanchor[joint];
        let end = shifted(anchor, &data.xaxis[joint], length);
        let mat = &data.xmat[model.jnt_bodyid[joint] as usize];
        let size = [0.33 * joint_length; 3];
        let mut geom = decor(ObjType::Actuator, id);
        match JointType::try_from(model.jnt_type[joint]) {
            Ok(JointType::Slide) => geom.connect(GeomType::Arrow, width, anchor, &end),
            Ok(JointType::Hinge) => geom.connect(GeomType::Arrow1, width, anchor, &end),
            Ok(JointType::Ball) => geom.shape(GeomType::Sphere, &size, anchor, mat, rgba),
            Ok(JointType::Free) => geom.shape(GeomType::Box, &size, anchor, mat, rgba),
            Err(_) => return,
        }
        self.add_actuator_geom(geom, id, rgba, true);
    }

    fn add_site_actuator(&mut self, id: usize, site: usize, rgba: &[f32; 4]) {
        let (model, data) = (self.model, self.data);
        let size = model.site_size[site].map(|s| INFLATION * s);
        let mut geom = decor(ObjType::Actuator, id);
        let (pos, mat) = (&data.site_xpos[site], &data.site_xmat[site]);
        mjv_init_geom(&mut geom, model.site_type[site], Some(&size), Some(pos), Some(mat), None);
        self.add_actuator_geom(geom, id, rgba, true);
    }

    /// All geoms of the body that are simple shapes.
    fn add_body_actuator(&mut self, id: usize, body: usize, rgba: &[f32; 4]) {
        let (model, data) = (self.model, self.data);
        let first = model.body_geomadr[body].max(0) as usize;
        for k in first..first + model.body_geomnum[body] as usize {
            let kind = GeomType::try_from(model.geom_type[k]);
            if matches!(kind, Ok(GeomType::Plane | GeomType::Hfield | GeomType::Mesh | GeomType::Sdf)) {
                continue;
            }
            let size = model.geom_size[k].map(|s| INFLATION * s);
            let mut geom = decor(ObjType::Actuator, id);
            let (pos, mat) = (&data.geom_xpos[k], &data.geom_xmat[k]);
            mjv_init_geom(&mut geom, model.geom_type[k], Some(&size), Some(pos), Some(mat), None);
            self.add_actuator_geom(geom, id, rgba, false);
        }
    }

    /// The path of a spatial tendon, wider than the tendon.
    fn add_tendon_actuator(&mut self, id: usize, tendon: usize, rgba: &[f32; 4]) {
        let model = self.model;
        for index in 0..self.segment_count(tendon) {
            let Some(([from, to], width, first)) = self.segment(tendon, index) else { continue };
            let mut geom = decor(ObjType::Actuator, id);
            let width = width * f64::from(model.vis.map.actuatortendon);
            geom.connect(GeomType::Capsule, width, &from, &to);
            self.set_material(&mut geom, model.tendon_matid[tendon], &model.tendon_rgba[tendon]);
            self.add_actuator_geom(geom, id, rgba, first);
        }
    }
}
