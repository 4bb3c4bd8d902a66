//! Search for the direction of least penetration.
//!
//! Along a unit direction `d` the boxes overlap by `Σ|dₖ|h₁ₖ + Σ|d·rₖ|h₂ₖ − |d·c|`, with `c` the offset of the centres. Six directions are face
//! normals; nine are products `eᵢ × rⱼ` of edge directions. A later direction must be better by more than rounding to replace a face.

use kinetree_math::{MINVAL, Vec3};

use super::BoxPair;

/// Relative advantage an edge product needs over what was found before.
const EDGE_ADVANTAGE: f64 = 1e-12;

/// Two edges that touch: their axes, and the corners of the edges as sign bits (the edge's own bit is clear).
pub(super) struct EdgePair {
    pub(super) axis: [usize; 2],
    pub(super) corner: [usize; 2],
    /// Unit direction in the frame of box 1.
    pub(super) normal: Vec3,
    /// True when `normal` points from box 2 to box 1.
    pub(super) reversed: bool,
}

/// Feature along whose direction the boxes penetrate least.
pub(super) enum Separation {
    /// A face (0..6: +x, +y, +z, −x, −y, −z) of box `reference` (0 or 1).
    Face { reference: usize, face: usize },
    /// One edge of each box.
    Edges(EdgePair),
}

/// The separation of least penetration, or `None` when the gap along some direction exceeds the margin.
pub(super) fn least_penetration(pair: &BoxPair<'_>) -> Option<Separation> {
    let absolute = pair.rotation.abs();
    let reach = [absolute * pair.half[1], absolute.tr_mul(pair.half[0])];
    let mut least = pair.margin;
    for i in 0..3 {
        least += pair.half[0][i] * 3.0 + pair.half[1][i] * 3.0;
    }
    let mut best = None;
    for i in 0..3 {
        let depth = [0, 1].map(|b| -pair.offset[b][i].abs() + pair.half[b][i] + reach[b][i]);
        if depth[0] < -pair.margin || depth[1] < -pair.margin {
            return None;
        }
        for b in 0..2 {
            if depth[b] < least {
                least = depth[b];
                let face = i + if pair.offset[b][i] < 0.0 { 3 } else { 0 };
                best = Some(Separation::Face { reference: b, face });
            }
        }
    }

    for i in 0..3 {
        for j in 0..3 {
            let Some((depth, edges)) = edge_depth(pair, i, j) else {
                continue;
            };
            if depth < -pair.margin {
                return None;
            }
            if depth < least * (1.0 - EDGE_ADVANTAGE) {
                least = depth;
                best = Some(Separation::Edges(edges.corners(pair)));
            }
        }
    }
    best
}

/// A candidate direction from two edges, before its corners are worked out.
struct Candidate {
    axis: [usize; 2],
    normal: Vec3,
    reversed: bool,
}

/// Penetration along the product of axis `i` of box 1 and axis `j` of box 2; `None` when the axes are parallel.
#[inline]
fn edge_depth(pair: &BoxPair<'_>, i: usize, j: usize) -> Option<(f64, Candidate)> {
    let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
    let mut normal = Vec3::zeros();
    normal[i1] = -pair.rotation[(i2, j)];
    normal[i2] = pair.rotation[(i1, j)];
    let length = normal.dot(&normal).sqrt();
    if length < MINVAL {
        return None;
    }
    normal *= 1.0 / length;
    let along = pair.offset[0].dot(&normal);
    let mut reach = 0.0;
    for k in (0..3).filter(|&k| k != i) {
        reach += pair.half[0][k] * normal[k].abs();
    }
    for k in (0..3).filter(|&k| k != j) {
        reach += pair.half[1][k] * pair.rotation[(i, 3 - k - j)].abs() / length;
    }
    let candidate = Candidate { axis: [i, j], normal, reversed: along < 0.0 };
    Some((reach - along.abs(), candidate))
}

impl Candidate {
    /// Finds the edges that reach farthest towards each other along the direction.
    fn corners(self, pair: &BoxPair<'_>) -> EdgePair {
        let [i, j] = self.axis;
        let mut corner = [0, 0];
        for k in (0..3).filter(|&k| k != i) {
            corner[0] |= usize::from((self.normal[k] > 0.0) != self.reversed) << k;
        }
        for k in (0..3).filter(|&k| k != j) {
            // axis k of box 2 runs along or against the direction by the sign of a triple product
            let positive = pair.rotation[(i, 3 - k - j)] > 0.0;
            let cyclic = (k + 3 - j) % 3 == 1;
            corner[1] |= usize::from(positive ^ self.reversed ^ cyclic) << k;
        }
        EdgePair { axis: self.axis, corner, normal: self.normal, reversed: self.reversed }
    }
}
