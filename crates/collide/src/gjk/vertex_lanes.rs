//! Support points of meshes with few vertices, by looking at all of them at once.
//!
//! The vertices are laid out in lanes of eight, and their reach along a direction is computed in single
//! precision. A vertex that is ahead of all others by more than what single precision can be wrong about is
//! the answer, and mostly there is one. Otherwise the caller has to decide properly: which of several equally
//! high vertices is found matters.

use super::vec::V3;
use crate::shape::MeshShape;

/// Meshes with more vertices than this are left to searches over their edges.
const MOST: usize = 64;
const WIDTH: usize = 8;
/// How far ahead a vertex has to be, relative to the size of the mesh. Three products, two sums and the
/// rounding of a direction are wrong by less than half of this, and the hulls of rounded vertices are convex
/// to a tenth of it.
const AHEAD: f64 = 2e-6;

/// Vertices of a mesh in lanes: x, y and z of eight at a time.
#[derive(Clone, Debug, Default)]
pub(crate) struct VertexLanes {
    lanes: [[[f32; WIDTH]; 3]; MOST / WIDTH],
    /// The vertices as the mesh has them, to see whether they have to be laid out again.
    source: Vec<[f32; 3]>,
    /// Where each vertex was last found among the vertices of the hull.
    hull: Vec<u32>,
    used: usize,
    ahead: f32,
}

/// Whether two lists are the same to the last bit; without an early exit, so that many numbers are compared
/// at once.
#[inline]
fn same_bits(a: &[[f32; 3]], b: &[[f32; 3]]) -> bool {
    let differ = |any: u32, (x, y): (&f32, &f32)| any | (x.to_bits() ^ y.to_bits());
    a.len() == b.len() && a.as_flattened().iter().zip(b.as_flattened()).fold(0, differ) == 0
}

impl VertexLanes {
    /// Take over the vertices of a mesh; `None` if there are too many.
    #[inline]
    pub(crate) fn fill(&mut self, mesh: &MeshShape) -> Option<&Self> {
        let count = mesh.vert.len();
        if count > MOST {
            return None;
        }
        self.ahead = (AHEAD * mesh.bound_radius) as f32;
        if same_bits(&self.source, mesh.vert) {
            return Some(self);
        }
        self.source.clear();
        self.source.extend_from_slice(mesh.vert);
        self.hull.clear();
        self.hull.resize(count, 0);
        let (blocks, rest) = mesh.vert.as_chunks::<WIDTH>();
        for (lane, block) in self.lanes.iter_mut().zip(blocks) {
            for k in 0..WIDTH {
                for axis in 0..3 {
                    lane[axis][k] = block[k][axis];
                }
            }
        }
        if let Some(lane) = self.lanes.get_mut(blocks.len())
            && !rest.is_empty()
        {
            // nowhere is never ahead
            *lane = [[f32::NAN; WIDTH]; 3];
            for (k, vertex) in rest.iter().enumerate() {
                for axis in 0..3 {
                    lane[axis][k] = vertex[axis];
                }
            }
        }
        self.used = count.div_ceil(WIDTH);
        Some(self)
    }

    /// Index of a vertex in the list of hull vertices, given by their ids; beyond all if it is none.
    #[inline]
    pub(crate) fn hull_vertex(&mut self, vertex: usize, hull: &[i32]) -> usize {
        let is_it = |index: usize| hull.get(index).is_some_and(|&id| id as usize == vertex);
        let Some(known) = self.hull.get_mut(vertex) else { return usize::MAX };
        if !is_it(*known as usize) {
            let Some(index) = (0..hull.len()).find(|&index| is_it(index)) else { return usize::MAX };
            *known = index as u32;
        }
        *known as usize
    }

    /// The vertex that is clearly farthest along a local direction, if there is one.
    #[inline]
    pub(crate) fn top(&self, dir: &V3) -> Option<usize> {
        let mut near = self.near_top(dir);
        let top = near.next()?;
        near.next().is_none().then_some(top)
    }

    /// The vertices that may be farthest along a local direction.
    #[inline]
    pub(crate) fn near_top(&self, dir: &V3) -> NearTop {
        let [x, y, z] = [dir[0] as f32, dir[1] as f32, dir[2] as f32];
        let lanes = self.lanes.get(..self.used).unwrap_or_default();
        let mut reach = [[0.0; WIDTH]; MOST / WIDTH];
        let mut highest = [f32::MIN; WIDTH];
        for (reach, lane) in reach.iter_mut().zip(lanes) {
            for k in 0..WIDTH {
                reach[k] = x * lane[0][k] + y * lane[1][k] + z * lane[2][k];
            }
            for k in 0..WIDTH {
                highest[k] = larger(reach[k], highest[k]);
            }
        }
        let limit = maximum(&highest) - self.ahead * (x.abs() + y.abs() + z.abs());
        let mut found = [0_u32; WIDTH];
        for (block, reach) in reach[..lanes.len()].iter().enumerate() {
            for k in 0..WIDTH {
                found[k] |= if reach[k] >= limit { 1 << block } else { 0 };
            }
        }
        NearTop(u64::from_le_bytes(found.map(|blocks| blocks as u8)))
    }
}

/// Ids of vertices; the bits of a byte stand for the lanes, its number for the index in them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearTop(u64);

impl Iterator for NearTop {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(WIDTH * (bit % 8) + bit / 8)
    }
}

#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[inline(always)]
fn maximum(values: &[f32; WIDTH]) -> f32 {
    let [a, b, c, d, e, f, g, h] = *values;
    larger(larger(larger(a, e), larger(b, f)), larger(larger(c, g), larger(d, h)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh(vert: &[[f32; 3]]) -> MeshShape<'_> {
        MeshShape { vert, bound_radius: 2.0, ..MeshShape::EMPTY }
    }

    #[test]
    fn finds_the_farthest_of_any_number_of_vertices() {
        for count in 1..=MOST {
            let vert: Vec<[f32; 3]> = (0..count).map(|i| [0.01 * i as f32, 0.5, -0.25]).collect();
            let mut lanes = VertexLanes::default();
            let lanes = lanes.fill(&mesh(&vert)).unwrap();
            assert_eq!(lanes.top(&[1.0, 0.0, 0.0]), Some(count - 1));
            assert_eq!(lanes.top(&[-1.0, 0.0, 0.0]), Some(0));
        }
    }

    #[test]
    fn leaves_ties_and_nonsense_to_others() {
        let mut lanes = VertexLanes::default();
        lanes.fill(&mesh(&[[0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0; 3]])).unwrap();
        assert_eq!(lanes.top(&[0.0, 1.0, 0.0]), None);
        assert_eq!(lanes.top(&[1e-7, 1.0, 0.0]), None);
        assert!(lanes.near_top(&[0.0, 1.0, 0.0]).eq([0, 1]));
        assert_eq!(lanes.top(&[0.1, 1.0, 0.0]), Some(1));
        assert_eq!(lanes.top(&[f64::NAN, 1.0, 0.0]), None);
        assert!(lanes.fill(&mesh(&[[0.0; 3]; MOST + 1])).is_none());
        assert_eq!(lanes.fill(&mesh(&[])).unwrap().top(&[1.0, 0.0, 0.0]), None);
    }
}
