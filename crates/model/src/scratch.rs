//! Reusable working memory of a `Data`.
//!
//! Buffers are taken, used and given back in last-in first-out order, so that each place in the pipeline meets the same
//! buffer again on the next step: after warm-up nothing is allocated. Larger workspaces of a stage are kept by type.

use std::any::{Any, TypeId};

/// A pool of vectors and typed workspaces.
#[derive(Default)]
pub struct Scratch {
    f64s: Vec<Vec<f64>>,
    i32s: Vec<Vec<i32>>,
    /// Workspaces by type; one that is taken leaves its place empty.
    workspaces: Vec<(TypeId, Option<Box<dyn Any + Send + Sync>>)>,
    /// Where the next workspace is expected. Steps take workspaces in the same order, over and over.
    next: usize,
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
    pub fn take<T: Any + Send + Sync + Default>(&mut self) -> Box<T> {
        let id = TypeId::of::<T>();
        let place = match self.workspaces.get(self.next) {
            Some((t, _)) if *t == id => self.next,
            _ => self.find(id),
        };
        self.next = place + 1;
        self.workspaces[place].1.take().and_then(|w| w.downcast().ok()).unwrap_or_default()
    }

    /// Gives a workspace back for the next use.
    pub fn give<T: Any + Send + Sync>(&mut self, workspace: Box<T>) {
        let id = TypeId::of::<T>();
        let last = self.next.wrapping_sub(1);
        let place = match self.workspaces.get(last) {
            Some((t, _)) if *t == id => last,
            _ => self.find(id),
        };
        self.workspaces[place].1 = Some(workspace);
    }

    /// The place of a type, made on first use. Most are near the expected one, a few before it or after it.
    #[inline(never)]
    fn find(&mut self, id: TypeId) -> usize {
        let near = self.next.saturating_sub(4).min(self.workspaces.len());
        let (before, after) = self.workspaces.split_at(near);
        let found = after.iter().position(|(t, _)| *t == id).map(|k| near + k);
        found.or_else(|| before.iter().position(|(t, _)| *t == id)).unwrap_or_else(|| {
            self.workspaces.push((id, None));
            self.workspaces.len() - 1
        })
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
