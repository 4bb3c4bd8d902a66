//! Arrays of vertices whose place and length are fixed for the life of their owner.

use std::fmt;
use std::ops::{Deref, DerefMut};

use kinetree_math::Vec3;

/// One vector for each vertex of a body, seen as a slice; `FIELD` tells the arrays of a body apart.
///
/// Bindings to other languages look at these arrays without a copy, so they must stay where they were made.
/// As with [`kinetree_model::FixedArray`] that is a matter of types. None of these compile:
///
/// ```compile_fail,E0277
/// fn take(particles: &mut kinetree_soft::Particles) {
///     std::mem::take(&mut particles.position); // there is no empty array to put there
/// }
/// ```
/// ```compile_fail,E0308
/// fn swap(particles: &mut kinetree_soft::Particles) {
///     std::mem::swap(&mut particles.velocity, &mut particles.force); // each field has its own type
/// }
/// ```
/// ```compile_fail,E0308
/// fn replace(particles: &mut kinetree_soft::Particles) {
///     particles.position = vec![]; // another type
/// }
/// ```
/// ```compile_fail,E0509
/// fn move_out(particles: kinetree_soft::Particles) {
///     let position = particles.position;
/// }
/// ```
pub struct VertexArray<const FIELD: usize>(Box<[Vec3]>);

impl<const FIELD: usize> VertexArray<FIELD> {
    pub(crate) fn new(vectors: Vec<Vec3>) -> Self {
        Self(vectors.into_boxed_slice())
    }
}

impl<const FIELD: usize> Deref for VertexArray<FIELD> {
    type Target = [Vec3];
    #[inline]
    fn deref(&self) -> &[Vec3] {
        &self.0
    }
}

impl<const FIELD: usize> DerefMut for VertexArray<FIELD> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Vec3] {
        &mut self.0
    }
}

impl<'a, const FIELD: usize> IntoIterator for &'a VertexArray<FIELD> {
    type Item = &'a Vec3;
    type IntoIter = std::slice::Iter<'a, Vec3>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a, const FIELD: usize> IntoIterator for &'a mut VertexArray<FIELD> {
    type Item = &'a mut Vec3;
    type IntoIter = std::slice::IterMut<'a, Vec3>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
    }
}

impl<const FIELD: usize> fmt::Debug for VertexArray<FIELD> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
