//! Plane against mesh at reference level 4.0: corners of the hull face below which the plane is most nearly
//! parallel.
//!
//! The face is one of those around the deepest vertex. Of more than four corners, the deepest one and three
//! that span a large area with it are contacts, as far as they reach below the margin.

use kinetree_math::Vec3;

use super::plane_convex::point_contact;
use crate::gjk::clip::rotating_quad;
use crate::gjk::feature::{corners_of, polygons_at};
use crate::gjk::hull_graph::vertex_reach;
use crate::gjk::support::climbs_hull;
use crate::gjk::vec::{V3, cross, dot, norm, sub};
use crate::{ContactPoint, MeshShape, Pose};

/// Components of a direction above this count when a walk over the hull chooses its start.
const OCTANT: f64 = 0.4;

/// Plane and mesh: up to four contacts, the deepest vertex first, the others in the order of their face.
pub fn plane_mesh_face(
    plane: &Pose,
    pose: &Pose,
    mesh: &MeshShape<'_>,
    margin: f64,
    out: &mut Vec<ContactPoint>,
) {
    let normal = plane.axis(2);
    let down: V3 = pose.mat.tr_mul(&-normal).into();
    let contact = |id: usize| {
        let vertex = mesh.vert.get(id)?.map(f64::from);
        let contact = point_contact(plane, &normal, &(pose.mat * Vec3::from(vertex) + pose.pos));
        (contact.dist <= margin).then_some(contact)
    };
    let deepest = deepest_vertex(mesh, &down);
    let Some(first) = contact(deepest) else { return };
    out.push(first);

    let Some(corners) = flattest_face(mesh, deepest, &down) else { return };
    let Some(start) = corners.iter().position(|&corner| corner as usize == deepest) else { return };
    let count = corners.len();
    let corner = |i: usize| corners[(start + i) % count] as usize;
    let mut push = |i: usize| out.extend(contact(corner(i)));
    if count <= 4 {
        (1..count).for_each(&mut push);
        return;
    }
    let local = |i: usize| mesh.vert.get(corner(i)).map_or([0.0; 3], |vertex| vertex.map(f64::from));
    let area = |quad: [usize; 4]| {
        let [a, b, c, d] = quad.map(local);
        norm(&cross(&sub(&c, &a), &sub(&d, &b)))
    };
    let mut quad = rotating_quad(count, 1, area);
    quad.sort_unstable();
    quad[1..].iter().copied().for_each(push);
}

/// The farthest vertex along a direction. Larger hulls are climbed from their extreme vertex in the direction
/// of the face, edge or corner of a cube that is nearest, smaller ones are searched.
fn deepest_vertex(mesh: &MeshShape<'_>, down: &V3) -> usize {
    if !climbs_hull(mesh) {
        return farthest(mesh.vert.iter().map(|vertex| vertex_reach(vertex, down)));
    }
    let hull = crate::gjk::hull_graph::Hull::new(mesh.graph);
    let reach = |hull_vertex: usize| {
        let vertex = hull.mesh_id.get(hull_vertex).and_then(|&id| mesh.vert.get(id as usize));
        vertex.map_or(f64::NEG_INFINITY, |vertex| vertex_reach(vertex, down))
    };
    let octant = down.map(|x| f32::from(i8::from(x > OCTANT) - i8::from(x < -OCTANT)));
    let along = |&id: &i32| {
        let [x, y, z] = mesh.vert.get(id as usize).copied().unwrap_or_default();
        f64::from(x * octant[0] + y * octant[1] + z * octant[2])
    };
    let mut best = farthest(hull.mesh_id.iter().map(along));
    let mut highest = reach(best);
    loop {
        let here = best;
        for neighbour in hull.neighbours(here) {
            let candidate = reach(neighbour);
            if candidate > highest {
                (best, highest) = (neighbour, candidate);
            }
        }
        if best == here {
            return hull.mesh_id.get(best).map_or(0, |&id| id as usize);
        }
    }
}

/// The first of the largest values.
fn farthest(values: impl Iterator<Item = f64>) -> usize {
    let first = (0, f64::NEG_INFINITY);
    values.enumerate().fold(first, |best, next| if next.1 > best.1 { next } else { best }).0
}

/// Corners of the face around a vertex whose normal is nearest to a direction.
fn flattest_face<'a>(mesh: &MeshShape<'a>, vertex: usize, down: &V3) -> Option<&'a [i32]> {
    let faces = polygons_at(mesh, vertex as i32);
    let alignment =
        |&face: &i32| mesh.poly_normal.get(face as usize).map_or(-1.0, |normal| dot(normal, down));
    let face = faces.get(farthest(faces.iter().map(alignment)))?;
    Some(corners_of(mesh, *face))
}
