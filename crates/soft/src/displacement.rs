//! Positions and displacements of vertices within a substep: those of a body, and the copies of the few that
//! the elements of one cluster move.

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
}

/// One row for each vertex of a body.
///
/// Clusters of one colour touch different vertices, so no number is ever read and written by two threads;
/// relaxed atomics say so to the compiler without `unsafe`. Threads meet between colours.
#[derive(Debug, Default)]
pub(crate) struct Displacements(Vec<Row>);

impl Displacements {
    pub(crate) fn new(count: usize) -> Self {
        Self((0..count).map(|_| Row::default()).collect())
    }

    /// Number of vertices.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
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
        self.0[vertex].set([value.x, value.y, value.z, inverse_mass]);
    }

    /// Copies the rows of some vertices.
    pub(crate) fn load(&self, vertices: &[u32], rows: &mut [f64x4]) {
        for (row, &vertex) in rows.iter_mut().zip(vertices) {
            *row = f64x4::new(self.0[vertex as usize].get());
        }
    }

    /// Sets the rows of some vertices, which nobody else reads or writes at the same time.
    pub(crate) fn store(&self, vertices: &[u32], rows: &[f64x4]) {
        for (row, &vertex) in rows.iter().zip(vertices) {
            self.0[vertex as usize].set(row.to_array());
        }
    }
}

impl Clone for Displacements {
    /// As many displacements; their values matter within a substep only.
    fn clone(&self) -> Self {
        Self::new(self.len())
    }
}

/// Positions of the beginning of a substep, with inverse masses, in rows of four numbers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Positions(Vec<f64x4>);

impl Positions {
    /// Positions of so many vertices.
    pub(crate) fn new(count: usize) -> Self {
        Self(vec![f64x4::ZERO; count])
    }

    /// Sets position (m) and inverse mass (1/kg) of a vertex.
    #[inline(always)]
    pub(crate) fn set(&mut self, vertex: usize, position: &Vec3, inverse_mass: f64) {
        self.0[vertex] = f64x4::new([position.x, position.y, position.z, inverse_mass]);
    }

    /// Copies the rows of some vertices.
    pub(crate) fn load(&self, vertices: &[u32], rows: &mut [f64x4]) {
        for (row, &vertex) in rows.iter_mut().zip(vertices) {
            *row = self.0[vertex as usize];
        }
    }
}

/// Positions and inverse masses of the vertices of a cluster, and behind them a row of zeros: the vertex that
/// does not move, for blocks of fewer than four elements.
#[derive(Clone, Copy)]
pub(crate) struct LocalPositions<'a>(pub(crate) &'a [f64x4]);

impl LocalPositions<'_> {
    /// Positions and inverse masses of the vertices of a block.
    #[inline(always)]
    pub(crate) fn gather(&self, vertices: &Indices) -> (Lane3, f64x4) {
        gather(self.0, vertices)
    }

    /// The same of several vertices of each element.
    #[inline(always)]
    pub(crate) fn gather_all<const N: usize>(&self, vertices: &[Indices; N]) -> ([Lane3; N], [f64x4; N]) {
        gather_all(self.0, vertices)
    }
}

/// Displacements and inverse masses of the vertices of a cluster, with the same row of zeros behind them. The
/// four vertices of a block are different ones, or that row.
pub(crate) struct LocalMotion<'a>(pub(crate) &'a mut [f64x4]);

impl LocalMotion<'_> {
    /// Displacements and inverse masses.
    #[inline(always)]
    pub(crate) fn gather(&self, vertices: &Indices) -> (Lane3, f64x4) {
        gather(self.0, vertices)
    }

    /// Displacements and inverse masses of several vertices of each element.
    #[inline(always)]
    pub(crate) fn gather_all<const N: usize>(&self, vertices: &[Indices; N]) -> ([Lane3; N], [f64x4; N]) {
        gather_all(self.0, vertices)
    }

    /// Sets displacements; the inverse masses are those of [`gather`](Self::gather).
    #[inline(always)]
    pub(crate) fn scatter(&mut self, vertices: &Indices, Lane3 { x, y, z }: &Lane3, inverse_mass: f64x4) {
        let rows = columns([x.to_array(), y.to_array(), z.to_array(), inverse_mass.to_array()]);
        for k in 0..WIDTH {
            self.0[vertices[k] as usize] = rows[k];
        }
    }

    /// Adds to displacements.
    #[inline(always)]
    pub(crate) fn add(&mut self, vertices: &Indices, change: &Lane3) {
        let (displacement, inverse_mass) = self.gather(vertices);
        self.scatter(vertices, &(displacement + *change), inverse_mass);
    }

    /// Adds to displacements what a force makes of them.
    #[inline(always)]
    pub(crate) fn push(&mut self, vertices: &Indices, force: &Lane3) {
        let (displacement, inverse_mass) = self.gather(vertices);
        self.scatter(vertices, &(displacement + inverse_mass * *force), inverse_mass);
    }
}

/// Vectors and last numbers of four rows.
#[inline(always)]
fn gather(rows: &[f64x4], vertices: &Indices) -> (Lane3, f64x4) {
    let row = |k: usize| rows[vertices[k] as usize].to_array();
    let [x, y, z, w] = columns([row(0), row(1), row(2), row(3)]);
    (Lane3 { x, y, z }, w)
}

#[inline(always)]
fn gather_all<const N: usize>(rows: &[f64x4], vertices: &[Indices; N]) -> ([Lane3; N], [f64x4; N]) {
    let (mut vector, mut inverse_mass) = ([Lane3::ZERO; N], [f64x4::ZERO; N]);
    for k in 0..N {
        (vector[k], inverse_mass[k]) = gather(rows, &vertices[k]);
    }
    (vector, inverse_mass)
}
