//! A cache of the chains of dofs between bodies in contact.
//!
//! Which dofs move one of two bodies but not both is a walk through the tree. Contacts mostly last longer
//! than a step, so that the walk of the last step is found again, in the order of the contact list. Dofs are
//! padded to whole lanes with copies of the lane's first one that have sign 0.

use crate::cache_key::CacheKey;
use crate::kinematics::chain::walk_chains;
use kinetree_math::gather::{ColumnIndices, ContiguousLanes};
use kinetree_math::lanes::Lane;
use kinetree_model::Model;
use std::ops::Range;

/// With more contacts than this, looking for a chain would take longer than walking it.
const MOST_CONTACTS: usize = 64;

/// The dofs between two bodies, in increasing order, as a part of all lists.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Chain {
    bodies: [usize; 2],
    /// Number of dofs.
    pub count: usize,
    /// Where its lanes are.
    start: usize,
    pub width: usize,
    contiguous: ContiguousLanes,
    /// How many dofs belong to the tree of the first dof; the rest belongs to the other body's tree.
    pub split: usize,
    /// Top-level bodies of the two trees.
    pub roots: [usize; 2],
}

impl Chain {
    fn lanes(&self) -> Range<usize> {
        self.start..self.start + self.width
    }
}

/// Chains that were found, and what they follow from.
#[derive(Default)]
pub(crate) struct ChainCache {
    chains: Vec<Chain>,
    dofs: Vec<[i32; 4]>,
    /// Whether a dof moves the second body (+1) or the first (-1).
    signs: Vec<Lane>,
    /// First column of a lane in a dense row, or -1 where its dofs have gaps.
    columns: Vec<i32>,
    key: CacheKey,
    /// Where the next chain is looked for first, behind the last one.
    next: usize,
    keeps: bool,
    /// Working memory: dofs and their signs.
    walk: Vec<(i32, f64)>,
}

impl ChainCache {
    /// Begins with the first of all contacts.
    pub(crate) fn begin(&mut self, model: &Model, contacts: usize) {
        self.keeps = contacts <= MOST_CONTACTS;
        if !self.keeps || self.chains.len() > MOST_CONTACTS {
            self.clear();
        } else if !self.key.is_known() {
            let lists: [&[i32]; 5] = [
                &model.body_weldid,
                &model.body_dofadr,
                &model.body_dofnum,
                &model.body_rootid,
                &model.dof_parentid,
            ];
            if !self.key.compare(&lists, &[]) {
                self.key.set(&lists, &[]);
                self.clear();
            }
        }
        self.next = 0;
    }

    /// Says that the model cannot change from now on, or that it can again.
    pub(crate) fn hold_model(&mut self, held: bool) {
        self.key.hold(held);
    }

    fn clear(&mut self) {
        self.chains.clear();
        self.dofs.clear();
        self.signs.clear();
        self.columns.clear();
    }

    /// Looks up the chain between two bodies, or walks it.
    pub(crate) fn look_up(&mut self, model: &Model, bodies: [usize; 2]) {
        let is_it = |chain: &Chain| chain.bodies == bodies;
        let (before, after) = self.chains.split_at(self.next.min(self.chains.len()));
        let at = match after.iter().position(is_it) {
            Some(k) => before.len() + k,
            None => before.iter().position(is_it).unwrap_or_else(|| self.find(model, bodies)),
        };
        self.next = at + 1;
    }

    /// The chain that was looked up last.
    #[inline]
    pub(crate) fn chain(&self) -> &Chain {
        &self.chains[self.next - 1]
    }

    /// Walks the chain between two bodies; returns its index in the list.
    fn find(&mut self, model: &Model, bodies: [usize; 2]) -> usize {
        if !self.keeps {
            self.clear();
        }
        self.walk.clear();
        walk_chains(model, bodies, true, |dof, [_, second]| {
            self.walk.push((dof as i32, if second { 1.0 } else { -1.0 }));
        });
        let start = self.dofs.len();
        self.walk.reverse();
        for lane in self.walk.chunks(4) {
            let four = [0, 1, 2, 3].map(|k| lane.get(k).copied().unwrap_or((lane[0].0, 0.0)));
            self.dofs.push(four.map(|(dof, _)| dof));
            self.signs.push(four.map(|(_, sign)| sign));
        }
        let count = self.walk.len();
        let width = self.dofs.len() - start;
        let column = |dofs: &[i32; 4], used: usize| {
            // a last group that is not full may cover columns behind it, which are zero
            let whole = (dofs[used - 1] - dofs[0]) as usize == used - 1 && dofs[0] as usize + 4 <= model.nv;
            if whole { dofs[0] } else { -1 }
        };
        for (g, dofs) in self.dofs[start..].iter().enumerate() {
            self.columns.push(column(dofs, (count - 4 * g).min(4)));
        }
        let first = self.walk.first().map_or(1.0, |&(_, sign)| sign);
        let root = bodies.map(|b| model.body_rootid[b] as usize);
        // dofs of one tree come before those of another
        let split = self.walk.iter().filter(|&&(_, sign)| sign == first).count();
        self.chains.push(Chain {
            bodies,
            count,
            start,
            width,
            contiguous: ContiguousLanes::of(&self.dofs[start..], count),
            split: if root[0] == root[1] { count } else { split },
            roots: if first > 0.0 { [root[1], root[0]] } else { root },
        });
        self.chains.len() - 1
    }

    /// The dofs of the chain, and their signs.
    #[inline]
    pub(crate) fn lanes(&self) -> (&[[i32; 4]], &[Lane]) {
        let lanes = self.chain().lanes();
        (&self.dofs[lanes.clone()], &self.signs[lanes])
    }

    /// The dofs of the chain as columns.
    #[inline]
    pub(crate) fn column_indices(&self) -> ColumnIndices<'_> {
        let chain = self.chain();
        ColumnIndices { ind: &self.dofs[chain.lanes()], count: chain.count, contiguous: chain.contiguous }
    }

    /// First columns of its lanes in a dense row.
    #[inline]
    pub(crate) fn columns(&self) -> &[i32] {
        &self.columns[self.chain().lanes()]
    }

    /// The dofs of the chain.
    #[inline]
    pub(crate) fn dofs(&self) -> &[i32] {
        let chain = self.chain();
        &self.dofs[chain.lanes()].as_flattened()[..chain.count]
    }
}
