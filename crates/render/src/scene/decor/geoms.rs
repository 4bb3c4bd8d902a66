//! Geoms and sites of the model, flexes and skins.

use crate::scene::enums::{CatBit, LabelMode, VisFlag};
use crate::scene::geom::{mjv_init_geom, single};
use crate::scene::painter::{Painter, geom_for, in_group, label_of};
use crate::scene::types::MjvGeom;
use kinetree_math::Vec3;
use kinetree_math::misc::round;
use kinetree_math::rot::mat3;
use kinetree_model::enums::{GeomType, ObjType};

/// Largest number of cells of the grid that a plane is drawn with.
const MAX_PLANE_GRID: f64 = 200.0;

impl Painter<'_> {
    /// One geom for each flex; its triangles are in the scene.
    pub(in crate::scene) fn add_flexes(&mut self) {
        let (model, opt) = (self.model, self.opt);
        if !self.in_category(CatBit::Dynamic) || !opt.shows_flexes() {
            return;
        }
        for flex in 0..model.nflex {
            if !in_group(&opt.flexgroup, model.flex_group[flex]) {
                continue;
            }
            let mut geom = geom_for(ObjType::Flex, flex, CatBit::Dynamic);
            let first = model.flex_vertadr[flex] as usize;
            mjv_init_geom(
                &mut geom,
                GeomType::Flex as i32,
                None,
                Some(&self.data.flexvert_xpos[first]),
                None,
                None,
            );
            geom.size[0] = model.flex_radius[flex] as f32;
            self.set_material(&mut geom, model.flex_matid[flex], &model.flex_rgba[flex]);
            if model.flex_texcoordadr[flex] >= 0 {
                geom.texcoord = 1;
            } else {
                geom.matid = -1;
            }
            if self.pert.flexselect == flex as i32 {
                self.glow(&mut geom);
            }
            if opt.labels(LabelMode::Flex) {
                geom.label = label_of(model, ObjType::Flex, flex);
            }
            self.add_visible(geom);
        }
    }

    /// One geom for each skin; its triangles are in the scene.
    pub(in crate::scene) fn add_skins(&mut self) {
        let (model, opt) = (self.model, self.opt);
        if !self.in_category(CatBit::Dynamic) || !opt.shows(VisFlag::Skin) {
            return;
        }
        for skin in 0..model.nskin {
            if !in_group(&opt.skingroup, model.skin_group[skin]) {
                continue;
            }
            let mut geom = geom_for(ObjType::Skin, skin, CatBit::Dynamic);
            let bone = model.skin_bonebodyid[model.skin_boneadr[skin] as usize] as usize;
            mjv_init_geom(&mut geom, GeomType::Skin as i32, None, Some(&self.data.xpos[bone]), None, None);
            self.set_material(&mut geom, model.skin_matid[skin], &model.skin_rgba[skin]);
            if self.pert.skinselect == skin as i32 {
                self.glow(&mut geom);
            }
            geom.texcoord = i32::from(model.skin_texcoordadr[skin] >= 0);
            if opt.labels(LabelMode::Skin) {
                geom.label = label_of(model, ObjType::Skin, skin);
            }
            self.add_visible(geom);
        }
    }

    /// Geoms of the model.
    pub(in crate::scene) fn add_model_geoms(&mut self) {
        let (model, opt) = (self.model, self.opt);
        let mut planes = -1;
        for id in 0..model.ngeom {
            let is_plane = model.geom_type[id] == GeomType::Plane;
            planes += i32::from(is_plane);
            let category = self.category(model.geom_bodyid[id]);
            if !self.in_category(category) || !in_group(&opt.geomgroup, model.geom_group[id]) {
                continue;
            }
            let mut geom = self.model_geom(id, category);
            if opt.labels(LabelMode::Geom) {
                geom.label = label_of(model, ObjType::Geom, id);
            }
            if is_plane {
                geom.dataid = planes;
                geom.pos = single(&self.plane_center(id));
            }
            self.add_visible(geom);
        }
    }

    /// One geom of the model, without its label.
    fn model_geom(&self, id: usize, category: CatBit) -> MjvGeom {
        let (model, data) = (self.model, self.data);
        let body = model.geom_bodyid[id];
        let mut geom = geom_for(ObjType::Geom, id, category);
        mjv_init_geom(
            &mut geom,
            model.geom_type[id],
            Some(&model.geom_size[id]),
            Some(&data.geom_xpos[id]),
            Some(&data.geom_xmat[id]),
            None,
        );
        geom.dataid = model.geom_dataid[id];
        geom.modelrbound = model.geom_rbound[id] as f32;
        // the last plugin that colours a geom has its way
        let colors = &self.scn.scratch.plugin_colors;
        let painted = colors.iter().rev().find(|(geom, _)| *geom == id).map(|(_, rgba)| rgba);
        self.set_material(&mut geom, model.geom_matid[id], painted.unwrap_or(&model.geom_rgba[id]));
        if self.opt.shows(VisFlag::Island)
            && let Some(rgba) = self.body_island_color(body as usize)
        {
            geom.matid = -1;
            geom.rgba = rgba;
        }
        if self.pert.select > 0 && self.pert.select == body {
            self.glow(&mut geom);
        }
        self.set_mesh(&mut geom, id);
        geom
    }

    /// Which mesh is drawn: the mesh itself has an even number, its convex hull the odd one after it.
    fn set_mesh(&self, geom: &mut MjvGeom, id: usize) {
        let model = self.model;
        if geom.type_ != GeomType::Mesh && geom.type_ != GeomType::Sdf {
            return;
        }
        geom.dataid *= 2;
        let Ok(mesh) = usize::try_from(model.geom_dataid[id]) else { return };
        geom.texcoord = i32::from(model.mesh_texcoordadr[mesh] >= 0);
        let collides = model.geom_contype[id] != 0 || model.geom_conaffinity[id] != 0;
        if model.mesh_graphadr[mesh] >= 0 && self.opt.shows(VisFlag::Convexhull) && collides {
            geom.dataid += 1;
        }
    }

    /// Where a plane is drawn: an infinite one follows the camera in whole steps of its texture, or of its
    /// grid, so that it seems to rest.
    fn plane_center(&self, id: usize) -> [f64; 3] {
        let model = self.model;
        let size = &model.geom_size[id];
        let own = Vec3::from(self.data.geom_xpos[id]);
        let [left, right] = self.scn.camera.map(|camera| camera.pos);
        let eye = Vec3::from_fn(|k, _| 0.5 * f64::from(left[k] + right[k]));
        let axes = mat3(&self.data.geom_xmat[id]);
        let zfar = f64::from(model.vis.map.zfar) * model.stat.extent;
        let mut center = own;
        for k in 0..2 {
            if size[k] > 0.0 {
                continue;
            }
            let repeat = usize::try_from(model.geom_matid[id]).map_or(0.0, |m| model.mat_texrepeat[m][k]);
            let step =
                if repeat > 0.0 { f64::from(2.0 / repeat) } else { 2.1 * zfar / (MAX_PLANE_GRID - 2.0) };
            let axis = axes.column(k);
            let steps = f64::from(round(0.5 * (eye - own).dot(&axis) / step));
            center += axis * (2.0 * step * steps);
        }
        center.into()
    }

    /// Sites.
    pub(in crate::scene) fn add_sites(&mut self) {
        let (model, data, opt) = (self.model, self.data, self.opt);
        for id in 0..model.nsite {
            let category = self.category(model.site_bodyid[id]);
            if !self.in_category(category) || !in_group(&opt.sitegroup, model.site_group[id]) {
                continue;
            }
            let mut geom = geom_for(ObjType::Site, id, category);
            mjv_init_geom(
                &mut geom,
                model.site_type[id],
                Some(&model.site_size[id]),
                Some(&data.site_xpos[id]),
                Some(&data.site_xmat[id]),
                None,
            );
            self.set_material(&mut geom, model.site_matid[id], &model.site_rgba[id]);
            if self.pert.select > 0 && self.pert.select == model.site_bodyid[id] {
                self.glow(&mut geom);
            }
            if opt.labels(LabelMode::Site) {
                geom.label = label_of(model, ObjType::Site, id);
            }
            self.add_visible(geom);
        }
    }

    /// Appends a geom, unless it is fully transparent.
    fn add_visible(&mut self, geom: MjvGeom) {
        if geom.rgba[3] != 0.0 {
            self.add(geom);
        }
    }
}
