//! What edges and faces of a deformable body can touch: the corners and edges of a geom.
//!
//! Boxes and hulls are convex polyhedra. A sphere is one corner and a capsule one edge, both swept by a ball.

use kinetree_collide::{MeshShape, Shape};
use kinetree_math::Vec3;

/// Cosine up to which a direction counts as perpendicular, so that a sheet that lies flat on a face touches
/// its corners.
const FLAT: f64 = 0.01;

/// An edge of a polyhedron.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HullEdge {
    pub(crate) ends: [Vec3; 2],
    /// Unit vectors into the faces on both sides, perpendicular to the edge; zero for the edge of a capsule,
    /// which has none.
    into: [Vec3; 2],
}

/// A corner of a polyhedron.
#[derive(Debug, Clone, Copy)]
struct Corner {
    position: Vec3,
    /// Where the directions of its edges begin and end.
    first: usize,
    end: usize,
}

/// Corners and edges in the frame of a geom, swept by a ball.
#[derive(Debug, Default)]
pub(crate) struct Polyhedron {
    corners: Vec<Corner>,
    /// Outward unit normals of the faces, and how far each face lies along its normal (m).
    faces: Vec<(Vec3, f64)>,
    pub(crate) edges: Vec<HullEdge>,
    /// Unit vectors along the edges that leave a corner, one corner after the other.
    directions: Vec<Vec3>,
    /// Radius of the ball (m); zero for a polyhedron.
    pub(crate) radius: f64,
    /// Corners with the edges that leave them, while a polyhedron is made.
    leaving: Vec<(u32, Vec3)>,
}

impl Polyhedron {
    /// Takes in the corners and edges of a shape. Says whether it has any.
    pub(crate) fn fill(&mut self, shape: &Shape<'_>) -> bool {
        self.corners.clear();
        self.faces.clear();
        self.edges.clear();
        self.directions.clear();
        self.leaving.clear();
        self.radius = 0.0;
        match shape {
            Shape::Sphere { radius } => {
                self.radius = *radius;
                self.corners.push(Corner { position: Vec3::zeros(), first: 0, end: 0 });
            }
            Shape::Capsule { radius, half_length } => {
                self.radius = *radius;
                let ends = [-*half_length, *half_length].map(|z| Vec3::new(0.0, 0.0, z));
                self.add_edge(ends, [0, 1], [Vec3::zeros(); 2]);
                self.sort_corners(|corner| ends[corner as usize]);
            }
            Shape::Box { half } => self.fill_box(half),
            Shape::Mesh(mesh) => self.fill_hull(mesh),
            _ => return false,
        }
        !self.corners.is_empty()
    }

    fn fill_box(&mut self, half: &Vec3) {
        for axis in 0..3 {
            self.faces.extend([1.0, -1.0].map(|side| (Vec3::ith(axis, side), half[axis])));
        }
        // the bits of a corner's number say on which side it is
        let corner = |number: u32| {
            Vec3::from_fn(|axis, _| if number >> axis & 1 == 1 { half[axis] } else { -half[axis] })
        };
        for number in 0..8_u32 {
            for axis in (0..3).filter(|axis| number >> axis & 1 == 0) {
                let inward = |k: usize| {
                    let side = if number >> k & 1 == 1 { -1.0 } else { 1.0 };
                    side * Vec3::ith(k, 1.0)
                };
                let ends = [number, number | 1 << axis];
                self.add_edge(ends.map(corner), ends, [inward((axis + 1) % 3), inward((axis + 2) % 3)]);
            }
        }
        self.sort_corners(corner);
    }

    fn fill_hull(&mut self, mesh: &MeshShape<'_>) {
        let vertex = |v: u32| Vec3::from(mesh.vert[v as usize].map(f64::from));
        let around = |v: u32| {
            let first = mesh.poly_map_adr[v as usize] as usize;
            &mesh.poly_map[first..first + mesh.poly_map_num[v as usize] as usize]
        };
        for polygon in 0..mesh.poly_normal.len() {
            let first = mesh.poly_vert_adr[polygon] as usize;
            let corners = &mesh.poly_vert[first..first + mesh.poly_vert_num[polygon] as usize];
            let normal = Vec3::from(mesh.poly_normal[polygon]);
            self.faces.extend(corners.first().map(|&v| (normal, normal.dot(&vertex(v as u32)))));
            for (k, &a) in corners.iter().enumerate() {
                let (a, b) = (a as u32, corners[(k + 1) % corners.len()] as u32);
                // the face on the other side has the edge in the other direction
                let shared = |other: &&i32| **other as usize != polygon && around(b).contains(other);
                let Some(&other) = around(a).iter().find(shared).filter(|_| a < b) else { continue };
                let normals = [polygon, other as usize].map(|face| Vec3::from(mesh.poly_normal[face]));
                let ends = [vertex(a), vertex(b)];
                let along = ends[1] - ends[0];
                // counter-clockwise: the face is on the left of the edge
                let into = [normals[0].cross(&along), -normals[1].cross(&along)];
                let flat = normals[0].dot(&normals[1]) > 1.0 - 1e-6;
                if !flat && let [Some(left), Some(right)] = into.map(|v| v.try_normalize(0.0)) {
                    self.add_edge(ends, [a, b], [left, right]);
                }
            }
        }
        self.sort_corners(vertex);
    }

    fn add_edge(&mut self, ends: [Vec3; 2], corners: [u32; 2], into: [Vec3; 2]) {
        if let Some(along) = (ends[1] - ends[0]).try_normalize(0.0) {
            self.edges.push(HullEdge { ends, into });
            self.leaving.extend([(corners[0], along), (corners[1], -along)]);
        }
    }

    /// Makes the corners of the edges.
    fn sort_corners(&mut self, position: impl Fn(u32) -> Vec3) {
        let Self { corners, directions, leaving, .. } = self;
        leaving.sort_unstable_by_key(|(corner, _)| *corner);
        for of_corner in leaving.chunk_by(|a, b| a.0 == b.0) {
            let first = directions.len();
            directions.extend(of_corner.iter().map(|(_, along)| *along));
            corners.push(Corner { position: position(of_corner[0].0), first, end: directions.len() });
        }
    }

    /// Positions of the corners.
    pub(crate) fn corners(&self) -> impl ExactSizeIterator<Item = Vec3> + '_ {
        self.corners.iter().map(|corner| corner.position)
    }

    /// Whether all of the polyhedron lies behind a plane through a corner with a unit normal.
    pub(crate) fn is_behind(&self, corner: usize, normal: &Vec3) -> bool {
        let Corner { first, end, .. } = self.corners[corner];
        self.directions[first..end].iter().all(|along| along.dot(normal) <= FLAT)
    }

    /// Whether something with these corners that is `depth` (m) deep inside leaves along a direction, and has
    /// no shorter way out through a face or against the direction.
    pub(crate) fn is_shortest_way_out(&self, points: &[Vec3], normal: &Vec3, depth: f64) -> bool {
        let [low, high] = self.corners().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| {
            let along = x.dot(normal);
            [low.min(along), high.max(along)]
        });
        depth <= 0.5 * (high - low)
            && self.faces.iter().all(|(normal, offset)| {
                let deepest = points.iter().fold(f64::INFINITY, |least, x| least.min(normal.dot(x)));
                offset - deepest >= depth * (1.0 - FLAT)
            })
    }
}

impl HullEdge {
    /// The unit normal of the two that are perpendicular to this edge and to another one, for which all of
    /// the polyhedron lies behind the plane through this edge; `None` if there is none.
    pub(crate) fn normal_with(&self, along: &Vec3) -> Option<Vec3> {
        let own = self.ends[1] - self.ends[0];
        let cross = own.cross(along);
        // of nearly parallel edges the normal is arbitrary, and other features are as near
        let normal = cross.try_normalize(1e-3 * (own.norm() * along.norm()))?;
        let side = normal.dot(&(self.into[0] + self.into[1]));
        let normal = if side > 0.0 { -normal } else { normal };
        self.into.iter().all(|into| into.dot(&normal) <= FLAT).then_some(normal)
    }
}
