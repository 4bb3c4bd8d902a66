//! Box against box.
//!
//! 1. [`axis`] finds the separating direction with the least penetration among the six face normals and the
//!    nine edge products; a direction with a gap larger than the margin ends the test.
//! 2. A face normal gives a face manifold ([`face`]): the other box's lowest features are clipped against the
//!    face.
//! 3. An edge product gives an edge manifold ([`edge`]): the faces next to the two edges are projected along
//!    the contact normal and clipped.
//! 4. Contacts that lie outside a box and exact duplicates are removed.
//!
//! Which contacts survive, their order and their depths follow the reference engine, including its choices at
//! ties.

mod axis;
mod box_pair;
mod edge;
mod face;
mod frame;

use kinetree_math::Vec3;

use crate::{ContactPoint, Pose};
use axis::Separation;
use box_pair::BoxPair;

/// Contacts farther outside a box than this ratio of its half sizes are removed.
const REMOVAL_RATIO: f64 = 1.01;

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

/// The shell around the surface of a box: between the box deflated and inflated by [`REMOVAL_RATIO`].
struct Shell<'a> {
    pose: &'a Pose,
    outer: Vec3,
    inner: Vec3,
}

impl<'a> Shell<'a> {
    #[inline]
    fn new(pose: &'a Pose, half: &Vec3, margin: f64) -> Self {
        let half = half.add_scalar(margin);
        Self { pose, outer: half * REMOVAL_RATIO, inner: half / REMOVAL_RATIO }
    }

    /// Whether a point lies outside the shell, and whether inside what it surrounds.
    #[inline]
    fn sides(&self, point: &Vec3) -> (bool, bool) {
        let p = self.pose.mat.tr_mul(&(point - self.pose.pos));
        let beyond = |i: usize| p[i].abs() > self.outer[i];
        let within = |i: usize| p[i].abs() < self.inner[i];
        (beyond(0) | beyond(1) | beyond(2), within(0) & within(1) & within(2))
    }
}

/// Removes contacts after `start` that are outside one box and not inside the other, then all but the last of
/// equal positions.
fn prune(pair: &BoxPair<'_>, start: usize, out: &mut Vec<ContactPoint>) {
    let shell1 = Shell::new(pair.pose[0], pair.half[0], pair.margin);
    let shell2 = Shell::new(pair.pose[1], pair.half[1], pair.margin);
    keep(start, out, |contact, _| {
        let (outside1, inside1) = shell1.sides(&contact.pos);
        let (outside2, inside2) = shell2.sides(&contact.pos);
        !((outside1 & !inside2) | (outside2 & !inside1))
    });
    keep(start, out, |contact, later| {
        let p = &contact.pos;
        let equal = |q: &Vec3| (p.x == q.x) & (p.y == q.y) & (p.z == q.z);
        !later.iter().any(|other| equal(&other.pos))
    });
}

/// Keeps the contacts after `start` that are wanted, given those that follow them.
#[inline(always)]
fn keep(start: usize, out: &mut Vec<ContactPoint>, wanted: impl Fn(&ContactPoint, &[ContactPoint]) -> bool) {
    let mut kept = start;
    for i in start..out.len() {
        if wanted(&out[i], &out[i + 1..]) {
            if kept != i {
                out[kept] = out[i];
            }
            kept += 1;
        }
    }
    out.truncate(kept);
}
