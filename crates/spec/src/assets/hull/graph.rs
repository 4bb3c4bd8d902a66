//! The finished hull as a graph.

use super::arena::{Builder, TAIL};

/// The hull as a graph of its vertices and triangles.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HullGraph {
    /// Point number of each vertex.
    pub(crate) vertices: Vec<i32>,
    /// Vertices (as positions in `vertices`) adjacent to each vertex.
    pub(crate) neighbors: Vec<Vec<i32>>,
    /// Point numbers of each triangle, anticlockwise seen from outside.
    pub(crate) faces: Vec<[i32; 3]>,
}

impl Builder<'_> {
    /// Reads off vertices, adjacency and triangles in list order.
    pub(super) fn graph(&self) -> HullGraph {
        let mut order = Vec::with_capacity(self.num_vertices);
        let mut position = vec![-1; self.vertices.len()];
        let mut vertex = self.vertex_head;
        while vertex != TAIL {
            position[vertex as usize] = order.len() as i32;
            order.push(vertex);
            vertex = self.vertex(vertex).next;
        }
        let neighbors = order
            .iter()
            .map(|&vertex| {
                let mut adjacent = Vec::new();
                for &facet in &self.vertex(vertex).neighbors {
                    for &other in &self.facet(facet).vertices {
                        let local = position[other as usize];
                        if other != vertex && !adjacent.contains(&local) {
                            adjacent.push(local);
                        }
                    }
                }
                adjacent
            })
            .collect();
        let point = |vertex: u32| self.vertex(vertex).point as i32;
        let faces = self
            .all_facets()
            .into_iter()
            .map(|facet| {
                let node = self.facet(facet);
                let [a, b, c] = [0, 1, 2].map(|i| point(node.vertices[i]));
                if node.top { [b, a, c] } else { [a, b, c] }
            })
            .collect();
        HullGraph { vertices: order.iter().map(|v| point(*v)).collect(), neighbors, faces }
    }
}
