//! Frames along a curve.

use kinetree_math::rot::{quat_conj, quat_mul, quat_normalize, quat_rotate_inv, quat_z_to_vec};
use kinetree_math::{Quat, Vec3};

/// A frame for each segment between neighbouring points, its third axis along the segment, without twist from
/// one to the next.
pub(super) fn parallel_frames(points: &[Vec3]) -> Vec<Quat> {
    let mut frames: Vec<Quat> = Vec::with_capacity(points.len());
    let mut last = Vec3::z();
    for ends in points.windows(2) {
        let tangent = (ends[1] - ends[0]).normalize();
        let frame = match frames.last() {
            None => quat_z_to_vec(&tangent),
            Some(frame) => quat_mul(&shortest_rotation(&last, &tangent), frame),
        };
        frames.push(frame);
        last = tangent;
    }
    frames
}

/// The rotation from one unit vector to another about the axis that is perpendicular to both.
fn shortest_rotation(from: &Vec3, to: &Vec3) -> Quat {
    let mut axis = from.cross(to);
    let mut scalar = 1.0 + from.dot(to);
    if scalar < 1e-12 {
        // half a turn about any perpendicular axis
        let other = if from.x.abs() < 0.5 { Vec3::x() } else { Vec3::y() };
        (axis, scalar) = (from.cross(&other), 0.0);
    }
    let mut rotation = [scalar, axis.x, axis.y, axis.z];
    quat_normalize(&mut rotation);
    rotation
}

/// A vector in the coordinates of a frame.
pub(super) fn rotation_vector(frame: &Quat, v: &Vec3) -> Vec3 {
    quat_rotate_inv(frame, v)
}

/// The rotation from one frame to another, in coordinates of the first, on the shorter way: its scalar and
/// its vector part.
pub(super) fn relative_rotation(from: &Quat, to: &Quat) -> (f64, Vec3) {
    let [w, x, y, z] = quat_mul(&quat_conj(from), to);
    if w < 0.0 { (-w, -Vec3::new(x, y, z)) } else { (w, Vec3::new(x, y, z)) }
}
