//! Contacts of a flex with itself: between neighbours where asked for, and between elements that share no
//! body.

use super::{FlexCollision, FlexScratch, Leaves, flex_tree};
use crate::contact::{ContactList, NarrowScratch};
use kinetree_collide::bvh::collide_world_trees;
use kinetree_model::enums::{DisableBit, FlexSelf};
use kinetree_model::{Data, Model};
use std::cmp::Ordering;

/// Most pairs of a sweep.
const MAX_PAIRS: usize = 1_000_000;

/// Working memory of the sweep over the elements of a flex.
#[derive(Default)]
pub(super) struct SweepScratch {
    /// Elements that may collide.
    active: Vec<usize>,
    /// Ends of their boxes along the axis of the sweep: value, place in `active`, and whether it is the upper
    /// end.
    ends: Vec<(f32, u32, bool)>,
    open: Vec<u32>,
    pairs: Vec<(u32, u32)>,
}

impl FlexCollision<'_> {
    /// Contacts of a flex with itself.
    pub(super) fn collide_self(&mut self, flex: usize, narrow: &mut NarrowScratch, list: &mut ContactList) {
        let model = self.elements.model;
        if model.flex_internal[flex] != 0 {
            let start = list.used;
            self.elements.internal(flex, narrow, list);
            self.select(start, list);
        }
        let mode = model.flex_selfcollide[flex];
        if mode == FlexSelf::None {
            return;
        }
        let start = list.used;
        let solid = mode == FlexSelf::Auto && model.flex_dim[flex] == 3;
        if model.disabled(DisableBit::Midphase) || mode == FlexSelf::Narrow || model.flex_bvhadr[flex] < 0 {
            self.compare_all(flex, narrow, list);
        } else if mode == FlexSelf::Bvh || solid {
            self.walk_own_tree(flex, narrow, list);
        } else {
            self.sweep(flex, narrow, list);
        }
        self.select(start, list);
    }

    fn compare_all(&mut self, flex: usize, narrow: &mut NarrowScratch, list: &mut ContactList) {
        let count = self.elements.model.flex_elemnum[flex] as usize;
        for first in (0..count).filter(|&e| self.elements.is_active(flex, e)) {
            for second in first + 1..count {
                if self.elements.is_active(flex, second) {
                    self.elements.two_elements([(flex, first), (flex, second)], narrow, list);
                }
            }
        }
    }

    fn walk_own_tree(&mut self, flex: usize, narrow: &mut NarrowScratch, list: &mut ContactList) {
        let (model, data) = (self.elements.model, self.elements.data);
        let Some(tree) = flex_tree(model, data, flex) else { return };
        let margin = super::assigned_margin(model, 2.0 * model.flex_margin[flex]);
        let FlexScratch { leaves, stack, .. } = &mut *self.scratch;
        leaves.clear();
        collide_world_trees(tree, tree, margin, true, stack, &mut Leaves(leaves));
        for &(first, second) in &*leaves {
            self.elements.two_elements([(flex, first as usize), (flex, second as usize)], narrow, list);
        }
    }

    /// Sweep and prune along the longest side of the flex.
    fn sweep(&mut self, flex: usize, narrow: &mut NarrowScratch, list: &mut ContactList) {
        let (model, data) = (self.elements.model, self.elements.data);
        let count = model.flex_elemnum[flex] as usize;
        let scratch = &mut self.scratch.sweep;
        scratch.active.clear();
        scratch.active.extend((0..count).filter(|&element| self.elements.is_active(flex, element)));
        scratch.find_pairs(model, data, flex);
        let SweepScratch { active, pairs, .. } = &*scratch;
        for &(first, second) in pairs {
            let elements = [first, second].map(|place| (flex, active[place as usize]));
            self.elements.two_elements(elements, narrow, list);
        }
    }
}

impl SweepScratch {
    /// Lists the pairs of active elements whose boxes overlap, in the order of the sweep.
    fn find_pairs(&mut self, model: &Model, data: &Data, flex: usize) {
        let Self { active, ends, open, pairs } = self;
        pairs.clear();
        if active.len() < 2 {
            return;
        }
        let boxes = &data.flexelem_aabb[model.flex_elemadr[flex] as usize..];
        let root = &data.bvh_aabb_dyn[model.flex_bvhadr[flex] as usize - model.nbvhstatic];
        let axis = if root[3] > root[4] && root[3] > root[5] {
            0
        } else if root[4] > root[5] {
            1
        } else {
            2
        };
        let bound = |place: u32, k: usize, sign: f64| {
            let aabb = &boxes[active[place as usize]];
            aabb[k] + sign * aabb[k + 3]
        };
        ends.clear();
        for place in 0..active.len() as u32 {
            ends.push((bound(place, axis, -1.0) as f32, place, false));
            ends.push((bound(place, axis, 1.0) as f32, place, true));
        }
        // of equal ends the first in the list comes first
        ends.sort_unstable_by(|a, b| {
            let by_value = a.0.partial_cmp(&b.0).unwrap_or(Ordering::Equal);
            by_value.then((a.1, a.2).cmp(&(b.1, b.2)))
        });
        open.clear();
        let others = [[1, 2], [0, 2], [0, 1]][axis];
        for &(_, place, upper) in &*ends {
            if upper {
                open.retain(|&other| other != place);
                continue;
            }
            for &other in &*open {
                let apart = others.iter().any(|&k| {
                    bound(other, k, -1.0) > bound(place, k, 1.0)
                        || bound(place, k, -1.0) > bound(other, k, 1.0)
                });
                if !apart {
                    pairs.push((other, place));
                    if pairs.len() >= MAX_PAIRS {
                        return;
                    }
                }
            }
            open.push(place);
        }
    }
}
