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
    workspaces: Vec<(TypeId, Box<dyn Any + Send + Sync>)>,
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
        match self.workspaces.iter().position(|(t, _)| *t == id) {
            Some(i) => self.workspaces.swap_remove(i).1.downcast().unwrap_or_default(),
            None => Box::default(),
        }
    }

    /// Gives a workspace back for the next use.
    pub fn give<T: Any + Send + Sync>(&mut self, workspace: Box<T>) {
        self.workspaces.push((TypeId::of::<T>(), workspace));
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
