//! Box against box at reference level 4.0: separating axes, then clipping of polygons.
//!
//! The direction with the largest separation among the six face normals and the nine edge products decides;
//! a separation beyond the margin ends the test. A face normal clips the face of the other box that is most
//! opposed to it, and keeps each corner with a depth of its own; an edge product makes one contact between
//! the two edges. Ties are decided as in the reference, to the last digit.

use kinetree_math::Vec3;

use crate::{ContactPoint, Pose};

/// Part of the sum of all half sizes by which rounding may separate boxes that touch.
const TOUCHING: f64 = 1e-13;
/// Squared sine of the angle between two edges below which they count as parallel.
const PARALLEL: f64 = 1e-16;
/// Advantage of an edge product over faces, in separations.
const EDGE_ADVANTAGE: f64 = 1e-6;
/// Cosine of the angle between an edge product and a face normal above which the face stands for it, ...
const NEAR_FACE: f64 = 0.99;
/// ... unless it separates less, by this part of its separation.
const FACE_SLACK: f64 = 0.05;
/// Component of an axis below which it does not tell which edge is the nearer one.
const UNDECIDED: f64 = 1e-9;
/// Distance of corners that are one, in diagonals of the face.
const SAME_CORNER: f64 = 1e-7;
/// Most contacts of two boxes, which clipping a rectangle by a rectangle cannot exceed but by rounding.
const MOST_CONTACTS: usize = 8;

/// Two boxes: up to eight contacts, all with the same normal.
pub fn box_box_clipped(
    box1: &Pose,
    half1: &Vec3,
    box2: &Pose,
    half2: &Vec3,
    margin: f64,
    out: &mut Vec<ContactPoint>,
) {
    let pair = Boxes::new([box1, box2], [half1, half2], margin);
    match pair.least_penetration() {
        None => (),
        Some(Axis::Face { owner, face }) => pair.clip_face(owner, face, out),
        Some(Axis::Edges { edges, axis }) => pair.join_edges(edges, &axis, out),
    }
}

/// A direction of the largest separation of two boxes.
enum Axis {
    /// The normal of a face of one of the boxes.
    Face { owner: usize, face: usize },
    /// The product of an edge of each, in the frame of the first box, from there to the second.
    Edges { edges: [usize; 2], axis: [f64; 3] },
}

/// Two boxes in the frames of each other.
struct Boxes<'a> {
    pose: [&'a Pose; 2],
    half: [[f64; 3]; 2],
    /// From the first box to the second, in the frame of each.
    offset: [[f64; 3]; 2],
    /// Axes of the second box in the frame of the first, one a column.
    rotation: [[f64; 3]; 3],
    margin: f64,
}

impl<'a> Boxes<'a> {
    fn new(pose: [&'a Pose; 2], half: [&Vec3; 2], margin: f64) -> Self {
        let between = pose[1].pos - pose[0].pos;
        let axis = |of: usize, k: usize| -> [f64; 3] { pose[of].mat.column(k).into() };
        let between: [f64; 3] = between.into();
        Self {
            pose,
            half: half.map(|&half| half.into()),
            offset: [0, 1].map(|of| [0, 1, 2].map(|k| dot(&axis(of, k), &between))),
            rotation: [0, 1, 2].map(|i| [0, 1, 2].map(|j| dot(&axis(0, i), &axis(1, j)))),
            margin,
        }
    }

    /// Separation beyond which there is no contact.
    fn tolerance(&self) -> f64 {
        let sum = |half: &[f64; 3]| half[0] + half[1] + half[2];
        self.margin + TOUCHING * (sum(&self.half[0]) + sum(&self.half[1]))
    }

    /// Axis of the second box in the frame of the first.
    fn column(&self, j: usize) -> [f64; 3] {
        [0, 1, 2].map(|i| self.rotation[i][j])
    }

    /// Separation along the normal of a face.
    fn face_separation(&self, owner: usize, face: usize) -> f64 {
        let across = if owner == 0 { self.rotation[face] } else { self.column(face) };
        let reach = dot(&across.map(f64::abs), &self.half[1 - owner]);
        self.offset[owner][face].abs() - self.half[owner][face] - reach
    }

    /// The direction with the largest separation, if none is beyond the margin.
    fn least_penetration(&self) -> Option<Axis> {
        let tolerance = self.tolerance();
        let (mut face, mut best) = ((0, 0), f64::NEG_INFINITY);
        for (owner, k) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)] {
            let separation = self.face_separation(owner, k);
            // also where it is no number
            if separation.partial_cmp(&tolerance).is_none_or(std::cmp::Ordering::is_gt) {
                return None;
            }
            if separation > best {
                (face, best) = ((owner, k), separation);
            }
        }
        let (of_face, mut edges) = (best, None);
        for i in 0..3 {
            for j in 0..3 {
                let Some(axis) = self.edge_axis(i, j) else { continue };
                let separation = self.edge_separation(&axis);
                if separation > tolerance {
                    return None;
                }
                if separation - EDGE_ADVANTAGE * separation.abs() > best && separation > of_face {
                    (best, edges) = (separation, Some(([i, j], axis)));
                }
            }
        }
        let (owner, k) = face;
        let is_clear = |axis: &[f64; 3]| {
            let cosine = if owner == 0 { axis[k] } else { dot(axis, &self.column(k)) };
            cosine.abs() <= NEAR_FACE || best >= of_face + FACE_SLACK * of_face.abs() + kinetree_math::MINVAL
        };
        Some(match edges.filter(|(_, axis)| is_clear(axis)) {
            Some((edges, axis)) => Axis::Edges { edges, axis },
            None => Axis::Face { owner, face: k },
        })
    }

    /// Unit product of two edges, from the first box to the second; `None` where they are parallel.
    fn edge_axis(&self, i: usize, j: usize) -> Option<[f64; 3]> {
        let other = self.column(j);
        let mut axis = [0.0; 3];
        (axis[(i + 1) % 3], axis[(i + 2) % 3]) = (-other[(i + 2) % 3], other[(i + 1) % 3]);
        let square = dot(&axis, &axis);
        if square < PARALLEL {
            return None;
        }
        let sign = if dot(&axis, &self.offset[0]) < 0.0 { -1.0 } else { 1.0 };
        let scale = sign / square.sqrt();
        Some(axis.map(|x| x * scale))
    }

    fn edge_separation(&self, axis: &[f64; 3]) -> f64 {
        let other = [0, 1, 2].map(|j| dot(axis, &self.column(j)).abs());
        dot(axis, &self.offset[0]).abs()
            - dot(&axis.map(f64::abs), &self.half[0])
            - dot(&other, &self.half[1])
    }

    /// The contact between the nearest edges of two directions.
    fn join_edges(&self, edges: [usize; 2], axis: &[f64; 3], out: &mut Vec<ContactPoint>) {
        let own = [0, 1, 2].map(|k| axis[k]);
        let other = [0, 1, 2].map(|k| -dot(axis, &self.column(k)));
        let direction = self.column(edges[1]);
        let mut nearest: Option<(f64, [[f64; 3]; 2])> = None;
        for first in middles(&own, edges[0], &self.half[0]) {
            for second in middles(&other, edges[1], &self.half[1]) {
                let second = [0, 1, 2].map(|i| self.offset[0][i] + dot(&self.rotation[i], &second));
                let lengths = [self.half[0][edges[0]], self.half[1][edges[1]]];
                let points = closest_points(&first, edges[0], &second, &direction, lengths);
                let between = [0, 1, 2].map(|k| points[1][k] - points[0][k]);
                let square = dot(&between, &between);
                if nearest.is_none_or(|(least, _)| square < least) {
                    nearest = Some((square, points));
                }
            }
        }
        let Some((_, [a, b])) = nearest else { return };
        let dist = dot(&[0, 1, 2].map(|k| b[k] - a[k]), axis);
        if dist > self.tolerance() {
            return;
        }
        let Pose { pos, mat } = self.pose[0];
        out.push(ContactPoint {
            dist,
            pos: mat * Vec3::from([0, 1, 2].map(|k| 0.5 * (a[k] + b[k]))) + pos,
            normal: mat * Vec3::from(*axis),
            tangent: Vec3::zeros(),
        });
    }

    /// The contacts of a face with what lies below it of the face that is most opposed to it.
    fn clip_face(&self, owner: usize, face: usize, out: &mut Vec<ContactPoint>) {
        let other = 1 - owner;
        // the other box in the frame of this one
        let across = |i: usize, j: usize| if owner == 0 { self.rotation[i][j] } else { self.rotation[j][i] };
        let towards = if owner == 0 { 1.0 } else { -1.0 };
        let offset = self.offset[owner].map(|x| towards * x);
        let side = if offset[face] < 0.0 { -1.0 } else { 1.0 };
        let (x, y) = ((face + 1) % 3, (face + 2) % 3);
        let half = &self.half[owner];

        let opposed = [0, 1, 2].map(|j| side * across(face, j));
        let mut incident = 0;
        for j in 1..3 {
            if opposed[j].abs() > opposed[incident].abs() {
                incident = j;
            }
        }
        let below = if opposed[incident] > 0.0 { -1.0 } else { 1.0 };
        let mut polygon = Polygon::default();
        for (u, v) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
            let mut corner = self.half[other];
            corner[incident] *= below;
            corner[(incident + 1) % 3] *= u;
            corner[(incident + 2) % 3] *= v;
            let at = |i: usize| offset[i] + dot(&[0, 1, 2].map(|j| across(i, j)), &corner);
            polygon.push([at(x), at(y), side * at(face) - half[face]]);
        }
        for (k, limit) in [(0, half[x]), (1, half[y])] {
            polygon = polygon.clipped(k, 1.0, limit).clipped(k, -1.0, limit);
        }

        let same = SAME_CORNER * 2.0 * half[x].hypot(half[y]);
        let Pose { pos, mat } = self.pose[owner];
        let start = out.len();
        let mut kept = Polygon::default();
        for corner in polygon.corners() {
            let is_other = |other: &[f64; 3]| {
                let d = [0, 1, 2].map(|k| corner[k] - other[k]);
                dot(&d, &d) > same * same
            };
            let is_new = kept.corners().iter().all(is_other);
            if corner[2] > self.margin || !is_new || out.len() - start == MOST_CONTACTS {
                continue;
            }
            kept.push(*corner);
            let mut local = Vec3::zeros();
            (local[x], local[y], local[face]) = (corner[0], corner[1], side * (half[face] + 0.5 * corner[2]));
            let normal = mat.column(face) * (side * towards);
            out.push(ContactPoint {
                dist: corner[2],
                pos: mat * local + pos,
                normal,
                tangent: Vec3::zeros(),
            });
        }
    }
}

/// Middles of the edges along `edge` that may be the farthest along an axis.
fn middles(axis: &[f64; 3], edge: usize, half: &[f64; 3]) -> impl Iterator<Item = [f64; 3]> {
    let signs = |k: usize| -> [f64; 2] {
        if axis[k].abs() < UNDECIDED { [1.0, -1.0] } else { [axis[k].signum(); 2] }
    };
    let (u, v) = ((edge + 1) % 3, (edge + 2) % 3);
    let (along_u, along_v, half) = (signs(u), signs(v), *half);
    [(0, 0), (0, 1), (1, 0), (1, 1)].into_iter().map(move |(a, b)| {
        let mut middle = [0.0; 3];
        (middle[u], middle[v]) = (along_u[a] * half[u], along_v[b] * half[v]);
        middle
    })
}

/// The closest points of two segments, the first along an axis, each given by its middle, its direction and
/// half its length.
fn closest_points(
    first: &[f64; 3],
    along: usize,
    second: &[f64; 3],
    direction: &[f64; 3],
    [half1, half2]: [f64; 2],
) -> [[f64; 3]; 2] {
    let between = [0, 1, 2].map(|k| first[k] - second[k]);
    let cosine = direction[along];
    let (own, other) = (between[along], dot(direction, &between));
    let denominator = 1.0 - cosine * cosine;
    let clamp = |value: f64, limit: f64| value.max(-limit).min(limit);
    let s = if denominator < kinetree_math::MINVAL { 0.0 } else { (cosine * other - own) / denominator };
    let t = clamp(cosine * clamp(s, half1) + other, half2);
    let s = clamp(cosine * t - own, half1);
    let mut a = *first;
    a[along] += s;
    [a, [0, 1, 2].map(|k| second[k] + t * direction[k])]
}

/// Corners of a convex polygon: two coordinates within a face and the height above it.
#[derive(Clone, Copy, Default)]
struct Polygon {
    corners: [[f64; 3]; MOST_CORNERS],
    count: usize,
}

/// A rectangle, and at most two corners more for each line that clips it where rounding has bent it.
const MOST_CORNERS: usize = 12;

impl Polygon {
    fn corners(&self) -> &[[f64; 3]] {
        &self.corners[..self.count]
    }

    fn push(&mut self, corner: [f64; 3]) {
        if let Some(slot) = self.corners.get_mut(self.count) {
            *slot = corner;
            self.count += 1;
        }
    }

    /// What is left where `sign` times a coordinate is at most a limit.
    fn clipped(&self, k: usize, sign: f64, limit: f64) -> Self {
        let mut out = Self::default();
        let corners = self.corners();
        for (i, a) in corners.iter().enumerate() {
            let b = &corners[(i + 1) % corners.len()];
            let (beyond_a, beyond_b) = (sign * a[k] - limit, sign * b[k] - limit);
            if beyond_a <= 0.0 {
                out.push(*a);
            }
            if (beyond_a <= 0.0) != (beyond_b <= 0.0) {
                let part = beyond_a / (beyond_a - beyond_b);
                out.push([0, 1, 2].map(|k| a[k] + part * (b[k] - a[k])));
            }
        }
        out
    }
}

/// Summed from the first component to the last: ties depend on it.
#[inline]
fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
