//! Contacts of flexes: with the geoms of bodies, with each other, and with themselves.
//!
//! Bodies and flexes whose boxes overlap are narrowed down by walking their bounding trees to pairs of a geom
//! and an element or of two elements, in the reference's order, since of many contacts of a pair only some
//! are kept (`select`).

mod elements;
mod field;
mod select;
mod self_collision;
mod tree;

use super::bounds::{SLACK, body_tree, geom_box, half_margin, has_tree};
use super::broad::bits_allow;
use super::contact_list::ContactList;
use super::geom_shape::geom_pose;
use super::narrow::NarrowScratch;
use super::params::assigned_margin;
use elements::Elements;
use kinetree_collide::bvh::{BvhView, collide_trees, collide_world_trees, obb_overlap};
use kinetree_collide::{CcdSettings, Pose};
use kinetree_math::Vec3;
use kinetree_math::rot::mat3;
use kinetree_model::enums::{DisableBit, GeomType};
use kinetree_model::{Contact, Data, Model};
use select::SelectScratch;
use self_collision::{SelfCollision, SweepScratch};
use tree::{Leaves, TreeScratch, flex_tree, sphere_meets_box, world};

/// Working memory of the contacts of flexes.
#[derive(Default)]
pub(super) struct FlexScratch {
    /// A body and a flex, in order.
    body_pairs: Vec<(usize, usize)>,
    /// Boxes of all flexes: minimum and maximum.
    boxes: Vec<[[f64; 3]; 2]>,
    trees: TreeScratch,
    select: SelectScratch,
    sweep: SweepScratch,
}

/// The contacts of flexes in the making.
pub(super) struct FlexCollision<'a> {
    elements: Elements<'a>,
    scratch: &'a mut FlexScratch,
    /// How many pairs of bodies and flexes have been tested.
    tested: usize,
}

/// Ids by which the contacts of a pair are sorted: geoms, elements or vertices.
fn order(contact: &Contact) -> [i32; 2] {
    [0, 1].map(|side| {
        let ids = [contact.geom[side], contact.elem[side], contact.vert[side]];
        ids.into_iter().find(|&id| id >= 0).unwrap_or(-1)
    })
}

/// Sorts the contacts of a pair, of which there are few, by their objects; equal ones keep their order.
fn sort_by_ids(contacts: &mut [Contact]) {
    for i in 1..contacts.len() {
        let key = order(&contacts[i]);
        let index = contacts[..i].partition_point(|contact| order(contact) <= key);
        contacts[index..=i].rotate_right(1);
    }
}

impl<'a> FlexCollision<'a> {
    /// Finds the bodies that each flex may touch.
    pub(super) fn begin(
        model: &'a Model,
        data: &'a Data,
        settings: &'a CcdSettings,
        scratch: &'a mut FlexScratch,
    ) -> Self {
        scratch.body_pairs.clear();
        if model.nflex > 0 {
            find_flex_boxes(model, data, &mut scratch.boxes);
            find_body_pairs(model, data, scratch);
        }
        Self { elements: Elements { model, data, settings }, scratch, tested: 0 }
    }

    /// Tests the pairs of flexes with all bodies below `body` that have not been tested.
    pub(super) fn collide_bodies_below(
        &mut self,
        body: usize,
        narrow: &mut NarrowScratch,
        list: &mut ContactList,
    ) {
        while let Some(&(other, flex)) =
            self.scratch.body_pairs.get(self.tested).filter(|(other, _)| *other < body)
        {
            self.tested += 1;
            self.collide_body(other, flex, narrow, list);
        }
    }

    /// Tests flexes against each other and against themselves.
    pub(super) fn collide_flexes(&mut self, narrow: &mut NarrowScratch, list: &mut ContactList) {
        let model = self.elements.model;
        for flex1 in 0..model.nflex {
            for flex2 in flex1 + 1..model.nflex {
                let allowed = bits_allow(
                    model.flex_contype[flex1],
                    model.flex_conaffinity[flex1],
                    model.flex_contype[flex2],
                    model.flex_conaffinity[flex2],
                );
                if allowed && overlap(&self.scratch.boxes[flex1], &self.scratch.boxes[flex2]) {
                    self.collide_pair(flex1, flex2, narrow, list);
                }
            }
        }
        for flex in 0..model.nflex {
            if model.flex_rigid[flex] == 0 && model.flex_contype[flex] & model.flex_conaffinity[flex] != 0 {
                let FlexScratch { trees, select, sweep, .. } = &mut *self.scratch;
                SelfCollision { elements: &self.elements, trees, select, sweep }.collide(flex, narrow, list);
            }
        }
    }

    /// Contacts of the geoms of a body with a flex.
    fn collide_body(&mut self, body: usize, flex: usize, narrow: &mut NarrowScratch, list: &mut ContactList) {
        let Elements { model, data, .. } = self.elements;
        let start = list.used;
        let by_tree = !model.disabled(DisableBit::Midphase) && has_tree(model, body);
        if let Some(tree) = flex_tree(model, data, flex).filter(|_| by_tree) {
            self.collide_body_tree(body, flex, tree, narrow, list);
            self.scratch.select.keep_some(list, start);
            sort_by_ids(list.since(start));
            return;
        }
        let first = model.body_geomadr[body].max(0) as usize;
        for geom in first..first + model.body_geomnum[body] as usize {
            let start = list.used;
            if !self.elements.bits_allow(geom, flex) {
                continue;
            }
            if model.geom_type[geom] == GeomType::Plane {
                self.elements.plane_flex(geom, flex, list);
            } else if model.geom_type[geom] == GeomType::Sdf {
                self.elements.field_flex(geom, flex, narrow, list);
            } else {
                for element in 0..model.flex_elemnum[flex] as usize {
                    self.elements.geom_element(geom, flex, element, narrow, list);
                }
            }
            self.scratch.select.keep_some(list, start);
        }
    }

    /// Walks the trees of a body and a flex.
    fn collide_body_tree(
        &mut self,
        body: usize,
        flex: usize,
        tree: BvhView<'_>,
        narrow: &mut NarrowScratch,
        list: &mut ContactList,
    ) {
        let Elements { model, data, .. } = self.elements;
        let first = model.body_geomadr[body].max(0) as usize;
        let geoms = first..first + model.body_geomnum[body] as usize;
        if model.is_fixed(body) {
            for geom in geoms.clone().filter(|&geom| model.geom_type[geom] == GeomType::Plane) {
                self.elements.plane_flex(geom, flex, list);
            }
        }
        for geom in geoms.filter(|&geom| model.geom_type[geom] == GeomType::Sdf) {
            self.elements.field_flex(geom, flex, narrow, list);
        }
        let frame = Pose { pos: Vec3::from(data.xipos[body]), mat: mat3(&data.ximat[body]) };
        let margin = assigned_margin(model, model.body_margin[body] + model.flex_margin[flex]);
        let TreeScratch { leaves, stack } = &mut self.scratch.trees;
        leaves.clear();
        collide_trees(body_tree(model, body), &frame, tree, &world(), margin, stack, &mut Leaves(leaves));
        let first = model.flex_elemadr[flex] as usize;
        for &(geom, element) in &*leaves {
            let (geom, element) = (geom as usize, element as usize);
            let aabb = &data.flexelem_aabb[first + element];
            let margin = assigned_margin(model, model.geom_margin[geom] + model.flex_margin[flex]);
            let pose = geom_pose(data, geom);
            let meet = model.geom_type[geom] != GeomType::Plane
                && model.geom_type[geom] != GeomType::Sdf
                && self.elements.bits_allow(geom, flex)
                && sphere_meets_box(&data.geom_xpos[geom], model.geom_rbound[geom] + margin, aabb)
                && obb_overlap(&model.geom_aabb[geom], &pose, aabb, &world(), margin);
            if meet {
                self.elements.geom_element(geom, flex, element, narrow, list);
            }
        }
    }

    /// Contacts of two flexes.
    fn collide_pair(
        &mut self,
        flex1: usize,
        flex2: usize,
        narrow: &mut NarrowScratch,
        list: &mut ContactList,
    ) {
        let Elements { model, data, .. } = self.elements;
        let start = list.used;
        let trees = (flex_tree(model, data, flex1), flex_tree(model, data, flex2));
        if let (Some(tree1), Some(tree2)) = trees
            && !model.disabled(DisableBit::Midphase)
        {
            let margin = assigned_margin(model, model.flex_margin[flex1] + model.flex_margin[flex2]);
            let TreeScratch { leaves, stack } = &mut self.scratch.trees;
            leaves.clear();
            collide_world_trees(tree1, tree2, margin, false, stack, &mut Leaves(leaves));
            for &(element1, element2) in &*leaves {
                self.elements.two_elements(
                    [(flex1, element1 as usize), (flex2, element2 as usize)],
                    narrow,
                    list,
                );
            }
            self.scratch.select.keep_some(list, start);
            sort_by_ids(list.since(start));
            return;
        }
        for element1 in 0..model.flex_elemnum[flex1] as usize {
            for element2 in 0..model.flex_elemnum[flex2] as usize {
                self.elements.two_elements([(flex1, element1), (flex2, element2)], narrow, list);
            }
        }
        self.scratch.select.keep_some(list, start);
    }
}

/// Boxes around the vertices of all flexes, with radius and margin.
fn find_flex_boxes(model: &Model, data: &Data, boxes: &mut Vec<[[f64; 3]; 2]>) {
    let half_margin = half_margin(model);
    boxes.clear();
    for flex in 0..model.nflex {
        let margin = if half_margin == 0.0 { model.flex_margin[flex] } else { half_margin };
        let reach = model.flex_radius[flex] + margin + SLACK;
        let (mut low, mut high) = ([f64::MAX; 3], [f64::MIN; 3]);
        for vertex in &data.flexvert_xpos[crate::flex::vertex_range(model, flex)] {
            for k in 0..3 {
                low[k] = low[k].min(vertex[k] - reach);
                high[k] = high[k].max(vertex[k] + reach);
            }
        }
        boxes.push([low, high]);
    }
}

fn overlap(a: &[[f64; 3]; 2], b: &[[f64; 3]; 2]) -> bool {
    (0..3).all(|k| {
        let separated = a[1][k] < b[0][k] || b[1][k] < a[0][k];
        !separated
    })
}

/// Lists the bodies that each flex may touch, in the order of the contact list.
fn find_body_pairs(model: &Model, data: &Data, scratch: &mut FlexScratch) {
    let half_margin = half_margin(model);
    for body in 0..model.nbody {
        let bits = (model.body_contype[body], model.body_conaffinity[body]);
        if bits == (0, 0) || model.body_geomnum[body] == 0 {
            continue;
        }
        let first = model.body_geomadr[body] as usize;
        let geoms = first..first + model.body_geomnum[body] as usize;
        let unbounded = body == 0
            || (model.is_fixed(body) && geoms.clone().any(|geom| model.geom_type[geom] == GeomType::Plane));
        let mut bounds = [[f64::MAX; 3], [f64::MIN; 3]];
        if !unbounded {
            for geom in geoms {
                let aabb = geom_box(model, data, geom, half_margin);
                for k in 0..3 {
                    bounds[0][k] = bounds[0][k].min(aabb.min[k]);
                    bounds[1][k] = bounds[1][k].max(aabb.max[k]);
                }
            }
        }
        for flex in 0..model.nflex {
            let allowed = bits_allow(bits.0, bits.1, model.flex_contype[flex], model.flex_conaffinity[flex]);
            if allowed && (unbounded || overlap(&bounds, &scratch.boxes[flex])) {
                scratch.body_pairs.push((body, flex));
            }
        }
    }
}
