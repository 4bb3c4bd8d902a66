//! Box against box.
//!
//! 1. [`axis`] finds the separating direction with the least penetration among the six face normals and the nine edge products; a direction with
//!    a gap larger than the margin ends the test.
//! 2. A face normal gives a face manifold ([`face`]): the other box's lowest features are clipped against the face.
//! 3. An edge product gives an edge manifold ([`edge`]): the faces next to the two edges are projected along the contact normal and clipped.
//! 4. Contacts that lie outside a box and exact duplicates are removed.
//!
//! Which contacts survive, their order and their depths follow the reference engine, including its choices at ties.

mod axis;
mod edge;
mod face;
mod frame;

use kinetree_math::{Mat3, Vec3};

use crate::{ContactPoint, Pose};
use axis::Separation;

/// Contacts farther outside a box than this ratio of its half sizes are removed.
const REMOVAL_RATIO: f64 = 1.01;

/// Two boxes with their relative placement.
pub(super) struct BoxPair<'a> {
    pose: [&'a Pose; 2],
    half: [&'a Vec3; 2],
    /// Centre of box 2 in the frame of box 1, and of box 1 in the frame of box 2.
    offset: [Vec3; 2],
    /// Rotation of box 2 in the frame of box 1: row `i`, column `j` is the product of axis `i` of box 1 and axis `j` of box 2.
    rotation: Mat3,
    margin: f64,
}

/// Two boxes: up to eight contacts in ordinary positions, all with the same normal.
pub fn box_box(
    box1: &Pose,
    half1: &Vec3,
    box2: &Pose,
    half2: &Vec3,
    margin: f64,
    out: &mut Vec<ContactPoint>,
) {
    let pair = BoxPair {
        pose: [box1, box2],
        half: [half1, half2],
        offset: [box1.mat.tr_mul(&(box2.pos - box1.pos)), box2.mat.tr_mul(&(box1.pos - box2.pos))],
        rotation: box1.mat.tr_mul(&box2.mat),
        margin,
    };
    let start = out.len();
    match axis::least_penetration(&pair) {
        None => return,
        Some(Separation::Face { reference, face }) => {
            face::face_manifold(&pair, reference, face, out);
        }
        Some(Separation::Edges(edges)) => edge::edge_manifold(&pair, &edges, out),
    }
    if out.len() > start {
        prune(&pair, start, out);
    }
}

/// Where a point lies relative to the shell around a box surface.
#[derive(PartialEq)]
enum Side {
    Inside,
    Shell,
    Outside,
}

/// Classifies a point against a box inflated and deflated by [`REMOVAL_RATIO`].
fn side_of_box(point: &Vec3, pose: &Pose, half: &Vec3) -> Side {
    let local = pose.mat.tr_mul(&(point - pose.pos));
    if (0..3).any(|i| local[i].abs() > half[i] * REMOVAL_RATIO) {
        Side::Outside
    } else if (0..3).all(|i| local[i].abs() < half[i] / REMOVAL_RATIO) {
        Side::Inside
    } else {
        Side::Shell
    }
}

/// Removes contacts after `start` that are outside one box and not inside the other, then all but the last of equal positions.
fn prune(pair: &BoxPair<'_>, start: usize, out: &mut Vec<ContactPoint>) {
    let half = [pair.half[0].add_scalar(pair.margin), pair.half[1].add_scalar(pair.margin)];
    let mut kept = start;
    for i in start..out.len() {
        let side1 = side_of_box(&out[i].pos, pair.pose[0], &half[0]);
        let side2 = side_of_box(&out[i].pos, pair.pose[1], &half[1]);
        let bad = (side1 == Side::Outside && side2 != Side::Inside)
            || (side2 == Side::Outside && side1 != Side::Inside);
        if !bad {
            out[kept] = out[i];
            kept += 1;
        }
    }
    out.truncate(kept);

    let mut kept = start;
    for i in start..out.len() {
        let repeated = out[i + 1..].iter().any(|later| later.pos == out[i].pos);
        if !repeated {
            out[kept] = out[i];
            kept += 1;
        }
    }
    out.truncate(kept);
}
