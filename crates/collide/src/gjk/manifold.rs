//! Several contact points where flat features of two boxes or meshes lie on each other.
//!
//! From the closest face of EPA: look for a pair of parallel faces, else for an edge of one shape lying in a
//! face of the other; clip one by the other. All points share the depth of the single contact.

use super::clip::Clipper;
use super::feature::{EdgeCandidate, FaceCandidate, PARALLEL, Touch, outline};
use super::polytope::Polytope;
use super::search::Search;
use super::support::{Convex, Pair};
use super::vec::{V3, dot, neg, norm, same_point, scale, sub};

/// An edge is parallel to a face if the sine of their angle is below this (1.6 mrad).
const EDGE_PARALLEL: f64 = 0.00159999931;
/// Most points that [`Manifold`] can hold: two boxes need eight, meshes may have more corners.
pub(crate) const MAX_POINTS: usize = 50;

/// Matching points on the two shapes.
#[derive(Clone, Debug)]
pub(crate) struct Manifold {
    pub(crate) on1: [V3; MAX_POINTS],
    pub(crate) on2: [V3; MAX_POINTS],
    pub(crate) count: usize,
    faces1: Vec<FaceCandidate>,
    faces2: Vec<FaceCandidate>,
    edges: Vec<EdgeCandidate>,
    outline1: Vec<V3>,
    outline2: Vec<V3>,
    clipper: Clipper,
}

impl Default for Manifold {
    fn default() -> Self {
        Self {
            on1: [[0.0; 3]; MAX_POINTS],
            on2: [[0.0; 3]; MAX_POINTS],
            count: 0,
            faces1: Vec::new(),
            faces2: Vec::new(),
            edges: Vec::new(),
            outline1: Vec::new(),
            outline2: Vec::new(),
            clipper: Clipper::default(),
        }
    }
}

impl Manifold {
    /// The single contact of a search.
    pub(crate) fn set_single(&mut self, search: &Search) {
        self.count = usize::from(search.has_witness);
        self.on1[0] = search.x1;
        self.on2[0] = search.x2;
    }

    /// Replace the single contact by up to `limit` points if flat features match.
    pub(crate) fn spread(
        &mut self,
        polytope: &Polytope,
        face: usize,
        search: &Search,
        pair: &Pair,
        limit: usize,
    ) {
        let without_polygons = |shape: &Convex| shape.mesh().is_some_and(|mesh| mesh.poly_normal.is_empty());
        if without_polygons(&pair.a) || without_polygons(&pair.b) {
            return;
        }
        let triangle = polytope.corners(face);
        let touch1 = Touch::new(&triangle, |v| (v.id1, v.on1.array()));
        let touch2 = Touch::new(&triangle, |v| (v.id2, v.on2.array()));
        let dir = sub(&search.x2, &search.x1);
        let depth = norm(&dir);
        touch1.faces(&pair.a, &neg(&dir), &mut self.faces1);
        touch2.faces(&pair.b, &dir, &mut self.faces2);

        if let Some((face1, face2)) = opposite_faces(&self.faces1, &self.faces2) {
            outline(&pair.a, face1.face, &mut self.outline1);
            outline(&pair.b, face2.face, &mut self.outline2);
            self.collect(true, &face1.normal, &scale(&face2.normal, depth), limit);
        } else if touch1.count < 3 && touch1.count <= touch2.count {
            touch1.edges(&pair.a, &mut self.edges);
            if let Some((edge, face2)) = edge_in_face(&self.edges, &self.faces2) {
                self.outline1.clear();
                self.outline1.extend([*touch1.anchor(), edge.end]);
                outline(&pair.b, face2.face, &mut self.outline2);
                self.collect(false, &face2.normal, &scale(&face2.normal, depth), limit);
            }
        } else if touch2.count < 3 {
            touch2.edges(&pair.b, &mut self.edges);
            if let Some((edge, face1)) = edge_in_face(&self.edges, &self.faces1) {
                outline(&pair.a, face1.face, &mut self.outline1);
                self.outline2.clear();
                self.outline2.extend([*touch2.anchor(), edge.end]);
                self.collect(true, &face1.normal, &scale(&face1.normal, -depth), limit);
            }
        }
    }

    /// Clip one outline by the other (the first one clips if `first_clips`); `across` leads from shape 1 to
    /// shape 2.
    fn collect(&mut self, first_clips: bool, normal: &V3, across: &V3, limit: usize) {
        let (subject, outline) =
            if first_clips { (&self.outline2, &self.outline1) } else { (&self.outline1, &self.outline2) };
        if outline.len() < 3 {
            return;
        }
        self.clipper.clip(subject, outline, normal);
        let polygon = &self.clipper.polygon;
        if polygon.is_empty() {
            return;
        }
        self.count = 0;
        if limit < 5 && polygon.len() > 4 {
            for point in self.clipper.largest_quad() {
                self.on2[self.count] = point;
                self.on1[self.count] = sub(&point, across);
                self.count += 1;
            }
            return;
        }
        for point in polygon {
            let known = self.on2[..self.count].iter().any(|other| same_point(other, point));
            if known || self.count == MAX_POINTS {
                continue;
            }
            self.on2[self.count] = *point;
            self.on1[self.count] = sub(point, across);
            self.count += 1;
        }
    }
}

/// First pair of faces that look at each other.
fn opposite_faces(
    faces1: &[FaceCandidate],
    faces2: &[FaceCandidate],
) -> Option<(FaceCandidate, FaceCandidate)> {
    faces1.iter().find_map(|face1| {
        let facing = |face2: &&FaceCandidate| dot(&face1.normal, &face2.normal) < -PARALLEL;
        faces2.iter().find(facing).map(|face2| (*face1, *face2))
    })
}

/// First face that an edge lies in.
fn edge_in_face(edges: &[EdgeCandidate], faces: &[FaceCandidate]) -> Option<(EdgeCandidate, FaceCandidate)> {
    faces.iter().find_map(|face| {
        let lies_in = |edge: &&EdgeCandidate| dot(&edge.dir, &face.normal).abs() < EDGE_PARALLEL;
        edges.iter().find(lies_in).map(|edge| (*edge, *face))
    })
}
