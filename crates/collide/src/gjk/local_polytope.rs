//! Vertices, support points and ties of a polytope in its own frame, as [`super::medial_distance`] needs
//! them.

use super::feature::{corners_of, polygons_at};
use super::hull_graph::{LOWEST, climb_hull, hull_neighbours, vertex_reach};
use super::support::{Climb, Convex, Core, mesh_vertex};
use super::vec::{V3, dot, neg, sub};
use crate::shape::MeshShape;

/// Vertices of a polytope that reach equally far.
pub(crate) enum Ties {
    /// One vertex.
    Corner,
    /// Two vertices, and the vector between them.
    Edge(V3),
    /// Three vertices or more, or nobody knows.
    Face,
}

impl Convex<'_> {
    /// Both ends of the medial axis: the segment of a capsule, or twice the centre of a sphere, in the frame
    /// of another shape; `None` for anything else.
    #[inline]
    pub(crate) fn medial_segment(&self, frame: &Convex) -> Option<[V3; 2]> {
        let center = frame.axes.to_local(&sub(&self.pos, &frame.pos));
        match self.core {
            Core::Sphere(_) => Some([center; 2]),
            Core::Capsule(_, half_length) => {
                let axis = frame.axes.to_local(&self.axes.0[2]);
                let end = |reach: f64| [0, 1, 2].map(|k| center[k] + reach * axis[k]);
                Some([end(-half_length), end(half_length)])
            }
            _ => None,
        }
    }

    /// The corners of the upper side of a prism.
    #[inline]
    pub(crate) fn prism_top(&self) -> Option<&[V3; 3]> {
        match self.core {
            Core::Prism(top, _) => Some(top),
            _ => None,
        }
    }

    /// Square of a length that numbers in the local frame are not much larger than.
    #[inline]
    pub(crate) fn size_squared(&self) -> f64 {
        match &self.core {
            Core::Prism(top, bottom) => dot(&top[0], &top[0]) + bottom * bottom,
            Core::Box(half) => dot(half, half),
            Core::MeshScan(mesh) | Core::MeshClimb(mesh, _) => mesh.bound_radius * mesh.bound_radius,
            _ => 0.0,
        }
    }

    /// A vertex by its number.
    #[inline]
    pub(crate) fn local_vertex(&self, vertex: u32) -> V3 {
        match &self.core {
            Core::Prism(top, bottom) => {
                let corner = &top[(vertex % 3) as usize];
                if vertex < 3 { *corner } else { [corner[0], corner[1], *bottom] }
            }
            Core::Box(half) => {
                [0, 1, 2].map(|k| if vertex >> k & 1 != 0 { half[k as usize] } else { -half[k as usize] })
            }
            Core::MeshScan(mesh) | Core::MeshClimb(mesh, _) => mesh_vertex(mesh, vertex as usize),
            _ => [0.0; 3],
        }
    }

    /// Three corners of the polygon at a vertex of a mesh that looks most along `dir`.
    #[inline]
    pub(crate) fn face_towards(&self, vertex: u32, dir: &V3) -> Option<[u32; 3]> {
        let mesh = self.mesh()?;
        let mut best = None;
        let mut highest = 0.0;
        for &polygon in polygons_at(mesh, vertex as i32) {
            let height = mesh.poly_normal.get(polygon as usize).map_or(0.0, |normal| dot(normal, dir));
            if height > highest {
                (best, highest) = (Some(polygon), height);
            }
        }
        let corners = corners_of(mesh, best?);
        let at = corners.iter().position(|&corner| corner == vertex as i32)?;
        let before = corners[if at == 0 { corners.len() - 1 } else { at - 1 }];
        let after = corners[if at + 1 == corners.len() { 0 } else { at + 1 }];
        Some([before as u32, vertex, after as u32])
    }

    /// A vertex for which `⟨x, vertex⟩` is smallest.
    #[inline]
    pub(crate) fn lowest(&mut self, x: &V3) -> (u32, V3) {
        let vertex = match &self.core {
            Core::Prism(top, _) => {
                let reach = |k: usize| {
                    let height = if x[2] > 0.0 { 0.0 } else { x[2] * top[k][2] };
                    x[0] * top[k][0] + x[1] * top[k][1] + height
                };
                let [a, b, c] = [reach(0), reach(1), reach(2)];
                let (k, low) = if b < a { (1, b) } else { (0, a) };
                let k = if c < low { 2 } else { k };
                k + if x[2] > 0.0 { 3 } else { 0 }
            }
            Core::Box(_) => u32::from(x[0] < 0.0) | u32::from(x[1] < 0.0) << 1 | u32::from(x[2] < 0.0) << 2,
            Core::MeshScan(mesh) => lowest_of(mesh, 0..mesh.vert.len(), x),
            Core::MeshClimb(mesh, Climb::Lanes(lanes)) => lowest_of(mesh, lanes.near_top(&neg(x)), x),
            Core::MeshClimb(mesh, Climb::Graph | Climb::Hull(_)) => {
                let (hull_vertex, vertex) = climb_hull(mesh, &neg(x), self.hull_start(mesh));
                self.settle(hull_vertex, vertex);
                vertex as u32
            }
            _ => 0,
        };
        (vertex, self.local_vertex(vertex))
    }

    /// The vertices for which `⟨x, vertex⟩` is within `tolerance` of the smallest.
    pub(crate) fn ties(&mut self, x: &V3, tolerance: f64) -> Ties {
        let (lowest, corner) = self.lowest(x);
        let limit = dot(x, &corner) + tolerance;
        let mut ties = Ties::Corner;
        let mut tie = |vertex: u32, position: &V3| {
            if vertex != lowest && dot(x, position) <= limit {
                ties = match ties {
                    Ties::Corner => Ties::Edge(sub(position, &corner)),
                    _ => Ties::Face,
                };
            }
        };
        let count = match &self.core {
            Core::Prism(..) => 6,
            Core::Box(_) => 8,
            Core::MeshScan(mesh) => mesh.vert.len() as u32,
            Core::MeshClimb(mesh, Climb::Lanes(lanes)) => {
                for vertex in lanes.near_top(&neg(x)) {
                    tie(vertex as u32, &mesh_vertex(mesh, vertex));
                }
                return ties;
            }
            // vertices that reach equally far are neighbours
            Core::MeshClimb(mesh, Climb::Graph | Climb::Hull(_)) => {
                for vertex in hull_neighbours(mesh, self.hull_start(mesh)) {
                    tie(vertex as u32, &mesh_vertex(mesh, vertex));
                }
                return ties;
            }
            _ => return Ties::Face,
        };
        for vertex in 0..count {
            tie(vertex, &self.local_vertex(vertex));
        }
        ties
    }
}

/// The vertex with the smallest `⟨x, vertex⟩` among some.
#[inline]
fn lowest_of(mesh: &MeshShape, vertices: impl Iterator<Item = usize>, x: &V3) -> u32 {
    let mut best = 0;
    let mut lowest = -LOWEST;
    for vertex in vertices {
        let reach = mesh.vert.get(vertex).map_or(f64::NAN, |v| vertex_reach(v, x));
        if reach < lowest {
            (best, lowest) = (vertex, reach);
        }
    }
    best as u32
}
