//! Contacts where an edge of each box is nearest.
//!
//! Next to its edge each box has a face that is more parallel to the other box. The face of box 1 becomes the
//! rectangle z = 0; the face of box 2 is a parallelogram that is projected onto the rectangle along the
//! contact normal. Contacts are the crossings of the projected sides with the rectangle's border, then the
//! rectangle's corners on the parallelogram, then the parallelogram's corners over the rectangle.

use kinetree_math::{MINVAL, Vec3};

use super::axis::EdgePair;
use super::box_pair::BoxPair;
use super::frame::{FaceFrame, clip_to_rectangle, rectangle_corners};
use crate::{ContactPoint, Pose};

/// Most contacts of one pair.
const MAX_CONTACTS: usize = 50;

/// Parallelogram of box 2 over the rectangle of box 1, in face coordinates.
struct Faces {
    frame: FaceFrame,
    /// Half sizes of box 1; x and y bound the rectangle.
    rectangle: Vec3,
    /// Corners of the face of box 2; the first two are the ends of the touching edge.
    corners: [Vec3; 4],
    /// The same corners projected along the normal onto z = 0.
    projected: [Vec3; 4],
    /// Contact normal as found, not yet from box 1 to box 2.
    normal: Vec3,
    /// Converts a height over the rectangle into a distance along the normal.
    height_scale: f64,
}

/// Collects contacts given in face coordinates.
struct Collector<'a> {
    out: &'a mut Vec<ContactPoint>,
    start: usize,
    world: Pose,
    lift: f64,
    normal: Vec3,
}

impl Collector<'_> {
    fn count(&self) -> usize {
        self.out.len() - self.start
    }

    fn push(&mut self, mut middle: Vec3, dist: f64) {
        if self.count() < MAX_CONTACTS {
            middle.z += self.lift;
            self.out.push(ContactPoint {
                dist,
                pos: self.world.mat * middle + self.world.pos,
                normal: self.normal,
                tangent: Vec3::zeros(),
            });
        }
    }
}

/// Appends the contacts around two touching edges.
pub(super) fn edge_manifold(pair: &BoxPair<'_>, edges: &EdgePair, out: &mut Vec<ContactPoint>) {
    let Some(faces) = Faces::new(pair, edges) else {
        return;
    };
    let world = faces.frame.to_world(&pair.pose[0].mat);
    let sign = if edges.reversed { -1.0 } else { 1.0 };
    let mut collector = Collector {
        start: out.len(),
        out,
        world: Pose { pos: pair.pose[0].pos, mat: world },
        lift: faces.rectangle.z,
        normal: world * faces.normal * sign,
    };
    faces.side_crossings(pair.margin, &mut collector);
    let crossings = collector.count();
    faces.rectangle_contacts(pair.margin, crossings, &mut collector);
    let touched = collector.count() > 0;
    faces.corner_contacts(pair.margin, crossings, touched, &mut collector);
}

/// Of the two axes other than `edge`, the one along which `weight` is larger comes first.
fn order_others(edge: usize, weight: impl Fn(usize) -> f64) -> (usize, usize) {
    let (first, second) = [(1, 2), (0, 2), (1, 0)][edge];
    if weight(first) < weight(second) { (second, first) } else { (first, second) }
}

impl Faces {
    /// Sets up the two faces; `None` when the normal lies in the plane of the rectangle.
    fn new(pair: &BoxPair<'_>, edges: &EdgePair) -> Option<Self> {
        let [edge1, edge2] = edges.axis;
        let absolute = |i: usize, j: usize| pair.rotation[(i, j)].abs();
        // the other box's edge leaves the chosen face steeply, and runs along the remaining axis
        let (side2, up2) = order_others(edge2, |k| absolute(edge1, k));
        let (_, up1) = order_others(edge1, |k| absolute(k, edge2));
        let face = if edges.corner[0] & (1 << up1) != 0 { up1 } else { up1 + 3 };
        let frame = FaceFrame::new(face);
        let rectangle = frame.half_to_face(pair.half[0]);
        let rotation = frame.rotation_to_face(&pair.rotation);
        let normal = frame.to_face(&edges.normal);
        if normal.z.abs() < MINVAL {
            return None;
        }

        let mut centre = frame.to_face(&pair.offset[0]);
        centre.z -= rectangle.z;
        let half = pair.half[1];
        let reach = |k: usize| {
            let sign = if edges.corner[1] & (1 << k) != 0 { 1.0 } else { -1.0 };
            rotation.column(k) * (half[k] * sign)
        };
        let along = rotation.column(edge2) * half[edge2];
        let near = centre + reach(side2) + reach(up2);
        let far = centre - reach(side2) + reach(up2);
        let corners = [near + along, near - along, far + along, far - along];
        let down = 1.0 / normal.z;
        Some(Self {
            frame,
            rectangle,
            corners,
            projected: corners.map(|c| c + normal * (-c.z * down)),
            normal,
            height_scale: down * if edges.reversed { -1.0 } else { 1.0 },
        })
    }

    /// Crossings of the projected parallelogram's sides with the border of the rectangle.
    fn side_crossings(&self, margin: f64, collector: &mut Collector<'_>) {
        let (p, c) = (&self.projected, &self.corners);
        let (p1, p2) = (p[1] - p[0], p[2] - p[0]);
        let (c1, c2) = (c[1] - c[0], c[2] - c[0]);
        let sides = [
            (p[0], p1, c[0], c1),
            (p[0], p2, c[0], c2),
            (p[0] + p1, p2, c[0] + c1, c2),
            (p[0] + p2, p1, c[0] + c2, c1),
        ];
        for (origin, direction, true_origin, true_direction) in &sides {
            clip_to_rectangle(origin, direction, &self.rectangle, |t, axis, limit, other| {
                if (true_origin.z + true_direction.z * t) * self.height_scale > margin {
                    return;
                }
                let mut middle = true_origin * 0.5 + true_direction * (0.5 * t);
                middle[axis] += 0.5 * limit;
                middle[1 - axis] += 0.5 * other;
                collector.push(middle, middle.z * self.height_scale * 2.0);
            });
        }
    }

    /// Corners of the rectangle against the parallelogram. Without crossings, a corner beside it is moved to
    /// its border.
    fn rectangle_contacts(&self, margin: f64, crossings: usize, collector: &mut Collector<'_>) {
        let (p, c) = (&self.projected, &self.corners);
        let (e1, e2) = (p[1] - p[0], p[2] - p[0]);
        let mut det = e1.x * e2.y - e2.x * e1.y;
        let outside = |t: f64| !(0.0..=1.0).contains(&t) && !t.is_nan();
        for (x, y) in rectangle_corners(&self.rectangle) {
            let (dx, dy) = (x - p[0].x, y - p[0].y);
            let u = (dx * e2.y - dy * e2.x) * (1.0 / det);
            let v = (dy * e1.x - dx * e1.y) * (1.0 / det);
            let skip = if crossings == 0 { outside(u) && outside(v) } else { outside(u) || outside(v) };
            if skip {
                continue;
            }
            let (u, v) = (u.clamp(0.0, 1.0), v.clamp(0.0, 1.0));
            let on_box2 = c[0] * (1.0 - u - v) + c[1] * u + c[2] * v;
            let on_box1 = Vec3::new(x, y, 0.0);
            let separation = on_box1 - on_box2;
            let separation_sqr = separation.dot(&separation);
            // the reference engine reuses this variable for the next corner; its contacts depend on it
            det = separation_sqr;
            if on_box2.z > 0.0 && separation_sqr > margin * margin {
                continue;
            }
            let sign = if on_box2.z < 0.0 { -1.0 } else { 1.0 };
            collector.push((on_box1 + on_box2) * 0.5, separation_sqr.sqrt() * sign);
        }
    }

    /// Corners of the parallelogram over the rectangle; those beside it only when nothing else was found in
    /// their way.
    fn corner_contacts(&self, margin: f64, crossings: usize, touched: bool, collector: &mut Collector<'_>) {
        for (projected, corner) in self.projected.iter().zip(&self.corners) {
            let beyond = |i: usize| projected[i] < -self.rectangle[i] || projected[i] > self.rectangle[i];
            let skip = if crossings > 0 { beyond(0) || beyond(1) } else { touched && beyond(0) && beyond(1) };
            if skip {
                continue;
            }
            let mut nearest = Vec3::new(projected.x, projected.y, 0.0);
            let height = corner.z * self.height_scale;
            let mut separation_sqr = 0.0;
            for i in 0..2 {
                if beyond(i) {
                    nearest[i] = self.rectangle[i].copysign(projected[i]);
                    let excess = projected[i] - nearest[i];
                    separation_sqr += excess * excess;
                }
            }
            separation_sqr += height * height;
            if corner.z > 0.0 && separation_sqr > margin * margin {
                continue;
            }
            let sign = if corner.z < 0.0 { -1.0 } else { 1.0 };
            collector.push(nearest * 0.5 + corner * 0.5, separation_sqr.sqrt() * sign);
        }
    }
}
