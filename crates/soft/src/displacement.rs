//! Displacements of vertices within a substep, which constraints of one colour change at the same time.

use std::sync::atomic::{AtomicU64, Ordering};

use kinetree_math::Vec3;

/// One displacement (m) for each vertex.
///
/// Constraints of one colour touch different vertices, so no number is ever read and written by two threads;
/// relaxed atomics say so to the compiler without `unsafe`, and cost no more than plain numbers. Threads meet
/// between colours.
#[derive(Debug, Default)]
pub(crate) struct Displacements(Vec<[AtomicU64; 3]>);

impl Displacements {
    pub(crate) fn new(count: usize) -> Self {
        Self((0..count).map(|_| Default::default()).collect())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    #[inline]
    pub(crate) fn get(&self, vertex: u32) -> Vec3 {
        let [x, y, z] = &self.0[vertex as usize];
        let number = |bits: &AtomicU64| f64::from_bits(bits.load(Ordering::Relaxed));
        Vec3::new(number(x), number(y), number(z))
    }

    #[inline]
    pub(crate) fn set(&self, vertex: u32, value: &Vec3) {
        let [x, y, z] = &self.0[vertex as usize];
        x.store(value.x.to_bits(), Ordering::Relaxed);
        y.store(value.y.to_bits(), Ordering::Relaxed);
        z.store(value.z.to_bits(), Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn add(&self, vertex: u32, change: &Vec3) {
        self.set(vertex, &(self.get(vertex) + change));
    }
}

impl Clone for Displacements {
    /// As many displacements; their values matter within a substep only.
    fn clone(&self) -> Self {
        Self::new(self.0.len())
    }
}
