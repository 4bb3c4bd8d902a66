//! The octree of a mesh: cells that the surface passes through are divided six times, and others until no two
//! neighbours differ by more than one level.
//!
//! Cells are numbered breadth first, in groups of eight siblings; those of the balancing follow. Corners that
//! cells share are one vertex. A vertex in the middle of an edge or face of a coarser neighbour hangs: the
//! field there follows from the corners of that edge or face, so that it is continuous.

use std::collections::{HashMap, VecDeque};

use super::triangle_distance::{Faces, signed_distance};
use crate::assets::linalg::{V3, cross, dot};
use kinetree_collide::bvh::BvhTree;
use kinetree_model::checkpoint;

/// Most divisions of the root.
const MAX_DEPTH: i32 = 6;
/// Size of the root in sizes of the mesh.
const ROOM: f64 = 1.1;
/// Coordinates this close are the same (m).
const SAME: f64 = 1e-9;

/// An octree with the distances at the corners of its cells, in the layout of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Octree {
    /// Number of divisions above each cell.
    pub depth: Vec<i32>,
    /// Children of each cell, −1 for none.
    pub child: Vec<[i32; 8]>,
    /// Box of each cell: centre, half sizes (m).
    pub aabb: Vec<[f64; 6]>,
    /// Distance at each corner (m).
    pub coeff: Vec<[f64; 8]>,
}

impl Octree {
    /// The octree of a mesh whose bounds are `aamm`, with the tree of boxes over its faces.
    pub(crate) fn build(vert: &[V3], face: &[[i32; 3]], aamm: &[f64; 6], tree: &BvhTree) -> Self {
        let cells = Cells::divide(vert, face, aamm);
        let distances = cells.distances(&Faces { vert, face, tree });
        Self {
            depth: cells.cells.iter().map(|cell| cell.depth).collect(),
            child: cells.cells.iter().map(|cell| cell.child).collect(),
            aabb: cells.cells.iter().map(Cell::centre_and_half).collect(),
            coeff: cells.cells.iter().map(|cell| cell.vertex.map(|v| distances[v])).collect(),
        }
    }

    /// Number of cells.
    #[must_use]
    pub fn len(&self) -> usize {
        self.depth.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.depth.is_empty()
    }
}

/// A cell in the making.
struct Cell {
    depth: i32,
    parent: Option<usize>,
    /// Which child of its parent it is.
    octant: usize,
    child: [i32; 8],
    vertex: [usize; 8],
    low: V3,
    high: V3,
}

impl Cell {
    fn is_leaf(&self) -> bool {
        self.child[0] == -1
    }

    fn centre(&self) -> V3 {
        std::array::from_fn(|k| (self.low[k] + self.high[k]) / 2.0)
    }

    fn centre_and_half(&self) -> [f64; 6] {
        std::array::from_fn(|k| {
            if k < 3 {
                (self.low[k] + self.high[k]) / 2.0
            } else {
                (self.high[k - 3] - self.low[k - 3]) / 2.0
            }
        })
    }
}

#[derive(Default)]
struct Cells {
    cells: Vec<Cell>,
    vertices: Vec<V3>,
    numbers: HashMap<[u64; 3], usize>,
}

impl Cells {
    /// Divides the box around a mesh, a tenth larger than it.
    fn divide(vert: &[V3], face: &[[i32; 3]], aamm: &[f64; 6]) -> Self {
        let triangles: Vec<[V3; 3]> = face.iter().map(|f| f.map(|i| vert[i as usize])).collect();
        let mut this = Self::default();
        let centre: V3 = std::array::from_fn(|k| (aamm[k] + aamm[k + 3]) / 2.0);
        let half: V3 = std::array::from_fn(|k| (aamm[k + 3] - aamm[k]) / 2.0);
        let low = std::array::from_fn(|k| centre[k] - ROOM * half[k]);
        let high = std::array::from_fn(|k| centre[k] + ROOM * half[k]);
        this.add(None, 0, low, high);
        let mut queue = VecDeque::from([(0, (0..triangles.len()).collect::<Vec<_>>())]);
        while let Some((cell, near)) = queue.pop_front() {
            checkpoint();
            let Cell { low, high, depth, .. } = this.cells[cell];
            let crossing: Vec<usize> =
                near.into_iter().filter(|&t| crosses(&triangles[t], &low, &high)).collect();
            if crossing.is_empty() || depth >= MAX_DEPTH {
                continue;
            }
            for child in this.split(cell) {
                queue.push_back((child, crossing.clone()));
            }
        }
        this.balance();
        this
    }

    fn add(&mut self, parent: Option<usize>, octant: usize, low: V3, high: V3) -> usize {
        let vertex = std::array::from_fn(|i| {
            let at: V3 = std::array::from_fn(|k| if i >> k & 1 != 0 { high[k] } else { low[k] });
            // both zeros are the same coordinate
            let next = self.vertices.len();
            let number = *self.numbers.entry(at.map(|x| (x + 0.0).to_bits())).or_insert(next);
            if number == next {
                self.vertices.push(at);
            }
            number
        });
        let depth = parent.map_or(0, |parent| self.cells[parent].depth + 1);
        self.cells.push(Cell { depth, parent, octant, child: [-1; 8], vertex, low, high });
        self.cells.len() - 1
    }

    /// Divides a cell; returns its children.
    fn split(&mut self, cell: usize) -> [usize; 8] {
        std::array::from_fn(|octant| {
            let Cell { low, high, .. } = self.cells[cell];
            let middle: V3 = std::array::from_fn(|k| (high[k] + low[k]) / 2.0);
            let upper = |k: usize| octant >> k & 1 != 0;
            let from = std::array::from_fn(|k| if upper(k) { middle[k] } else { low[k] });
            let to = std::array::from_fn(|k| if upper(k) { high[k] } else { middle[k] });
            let child = self.add(Some(cell), octant, from, to);
            self.cells[cell].child[octant] = child as i32;
            child
        })
    }

    fn leaves(&self) -> Vec<usize> {
        (0..self.cells.len()).filter(|&cell| self.cells[cell].is_leaf()).collect()
    }

    /// The leaf on the other side of a face of a leaf, or one of them. Faces are numbered by axis and side.
    fn neighbor(&self, cell: usize, face: usize) -> Option<usize> {
        let (axis, upper) = (face / 2, face % 2 == 1);
        let bit = 1 << axis;
        // up to an ancestor that has a sibling there
        let mut at = cell;
        let mut found = loop {
            let Cell { parent, octant, .. } = self.cells[at];
            let parent = parent?;
            if upper != (octant & bit != 0) {
                break self.cells[parent].child[octant ^ bit] as usize;
            }
            at = parent;
        };
        // down to the leaf next to the cell
        let centre = self.cells[cell].centre();
        while !self.cells[found].is_leaf() {
            let other = self.cells[found].centre();
            let octant = (0..3).fold(0, |octant, k| octant | usize::from(centre[k] > other[k]) << k);
            let octant = if upper { octant & !bit } else { octant | bit };
            found = self.cells[found].child[octant] as usize;
        }
        Some(found)
    }

    /// Divides leaves until neighbours differ by one level at most.
    fn balance(&mut self) {
        loop {
            let mut coarse = Vec::new();
            for leaf in self.leaves() {
                for face in 0..6 {
                    let Some(other) = self.neighbor(leaf, face) else { continue };
                    let (mine, theirs) = (self.cells[leaf].depth, self.cells[other].depth);
                    if theirs > mine + 1 {
                        coarse.push(leaf);
                    }
                    if mine > theirs + 1 {
                        coarse.push(other);
                    }
                }
            }
            if coarse.is_empty() {
                return;
            }
            for cell in coarse {
                if self.cells[cell].is_leaf() {
                    self.split(cell);
                }
            }
        }
    }

    /// For each vertex, those that it hangs between.
    fn hanging(&self) -> Vec<Vec<usize>> {
        let mut hanging = vec![Vec::new(); self.vertices.len()];
        for leaf in self.leaves() {
            for face in 0..6 {
                let coarser =
                    self.neighbor(leaf, face).filter(|&n| self.cells[n].depth < self.cells[leaf].depth);
                let Some(other) = coarser else { continue };
                let (axis, side) = (face / 2, face % 2);
                for corner in 0..4 {
                    let (d1, d2) = ((axis + 1) % 3, (axis + 2) % 3);
                    let vertex =
                        self.cells[leaf].vertex[side << axis | (corner & 1) << d1 | (corner >> 1) << d2];
                    if hanging[vertex].is_empty() {
                        hanging[vertex] = self.between(&self.vertices[vertex], &self.cells[other]);
                    }
                }
            }
        }
        hanging
    }

    /// The corners of the edge or face of a cell whose middle a vertex is; none for a corner.
    fn between(&self, at: &V3, cell: &Cell) -> Vec<usize> {
        let is = |limit: &V3, k: usize| (at[k] - limit[k]).abs() < SAME;
        let side: [Option<usize>; 3] = std::array::from_fn(|k| {
            let (low, high) = (is(&cell.low, k), is(&cell.high, k));
            (low || high).then_some(usize::from(high))
        });
        let free: Vec<usize> = (0..3).filter(|&k| side[k].is_none()).collect();
        let fixed = (0..3).fold(0, |bits, k| bits | side[k].unwrap_or(0) << k);
        match free[..] {
            [k] => vec![cell.vertex[fixed], cell.vertex[fixed | 1 << k]],
            [a, b] => {
                // in the order that follows the axis of the face
                let (first, second) = if (a, b) == (0, 2) { (b, a) } else { (a, b) };
                (0..4).map(|j| cell.vertex[fixed | (j & 1) << first | (j >> 1) << second]).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Distances at all vertices, cell by cell from the root.
    fn distances(&self, faces: &Faces<'_>) -> Vec<f64> {
        let hanging = self.hanging();
        let mut distance = vec![0.0; self.vertices.len()];
        let mut known = vec![false; self.vertices.len()];
        let mut queue = VecDeque::from([0]);
        while let Some(cell) = queue.pop_front() {
            checkpoint();
            for vertex in self.cells[cell].vertex {
                if std::mem::replace(&mut known[vertex], true) {
                    continue;
                }
                let ends = &hanging[vertex];
                distance[vertex] = if ends.is_empty() {
                    signed_distance(faces, &self.vertices[vertex])
                } else {
                    ends.iter().map(|&end| distance[end]).sum::<f64>() / ends.len() as f64
                };
            }
            queue.extend(self.cells[cell].child.iter().filter_map(|&child| usize::try_from(child).ok()));
        }
        distance
    }
}

/// Whether a triangle meets a box (Schwarz and Seidel, 2010): bounds, plane, and three projections.
fn crosses(v: &[V3; 3], low: &V3, high: &V3) -> bool {
    for k in 0..3 {
        if v.iter().all(|p| p[k] < low[k]) || v.iter().all(|p| p[k] > high[k]) {
            return false;
        }
    }
    let e: [V3; 3] = std::array::from_fn(|i| std::array::from_fn(|k| v[(i + 1) % 3][k] - v[i][k]));
    let n = cross(&e[0], &e[1]);
    let size: V3 = std::array::from_fn(|k| high[k] - low[k]);
    let far: V3 = std::array::from_fn(|k| if n[k] > 0.0 { size[k] } else { 0.0 });
    let c1: V3 = std::array::from_fn(|k| far[k] - v[0][k]);
    let c2: V3 = std::array::from_fn(|k| size[k] - far[k] - v[0][k]);
    if (dot(&n, low) + dot(&n, &c1)) * (dot(&n, low) + dot(&n, &c2)) > 0.0 {
        return false;
    }
    (0..3).all(|a| {
        let (b, c) = ((a + 1) % 3, (a + 2) % 3);
        let sign = if n[a] >= 0.0 { 1.0 } else { -1.0 };
        (0..3).all(|i| {
            let ne = [-e[i][c] * sign, e[i][b] * sign];
            let offset = -(ne[0] * v[i][b] + ne[1] * v[i][c])
                + (size[b] * ne[0]).max(0.0)
                + (size[c] * ne[1]).max(0.0);
            let separated = ne[0] * low[b] + ne[1] * low[c] + offset < 0.0;
            !separated
        })
    })
}
