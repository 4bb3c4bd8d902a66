//! The polytope that EPA expands: triangles with their neighbours, and the list of those still worth looking at.
//!
//! Faces are never moved, only marked as deleted, so indices stay valid. `open` lists the faces that can still be
//! the closest one; its order decides ties, which is why deletion swaps with the last entry.

use super::simplex::project_on_plane;
use super::support::{Pair, Vertex};
use super::vec::{V3, dot, neg};
use kinetree_math::MINVAL;

/// One triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    /// Indices of its vertices, seen counter-clockwise from outside.
    pub(crate) verts: [u16; 3],
    /// Neighbours over the edges `01`, `12`, `20`.
    pub(crate) adjacent: [u16; 3],
    /// The origin projected onto the plane of the face; also its outward direction.
    pub(crate) foot: V3,
    /// Squared length of `foot`.
    pub(crate) dist2: f64,
    place: Place,
}

/// Where a face stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In `open`, at this index.
    Open(u16),
    /// Part of the polytope, but never the closest face.
    Closed,
    Deleted,
}

/// An edge between what a point can see and what it cannot: the face on the hidden side, and which of its edges.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HorizonEdge {
    pub(crate) face: u16,
    pub(crate) edge: u8,
}

/// Buffers of one polytope.
#[derive(Clone, Debug, Default)]
pub(crate) struct Polytope {
    pub(crate) verts: Vec<Vertex>,
    pub(crate) faces: Vec<Face>,
    open: Vec<(f64, u16)>,
    pub(crate) horizon: Vec<HorizonEdge>,
}

/// The edge after `edge` in a triangle.
#[inline(always)]
fn next_edge(edge: usize) -> usize {
    if edge == 2 { 0 } else { edge + 1 }
}

impl Polytope {
    /// Forget everything, keep the memory.
    pub(crate) fn clear(&mut self) {
        self.verts.clear();
        self.faces.clear();
        self.open.clear();
        self.horizon.clear();
    }

    pub(crate) fn insert_vertex(&mut self, vertex: &Vertex) -> u16 {
        self.verts.push(*vertex);
        (self.verts.len() - 1) as u16
    }

    /// Add the support point along `dir`, which has length `length`.
    #[inline(always)]
    pub(crate) fn insert_support(&mut self, pair: &mut Pair, dir: &V3, length: f64) -> u16 {
        let unit = if length > MINVAL {
            [dir[0] / length, dir[1] / length, dir[2] / length]
        } else {
            [1.0, 0.0, 0.0]
        };
        let vertex = pair.support(&unit, &neg(&unit));
        self.insert_vertex(&vertex)
    }

    pub(crate) fn point(&self, vertex: u16) -> &V3 {
        &self.verts[usize::from(vertex)].diff
    }

    /// Add a triangle; returns its squared distance from the origin, zero for a triangle without a plane.
    #[inline(always)]
    pub(crate) fn attach(&mut self, verts: [u16; 3], adjacent: [u16; 3]) -> f64 {
        let [a, b, c] = [self.point(verts[0]), self.point(verts[1]), self.point(verts[2])];
        let (foot, dist2) = match project_on_plane(c, b, a) {
            Some(foot) => (foot, dot(&foot, &foot)),
            None => ([0.0; 3], 0.0),
        };
        self.faces.push(Face { verts, adjacent, foot, dist2, place: Place::Closed });
        dist2
    }

    /// List the last attached face as a candidate.
    #[inline(always)]
    pub(crate) fn open_last(&mut self) {
        let index = self.faces.len() - 1;
        self.faces[index].place = Place::Open(self.open.len() as u16);
        self.open.push((self.faces[index].dist2, index as u16));
    }

    /// List every face as a candidate.
    pub(crate) fn open_all(&mut self) {
        for (index, face) in self.faces.iter_mut().enumerate() {
            face.place = Place::Open(index as u16);
            self.open.push((face.dist2, index as u16));
        }
    }

    pub(crate) fn has_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// The candidate closest to the origin, with its squared distance; the first one listed wins a tie.
    #[inline(always)]
    pub(crate) fn closest(&self) -> Option<(usize, f64)> {
        let mut best = None;
        let mut lowest = f64::MAX;
        for &(dist2, face) in &self.open {
            if dist2 < lowest {
                lowest = dist2;
                best = Some(face);
            }
        }
        best.map(|face| (usize::from(face), lowest))
    }

    fn delete(&mut self, face: usize) {
        if let Place::Open(at) = self.faces[face].place {
            let at = usize::from(at);
            self.open.swap_remove(at);
            if let Some(&(_, moved)) = self.open.get(at) {
                self.faces[usize::from(moved)].place = Place::Open(at as u16);
            }
        }
        self.faces[face].place = Place::Deleted;
    }

    /// Delete all faces that `w` sees, starting at `face`, and collect the edges around the hole in order.
    pub(crate) fn carve(&mut self, face: usize, w: &V3) {
        self.horizon.clear();
        self.delete(face);
        for edge in 0..3 {
            self.cross_edge(face, edge, w);
        }
    }

    /// Go over an edge of a deleted face.
    fn cross_edge(&mut self, face: usize, edge: usize, w: &V3) {
        let from = &self.faces[face];
        let across = from.adjacent[edge];
        let shared = from.verts[next_edge(edge)];
        let neighbour = &self.faces[usize::from(across)];
        if neighbour.place == Place::Deleted {
            return;
        }
        let their_edge = (0..2).find(|&i| neighbour.verts[i] == shared).unwrap_or(2);
        if dot(&neighbour.foot, w) - neighbour.dist2 > MINVAL {
            // visible: it goes too, and so does what lies behind its two other edges
            let across = usize::from(across);
            self.delete(across);
            let second = next_edge(their_edge);
            self.cross_edge(across, second, w);
            self.cross_edge(across, next_edge(second), w);
        } else {
            self.horizon.push(HorizonEdge { face: across, edge: their_edge as u8 });
        }
    }
}
