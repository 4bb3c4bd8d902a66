//! Which bodies and dofs a stage has to visit when part of the world is asleep.
//!
//! `Data` keeps compact lists of what is awake. When everything is awake the lists are the identity, and the
//! stages count plainly instead of reading them.

use kinetree_model::enums::{EnableBit, SleepState};
use kinetree_model::{Data, Model};
use std::ops::Range;

/// `body_awake` value of a body that is asleep.
pub(crate) const ASLEEP: i32 = SleepState::Asleep as i32;
/// `body_awake` value of a body that is awake.
pub(crate) const AWAKE: i32 = SleepState::Awake as i32;
/// `body_awake` value of a body that never moves.
pub(crate) const STATIC: i32 = SleepState::Static as i32;

/// A range of items to visit: `0..count`, or that many entries of an index list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit {
    /// Whether positions are looked up in the list of awake items.
    pub(crate) filtered: bool,
    /// Number of items.
    pub(crate) count: usize,
}

impl Visit {
    /// All of `count` items.
    #[inline]
    pub(crate) fn all(count: usize) -> Self {
        Self { filtered: false, count }
    }

    /// Bodies that are awake or static.
    #[inline]
    pub(crate) fn bodies(model: &Model, data: &Data) -> Self {
        Self::new(model.enabled(EnableBit::Sleep), data.nbody_awake, model.nbody)
    }

    /// Bodies whose parent is awake or static. The decision whether to filter follows the count of bodies.
    #[inline]
    pub(crate) fn parents(model: &Model, data: &Data) -> Self {
        let filtered = Self::bodies(model, data).filtered;
        Self { filtered, count: if filtered { data.nparent_awake } else { model.nbody } }
    }

    /// Dofs that are awake.
    #[inline]
    pub(crate) fn dofs(model: &Model, data: &Data) -> Self {
        Self::new(model.enabled(EnableBit::Sleep), data.nv_awake, model.nv)
    }

    #[inline]
    fn new(sleep_enabled: bool, awake: usize, all: usize) -> Self {
        let filtered = sleep_enabled && awake < all;
        Self { filtered, count: if filtered { awake } else { all } }
    }

    /// The item at position `k`.
    #[inline]
    pub(crate) fn at(&self, list: &[i32], k: usize) -> usize {
        if self.filtered { list[k] as usize } else { k }
    }
}

/// The items that a stage visits, with the list in which they are looked up when part of the world is asleep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visited<'a> {
    visit: Visit,
    list: &'a [i32],
}

impl<'a> Visited<'a> {
    #[inline(always)]
    pub(crate) fn new(visit: Visit, list: &'a [i32]) -> Self {
        Self { visit, list }
    }

    /// All of `count` items.
    #[inline(always)]
    pub(crate) fn all(count: usize) -> Self {
        Self { visit: Visit::all(count), list: &[] }
    }

    /// The items, in the order of their numbers.
    #[inline(always)]
    pub(crate) fn iter(self) -> impl DoubleEndedIterator<Item = usize> + 'a {
        (0..self.visit.count).map(move |k| self.visit.at(self.list, k))
    }
}

/// The items of an owner: `count` from the first one on, which is −1 when there are none.
#[inline(always)]
pub(crate) fn span(first: i32, count: i32) -> Range<usize> {
    let first = first.max(0) as usize;
    first..first + count as usize
}

/// Whether some tree is asleep, so that tendons and actuators have to be asked whether they are.
#[inline]
pub(crate) fn some_asleep(model: &Model, data: &Data) -> bool {
    model.enabled(EnableBit::Sleep) && data.ntree_awake < model.ntree
}
