//! The polytope that EPA expands: triangles with their neighbours, and the list of those still worth looking
//! at.
//!
//! Faces are never moved, only marked as deleted, so indices stay valid. The open list holds the faces that
//! can still be the closest one; its order decides ties, which is why deletion swaps with the last entry.

use super::simplex::project_on_plane;
use super::support::{Supports, Vertex};
use super::vec::Point;
use kinetree_math::MINVAL;

/// One triangle. The arrays have a fourth, unused slot so that two bits index them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Face {
    /// The origin projected onto the plane of the face; also its outward direction.
    pub(crate) foot: Point,
    /// Squared length of `foot`.
    pub(crate) dist2: f64,
    /// Indices of its vertices, seen counter-clockwise from outside.
    verts: [u16; 4],
    /// Neighbours over the edges `01`, `12`, `20`.
    adjacent: [u16; 4],
    /// Index in the open list, or `CLOSED`, or `DELETED`.
    open_index: u16,
}

/// Most vertices and faces of a polytope before the first expansion.
const SEED_POINTS: usize = 6;
const SEED_FACES: usize = 6;
/// Face count allowed per iteration.
const FACES_PER_ITERATION: usize = 6;

/// Part of the polytope, but never the closest face.
const CLOSED: u16 = u16::MAX - 1;
const DELETED: u16 = u16::MAX;

/// The edge after each edge of a triangle.
const NEXT: [usize; 4] = [1, 2, 0, 0];

/// One of the edges of a face, in one number.
#[derive(Clone, Copy, Debug)]
struct FaceEdge(u32);

impl FaceEdge {
    #[inline(always)]
    fn new(face: u16, edge: usize) -> Self {
        Self(u32::from(face) << 2 | edge as u32 & 3)
    }

    #[inline(always)]
    fn face(self) -> usize {
        (self.0 >> 2) as usize
    }

    #[inline(always)]
    fn edge(self) -> usize {
        (self.0 & 3) as usize
    }
}

/// Buffers of one polytope. They are kept at full length, and counters say how much is in use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Polytope {
    points: Vec<Vertex>,
    point_count: usize,
    faces: Vec<Face>,
    face_count: usize,
    open_dist2: Vec<f64>,
    open_face: Vec<u16>,
    open_count: usize,
    /// Edges between what a point can see and what it cannot, of the faces on the hidden side.
    horizon: Vec<FaceEdge>,
    uncrossed: Vec<FaceEdge>,
}

impl Polytope {
    /// Start anew, with room for `iterations` expansions.
    pub(crate) fn clear(&mut self, iterations: usize) {
        let points = SEED_POINTS + iterations;
        if self.points.len() < points {
            self.points.resize(points, Vertex::default());
            let faces = SEED_FACES + FACES_PER_ITERATION * iterations;
            self.faces.resize(faces, Face::default());
            self.open_dist2.resize(faces, 0.0);
            self.open_face.resize(faces, 0);
        }
        self.restart();
    }

    /// Forget everything.
    pub(crate) fn restart(&mut self) {
        self.point_count = 0;
        self.face_count = 0;
        self.open_count = 0;
    }

    /// Whether `more` faces stay within the limit for a number of iterations.
    pub(crate) fn has_room(&self, more: usize, iterations: usize) -> bool {
        self.face_count + more <= FACES_PER_ITERATION * iterations
    }

    #[inline(always)]
    pub(crate) fn insert_vertex(&mut self, v: &Vertex) -> u16 {
        let index = self.point_count;
        self.points[index] = *v;
        self.point_count = index + 1;
        index as u16
    }

    /// Add the support point along `dir`, which has length `length`.
    #[inline(always)]
    pub(crate) fn insert_support(&mut self, pair: &mut impl Supports, dir: Point, length: f64) -> u16 {
        self.insert_vertex(&pair.support(unit(dir, length)))
    }

    pub(crate) fn point(&self, vertex: u16) -> Point {
        self.vertex(vertex).diff
    }

    /// A vertex with where it comes from.
    pub(crate) fn vertex(&self, vertex: u16) -> &Vertex {
        &self.points[usize::from(vertex)]
    }

    /// Whether the last vertex comes from the same two vertices as an earlier one.
    #[inline(always)]
    pub(crate) fn last_is_known(&self) -> bool {
        self.points[..self.point_count].split_last().is_some_and(|(w, known)| {
            // no early exit: most of the time there is nothing to find
            known.iter().fold(false, |found, v| found | ((v.id1 == w.id1) & (v.id2 == w.id2)))
        })
    }

    pub(crate) fn face(&self, face: usize) -> &Face {
        &self.faces[face]
    }

    /// The three vertices of a face.
    pub(crate) fn corners(&self, face: usize) -> [&Vertex; 3] {
        let [a, b, c, _] = self.faces[face].verts;
        [self.vertex(a), self.vertex(b), self.vertex(c)]
    }

    /// Add a triangle; returns its squared distance from the origin, zero for a triangle without a plane.
    pub(crate) fn attach(&mut self, verts: [u16; 3], adjacent: [u16; 3]) -> f64 {
        let [a, b, c] = [self.point(verts[0]), self.point(verts[1]), self.point(verts[2])];
        let (foot, dist2) = foot_of_origin(c, b, a);
        let pad = |[x, y, z]: [u16; 3]| [x, y, z, 0];
        self.faces[self.face_count] =
            Face { foot, dist2, verts: pad(verts), adjacent: pad(adjacent), open_index: CLOSED };
        self.face_count += 1;
        dist2
    }

    /// List every face as a candidate.
    pub(crate) fn open_all(&mut self) {
        for (index, face) in self.faces[..self.face_count].iter_mut().enumerate() {
            face.open_index = index as u16;
            self.open_dist2[index] = face.dist2;
            self.open_face[index] = index as u16;
        }
        self.open_count = self.face_count;
    }

    /// Number of faces, each of which lies beside its neighbours.
    ///
    /// # Panics
    /// When a face is not the neighbour of its neighbour over their common edge.
    #[cfg(test)]
    pub(super) fn check_neighbours(&self) -> usize {
        let faces = &self.faces[..self.face_count];
        for (index, face) in faces.iter().enumerate() {
            for edge in 0..3 {
                let neighbour = &faces[usize::from(face.adjacent[edge])];
                let (from, to) = (face.verts[edge], face.verts[NEXT[edge]]);
                let back = (0..3).find(|&k| neighbour.verts[k] == to && neighbour.verts[NEXT[k]] == from);
                let over = back.map(|k| usize::from(neighbour.adjacent[k]));
                assert_eq!(over, Some(index), "edge {edge} of face {index}");
            }
        }
        faces.len()
    }

    pub(crate) fn has_open(&self) -> bool {
        self.open_count > 0
    }

    /// The candidate closest to the origin, with its squared distance; the first one listed wins a tie.
    #[inline(always)]
    pub(crate) fn closest(&self) -> Option<(usize, f64)> {
        let mut best = usize::MAX;
        let mut lowest = f64::MAX;
        for (i, &dist2) in self.open_dist2[..self.open_count].iter().enumerate() {
            let closer = dist2 < lowest;
            best = if closer { i } else { best };
            lowest = if closer { dist2 } else { lowest };
        }
        self.open_face.get(best).map(|&face| (usize::from(face), lowest))
    }

    #[inline(always)]
    fn delete(&mut self, face: usize) {
        let at = usize::from(std::mem::replace(&mut self.faces[face].open_index, DELETED));
        if at < self.open_count {
            let last = self.open_count - 1;
            let moved = self.open_face[last];
            self.open_dist2[at] = self.open_dist2[last];
            self.open_face[at] = moved;
            self.open_count = last;
            if at != last {
                self.faces[usize::from(moved)].open_index = at as u16;
            }
        }
    }

    /// Delete all faces that `w` sees, starting at `face`, and collect the edges around the hole in order;
    /// returns their number.
    pub(crate) fn carve(&mut self, face: usize, w: Point) -> usize {
        self.horizon.clear();
        self.delete(face);
        // edges of deleted faces that are still to be crossed, the next one last
        self.uncrossed.clear();
        self.uncrossed.extend([2, 1, 0].map(|edge| FaceEdge::new(face as u16, edge)));
        while let Some(at) = self.uncrossed.pop() {
            self.cross_edge(at, w);
        }
        self.horizon.len()
    }

    /// Go over an edge of a deleted face.
    #[inline(always)]
    fn cross_edge(&mut self, at: FaceEdge, w: Point) {
        let from = &self.faces[at.face()];
        let across = from.adjacent[at.edge()];
        let shared = from.verts[NEXT[at.edge()]];
        let neighbour = &self.faces[usize::from(across)];
        if neighbour.open_index == DELETED {
            return;
        }
        let [first, second, ..] = neighbour.verts;
        let their_edge = if first == shared { 0 } else { 2 - usize::from(second == shared) };
        if neighbour.foot.dot(w) - neighbour.dist2 > MINVAL {
            // visible: it goes too, and so does what lies behind its two other edges
            self.delete(usize::from(across));
            let next = NEXT[their_edge & 3];
            self.uncrossed.extend([NEXT[next & 3], next].map(|edge| FaceEdge::new(across, edge)));
        } else {
            self.horizon.push(FaceEdge::new(across, their_edge));
        }
    }

    /// Close the hole inside the horizon with a fan of faces around `tip`, and list those with a squared
    /// distance in `lower2..=upper2`; `false` if one of them has no plane.
    #[inline(always)]
    pub(crate) fn cap(&mut self, tip: u16, w: Point, lower2: f64, upper2: f64) -> bool {
        let Self { points, faces, open_dist2, open_face, horizon, .. } = self;
        let (points, faces, horizon) = (&points[..], &mut faces[..], &horizon[..]);
        let first = self.face_count;
        let end = first + horizon.len();
        let mut open = self.open_count;
        let mut previous = end - 1;
        for (this, edge) in (first..end).zip(horizon) {
            let hidden = &mut faces[edge.face()];
            let side = edge.edge();
            hidden.adjacent[side] = this as u16;
            let (v1, v2) = (hidden.verts[side], hidden.verts[NEXT[side]]);
            let (foot, dist2) = foot_of_origin(points[usize::from(v1)].diff, points[usize::from(v2)].diff, w);
            if dist2 == 0.0 {
                return false;
            }
            // written in any case, counted only if it can become the closest
            open_dist2[open] = dist2;
            open_face[open] = this as u16;
            let opens = dist2 >= lower2 && dist2 <= upper2;
            let open_index = if opens { open as u16 } else { CLOSED };
            open += usize::from(opens);
            let next = if this + 1 == end { first } else { this + 1 };
            let adjacent = [previous as u16, edge.face() as u16, next as u16, 0];
            faces[this] = Face { foot, dist2, verts: [tip, v2, v1, 0], adjacent, open_index };
            previous = this;
        }
        self.face_count = end;
        self.open_count = open;
        true
    }
}

/// Unit vector along a vector of a known length; the x axis if that is too short to have a direction.
#[inline(always)]
pub(crate) fn unit(dir: Point, length: f64) -> Point {
    if length > MINVAL { dir.divided_by(length) } else { Point::new(1.0, 0.0, 0.0) }
}

/// The origin projected onto the plane `a b c` and its squared distance, zero if there is no plane.
#[inline(always)]
fn foot_of_origin(a: Point, b: Point, c: Point) -> (Point, f64) {
    let foot = project_on_plane(a, b, c).unwrap_or_default();
    (foot, foot.norm2())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_direction_has_unit_length_however_short_the_vector() {
        for size in [0.0, 1e-300, 1e-20, 1e-3, 1.0, 1e20] {
            let dir = Point::new(0.6 * size, 0.0, -0.8 * size);
            let found = unit(dir, size);
            assert!((found.norm2() - 1.0).abs() < 1e-12, "{size}: {}", found.norm2());
        }
    }
}
