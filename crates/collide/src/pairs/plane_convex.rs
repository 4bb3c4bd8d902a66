//! Plane against ellipsoid and mesh.
//!
//! The deepest point is the support point against the plane's normal. A mesh adds up to two more of its
//! vertices that reach below the margin and lie well apart from the first contact: neighbours of the deepest
//! vertex where the mesh has a hull graph, any vertex where it has none. At reference level 4.0 the contacts
//! are corners of a face instead (`plane_mesh_face`).

use kinetree_math::Vec3;

use crate::gjk::hull_graph::vertex_reach;
use crate::gjk::support::climbs_hull;
use crate::gjk::vec::{Axes, V3, add, column, dot, neg, norm, scale, sub};
use crate::vector::normalize;
use crate::{CcdScratch, ContactPoint, MeshShape, Pose};

/// Most contacts of a mesh with a plane.
const MAX_CONTACTS: usize = 3;
/// Further contacts keep at least this distance from the first one, relative to the bounding radius.
const SPACING: f64 = 0.3;

/// Contact of a plane with a point of another shape.
#[inline]
pub(super) fn point_contact(plane: &Pose, normal: &Vec3, point: &Vec3) -> ContactPoint {
    let dist = normal.dot(&(point - plane.pos));
    ContactPoint { dist, pos: point + normal * (-0.5 * dist), normal: *normal, tangent: Vec3::zeros() }
}

/// Plane and ellipsoid: at most one contact.
#[inline(always)]
pub fn plane_ellipsoid(
    plane: &Pose,
    ellipsoid: &Pose,
    semi_axes: &Vec3,
    margin: f64,
    out: &mut Vec<ContactPoint>,
) {
    let normal = plane.axis(2);
    let down = ellipsoid.mat.tr_mul(&-normal);
    let on_sphere = normalize(&down.component_mul(semi_axes)).0;
    let deepest = ellipsoid.mat * on_sphere.component_mul(semi_axes) + ellipsoid.pos;
    let contact = point_contact(plane, &normal, &deepest);
    if contact.dist <= margin {
        out.push(contact);
    }
}

/// Plane and mesh: up to three contacts, the deepest one first. Of the mesh, the vertices and the hull graph
/// are used.
#[inline(always)]
pub fn plane_mesh(
    plane: &Pose,
    pose: &Pose,
    mesh: &MeshShape<'_>,
    margin: f64,
    scratch: &mut CcdScratch,
    out: &mut Vec<ContactPoint>,
) {
    let normal = column(&plane.mat, 2);
    let axes = Axes::of(&pose.mat);
    let down = axes.to_local(&neg(&normal));
    let hull = Hull::of(mesh);
    let [lanes, _] = &mut scratch.vertex_lanes;
    let (deepest, hull_vertex) = match &hull {
        Some(hull) if climbs_hull(mesh) => match lanes.fill(mesh).and_then(|lanes| lanes.top(&down)) {
            Some(deepest) => (deepest, usize::MAX),
            None => hull.climb(mesh, &down),
        },
        // small hulls are searched by mesh ids; that the id then stands for a hull vertex is how the
        // reference engine chooses neighbours
        _ => scan(mesh, &down),
    };
    let Some(vertex) = mesh.vert.get(deepest) else { return };
    let (plane_pos, pos): (V3, V3) = (plane.pos.into(), pose.pos.into());
    let world = |vertex: &[f32; 3]| {
        add(&axes.to_world(&[f64::from(vertex[0]), f64::from(vertex[1]), f64::from(vertex[2])]), &pos)
    };
    let height = |point: &V3| dot(&normal, &sub(point, &plane_pos));
    let lifted = |point: &V3, dist: f64| add(point, &scale(&normal, -0.5 * dist));
    let point = world(vertex);
    let dist = height(&point);
    if dist > margin {
        return;
    }
    let first = lifted(&point, dist);
    push(out, dist, &first, &normal);

    // a vertex is within the margin when it reaches this far down from the mesh's origin
    let threshold = dot(&normal, &sub(&pos, &plane_pos)) - margin;
    let spacing = SPACING * mesh.bound_radius;
    // neighbours of the deepest vertex, or all others
    let edges = hull.as_ref().map(|hull| {
        let known = hull_vertex != usize::MAX;
        hull.edges_from(if known { hull_vertex } else { lanes.hull_vertex(deepest, hull.mesh_ids) })
    });
    let mut left = MAX_CONTACTS - 1;
    for index in 0.. {
        let id = match (edges, &hull) {
            (Some(edges), Some(hull)) => match edges.get(index) {
                Some(&neighbour) if neighbour >= 0 => hull.mesh_id(neighbour as usize),
                _ => return,
            },
            _ if index >= mesh.vert.len() => return,
            _ if index == deepest => continue,
            _ => index,
        };
        let Some(vertex) = mesh.vert.get(id) else { continue };
        if vertex_reach(vertex, &down) <= threshold {
            continue;
        }
        let point = world(vertex);
        if norm(&sub(&point, &first)) >= spacing {
            let dist = height(&point);
            push(out, dist, &lifted(&point, dist), &normal);
            left -= 1;
            if left == 0 {
                return;
            }
        }
    }
}

#[inline(always)]
fn push(out: &mut Vec<ContactPoint>, dist: f64, pos: &V3, normal: &V3) {
    out.push(ContactPoint {
        dist,
        pos: Vec3::from(*pos),
        normal: Vec3::from(*normal),
        tangent: Vec3::zeros(),
    });
}

/// The first of the farthest vertices along a direction, twice.
fn scan(mesh: &MeshShape<'_>, direction: &V3) -> (usize, usize) {
    let (mut best, mut farthest) = (usize::MAX, -1e10);
    for (index, vertex) in mesh.vert.iter().enumerate() {
        let distance = vertex_reach(vertex, direction);
        if distance > farthest {
            (best, farthest) = (index, distance);
        }
    }
    (best, best)
}

/// Edges of a mesh's convex hull; ids that do not exist read as vertices without neighbours.
struct Hull<'a> {
    edge_start: &'a [i32],
    mesh_ids: &'a [i32],
    edges: &'a [i32],
}

impl<'a> Hull<'a> {
    fn of(mesh: &MeshShape<'a>) -> Option<Self> {
        let count = usize::try_from(*mesh.graph.first()?).ok()?;
        let (edge_start, rest) = mesh.graph.get(2..)?.split_at_checked(count)?;
        let (mesh_ids, edges) = rest.split_at_checked(count)?;
        Some(Self { edge_start, mesh_ids, edges })
    }

    fn mesh_id(&self, hull_vertex: usize) -> usize {
        self.mesh_ids.get(hull_vertex).map_or(usize::MAX, |&id| id as usize)
    }

    /// Hull vertices that share an edge with `hull_vertex`, up to a negative entry.
    #[inline]
    fn edges_from(&self, hull_vertex: usize) -> &'a [i32] {
        let start = self.edge_start.get(hull_vertex).map_or(usize::MAX, |&adr| adr as usize);
        self.edges.get(start..).unwrap_or_default()
    }

    /// Walks along edges to the farthest vertex; returns its mesh id and its hull id.
    fn climb(&self, mesh: &MeshShape<'_>, direction: &V3) -> (usize, usize) {
        let far = |v: usize| {
            mesh.vert.get(self.mesh_id(v)).map_or(f64::NAN, |vertex| vertex_reach(vertex, direction))
        };
        let mut best = 0;
        let mut farthest = far(0);
        loop {
            let start = best;
            for neighbour in self.edges_from(start).iter().take_while(|&&v| v >= 0).map(|&v| v as usize) {
                let distance = far(neighbour);
                // two selections instead of a branch that nobody could predict
                let farther = distance > farthest;
                best = if farther { neighbour } else { best };
                farthest = if farther { distance } else { farthest };
            }
            if best == start {
                return (self.mesh_id(best), best);
            }
        }
    }
}
