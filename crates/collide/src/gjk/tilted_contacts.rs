//! Contact manifolds by perturbation: the narrow phase is repeated with slightly rotated shapes.
//!
//! Two shapes that touch along a line or a face give a single point per search. Tilting them against each
//! other by a milliradian about the two tangents, both ways, moves the single point towards the ends of that
//! line or face; points that are clearly distinct from those already known become contacts of their own, with
//! the depth of the first.

use super::gjk_epa::GjkEpa;
use super::penetration::{contact_between, penetration};
use super::search::Query;
use super::settings::{CcdSettings, Work};
use super::support::{Convex, Pair, Vertex};
use super::tilted_pair::{TILTS, TiltedPair, TiltedPose};
use super::vec::{Axes, Point, V3, cross, dot, norm, normalized, scale, sub};
use crate::contact::ContactPoint;

/// Sine and cosine of half the tilt, 0.5 mrad.
const SIN_HALF_TILT: f64 = 0.0004999999791666669;
const COS_HALF_TILT: f64 = 0.999999875000002604;

/// The last contact in `out` is the first one of this pair; append the others.
///
/// Points closer than `resolution` to a known one are dropped.
pub(crate) fn append_tilted_contacts(
    pair: &mut Pair,
    settings: &CcdSettings,
    margin: f64,
    resolution: f64,
    work: &mut Work,
    out: &mut Vec<ContactPoint>,
) {
    let Some(first) = out.last().copied() else { return };
    let start = out.len() - 1;
    let query = Query { warm_start: true, ..settings.query(0.0) };
    let center = [first.pos.x, first.pos.y, first.pos.z];
    let [axis1, axis2] = tangents(&[first.normal.x, first.normal.y, first.normal.z]);
    let tilts = [(&axis1, -1.0), (&axis1, 1.0), (&axis2, -1.0), (&axis2, 1.0)]
        .map(|(axis, sign)| rotation(axis, sign * SIN_HALF_TILT));
    let keep = |contact: ContactPoint, out: &mut Vec<ContactPoint>| {
        let near = |other: &ContactPoint| norm(&sub(&other.pos.into(), &contact.pos.into())) <= resolution;
        if !out[start..].iter().any(near) {
            out.push(ContactPoint { dist: first.dist, ..contact });
        }
    };

    if let Some(pairs) = TiltedPair::new(pair, &center, &tilts) {
        search_together(&pairs, &query, &mut work.tilted);
        for GjkEpa { search, .. } in &work.tilted {
            if search.dist < 0.0 && search.has_witness {
                keep(contact_between(&search.x1, &search.x2, 0.0), out);
            }
        }
        return;
    }
    for tilt in tilts {
        let before = out.len();
        let mut tilted = pair.clone();
        tilted.tilt(&center, &tilt);
        penetration(&mut tilted, &query, 1, margin, work, out);
        pair.a.continue_from(tilted.a.last_vertex());
        pair.b.continue_from(tilted.b.last_vertex());
        if out.len() > before
            && let Some(contact) = out.pop()
        {
            keep(contact, out);
        }
    }
}

/// Search all poses of a pair in step, one in each lane.
fn search_together(pair: &TiltedPair, query: &Query, searches: &mut [GjkEpa; TILTS]) {
    let mut dirs = [Point::default(); TILTS];
    let mut active = 0;
    for (lane, (gjk_epa, dir)) in searches.iter_mut().zip(&mut dirs).enumerate() {
        if gjk_epa.begin(pair.centers(lane), &mut TiltedPose { pair, lane }, query, dir) {
            active |= 1 << lane;
        }
    }
    let mut vertices = [Vertex::default(); TILTS];
    while active != 0 {
        pair.support(&dirs, &mut vertices);
        for (lane, (gjk_epa, dir)) in searches.iter_mut().zip(&mut dirs).enumerate() {
            if active >> lane & 1 != 0
                && !gjk_epa.advance(&vertices[lane], &mut TiltedPose { pair, lane }, query, dir)
            {
                active ^= 1 << lane;
            }
        }
    }
}

impl Pair<'_> {
    /// Tilt the shapes against each other about a point.
    fn tilt(&mut self, center: &V3, tilt: &Axes) {
        rotate_about(&mut self.a, center, tilt);
        rotate_about(&mut self.b, center, &tilt.transpose());
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
fn rotate_about(shape: &mut Convex, center: &V3, rotation: &Axes) {
    let arm = sub(center, &shape.pos);
    let shift = sub(&rotation.to_world(&arm), &arm);
    shape.move_to(sub(&shape.pos, &shift), rotation.mul(&shape.axes));
}
