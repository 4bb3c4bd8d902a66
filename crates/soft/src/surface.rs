//! The corners, edges and faces with which a body touches others.

use crate::body::DeformableBody;

/// Distance that two bodies without radius keep, as a part of the mean length of an edge.
const THINNEST: f64 = 0.01;

/// Surface of a body.
#[derive(Debug, Default)]
pub(crate) struct Surface {
    /// Vertices on the surface, in increasing order.
    pub(crate) corners: Vec<u32>,
    pub(crate) edges: Vec<[u32; 2]>,
    pub(crate) faces: Vec<[u32; 3]>,
    /// Radius of the body, or a small part of its edges.
    pub(crate) radius: f64,
    /// Mean length of an edge at rest (m); zero without edges.
    pub(crate) mean_edge: f64,
}

impl Surface {
    pub(crate) fn of(body: &dyn DeformableBody) -> Self {
        let (edges, faces) = (body.edges(), body.triangles().to_vec());
        let mut corners: Vec<u32> = edges.iter().flatten().copied().collect();
        if edges.is_empty() {
            corners = (0..body.particles().len() as u32).collect();
        }
        corners.sort_unstable();
        corners.dedup();
        let rest = body.particles().rest();
        let length = |[a, b]: &[u32; 2]| (rest[*a as usize] - rest[*b as usize]).norm();
        let mean = edges.iter().map(length).sum::<f64>() / edges.len().max(1) as f64;
        Self { corners, edges, faces, radius: body.radius().max(0.5 * THINNEST * mean), mean_edge: mean }
    }
}
