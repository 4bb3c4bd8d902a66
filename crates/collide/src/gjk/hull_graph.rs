//! Walks over the hull of a mesh, along the edges of its graph.

use super::vec::V3;
use crate::shape::MeshShape;

/// Starting value of a search over mesh vertices.
pub(crate) const LOWEST: f64 = -(f32::MAX as f64);
/// How far above its neighbours a hull vertex must be to count as the top, relative to the size of the mesh.
/// Hulls of rounded vertices are convex only to about a tenth of this.
pub(crate) const TOP_CLEARANCE: f64 = 1e-6;

#[inline(always)]
pub(crate) fn vertex_reach(v: &[f32; 3], dir: &V3) -> f64 {
    dir[0] * f64::from(v[0]) + dir[1] * f64::from(v[1]) + dir[2] * f64::from(v[2])
}

/// Walk uphill over the edges of the hull from `start`; returns the hull id and the mesh id of the top.
///
/// The start itself takes no part in the first comparison: the walk first moves to its best neighbour and
/// comes back if the start was higher. That decides which of several equally high vertices is found. A start
/// that is clearly above all its neighbours is the top of a convex hull, and the detour is not needed.
#[inline(always)]
pub(crate) fn climb_hull(mesh: &MeshShape, dir: &V3, start: usize) -> (usize, usize) {
    let Hull { edge_start, mesh_id, edges } = Hull::new(mesh.graph);
    let mut reach = LOWEST;
    let mut best = start;
    let start_id = mesh_id.get(start).map_or(0, |&id| id as usize);
    let start_reach = mesh.vert.get(start_id).map_or(LOWEST, |v| vertex_reach(v, dir));
    loop {
        let here = best;
        let first = edge_start.get(here).map_or(usize::MAX, |&adr| adr as usize);
        for &neighbour in edges.get(first..).unwrap_or_default() {
            // a negative entry ends the list of neighbours
            let Some(&id) = mesh_id.get(neighbour as usize) else { break };
            let Some(v) = mesh.vert.get(id as usize) else { break };
            let candidate = vertex_reach(v, dir);
            let higher = candidate > reach;
            best = if higher { neighbour as usize } else { best };
            reach = if higher { candidate } else { reach };
        }
        if here == start && reach < start_reach - TOP_CLEARANCE * mesh.bound_radius {
            return (start, start_id);
        }
        if best == here {
            break;
        }
    }
    (best, mesh_id.get(best).map_or(0, |&id| id as usize))
}

/// Mesh vertices that share an edge of the hull with a hull vertex.
pub(crate) fn hull_neighbours<'a>(
    mesh: &MeshShape<'a>,
    hull_vertex: usize,
) -> impl Iterator<Item = usize> + use<'a> {
    let Hull { edge_start, mesh_id, edges } = Hull::new(mesh.graph);
    let first = edge_start.get(hull_vertex).map_or(usize::MAX, |&adr| adr as usize);
    let list = edges.get(first..).unwrap_or_default();
    list.iter().map_while(|&neighbour| mesh_id.get(neighbour as usize)).map(|&id| id as usize)
}

/// The parts of a hull graph that a walk needs.
pub(crate) struct Hull<'a> {
    /// First edge of each hull vertex.
    edge_start: &'a [i32],
    /// Mesh vertex of each hull vertex.
    pub(crate) mesh_id: &'a [i32],
    /// Neighbours of the hull vertices, one list after the other.
    edges: &'a [i32],
}

impl<'a> Hull<'a> {
    /// Hull vertices that share an edge with a hull vertex.
    pub(crate) fn neighbours(&self, hull_vertex: usize) -> impl Iterator<Item = usize> + use<'a> {
        let first = self.edge_start.get(hull_vertex).map_or(usize::MAX, |&adr| adr as usize);
        let list = self.edges.get(first..).unwrap_or_default();
        // a negative entry ends the list
        list.iter().map_while(|&neighbour| usize::try_from(neighbour).ok())
    }

    #[inline(always)]
    pub(crate) fn new(graph: &'a [i32]) -> Self {
        let count = graph.first().map_or(0, |&n| usize::try_from(n).unwrap_or(0));
        Self {
            edge_start: graph.get(2..2 + count).unwrap_or_default(),
            mesh_id: graph.get(2 + count..2 + 2 * count).unwrap_or_default(),
            edges: graph.get(2 + 2 * count..).unwrap_or_default(),
        }
    }
}
