//! Bounding volume hierarchies of bodies, flexes and meshes, and octrees of meshes, down to the depth that is
//! shown.

use crate::scene::enums::VisFlag;
use crate::scene::painter::{Painter, decor, in_group, point_of};
use kinetree_math::Vec3;
use kinetree_math::rot::mat3;
use kinetree_model::enums::{GeomType, ObjType};

/// Centre and half sizes of a box.
fn split(aabb: &[f64; 6]) -> ([f64; 3], [f64; 3]) {
    let [x, y, z, a, b, c] = *aabb;
    ([x, y, z], [a, b, c])
}

const UPRIGHT: [f64; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

impl Painter<'_> {
    /// Whether a node is at the depth that is shown, or a leaf above it.
    fn shows_node(&self, node: usize) -> bool {
        let depth = self.model.bvh_depth[node];
        depth == self.opt.bvh_depth || (self.is_leaf(node) && depth < self.opt.bvh_depth)
    }

    fn is_leaf(&self, node: usize) -> bool {
        self.model.bvh_child[node] == [-1, -1]
    }

    /// Whether the collision search visits a node, or the data says that it did, where that is shown.
    fn is_active(&self, node: usize) -> bool {
        let marked = self.data.bvh_active[node] != 0
            || self.scn.scratch.visited.contains(node)
            || self.scn.scratch.searched.binary_search(&node).is_ok();
        self.model.vis.global.bvactive != 0 && marked
    }

    fn add_box(&mut self, id: usize, aabb: &[f64; 6], pos: &[f64; 3], mat: &[f64; 9], active: bool) {
        let (center, half) = split(aabb);
        let colors = &self.model.vis.rgba;
        let rgba = if active { &colors.bvactive } else { &colors.bv };
        let mut geom = decor(ObjType::Unknown, id);
        geom.shape(GeomType::Linebox, &half, &point_of(pos, mat, &center), mat, rgba);
        self.add(geom);
    }

    /// Trees of bodies; leaves are the boxes of geoms.
    pub(in crate::scene) fn add_body_trees(&mut self) {
        if !self.opt.shows(VisFlag::Bodybvh) {
            return;
        }
        let (model, data) = (self.model, self.data);
        for body in 0..model.nbody {
            let Ok(first) = usize::try_from(model.body_bvhadr[body]) else { continue };
            for node in first..first + model.body_bvhnum[body] as usize {
                if !self.shows_node(node) {
                    continue;
                }
                let active = self.is_active(node);
                if self.is_leaf(node) {
                    let geom = model.bvh_nodeid[node] as usize;
                    let (pos, mat) = (&data.geom_xpos[geom], &data.geom_xmat[geom]);
                    self.add_box(node, &model.geom_aabb[geom], pos, mat, active);
                } else {
                    self.add_box(node, &model.bvh_aabb[node], &data.xipos[body], &data.ximat[body], active);
                }
            }
        }
    }

    /// Trees of flexes, and the grids of control points of those that are interpolated.
    pub(in crate::scene) fn add_flex_trees(&mut self) {
        if !self.opt.shows(VisFlag::Meshbvh) {
            return;
        }
        let (model, data) = (self.model, self.data);
        for flex in 0..model.nflex {
            if model.flex_bvhnum[flex] > 0 && in_group(&self.opt.flexgroup, model.flex_group[flex]) {
                let first = model.flex_bvhadr[flex] as usize;
                for node in first..first + model.flex_bvhnum[flex] as usize {
                    if self.shows_node(node) {
                        let aabb = &data.bvh_aabb_dyn[node - model.nbvhstatic];
                        let active = self.is_active(node);
                        self.add_box(node, aabb, &[0.0; 3], &UPRIGHT, active);
                    }
                }
            }
            if model.flex_interp[flex] != 0 {
                self.add_control_grid(flex);
            }
        }
    }

    /// Lines between neighbouring control points that can move.
    fn add_control_grid(&mut self, flex: usize) {
        let model = self.model;
        let mut points = std::mem::take(&mut self.scn.scratch.control_points);
        self.set_control_points(flex, &mut points);
        let first = model.flex_nodeadr[flex] as usize;
        let order = model.flex_interp[flex].unsigned_abs() as usize;
        let [nx, ny, nz] = model.flex_cellnum[flex].map(|cells| cells as usize * order + 1);
        let moves = |node: usize| model.body_jntnum[model.flex_nodebodyid[first + node] as usize] > 0;
        for i in 0..nx {
            for j in 0..ny {
                for k in 0..nz {
                    let node = (i * ny + j) * nz + k;
                    if !moves(node) {
                        continue;
                    }
                    let neighbours = [(i + 1 < nx, ny * nz), (j + 1 < ny, nz), (k + 1 < nz, 1)];
                    for (_, step) in
                        neighbours.into_iter().filter(|&(inside, step)| inside && moves(node + step))
                    {
                        let mut geom = decor(ObjType::Unknown, i);
                        geom.connect(GeomType::Line, 3.0, &points[node].into(), &points[node + step].into());
                        self.add(geom);
                    }
                }
            }
        }
        self.scn.scratch.control_points = points;
    }

    fn set_control_points(&self, flex: usize, points: &mut Vec<Vec3>) {
        let (model, data) = (self.model, self.data);
        let first = model.flex_nodeadr[flex] as usize;
        points.clear();
        points.extend((first..first + model.flex_nodenum[flex] as usize).map(|node| {
            let body = model.flex_nodebodyid[node] as usize;
            let offset = if model.flex_centered[flex] != 0 {
                Vec3::zeros()
            } else {
                mat3(&data.xmat[body]) * Vec3::from(model.flex_node[node])
            };
            Vec3::from(data.xpos[body]) + offset
        }));
    }

    /// Trees of meshes; where visited volumes are marked, only those.
    pub(in crate::scene) fn add_mesh_trees(&mut self) {
        if !self.opt.shows(VisFlag::Meshbvh) {
            return;
        }
        let (model, data) = (self.model, self.data);
        for geom in 0..model.ngeom {
            let Some(mesh) = self.mesh_of(geom) else { continue };
            if model.geom_type[geom] == GeomType::Sdf || model.mesh_octadr[mesh] >= 0 {
                continue;
            }
            let first = model.mesh_bvhadr[mesh] as usize;
            for node in first..first + model.mesh_bvhnum[mesh] as usize {
                let marked = model.vis.global.bvactive != 0;
                if self.shows_node(node) && (!marked || self.is_active(node)) {
                    let (pos, mat) = (&data.geom_xpos[geom], &data.geom_xmat[geom]);
                    self.add_box(node, &model.bvh_aabb[node], pos, mat, marked);
                }
            }
        }
    }

    /// Octrees of meshes.
    pub(in crate::scene) fn add_mesh_octrees(&mut self) {
        if !self.opt.shows(VisFlag::Meshbvh) {
            return;
        }
        let (model, data) = (self.model, self.data);
        for geom in 0..model.ngeom {
            let Some(mesh) = self.mesh_of(geom) else { continue };
            let Ok(first) = usize::try_from(model.mesh_octadr[mesh]) else { continue };
            for cell in first..first + model.mesh_octnum[mesh] as usize {
                if model.oct_depth[cell] == self.opt.bvh_depth {
                    let (pos, mat) = (&data.geom_xpos[geom], &data.geom_xmat[geom]);
                    self.add_box(cell, &model.oct_aabb[cell], pos, mat, false);
                }
            }
        }
    }

    /// Mesh of a geom.
    fn mesh_of(&self, geom: usize) -> Option<usize> {
        let model = self.model;
        if model.geom_type[geom] == GeomType::Hfield {
            return None;
        }
        usize::try_from(model.geom_dataid[geom]).ok()
    }
}
