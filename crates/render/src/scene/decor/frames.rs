//! Frames of geoms, sites, bodies and the world, and labels of bodies.

use crate::scene::enums::{CatBit, FrameMode, LabelMode, VisFlag};
use crate::scene::geom::single;
use crate::scene::painter::{Painter, decor, in_group, label_of};
use kinetree_model::enums::{GeomType, ObjType};

impl Painter<'_> {
    /// Frames of visible geoms.
    pub(in crate::scene) fn add_geom_frames(&mut self) {
        if !self.opt.frames(FrameMode::Geom) {
            return;
        }
        let (model, data) = (self.model, self.data);
        for id in 0..model.ngeom {
            if self.in_category(self.category(model.geom_bodyid[id]))
                && in_group(&self.opt.geomgroup, model.geom_group[id])
                && self.is_opaque(model.geom_matid[id], &model.geom_rgba[id])
            {
                self.add_frame(id, &data.geom_xpos[id], &data.geom_xmat[id], self.frame_size());
            }
        }
    }

    /// Frames of visible sites.
    pub(in crate::scene) fn add_site_frames(&mut self) {
        if !self.opt.frames(FrameMode::Site) {
            return;
        }
        let (model, data) = (self.model, self.data);
        for id in 0..model.nsite {
            if self.in_category(self.category(model.site_bodyid[id]))
                && in_group(&self.opt.sitegroup, model.site_group[id])
                && self.is_opaque(model.site_matid[id], &model.site_rgba[id])
            {
                self.add_frame(id, &data.site_xpos[id], &data.site_xmat[id], self.frame_size());
            }
        }
    }

    /// Whether an object is visible at all.
    fn is_opaque(&self, matid: i32, rgba: &[f32; 4]) -> bool {
        usize::try_from(matid).map_or(rgba, |material| &self.model.mat_rgba[material])[3] != 0.0
    }

    /// Frame of the world, twice as large, or frames of all other bodies; inertial frames where inertias are
    /// shown.
    pub(in crate::scene) fn add_body_frames(&mut self) {
        let world = self.opt.frames(FrameMode::World);
        let bodies = self.opt.frames(FrameMode::Body);
        let first = usize::from(!world);
        let end = if bodies { self.model.nbody } else { 1 };
        let data = self.data;
        for body in first..end {
            if body > 0 && !self.in_category(self.category(body as i32)) {
                continue;
            }
            let size = self.frame_size().map(|size| if body == 0 { 2.0 * size } else { size });
            let (pos, mat) = if self.opt.shows(VisFlag::Inertia) {
                (&data.xipos[body], &data.ximat[body])
            } else {
                (&data.xpos[body], &data.xmat[body])
            };
            self.add_frame(body, pos, mat, size);
        }
    }

    /// Labels of bodies, or of the selected one; inertia boxes have their own.
    pub(in crate::scene) fn add_body_labels(&mut self) {
        let selection = self.opt.labels(LabelMode::Selection);
        if self.opt.shows(VisFlag::Inertia) || !(selection || self.opt.labels(LabelMode::Body)) {
            return;
        }
        for body in 1..self.model.nbody {
            let wanted = !selection || self.pert.select == body as i32;
            if !wanted || !self.in_category(self.category(body as i32)) {
                continue;
            }
            let mut geom = decor(ObjType::Unknown, body);
            geom.type_ = GeomType::Label as i32;
            geom.pos = single(&self.data.xpos[body]);
            geom.mat = single(&self.data.xmat[body]);
            geom.label = label_of(self.model, ObjType::Body, body);
            self.add(geom);
        }
    }

    /// Equivalent inertia boxes or ellipsoids of bodies.
    pub(in crate::scene) fn add_inertias(&mut self) {
        if !self.opt.shows(VisFlag::Inertia) {
            return;
        }
        let (model, data) = (self.model, self.data);
        let ellipsoid = model.vis.global.ellipsoidinertia == 1;
        let kind = if ellipsoid { GeomType::Ellipsoid } else { GeomType::Box };
        for body in 1..model.nbody {
            if model.body_mass[body] <= kinetree_math::MINVAL || !self.in_category(self.category(body as i32))
            {
                continue;
            }
            let scaled = self.opt.shows(VisFlag::Sclinertia);
            let size =
                super::inertia::size(model.body_mass[body], &model.body_inertia[body], ellipsoid, scaled);
            let mut geom = decor(ObjType::Body, body);
            geom.shape(kind, &size, &data.xipos[body], &data.ximat[body], &model.vis.rgba.inertia);
            let selected = self.pert.select == body as i32;
            if selected {
                self.glow(&mut geom);
            }
            if self.opt.labels(LabelMode::Body) || (self.opt.labels(LabelMode::Selection) && selected) {
                geom.label = label_of(model, ObjType::Body, body);
            }
            self.add(geom);
        }
    }

    /// Centres of mass of trees.
    pub(in crate::scene) fn add_centers_of_mass(&mut self) {
        if !self.opt.shows(VisFlag::Com) {
            return;
        }
        let model = self.model;
        let radius = self.meansize() * f64::from(model.vis.scale.com);
        for body in (1..model.nbody).filter(|&body| model.body_rootid[body] == body as i32) {
            let mut geom = decor(ObjType::Unknown, body);
            geom.ball(radius, &self.data.subtree_com[body], &model.vis.rgba.com);
            self.add(geom);
        }
    }

    /// Lines from each body's centre of mass through its joints to that of its parent.
    pub(in crate::scene) fn add_skeleton(&mut self) {
        if !self.opt.shows(VisFlag::Autoconnect) {
            return;
        }
        let (model, data) = (self.model, self.data);
        let width = self.meansize() * f64::from(model.vis.scale.connect);
        for body in 1..model.nbody {
            let parent = model.body_parentid[body] as usize;
            if parent == 0 {
                continue;
            }
            let mut from = &data.xipos[body];
            let first = model.body_jntadr[body].max(0) as usize;
            let joints = first..first + model.body_jntnum[body] as usize;
            let parent_com = std::iter::once(&data.xipos[parent]);
            for to in joints.rev().map(|joint| &data.xanchor[joint]).chain(parent_com) {
                let rgba = &model.vis.rgba.connect;
                self.add_connector((ObjType::Unknown, body), (GeomType::Capsule, width), [from, to], rgba);
                from = to;
            }
        }
    }

    /// Whether decorations are shown at all.
    pub(in crate::scene) fn decorates(&self) -> bool {
        self.in_category(CatBit::Decor)
    }
}
