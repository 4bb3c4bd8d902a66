//! Search for the direction of least penetration.
//!
//! Along a unit direction `d` the boxes overlap by `Σ|dₖ|h₁ₖ + Σ|d·rₖ|h₂ₖ − |d·c|`, with `c` the offset of
//! the centres. Six directions are face normals; nine are products `eᵢ × rⱼ` of edge directions. A later
//! direction must be better by more than rounding to replace a face.

use kinetree_math::{MINVAL, Vec3};

use super::box_pair::BoxPair;

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
        let depth = [
            -pair.offset[0][i].abs() + pair.half[0][i] + reach[0][i],
            -pair.offset[1][i].abs() + pair.half[1][i] + reach[1][i],
        ];
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

    let edges = all_edge_depths(pair);
    if edges.iter().any(|candidate| candidate.depth < -pair.margin) {
        return None;
    }
    let mut winner = None;
    for (index, candidate) in edges.iter().enumerate() {
        if candidate.depth < least * (1.0 - EDGE_ADVANTAGE) {
            least = candidate.depth;
            winner = Some(index);
        }
    }
    winner.map(|index| Separation::Edges(edges[index].edges(pair, [index / 3, index % 3]))).or(best)
}

/// A direction from two edges, before the edges are worked out.
struct Candidate {
    /// Penetration along it; infinite for parallel edges, which have no common normal.
    depth: f64,
    /// Components of the unit direction along the two axes that follow the edge of box 1 cyclically.
    normal: [f64; 2],
    /// Distance of the centres along it.
    along: f64,
}

/// Penetrations along the nine edge products, box 1 first.
#[inline]
fn all_edge_depths(pair: &BoxPair<'_>) -> [Candidate; 9] {
    [
        edge_depth::<0, 0>(pair),
        edge_depth::<0, 1>(pair),
        edge_depth::<0, 2>(pair),
        edge_depth::<1, 0>(pair),
        edge_depth::<1, 1>(pair),
        edge_depth::<1, 2>(pair),
        edge_depth::<2, 0>(pair),
        edge_depth::<2, 1>(pair),
        edge_depth::<2, 2>(pair),
    ]
}

/// Penetration along the product of axis `I` of box 1 and axis `J` of box 2. Constant axes keep everything in
/// registers.
#[inline(always)]
fn edge_depth<const I: usize, const J: usize>(pair: &BoxPair<'_>) -> Candidate {
    let (i1, i2) = ((I + 1) % 3, (I + 2) % 3);
    let (j1, j2) = ((J + 1) % 3, (J + 2) % 3);
    let r = &pair.rotation;
    let [half1, half2] = pair.half;
    let (n1, n2) = (-r[(i2, J)], r[(i1, J)]);
    let length = (n1 * n1 + n2 * n2).sqrt();
    let scale = 1.0 / length;
    let normal = [n1 * scale, n2 * scale];
    let along = pair.offset[0][i1] * normal[0] + pair.offset[0][i2] * normal[1];

    // an axis of box 2 projects onto the direction as the triple product with the remaining axis. Boxes that
    // just touch are decided by the last bit of this sum, so its order is fixed: the lower axis first, the
    // quotient taken in every term
    let (low, high) = if j1 < j2 { (j1, j2) } else { (j2, j1) };
    let reach = half1[i1] * normal[0].abs()
        + half1[i2] * normal[1].abs()
        + half2[low] * r[(I, high)].abs() / length
        + half2[high] * r[(I, low)].abs() / length;
    let depth = reach - along.abs();
    Candidate { depth: if length < MINVAL { f64::INFINITY } else { depth }, normal, along }
}

impl Candidate {
    /// The edges along `axis` that reach farthest towards each other.
    fn edges(&self, pair: &BoxPair<'_>, axis: [usize; 2]) -> EdgePair {
        let [i, j] = axis;
        let reversed = self.along < 0.0;
        let mut normal = Vec3::zeros();
        normal[(i + 1) % 3] = self.normal[0];
        normal[(i + 2) % 3] = self.normal[1];
        let mut corner = [0, 0];
        for k in (0..3).filter(|&k| k != i) {
            corner[0] |= usize::from((normal[k] > 0.0) != reversed) << k;
        }
        for k in (0..3).filter(|&k| k != j) {
            let positive = pair.rotation[(i, 3 - k - j)] > 0.0;
            let cyclic = (k + 3 - j) % 3 == 1;
            corner[1] |= usize::from(positive ^ reversed ^ cyclic) << k;
        }
        EdgePair { axis, corner, normal, reversed }
    }
}
