//! Typed arenas: elements live in a vector, and an id is the place in that vector.
//!
//! An id stays valid while other elements come and go: deleting leaves a hole instead of moving its
//! neighbours. Walking an arena yields the living elements in the order of insertion, which is the order the
//! compiler numbers them in.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// Place of an element of type `T` in its arena.
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

/// Ordered collection of elements addressed by [`Id`].
#[derive(Clone, Debug)]
pub struct Arena<T> {
    slots: Vec<Option<T>>,
    living: usize,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Arena { slots: Vec::new(), living: 0 }
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
        self.slots.len()
    }

    /// Adds an element at the end.
    pub fn push(&mut self, item: T) -> Id<T> {
        self.slots.push(Some(item));
        self.living += 1;
        Id::new(self.slots.len() - 1)
    }

    /// The element, unless it was deleted.
    pub fn get(&self, id: Id<T>) -> Option<&T> {
        self.slots.get(id.index()).and_then(Option::as_ref)
    }

    /// The element for editing, unless it was deleted.
    pub fn get_mut(&mut self, id: Id<T>) -> Option<&mut T> {
        self.slots.get_mut(id.index()).and_then(Option::as_mut)
    }

    /// Takes the element out and leaves a hole.
    pub fn remove(&mut self, id: Id<T>) -> Option<T> {
        let taken = self.slots.get_mut(id.index()).and_then(Option::take);
        self.living -= usize::from(taken.is_some());
        taken
    }

    /// Living elements with their ids, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Id<T>, &T)> {
        self.slots.iter().enumerate().filter_map(|(i, slot)| slot.as_ref().map(|item| (Id::new(i), item)))
    }

    /// Living elements for editing, oldest first.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (Id<T>, &mut T)> {
        self.slots.iter_mut().enumerate().filter_map(|(i, slot)| slot.as_mut().map(|item| (Id::new(i), item)))
    }

    /// Ids of the living elements, oldest first.
    pub fn ids(&self) -> Vec<Id<T>> {
        self.iter().map(|(id, _)| id).collect()
    }

    /// Living elements, oldest first.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.slots.iter().filter_map(Option::as_ref)
    }

    /// Living elements for editing, oldest first.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut T> {
        self.slots.iter_mut().filter_map(Option::as_mut)
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
}
