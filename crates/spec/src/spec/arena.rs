//! Typed arenas: elements live in numbered slots, and an id is the number of a slot.
//!
//! An id stays valid while other elements come and go: deleting leaves a hole instead of moving its
//! neighbours. Walking an arena yields the living elements in the order of insertion, which is the order the
//! compiler numbers them in. For that order, and so that the id of a deleted element never becomes that of
//! another one, slots are not used again; but they come in blocks, and a block of holes gives back its
//! memory.
//!
//! ```
//! use kinetree_spec::spec::Arena;
//!
//! let mut arena = Arena::default();
//! let (a, b) = (arena.push("a"), arena.push("b"));
//! arena.remove(a);
//! assert_eq!((arena.len(), arena.get(b)), (1, Some(&"b")));
//! ```

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// Index of an element of type `T` in its arena.
pub struct Id<T> {
    index: u32,
    kind: PhantomData<fn() -> T>,
}

impl<T> Id<T> {
    /// Id of the slot with this number.
    pub const fn new(index: usize) -> Self {
        Id { index: index as u32, kind: PhantomData }
    }

    /// Number of the slot.
    pub const fn index(self) -> usize {
        self.index as usize
    }
}

// written out by hand: a derive would ask the same traits of `T`
impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Id<T> {}
impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}
impl<T> Eq for Id<T> {}
impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.index.cmp(&other.index)
    }
}
impl<T> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.index.hash(state);
    }
}
impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.index)
    }
}
impl<T> Default for Id<T> {
    fn default() -> Self {
        Id::new(0)
    }
}

/// Slots of a block.
const BLOCK: usize = 64;

/// Ordered collection of elements addressed by [`Id`].
#[derive(Clone, Debug)]
pub struct Arena<T> {
    /// Slots by the number of their block. All blocks but the last one have [`BLOCK`] slots, or none when
    /// all their elements were deleted.
    blocks: Vec<Vec<Option<T>>>,
    slots: usize,
    living: usize,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Arena { blocks: Vec::new(), slots: 0, living: 0 }
    }
}

impl<T> Arena<T> {
    /// Number of living elements.
    pub fn len(&self) -> usize {
        self.living
    }

    /// True when no element lives here.
    pub fn is_empty(&self) -> bool {
        self.living == 0
    }

    /// Number of slots, holes included: the exclusive bound of all ids given out so far.
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// Adds an element at the end.
    pub fn push(&mut self, item: T) -> Id<T> {
        if self.slots.is_multiple_of(BLOCK) {
            self.blocks.push(Vec::new());
        }
        self.blocks[self.slots / BLOCK].push(Some(item));
        self.slots += 1;
        self.living += 1;
        Id::new(self.slots - 1)
    }

    /// The element, unless it was deleted.
    pub fn get(&self, id: Id<T>) -> Option<&T> {
        self.blocks.get(id.index() / BLOCK)?.get(id.index() % BLOCK)?.as_ref()
    }

    /// The element for editing, unless it was deleted.
    pub fn get_mut(&mut self, id: Id<T>) -> Option<&mut T> {
        self.blocks.get_mut(id.index() / BLOCK)?.get_mut(id.index() % BLOCK)?.as_mut()
    }

    /// Takes the element out and leaves a hole.
    pub fn remove(&mut self, id: Id<T>) -> Option<T> {
        let block = self.blocks.get_mut(id.index() / BLOCK)?;
        let taken = block.get_mut(id.index() % BLOCK)?.take()?;
        self.living -= 1;
        // slots are still to come in a block that is not full
        if block.len() == BLOCK && block.iter().all(Option::is_none) {
            *block = Vec::new();
        }
        Some(taken)
    }

    /// Living elements with their ids, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Id<T>, &T)> {
        self.blocks.iter().enumerate().flat_map(|(b, block)| {
            let living =
                move |(i, slot): (usize, _)| Option::as_ref(slot).map(|item| (Id::new(b * BLOCK + i), item));
            block.iter().enumerate().filter_map(living)
        })
    }

    /// Living elements for editing, oldest first.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (Id<T>, &mut T)> {
        self.blocks.iter_mut().enumerate().flat_map(|(b, block)| {
            let living =
                move |(i, slot): (usize, _)| Option::as_mut(slot).map(|item| (Id::new(b * BLOCK + i), item));
            block.iter_mut().enumerate().filter_map(living)
        })
    }

    /// Ids of the living elements, oldest first.
    pub fn ids(&self) -> Vec<Id<T>> {
        self.iter().map(|(id, _)| id).collect()
    }

    /// Living elements, oldest first.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.blocks.iter().flatten().filter_map(Option::as_ref)
    }

    /// Living elements for editing, oldest first.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut T> {
        self.blocks.iter_mut().flatten().filter_map(Option::as_mut)
    }
}

impl<T> Index<Id<T>> for Arena<T> {
    type Output = T;
    /// # Panics
    /// When the element was deleted; use [`Arena::get`] where that can happen.
    fn index(&self, id: Id<T>) -> &T {
        self.get(id).expect("element was deleted")
    }
}

impl<T> IndexMut<Id<T>> for Arena<T> {
    fn index_mut(&mut self, id: Id<T>) -> &mut T {
        self.get_mut(id).expect("element was deleted")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_survive_deletion_of_neighbours() {
        let mut arena = Arena::default();
        let a = arena.push("a");
        let b = arena.push("b");
        let c = arena.push("c");
        assert_eq!(arena.remove(b), Some("b"));
        assert_eq!(arena.remove(b), None);
        assert_eq!((arena[a], arena[c], arena.len()), ("a", "c", 2));
        assert_eq!(arena.values().copied().collect::<Vec<_>>(), ["a", "c"]);
    }

    /// Slots that hold memory.
    fn held(arena: &Arena<u64>) -> usize {
        arena.blocks.iter().map(Vec::len).sum()
    }

    #[test]
    fn deleted_elements_hold_no_memory() {
        let mut arena = Arena::default();
        let first = arena.push(7);
        for i in 0..10_000 {
            let id = arena.push(i);
            assert_eq!((arena[id], arena.remove(id), arena.get(id)), (i, Some(i), None));
        }
        assert_eq!((arena[first], arena.len(), arena.slots()), (7, 1, 10_001));
        assert!(held(&arena) <= 2 * BLOCK, "{}", held(&arena));
    }

    #[test]
    fn ids_and_order_hold_across_blocks() {
        let mut arena = Arena::default();
        let ids: Vec<_> = (0..300u64).map(|i| arena.push(i)).collect();
        for id in &ids[10..290] {
            arena.remove(*id);
        }
        ids.iter().skip(10).step_by(7).take(40).for_each(|&id| assert_eq!(arena.get(id), None));
        let expected: Vec<u64> = (0..10).chain(290..300).collect();
        assert_eq!(arena.values().copied().collect::<Vec<_>>(), expected);
        assert_eq!(arena.iter().map(|(id, _)| id.index() as u64).collect::<Vec<_>>(), expected);
        let backwards: Vec<u64> = arena.iter().rev().map(|(_, &value)| value).collect();
        assert_eq!(backwards, expected.iter().rev().copied().collect::<Vec<_>>());
        arena.iter_mut().for_each(|(id, value)| *value += id.index() as u64);
        arena.values_mut().for_each(|value| *value += 1);
        assert_eq!(arena[ids[295]], 591);
        assert_eq!(arena.push(5).index(), 300);
    }
}
