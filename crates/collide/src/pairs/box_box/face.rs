//! Contacts of a reference face with the lowest features of the other box.
//!
//! In the frame of the reference face (looking up, at z = 0) the other box has a lowest corner. The edges
//! that leave it within 60° of the horizontal span nothing, an edge, or a face; this feature is clipped
//! against the reference rectangle.

use kinetree_math::Vec3;

use super::box_pair::BoxPair;
use super::frame::{FaceFrame, clip_to_rectangle, rectangle_corners};
use crate::ContactPoint;

/// Vertical component from which an edge of the other box counts as standing.
const STANDING: f64 = 0.5;

/// Appends the contacts of face `face` of box `reference` with the other box.
pub(super) fn face_manifold(pair: &BoxPair<'_>, reference: usize, face: usize, out: &mut Vec<ContactPoint>) {
    let frame = FaceFrame::new(face);
    let rotation = if reference == 0 {
        frame.rotation_to_face(&pair.rotation)
    } else {
        frame.rotation_to_face(&pair.rotation.transpose())
    };
    let rectangle = frame.half_to_face(pair.half[reference]);
    let mut centre = frame.to_face(&pair.offset[reference]);
    centre.z -= rectangle.z;

    // lowest corner and the lying edges that leave it
    let half = pair.half[1 - reference];
    let mut corner = centre;
    let mut edges = [Vec3::zeros(); 2];
    let mut count = 0;
    for i in 0..3 {
        let axis = rotation.column(i);
        let sign = if axis.z < 0.0 { 1.0 } else { -1.0 };
        corner += axis * (half[i] * sign);
        if axis.z.abs() < STANDING && count < 2 {
            edges[count] = axis * (-2.0 * half[i] * sign);
            count += 1;
        }
    }

    let world = frame.to_world(&pair.pose[reference].mat);
    let origin = &pair.pose[reference].pos;
    let normal = world.column(2) * if reference == 0 { 1.0 } else { -1.0 };
    let margin = pair.margin;
    let mut emit = |point: Vec3| {
        if point.z > margin {
            return;
        }
        let middle = Vec3::new(point.x, point.y, point.z * 0.5 + rectangle.z);
        out.push(ContactPoint {
            dist: point.z,
            pos: world * middle + origin,
            normal,
            tangent: Vec3::zeros(),
        });
    };
    clip_feature(&corner, &edges[..count], &rectangle, &mut emit);
}

/// Calls `emit` for the crossings of the feature's edges with the rectangle, the rectangle's corners under
/// the feature, and the feature's corners.
fn clip_feature(corner: &Vec3, edges: &[Vec3], rectangle: &Vec3, emit: &mut impl FnMut(Vec3)) {
    let mut crossings = |origin: Vec3, direction: &Vec3| {
        clip_to_rectangle(&origin, direction, rectangle, |t, _, _, _| {
            emit(origin + direction * t);
        });
    };
    match edges {
        [e1] => crossings(*corner, e1),
        [e1, e2] => {
            crossings(*corner, e1);
            crossings(*corner, e2);
            crossings(corner + e1, e2);
            crossings(corner + e2, e1);
            corners_under(corner, e1, e2, rectangle, emit);
        }
        _ => {}
    }

    // the lowest corner always counts, the others only over the rectangle
    emit(*corner);
    let inside =
        |p: &Vec3| -rectangle.x < p.x && p.x < rectangle.x && -rectangle.y < p.y && p.y < rectangle.y;
    let mut others = |points: &[Vec3]| points.iter().filter(|p| inside(p)).for_each(|p| emit(*p));
    match edges {
        [e1] => others(&[corner + e1]),
        [e1, e2] => others(&[corner + e1, corner + e2, corner + e1 + e2]),
        _ => {}
    }
}

/// Calls `emit` for each corner of the rectangle that lies strictly under the parallelogram, at the
/// parallelogram's height.
fn corners_under(corner: &Vec3, e1: &Vec3, e2: &Vec3, rectangle: &Vec3, emit: &mut impl FnMut(Vec3)) {
    let scale = 1.0 / (e1.x * e2.y - e2.x * e1.y);
    for (x, y) in rectangle_corners(rectangle) {
        let (dx, dy) = (x - corner.x, y - corner.y);
        let u = (dx * e2.y - dy * e2.x) * scale;
        let v = (dy * e1.x - dx * e1.y) * scale;
        if u <= 0.0 || v <= 0.0 || u >= 1.0 || v >= 1.0 {
            continue;
        }
        emit(Vec3::new(x, y, corner.z + u * e1.z + v * e2.z));
    }
}
