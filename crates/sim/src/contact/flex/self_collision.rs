//! Contacts of a flex with itself: between neighbours where asked for, and between elements that share no
//! body.

use super::elements::Elements;
use super::select::SelectScratch;
use super::tree::{Leaves, TreeScratch, flex_tree};
use crate::contact::contact_list::ContactList;
use crate::contact::narrow::NarrowScratch;
use crate::contact::params::assigned_margin;
use crate::flex::{element_vertices, vertex_range};
use kinetree_collide::bvh::collide_world_trees;
use kinetree_model::enums::{DisableBit, FlexSelf};
use std::cmp::Ordering;
use wide::{CmpGt, f64x4};

/// Most vertices of an element.
const MAX_CORNERS: usize = 4;
/// Pairs of overlapping boxes after which a sweep ends.
const MAX_PAIRS: usize = 1_000_000;

/// Working memory of the sweep over the elements of a flex.
#[derive(Default)]
pub(super) struct SweepScratch {
    /// Elements that may collide, in the order of their lower ends.
    spans: Vec<Span>,
    /// Spans that the sweep has entered and not left, in their order.
    open: Vec<u32>,
    pairs: Vec<(u32, u32)>,
}

/// What the sweep needs to know of an element.
struct Span {
    element: u32,
    /// Ends of its box along the axis of the sweep.
    lower: f32,
    upper: f32,
    /// Its box across: two lower ends, and two upper ends with the other sign.
    across: f64x4,
    /// Bodies of its vertices; negative for none.
    bodies: [i32; MAX_CORNERS],
}

impl Span {
    fn new(element: u32, aabb: &[f64; 6], [along, u, v]: [usize; 3], bodies: [i32; MAX_CORNERS]) -> Self {
        let lower = |k: usize| aabb[k] - aabb[k + 3];
        let upper = |k: usize| aabb[k] + aabb[k + 3];
        // what is not a number has no order: any position does
        let end = |x: f64| if x.is_nan() { f32::MAX } else { x as f32 };
        let across = f64x4::new([lower(u), lower(v), -upper(u), -upper(v)]);
        Self { element, lower: end(lower(along)), upper: end(upper(along)), across, bodies }
    }

    /// Whether this one ends before another begins; of equal ends that of the first element comes first.
    fn ends_before(&self, other: &Self) -> bool {
        self.upper < other.lower || (self.upper == other.lower && self.element < other.element)
    }

    /// Whether two boxes overlap across the axis of the sweep.
    fn overlaps(&self, other: &Self) -> bool {
        let [a, b, c, d] = other.across.to_array();
        let separated = self.across.cmp_gt(-f64x4::new([c, d, a, b]));
        separated.move_mask() == 0
    }

    fn shares_body(&self, other: &Self) -> bool {
        self.bodies.iter().any(|&body| body >= 0 && other.bodies.contains(&body))
    }
}

/// The contacts of flexes with themselves in the making.
pub(super) struct SelfCollision<'a> {
    pub(super) elements: &'a Elements<'a>,
    pub(super) trees: &'a mut TreeScratch,
    pub(super) select: &'a mut SelectScratch,
    pub(super) sweep: &'a mut SweepScratch,
}

impl SelfCollision<'_> {
    /// Contacts of a flex with itself.
    pub(super) fn collide(&mut self, flex: usize, narrow: &mut NarrowScratch, list: &mut ContactList) {
        let model = self.elements.model;
        if model.flex_internal[flex] != 0 {
            let start = list.used;
            self.elements.internal(flex, narrow, list);
            self.select.keep_some(list, start);
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
        self.select.keep_some(list, start);
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
        let margin = assigned_margin(model, 2.0 * model.flex_margin[flex]);
        let TreeScratch { leaves, stack } = &mut *self.trees;
        leaves.clear();
        collide_world_trees(tree, tree, margin, true, stack, &mut Leaves(leaves));
        for &(first, second) in &*leaves {
            self.elements.two_elements([(flex, first as usize), (flex, second as usize)], narrow, list);
        }
    }

    /// Sweep and prune along the longest side of the flex.
    fn sweep(&mut self, flex: usize, narrow: &mut NarrowScratch, list: &mut ContactList) {
        let scratch = &mut *self.sweep;
        scratch.find_spans(self.elements, flex);
        scratch.find_pairs();
        for &(first, second) in &scratch.pairs {
            let elements = [first, second].map(|element| (flex, element as usize));
            // the sweep has rounded the ends
            if self.elements.boxes_meet(elements) {
                self.elements.separate_elements(elements, narrow, list);
            }
        }
    }
}

impl SweepScratch {
    /// Lists the elements that may collide, in the order of the sweep.
    fn find_spans(&mut self, elements: &Elements<'_>, flex: usize) {
        let Elements { model, data, .. } = *elements;
        let root = &data.bvh_aabb_dyn[model.flex_bvhadr[flex] as usize - model.nbvhstatic];
        let axes = if root[3] > root[4] && root[3] > root[5] {
            [0, 1, 2]
        } else if root[4] > root[5] {
            [1, 0, 2]
        } else {
            [2, 0, 1]
        };
        let boxes = &data.flexelem_aabb[model.flex_elemadr[flex] as usize..];
        let bodies = &model.flex_vertbodyid[vertex_range(model, flex)];
        let corners = element_vertices(model, flex).chunks_exact(model.flex_dim[flex] as usize + 1);
        self.spans.clear();
        for (element, (aabb, corners)) in boxes.iter().zip(corners).enumerate() {
            if elements.is_active(flex, element) {
                let mut own = [-1; MAX_CORNERS];
                own.iter_mut().zip(corners).for_each(|(body, &v)| *body = bodies[v as usize]);
                self.spans.push(Span::new(element as u32, aabb, axes, own));
            }
        }
        self.spans.sort_unstable_by(|a, b| {
            let by_value = a.lower.partial_cmp(&b.lower).unwrap_or(Ordering::Equal);
            by_value.then(a.element.cmp(&b.element))
        });
    }

    /// Lists the pairs of elements that overlap and share no body, in the order of the sweep.
    fn find_pairs(&mut self) {
        let Self { spans, open, pairs } = self;
        pairs.clear();
        open.clear();
        let mut overlapping = 0;
        for (index, span) in spans.iter().enumerate() {
            open.retain(|&other| {
                let other = &spans[other as usize];
                if other.ends_before(span) {
                    return false;
                }
                if other.overlaps(span) {
                    overlapping += 1;
                    if !other.shares_body(span) {
                        pairs.push((other.element, span.element));
                    }
                }
                true
            });
            if overlapping >= MAX_PAIRS {
                return;
            }
            open.push(index as u32);
        }
    }
}
