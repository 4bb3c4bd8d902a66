//! The corners, edges and faces with which a body touches others.

use crate::body::DeformableBody;
use std::f64::consts::PI;

/// Distance that two bodies without radius keep, as a part of the mean length of an edge.
const THINNEST: f64 = 0.01;

/// Least slack, as a part of the radius, where edges are shorter than that.
const LEAST_SLACK: f64 = 0.25;

/// Surface of a body.
#[derive(Debug, Default)]
pub(crate) struct Surface {
    /// Vertices on the surface, in increasing order.
    pub(crate) corners: Vec<u32>,
    pub(crate) edges: Vec<[u32; 2]>,
    pub(crate) faces: Vec<[u32; 3]>,
    /// Radius of the body, or a small part of its edges.
    pub(crate) radius: f64,
    /// How much nearer than their speeds tell it may come to another body within a step (m).
    pub(crate) slack: f64,
    /// Mean length of an edge at rest (m); zero without edges.
    pub(crate) mean_edge: f64,
    /// Way along a rope to each of its vertices (m); empty for what is no rope.
    along: Vec<f64>,
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
        let is_rope = faces.is_empty() && edges.iter().zip(0..).all(|(edge, k)| *edge == [k, k + 1]);
        let mut along = Vec::new();
        if is_rope && !edges.is_empty() {
            along.push(0.0);
            along.extend(edges.iter().scan(0.0, |way, edge| {
                *way += length(edge);
                Some(*way)
            }));
        }
        let radius = body.radius().max(0.5 * THINNEST * mean);
        // of a thick rope with short segments, its radius would be the slack of many segments
        let slack = radius.min(mean.max(LEAST_SLACK * radius));
        Self { corners, edges, faces, radius, slack, mean_edge: mean, along }
    }

    /// Whether two edges of a rope are so near along it that they cannot meet: where it is bent as far as its
    /// thickness allows, to a circle of its radius, half of that lies between pieces that touch. What is
    /// nearer is kept apart by its stiffness alone, however short segments are.
    pub(crate) fn are_neighbours(&self, first: [u32; 2], second: [u32; 2]) -> bool {
        let way = |vertex: u32| self.along.get(vertex as usize);
        let (low, high) = if first[0] < second[0] { (first[1], second[0]) } else { (second[1], first[0]) };
        way(low).zip(way(high)).is_some_and(|(low, high)| high - low < PI * self.radius)
    }

    /// How many edges from one on belong to a piece of a rope that is at most as long as its radius; one of
    /// what is no rope.
    pub(crate) fn piece(&self, first: usize) -> usize {
        let Some(start) = self.along.get(first) else { return 1 };
        let after = &self.along[first + 1..];
        after.partition_point(|way| way - start <= self.radius).max(1)
    }

    /// Whether the body is a rope.
    pub(crate) fn is_rope(&self) -> bool {
        !self.along.is_empty()
    }

    /// The segment of a rope behind an end, 0 or 1, of another one; none where the rope ends.
    pub(crate) fn neighbour(&self, [a, b]: [u32; 2], end: usize) -> Option<[u32; 2]> {
        match end {
            0 => a.checked_sub(1).map(|before| [before, a]),
            _ => Some([b, b + 1]).filter(|_| b as usize + 1 < self.along.len()),
        }
    }
}
