//! More contact points by tilting.
//!
//! Two shapes that touch along a line or a face give a single point per test. Tilting them against each other by a
//! milliradian about the two tangents, both ways, moves the single point towards the ends of that line or face;
//! points that are clearly apart from those already known become contacts of their own, with the depth of the first.

use super::solve::{CcdSettings, Query, Work, penetration};
use super::support::{Convex, Pair};
use super::vec::{Axes, V3, cross, dot, norm, normalized, scale, sub};
use crate::contact::ContactPoint;

/// Sine and cosine of half the tilt, 0.5 mrad.
const SIN_HALF_TILT: f64 = 0.0004999999791666669;
const COS_HALF_TILT: f64 = 0.999999875000002604;

/// The last contact in `out` is the first one of this pair; append the others.
///
/// Points closer than `resolution` to a known one are dropped.
pub(crate) fn more_contacts(
    pair: &mut Pair,
    settings: &CcdSettings,
    margin: f64,
    resolution: f64,
    work: &mut Work,
    out: &mut Vec<ContactPoint>,
) {
    let Some(first) = out.last().copied() else { return };
    let start = out.len() - 1;
    let query = Query { again: true, ..settings.query(0.0) };
    let center = [first.pos.x, first.pos.y, first.pos.z];
    let (poses_a, poses_b) = ((pair.a.pos, pair.a.axes), (pair.b.pos, pair.b.axes));
    for axis in tangents(&[first.normal.x, first.normal.y, first.normal.z]) {
        for sign in [-1.0, 1.0] {
            let tilt = rotation(&axis, sign * SIN_HALF_TILT);
            turn(&mut pair.a, &center, &tilt);
            turn(&mut pair.b, &center, &tilt.transpose());
            let before = out.len();
            penetration(pair, &query, 1, margin, work, out);
            (pair.a.pos, pair.a.axes) = poses_a;
            (pair.b.pos, pair.b.axes) = poses_b;

            let (known, new) = out[start..].split_at_mut(before - start);
            if let Some(contact) = new.first_mut() {
                contact.dist = first.dist;
                let new_pos = contact.pos;
                let near =
                    |other: &ContactPoint| norm(&sub(&other.pos.into(), &new_pos.into())) <= resolution;
                if known.iter().any(near) {
                    out.truncate(before);
                }
            }
        }
    }
}

/// Two unit vectors perpendicular to a unit normal.
fn tangents(normal: &V3) -> [V3; 2] {
    let normal = normalized(normal);
    let guess = if normal[1] < 0.5 && normal[1] > -0.5 { [0.0, 1.0, 0.0] } else { [0.0, 0.0, 1.0] };
    let first = normalized(&sub(&guess, &scale(&normal, dot(&normal, &guess))));
    [first, cross(&normal, &first)]
}

/// Rotation about a unit axis, by the sine of half the angle.
fn rotation(axis: &V3, sin_half: f64) -> Axes {
    let (w, [x, y, z]) = (COS_HALF_TILT, scale(axis, sin_half));
    let (ww, xx, yy, zz) = (w * w, x * x, y * y, z * z);
    let (wx, wy, wz) = (w * x, w * y, w * z);
    let (xy, xz, yz) = (x * y, x * z, y * z);
    Axes([
        [ww + xx - yy - zz, 2.0 * (xy + wz), 2.0 * (xz - wy)],
        [2.0 * (xy - wz), ww - xx + yy - zz, 2.0 * (yz + wx)],
        [2.0 * (xz + wy), 2.0 * (yz - wx), ww - xx - yy + zz],
    ])
}

/// Rotate a shape about a point.
fn turn(shape: &mut Convex, center: &V3, rotation: &Axes) {
    shape.axes = rotation.mul(&shape.axes);
    let arm = sub(center, &shape.pos);
    let shift = sub(&rotation.to_world(&arm), &arm);
    shape.pos = sub(&shape.pos, &shift);
}
