//! Reusable working memory of a `Data`.
//!
//! Buffers are taken, used and given back in last-in first-out order, so that each place in the pipeline meets the same
//! buffer again on the next step: after warm-up nothing is allocated. Larger workspaces of a stage are kept by type, in a table
//! whose places follow from the types: a type that finds its place in use has the next free one.

use std::any::{Any, TypeId};
use std::hash::{Hash, Hasher};

/// A pool of vectors and typed workspaces.
#[derive(Default)]
pub struct Scratch {
    f64s: Vec<Vec<f64>>,
    i32s: Vec<Vec<i32>>,
    /// Workspaces by type.
    workspaces: Vec<Place>,
}

/// The place of a type; its workspace is missing while it is taken.
#[derive(Default)]
struct Place {
    id: Option<TypeId>,
    workspace: Option<Box<dyn Any + Send + Sync>>,
}

/// Number of places that types belong to. There are about twenty types; more places are made when these are in use.
const PLACES: usize = 128;

/// Bits of a type that say where it belongs.
#[derive(Default)]
struct TypeBits(u64);

impl Hasher for TypeBits {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    #[inline]
    fn write_u64(&mut self, bits: u64) {
        self.0 = bits;
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

impl Scratch {
    /// Takes a vector of `n` zeros.
    pub fn take_f64(&mut self, n: usize) -> Vec<f64> {
        let mut v = self.f64s.pop().unwrap_or_default();
        v.clear();
        v.resize(n, 0.0);
        v
    }

    /// Gives a vector back.
    pub fn give_f64(&mut self, v: Vec<f64>) {
        self.f64s.push(v);
    }

    /// Takes a vector of `n` zeros.
    pub fn take_i32(&mut self, n: usize) -> Vec<i32> {
        let mut v = self.i32s.pop().unwrap_or_default();
        v.clear();
        v.resize(n, 0);
        v
    }

    /// Gives a vector back.
    pub fn give_i32(&mut self, v: Vec<i32>) {
        self.i32s.push(v);
    }

    /// Takes the workspace of type `T`, made on first use. Give it back with [`Scratch::give`].
    #[inline]
    pub fn take<T: Any + Send + Sync + Default>(&mut self) -> Box<T> {
        let place = self.place(TypeId::of::<T>());
        place.workspace.take().and_then(|w| w.downcast().ok()).unwrap_or_default()
    }

    /// Gives a workspace back for the next use.
    #[inline]
    pub fn give<T: Any + Send + Sync>(&mut self, workspace: Box<T>) {
        self.place(TypeId::of::<T>()).workspace = Some(workspace);
    }

    /// The place of a type.
    #[inline]
    fn place(&mut self, id: TypeId) -> &mut Place {
        let mut bits = TypeBits::default();
        id.hash(&mut bits);
        let first = bits.finish() as usize;
        let at = match self.workspaces.get(first % PLACES) {
            Some(place) if place.id == Some(id) => first % PLACES,
            _ => self.find(id, first),
        };
        &mut self.workspaces[at]
    }

    /// The place of a type that is not where it belongs, or has none yet.
    #[inline(never)]
    fn find(&mut self, id: TypeId, first: usize) -> usize {
        if self.workspaces.is_empty() {
            self.workspaces.resize_with(PLACES, Place::default);
        }
        let (wanted, count) = (first % PLACES, self.workspaces.len());
        let is_it = |&at: &usize| self.workspaces[at].id.is_none_or(|other| other == id);
        let at = (wanted..count).chain(0..wanted).find(is_it).unwrap_or(count);
        if at == count {
            self.workspaces.push(Place::default());
        }
        self.workspaces[at].id = Some(id);
        at
    }
}

impl Clone for Scratch {
    /// Working memory carries no state: a clone starts empty.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl std::fmt::Debug for Scratch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scratch").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::Scratch;

    /// As many types as there are numbers.
    #[derive(Default)]
    struct Numbered<const N: usize>(usize);

    fn use_one<const N: usize>(scratch: &mut Scratch) -> usize {
        let mut workspace = scratch.take::<Numbered<N>>();
        workspace.0 += 1;
        let uses = workspace.0;
        scratch.give(workspace);
        uses
    }

    macro_rules! use_each {
        ($scratch:expr, $($n:literal)*) => { [$(use_one::<$n>($scratch)),*] };
    }

    #[test]
    fn each_type_meets_its_workspace_again() {
        let mut scratch = Scratch::default();
        for round in 1..4 {
            // as many types that some of them belong to the same place
            let uses = use_each!(&mut scratch, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
                32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63);
            assert!(uses.iter().all(|&n| n == round), "{uses:?}");
        }
    }

    #[test]
    fn a_workspace_that_is_taken_is_made_anew() {
        let mut scratch = Scratch::default();
        use_one::<0>(&mut scratch);
        let (first, second) = (scratch.take::<Numbered<0>>(), scratch.take::<Numbered<0>>());
        assert_eq!((first.0, second.0), (1, 0));
    }
}
