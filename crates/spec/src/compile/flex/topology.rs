//! Which edges, faces and neighbours the elements of a flex have.

use std::collections::HashMap;

/// Edges of a line, a triangle and a tetrahedron, as local vertex indices.
const EDGES: [&[[usize; 2]]; 3] =
    [&[[0, 1]], &[[1, 2], [2, 0], [0, 1]], &[[0, 1], [1, 2], [2, 0], [2, 3], [0, 3], [1, 3]]];
/// Sides of a line, a triangle and a tetrahedron, as local vertex indices.
const SIDES: [&[&[usize]]; 3] =
    [&[&[0], &[1]], &[&[0, 1], &[1, 2], &[2, 0]], &[&[0, 1, 2], &[0, 2, 3], &[0, 3, 1], &[1, 3, 2]]];

/// Everything that follows from the vertices of the elements.
#[derive(Debug, Default)]
pub(super) struct Topology {
    /// Vertices of each edge, the smaller first.
    pub(super) edges: Vec<[i32; 2]>,
    /// Edges of each element.
    pub(super) elem_edges: Vec<i32>,
    /// Of a surface: vertices of each edge in the order of its first triangle, and the vertices opposite to
    /// it, -1 for none.
    pub(super) flaps: Vec<[i32; 4]>,
    /// Sides that belong to one element only, `dim` vertices each.
    pub(super) shell: Vec<i32>,
    /// Distance of each element from the surface; 0 below three dimensions.
    pub(super) layer: Vec<i32>,
    /// Elements at a border and vertices of their neighbours that they could hit.
    pub(super) elem_vert: Vec<[i32; 2]>,
}

/// A side of an element.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    /// Its vertices in increasing order.
    sorted: Vec<i32>,
    element: i32,
    /// Its vertices as the element has them.
    vertices: Vec<i32>,
}

impl Topology {
    pub(super) fn new(elem: &[i32], dim: usize) -> Self {
        let mut topology = Topology::default();
        topology.set_edges(elem, dim);
        topology.set_sides(elem, dim);
        topology
    }

    /// Numbers edges by first appearance.
    fn set_edges(&mut self, elem: &[i32], dim: usize) {
        let mut known: HashMap<[i32; 2], usize> = HashMap::new();
        for element in elem.chunks_exact(dim + 1) {
            for &[from, to] in EDGES[dim - 1] {
                let ends = [element[from], element[to]];
                let sorted = [ends[0].min(ends[1]), ends[0].max(ends[1])];
                let next = self.edges.len();
                let edge = *known.entry(sorted).or_insert(next);
                if edge == next {
                    self.edges.push(sorted);
                }
                self.elem_edges.push(edge as i32);
                if dim == 2 {
                    let opposite = element[(to + 1) % 3];
                    match self.flaps.get_mut(edge) {
                        Some(flap) => flap[3] = opposite,
                        None => self.flaps.push([ends[0], ends[1], opposite, -1]),
                    }
                }
            }
        }
    }

    /// Finds borders, neighbours, layers and the pairs of elements and vertices that may hit each other.
    fn set_sides(&mut self, elem: &[i32], dim: usize) {
        let mut sides: Vec<Side> = Vec::new();
        for (e, element) in elem.chunks_exact(dim + 1).enumerate() {
            for corners in SIDES[dim - 1] {
                let vertices: Vec<i32> = corners.iter().map(|&corner| element[corner]).collect();
                let mut sorted = vertices.clone();
                sorted.sort_unstable();
                sides.push(Side { sorted, element: e as i32, vertices });
            }
        }
        sides.sort_unstable();
        let mut border = vec![false; elem.len() / (dim + 1)];
        let mut neighbours: Vec<(&Side, &Side)> = Vec::new();
        for shared in sides.chunk_by(|a, b| a.sorted == b.sorted) {
            if let [only] = shared {
                border[only.element as usize] = true;
                self.shell.extend(&only.vertices);
            }
            neighbours.extend(shared.windows(2).map(|pair| (&pair[0], &pair[1])));
        }
        self.layer = vec![0; border.len()];
        if dim == 3 {
            self.set_layers(&border, &neighbours);
            return;
        }
        for (first, second) in neighbours {
            if !border[first.element as usize] && !border[second.element as usize] {
                continue;
            }
            for (own, other) in [(first, second), (second, first)] {
                let start = own.element as usize * (dim + 1);
                let free = elem[start..start + dim + 1].iter().find(|v| !second.sorted.contains(v));
                self.elem_vert.extend(free.map(|&vertex| [other.element, vertex]));
            }
        }
    }

    /// Counts sides from each element to the surface, by relaxation over neighbours.
    fn set_layers(&mut self, border: &[bool], neighbours: &[(&Side, &Side)]) {
        let far = border.len() as i32 + 1;
        self.layer = border.iter().map(|&border| if border { 0 } else { far }).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (first, second) in neighbours {
                let [a, b] = [first.element as usize, second.element as usize];
                let (from, to) = if self.layer[a] > self.layer[b] { (b, a) } else { (a, b) };
                if self.layer[to] > self.layer[from] + 1 {
                    self.layer[to] = self.layer[from] + 1;
                    changed = true;
                }
            }
        }
    }
}
