//! What the user does: the spring between a selected point and where it is pulled to, the rotated box, the
//! selected point, and forces that a program applies to bodies.

use crate::scene::enums::{LabelMode, PertBit, VisFlag};
use crate::scene::painter::{Painter, decor, point_of, shifted, text};
use kinetree_math::rot::quat_to_rows;
use kinetree_math::{MINVAL, Vec3};
use kinetree_model::enums::{GeomType, ObjType};

/// Colour of a perturbation: the second one of two users has red and green exchanged.
fn mixed(reference: &[f32; 4], first: bool, second: bool) -> [f32; 4] {
    let [r, g, b, a] = *reference;
    let pick = |own: f32, other: f32| {
        let base = if first { own } else { 0.0 };
        if second { base.max(other) } else { base }
    };
    [pick(r, g), pick(g, r), b, a]
}

impl Painter<'_> {
    /// The selected body, if there is one.
    fn selected(&self) -> Option<usize> {
        usize::try_from(self.pert.select).ok().filter(|&body| body > 0 && body < self.model.nbody)
    }

    /// The selected point in the world.
    fn selected_point(&self, body: usize) -> [f64; 3] {
        point_of(&self.data.xpos[body], &self.data.xmat[body], &self.pert.localpos)
    }

    /// Colour of a perturbation by who is active.
    fn perturb_color(&self, reference: &[f32; 4], bit: PertBit) -> [f32; 4] {
        mixed(reference, self.pert.active & bit as i32 != 0, self.pert.active2 & bit as i32 != 0)
    }

    /// The active perturbation.
    pub(in crate::scene) fn add_perturbation(&mut self) {
        let Some(body) = self.selected().filter(|_| self.opt.shows(VisFlag::Pertobj)) else { return };
        if self.pert.does(PertBit::Translate) {
            self.add_pull(body);
        }
        if self.pert.does(PertBit::Rotate) {
            self.add_rotation_box(body);
        }
    }

    /// A line to where the selected point is pulled, with a ball at its end.
    fn add_pull(&mut self, body: usize) {
        let model = self.model;
        let rgba = self.perturb_color(&model.vis.rgba.constraint, PertBit::Translate);
        let width = self.meansize() * f64::from(model.vis.scale.constraint);
        let from = self.selected_point(body);
        let to = self.pert.refselpos;
        self.add_connector((ObjType::Unknown, body), (GeomType::Capsule, width), [&from, &to], &rgba);
        let mut geom = decor(ObjType::Unknown, body);
        let mat = quat_to_rows(&self.pert.refquat);
        geom.shape(GeomType::Sphere, &[2.0 * width; 3], &to, &mat, &rgba);
        self.add(geom);
    }

    /// The box around the selected body, rotated to where it should be.
    fn add_rotation_box(&mut self, body: usize) {
        let (model, data) = (self.model, self.data);
        let rgba = self.perturb_color(&model.vis.rgba.inertia, PertBit::Rotate);
        let (center, half) = match usize::try_from(model.body_bvhadr[body]) {
            Ok(root) if model.body_bvhnum[body] > 0 => {
                let [x, y, z, a, b, c] = model.bvh_aabb[root];
                ([x, y, z], [a, b, c])
            }
            _ => ([0.0; 3], [self.meansize(); 3]),
        };
        let pos = point_of(&data.xipos[body], &data.ximat[body], &center);
        let mut geom = decor(ObjType::Unknown, body);
        geom.shape(GeomType::Box, &half, &pos, &quat_to_rows(&self.pert.refquat), &rgba);
        self.add(geom);
    }

    /// The selected point.
    pub(in crate::scene) fn add_selected_point(&mut self) {
        let Some(body) = self.selected().filter(|_| self.opt.shows(VisFlag::Select)) else { return };
        let point = self.selected_point(body);
        let vis = &self.model.vis;
        let mut geom = decor(ObjType::Unknown, body);
        geom.ball(self.meansize() * f64::from(vis.scale.selectpoint), &point, &vis.rgba.selectpoint);
        if self.opt.labels(LabelMode::Selpnt) {
            let ([x, y, z], [a, b, c]) = (point, self.pert.localpos);
            geom.label = text(format_args!("{x:.3} {y:.3} {z:.3} (local {a:.3} {b:.3} {c:.3})"));
        }
        self.add(geom);
    }

    /// Arrows for applied forces.
    pub(in crate::scene) fn add_applied_forces(&mut self) {
        if !self.opt.shows(VisFlag::Pertforce) {
            return;
        }
        let (model, data) = (self.model, self.data);
        let width = f64::from(model.vis.scale.forcewidth) * self.meansize();
        let scale = f64::from(model.vis.map.force) / model.stat.meanmass;
        for body in 1..model.nbody {
            let [x, y, z, ..] = data.xfrc_applied[body];
            if Vec3::new(x, y, z).norm() <= MINVAL {
                continue;
            }
            let from = &data.xipos[body];
            let to = shifted(from, &[x, y, z], scale);
            let rgba = &model.vis.rgba.force;
            self.add_connector((ObjType::Unknown, body), (GeomType::Arrow, width), [from, &to], rgba);
        }
    }
}
