//! Points on the surface of a deformable body, as weighted means of vertices.

use kinetree_math::Vec3;

/// Largest weight of a vertex: nearer to one, its own contact is the same.
const AT_VERTEX: f64 = 0.999;

/// A point on an edge or a face.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Place {
    /// Vertices; those of an edge are the first two.
    pub(crate) vertices: [u32; 3],
    /// Their weights, which sum up to one.
    pub(crate) weights: [f64; 3],
}

impl Place {
    /// A vertex.
    pub(crate) fn vertex(vertex: usize) -> Self {
        Self { vertices: [vertex as u32; 3], weights: [1.0, 0.0, 0.0] }
    }

    /// A point on an edge, `along` of the way to its second end.
    pub(crate) fn on_edge([a, b]: [u32; 2], along: f64) -> Self {
        Self { vertices: [a, b, b], weights: [1.0 - along, along, 0.0] }
    }

    /// Vertices that take part, with their weights.
    pub(crate) fn shares(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let shares = self.vertices.iter().zip(&self.weights);
        shares.filter(|(_, weight)| **weight > 0.0).map(|(&vertex, &weight)| (vertex as usize, weight))
    }

    /// Weighted mean of a quantity of the vertices.
    pub(crate) fn mean(&self, of: impl Fn(usize) -> Vec3) -> Vec3 {
        self.shares().fold(Vec3::zeros(), |sum, (vertex, weight)| sum + weight * of(vertex))
    }

    /// The vertex with the largest share.
    pub(crate) fn main_vertex(&self) -> u32 {
        let [a, b, c] = self.weights;
        self.vertices[if a >= b && a >= c { 0 } else { usize::from(b < c) + 1 }]
    }

    /// Whether this is a vertex, or next to one.
    pub(crate) fn is_vertex(&self) -> bool {
        self.weights.iter().any(|&weight| weight > AT_VERTEX)
    }
}
