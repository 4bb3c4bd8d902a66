//! Which faces and edges of boxes and meshes take part in a contact.
//!
//! EPA ends with a triangle of the Minkowski difference, whose corners name one, two or three distinct
//! vertices of each shape. Those vertices belong to a face, an edge (two faces) or a corner (several faces);
//! the functions here list the candidates, and give the outline of the one that is chosen.

use super::support::{Convex, Core, Vertex};
use super::vec::{V3, dot, normalized, scale, sub};
use crate::shape::MeshShape;

/// Two normals closer than this (cosine of 1.6 mrad) count as parallel.
pub(crate) const PARALLEL: f64 = 0.99999872;
/// Candidates and polygon corners beyond this number are not looked at.
const MAX_POLYGON: usize = 150;

/// A face that may be in contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FaceCandidate {
    /// Outward normal in world coordinates.
    pub(crate) normal: V3,
    /// Box face (0..6: +x, -x, +y, -y, +z, -z) or polygon of the mesh.
    pub(crate) face: usize,
}

/// An edge that may be in contact, seen from the touching vertex.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeCandidate {
    /// Unit direction in world coordinates.
    pub(crate) dir: V3,
    /// Other end of the edge.
    pub(crate) end: V3,
}

/// The distinct vertices of one shape in a triangle of the Minkowski difference.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    /// Number of distinct vertices: 1 corner, 2 edge, 3 face.
    pub(crate) count: usize,
    ids: [i32; 3],
    points: [V3; 3],
}

impl Touch {
    /// From the ids and positions that `pick` takes from the three vertices.
    pub(crate) fn new(triangle: &[&Vertex; 3], pick: impl Fn(&Vertex) -> (i32, V3)) -> Self {
        let picked = [pick(triangle[0]), pick(triangle[1]), pick(triangle[2])];
        let mut ids = picked.map(|p| p.0);
        let mut points = picked.map(|p| p.1);
        let count = if ids[0] != ids[1] {
            if ids[2] == ids[0] || ids[2] == ids[1] { 2 } else { 3 }
        } else if ids[0] != ids[2] {
            (ids[1], points[1]) = (ids[2], points[2]);
            2
        } else {
            1
        };
        Self { count, ids, points }
    }

    /// The first vertex.
    pub(crate) fn anchor(&self) -> &V3 {
        &self.points[0]
    }

    /// List the faces of `shape` at the touching vertices. `outward` points out of the shape along the
    /// contact.
    pub(crate) fn faces(&self, shape: &Convex, outward: &V3, out: &mut Vec<FaceCandidate>) {
        out.clear();
        match &shape.core {
            Core::Box(_) => self.box_faces(shape, outward, out),
            Core::MeshScan(mesh) | Core::MeshClimb(mesh, _) => self.mesh_faces(shape, mesh, out),
            _ => {}
        }
    }

    /// List the edges of `shape` at the touching vertices; there are none if they span a face.
    pub(crate) fn edges(&self, shape: &Convex, out: &mut Vec<EdgeCandidate>) {
        out.clear();
        let anchor = self.anchor();
        if self.count == 2 {
            let end = self.points[1];
            out.push(EdgeCandidate { dir: normalized(&sub(&end, anchor)), end });
            return;
        }
        match &shape.core {
            Core::Box(half) => {
                let signed = |i: usize| if self.ids[0] >> i & 1 != 0 { half[i] } else { -half[i] };
                let corner = [signed(0), signed(1), signed(2)];
                for i in 0..3 {
                    let mut other = corner;
                    other[i] = -other[i];
                    let end = shape.point_to_world(&other);
                    out.push(EdgeCandidate { dir: normalized(&sub(&end, anchor)), end });
                }
            }
            Core::MeshScan(mesh) | Core::MeshClimb(mesh, _) => {
                for &polygon in polygons_at(mesh, self.ids[0]).iter().take(MAX_POLYGON) {
                    let end = previous_corner(mesh, polygon, self.ids[0]).map(|v| shape.point_to_world(&v));
                    out.push(match end {
                        Some(end) => EdgeCandidate { dir: normalized(&sub(&end, anchor)), end },
                        None => EdgeCandidate { dir: [1.0, 0.0, 0.0], end: *anchor },
                    });
                }
            }
            _ => {}
        }
    }

    fn box_faces(&self, shape: &Convex, outward: &V3, out: &mut Vec<FaceCandidate>) {
        let vertices = &self.ids[..self.count];
        for axis in 0..3 {
            let positive = vertices.iter().filter(|&&id| id >> axis & 1 != 0).count();
            // all vertices on one side share the face there
            if positive == self.count {
                out.push(box_face(shape, axis, 1.0));
            } else if positive == 0 {
                out.push(box_face(shape, axis, -1.0));
            }
        }
        if out.len() != 4 - self.count {
            out.clear();
            nearest_box_face(shape, outward, out);
        }
    }

    fn mesh_faces(&self, shape: &Convex, mesh: &MeshShape, out: &mut Vec<FaceCandidate>) {
        let mut push = |polygon: i32| {
            if let Some(normal) = mesh.poly_normal.get(polygon as usize) {
                out.push(FaceCandidate { normal: shape.axes.to_world(normal), face: polygon as usize });
            }
        };
        let around = polygons_at(mesh, self.ids[0]);
        if self.count == 1 {
            around.iter().take(MAX_POLYGON).for_each(|&polygon| push(polygon));
            return;
        }
        let second = polygons_at(mesh, self.ids[1]);
        let mut on_edge = around.iter().filter(|polygon| second.contains(polygon)).take(2);
        if self.count == 2 {
            on_edge.for_each(|&polygon| push(polygon));
        } else {
            let third = polygons_at(mesh, self.ids[2]);
            if let Some(&polygon) = on_edge.find(|polygon| third.contains(polygon)) {
                push(polygon);
            }
        }
    }
}

fn box_face(shape: &Convex, axis: usize, sign: f64) -> FaceCandidate {
    let normal = scale(&shape.axes.0[axis], sign);
    FaceCandidate { normal, face: 2 * axis + usize::from(sign < 0.0) }
}

/// The face whose normal is parallel to `outward`, if there is one.
fn nearest_box_face(shape: &Convex, outward: &V3, out: &mut Vec<FaceCandidate>) {
    let local = shape.axes.to_local(outward);
    let unit = scale(&local, 1.0 / dot(&local, &local).sqrt());
    for axis in 0..3 {
        for sign in [1.0, -1.0] {
            if sign * unit[axis] > PARALLEL {
                out.push(box_face(shape, axis, sign));
                return;
            }
        }
    }
}

pub(crate) fn polygons_at<'a>(mesh: &MeshShape<'a>, vertex: i32) -> &'a [i32] {
    slice_of(mesh.poly_map, mesh.poly_map_adr, mesh.poly_map_num, vertex)
}

pub(crate) fn corners_of<'a>(mesh: &MeshShape<'a>, polygon: i32) -> &'a [i32] {
    slice_of(mesh.poly_vert, mesh.poly_vert_adr, mesh.poly_vert_num, polygon)
}

/// `all[start[i]..][..count[i]]`, empty where that does not exist.
fn slice_of<'a>(all: &'a [i32], start: &[i32], count: &[i32], i: i32) -> &'a [i32] {
    let range = || {
        let start = usize::try_from(*start.get(i as usize)?).ok()?;
        let count = usize::try_from(*count.get(i as usize)?).ok()?;
        all.get(start..start.checked_add(count)?)
    };
    range().unwrap_or_default()
}

fn vertex(mesh: &MeshShape, id: i32) -> Option<V3> {
    mesh.vert.get(id as usize).map(|v| v.map(f64::from))
}

/// The corner before `corner` in a polygon.
fn previous_corner(mesh: &MeshShape, polygon: i32, corner: i32) -> Option<V3> {
    let corners = corners_of(mesh, polygon);
    let at = corners.iter().position(|&c| c == corner)?;
    vertex(mesh, corners[if at == 0 { corners.len() - 1 } else { at - 1 }])
}

/// Corners of a face in world coordinates, clockwise seen from outside.
pub(crate) fn outline(shape: &Convex, face: usize, out: &mut Vec<V3>) {
    out.clear();
    match &shape.core {
        Core::Box(half) => {
            if let Some(corners) = BOX_OUTLINES.get(face) {
                out.extend(
                    corners
                        .iter()
                        .map(|s| shape.point_to_world(&[s[0] * half[0], s[1] * half[1], s[2] * half[2]])),
                );
            }
        }
        Core::MeshScan(mesh) | Core::MeshClimb(mesh, _) => {
            let corners = corners_of(mesh, face as i32);
            let corners = &corners[..corners.len().min(MAX_POLYGON)];
            out.extend(
                corners.iter().rev().filter_map(|&id| vertex(mesh, id)).map(|v| shape.point_to_world(&v)),
            );
        }
        _ => {}
    }
}

/// Signs of the corners of each box face; the starting corner fixes the order of contacts.
const BOX_OUTLINES: [[V3; 4]; 6] = [
    [[1.0, 1.0, 1.0], [1.0, 1.0, -1.0], [1.0, -1.0, -1.0], [1.0, -1.0, 1.0]],
    [[-1.0, 1.0, -1.0], [-1.0, 1.0, 1.0], [-1.0, -1.0, 1.0], [-1.0, -1.0, -1.0]],
    [[-1.0, 1.0, -1.0], [1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [-1.0, 1.0, 1.0]],
    [[-1.0, -1.0, 1.0], [1.0, -1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, -1.0, -1.0]],
    [[-1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [-1.0, -1.0, 1.0]],
    [[1.0, 1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, -1.0], [1.0, -1.0, -1.0]],
];
