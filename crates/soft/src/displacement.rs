//! Displacements of vertices within a substep, which elements of different clusters change at the same time.

use std::sync::atomic::{AtomicU64, Ordering};

use kinetree_math::Vec3;
use wide::f64x4;

use crate::lane::{Indices, Lane3, WIDTH, columns};

/// A displacement (m) and the inverse mass of the vertex (1/kg), zero if it is pinned.
#[derive(Debug, Default)]
#[repr(align(32))]
struct Row([AtomicU64; 4]);

impl Row {
    #[inline(always)]
    fn get(&self) -> [f64; 4] {
        let [x, y, z, w] = &self.0;
        let number = |bits: &AtomicU64| f64::from_bits(bits.load(Ordering::Relaxed));
        [number(x), number(y), number(z), number(w)]
    }

    #[inline(always)]
    fn set(&self, row: [f64; 4]) {
        let store = |k: usize| self.0[k].store(row[k].to_bits(), Ordering::Relaxed);
        store(0);
        store(1);
        store(2);
        store(3);
    }

    /// Plain numbers, for whoever has the row for itself.
    #[inline(always)]
    fn take(&mut self) -> [f64; 4] {
        let [x, y, z, w] = &mut self.0;
        let number = |bits: &mut AtomicU64| f64::from_bits(*bits.get_mut());
        [number(x), number(y), number(z), number(w)]
    }

    #[inline(always)]
    fn put(&mut self, row: [f64; 4]) {
        let [x, y, z, w] = &mut self.0;
        (*x.get_mut(), *y.get_mut(), *z.get_mut(), *w.get_mut()) =
            (row[0].to_bits(), row[1].to_bits(), row[2].to_bits(), row[3].to_bits());
    }
}

/// One row for each vertex, and one more that does not move, for blocks of fewer than four elements.
///
/// Clusters of one colour touch different vertices, so no number is ever read and written by two threads;
/// relaxed atomics say so to the compiler without `unsafe`. Threads meet between colours. Where there is one
/// thread, numbers are read and written as plain ones.
#[derive(Debug, Default)]
pub(crate) struct Displacements(Vec<Row>);

impl Displacements {
    pub(crate) fn new(count: usize) -> Self {
        Self((0..=count).map(|_| Row::default()).collect())
    }

    /// Number of vertices.
    pub(crate) fn len(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    pub(crate) fn get(&self, vertex: usize) -> Vec3 {
        let [x, y, z, _] = self.0[vertex].get();
        Vec3::new(x, y, z)
    }

    pub(crate) fn set(&self, vertex: usize, value: &Vec3) {
        let [.., inverse_mass] = self.0[vertex].get();
        self.0[vertex].set([value.x, value.y, value.z, inverse_mass]);
    }

    /// Sets the displacement of a vertex, and its inverse mass.
    #[inline(always)]
    pub(crate) fn begin(&mut self, vertex: usize, value: &Vec3, inverse_mass: f64) {
        self.0[vertex].put([value.x, value.y, value.z, inverse_mass]);
    }

    /// The displacements, for one thread.
    pub(crate) fn exclusive(&mut self) -> Exclusive<'_> {
        Exclusive(&mut self.0)
    }

    /// The displacements, for many threads.
    #[cfg(feature = "parallel")]
    pub(crate) fn shared(&self) -> Shared<'_> {
        Shared(&self.0)
    }
}

impl Clone for Displacements {
    /// As many displacements; their values matter within a substep only.
    fn clone(&self) -> Self {
        Self::new(self.len())
    }
}

/// Access to the displacements of the four vertices of a block, which are different.
pub(crate) trait Motion {
    /// Displacements and inverse masses.
    fn gather(&mut self, vertices: &Indices) -> (Lane3, f64x4);

    /// Sets displacements; the inverse masses are those of [`gather`](Self::gather).
    fn scatter(&mut self, vertices: &Indices, displacement: &Lane3, inverse_mass: f64x4);

    /// Displacements and inverse masses of several vertices of each element.
    #[inline(always)]
    fn gather_all<const N: usize>(&mut self, vertices: &[Indices; N]) -> ([Lane3; N], [f64x4; N]) {
        let (mut displacement, mut inverse_mass) = ([Lane3::ZERO; N], [f64x4::ZERO; N]);
        for k in 0..N {
            (displacement[k], inverse_mass[k]) = self.gather(&vertices[k]);
        }
        (displacement, inverse_mass)
    }

    /// Adds to displacements.
    #[inline(always)]
    fn add(&mut self, vertices: &Indices, change: &Lane3) {
        let (displacement, inverse_mass) = self.gather(vertices);
        self.scatter(vertices, &(displacement + *change), inverse_mass);
    }

    /// Adds to displacements what depends on the inverse masses.
    #[inline(always)]
    fn push(&mut self, vertices: &Indices, change: impl FnOnce(f64x4) -> Lane3) {
        let (displacement, inverse_mass) = self.gather(vertices);
        self.scatter(vertices, &(displacement + change(inverse_mass)), inverse_mass);
    }
}

/// All displacements, for one thread.
pub(crate) struct Exclusive<'a>(&'a mut [Row]);

impl Motion for Exclusive<'_> {
    #[inline(always)]
    fn gather(&mut self, vertices: &Indices) -> (Lane3, f64x4) {
        let mut row = |k: usize| self.0[vertices[k] as usize].take();
        lanes([row(0), row(1), row(2), row(3)])
    }

    #[inline(always)]
    fn scatter(&mut self, vertices: &Indices, displacement: &Lane3, inverse_mass: f64x4) {
        let rows = rows(displacement, inverse_mass);
        for k in 0..WIDTH {
            self.0[vertices[k] as usize].put(rows[k].to_array());
        }
    }
}

/// Displacements and inverse masses of four rows.
#[inline(always)]
fn lanes(rows: [[f64; 4]; WIDTH]) -> (Lane3, f64x4) {
    let [x, y, z, w] = columns(rows);
    (Lane3 { x, y, z }, w)
}

/// The four rows of displacements and inverse masses.
#[inline(always)]
fn rows(Lane3 { x, y, z }: &Lane3, inverse_mass: f64x4) -> [f64x4; 4] {
    columns([x.to_array(), y.to_array(), z.to_array(), inverse_mass.to_array()])
}

/// All displacements, for one of several threads.
#[cfg(feature = "parallel")]
#[derive(Clone, Copy)]
pub(crate) struct Shared<'a>(&'a [Row]);

#[cfg(feature = "parallel")]
impl Motion for Shared<'_> {
    #[inline(always)]
    fn gather(&mut self, vertices: &Indices) -> (Lane3, f64x4) {
        let row = |k: usize| self.0[vertices[k] as usize].get();
        lanes([row(0), row(1), row(2), row(3)])
    }

    #[inline(always)]
    fn scatter(&mut self, vertices: &Indices, displacement: &Lane3, inverse_mass: f64x4) {
        let rows = rows(displacement, inverse_mass);
        for k in 0..WIDTH {
            self.0[vertices[k] as usize].set(rows[k].to_array());
        }
    }
}

/// Positions of the beginning of a substep, with inverse masses, in rows of four numbers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Positions(Vec<f64x4>);

impl Positions {
    /// Positions of so many vertices, and of the one that does not move.
    pub(crate) fn new(count: usize) -> Self {
        Self(vec![f64x4::ZERO; count + 1])
    }

    /// Sets position (m) and inverse mass (1/kg) of a vertex.
    #[inline(always)]
    pub(crate) fn set(&mut self, vertex: usize, position: &Vec3, inverse_mass: f64) {
        self.0[vertex] = f64x4::new([position.x, position.y, position.z, inverse_mass]);
    }

    /// Positions and inverse masses of the vertices of a block.
    #[inline(always)]
    pub(crate) fn gather(&self, vertices: &Indices) -> (Lane3, f64x4) {
        let row = |k: usize| self.0[vertices[k] as usize].to_array();
        lanes([row(0), row(1), row(2), row(3)])
    }

    /// The same of several vertices of each element.
    #[inline(always)]
    pub(crate) fn gather_all<const N: usize>(&self, vertices: &[Indices; N]) -> ([Lane3; N], [f64x4; N]) {
        let (mut position, mut inverse_mass) = ([Lane3::ZERO; N], [f64x4::ZERO; N]);
        for k in 0..N {
            (position[k], inverse_mass[k]) = self.gather(&vertices[k]);
        }
        (position, inverse_mass)
    }
}
