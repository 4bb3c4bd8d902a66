//! Capsule against box.
//!
//! All work is done in the frame of the box on the capsule's segment `p + s·a`, `s ∈ [−1, 1]`. The nearest
//! feature is found first: an end of the segment over a face, or the nearest pair of points between the
//! segment and one of the twelve edges. Then a second point is chosen along the segment, as far from the
//! first as the box reaches, where the two lie roughly along each other. A ball at each of the two points is
//! tested against the box.

use kinetree_math::{MINVAL, Vec3};

use crate::pairs::sphere_box::ball_box;
use crate::{ContactPoint, Pose};

/// The capsule's segment and the box, in the frame of the box.
struct Local<'a> {
    /// Middle of the segment.
    pos: Vec3,
    /// Unit direction of the segment.
    axis: Vec3,
    /// Direction scaled by the half length.
    half_axis: Vec3,
    half_length: f64,
    /// Half sizes of the box.
    half: &'a Vec3,
}

/// Where on an edge of the box the nearest point lies.
#[derive(Clone, Copy, PartialEq)]
enum EdgeRegion {
    LowEnd,
    Middle,
    HighEnd,
}

impl EdgeRegion {
    /// The end past which a position lies, with the position of that end.
    fn beyond(x: f64) -> Option<(Self, f64)> {
        if x > 1.0 {
            Some((Self::HighEnd, 1.0))
        } else if x < -1.0 {
            Some((Self::LowEnd, -1.0))
        } else {
            None
        }
    }
}

/// Feature of the box that is nearest to the segment.
#[derive(Clone, Copy)]
enum Nearest {
    /// An end of the segment lies over a face normal to `axis`, or inside the box (`None`).
    Face { end: f64, axis: Option<usize> },
    /// The nearest point lies on the edge along `axis` that starts at `corner` (one bit per positive
    /// coordinate).
    Edge {
        axis: usize,
        corner: usize,
        region: EdgeRegion,
        /// Position on the edge, in −1..=1.
        on_edge: f64,
        /// Position on the segment, in −1..=1.
        on_segment: f64,
    },
}

/// Capsule and box: up to two contacts.
pub fn capsule_box(
    capsule: &Pose,
    radius: f64,
    half_length: f64,
    cuboid: &Pose,
    half: &Vec3,
    margin: f64,
    out: &mut Vec<ContactPoint>,
) {
    let axis = cuboid.mat.tr_mul(&capsule.mat.column(2));
    let local = Local {
        pos: cuboid.mat.tr_mul(&(capsule.pos - cuboid.pos)),
        axis,
        half_axis: axis * half_length,
        half_length,
        half,
    };
    let farthest = margin + 2.0 * (radius + half_length + half.x + half.y + half.z);
    let Some(nearest) = local.nearest_feature(farthest) else {
        return;
    };
    let (first, second) = match nearest {
        Nearest::Face { end, axis } => (end, axis.map(|axis| local.along_face(end, axis))),
        Nearest::Edge { axis, corner, region: EdgeRegion::Middle, on_edge, on_segment } => {
            (on_segment, local.across_edge(axis, corner, on_edge, on_segment))
        }
        Nearest::Edge { axis, corner, region, on_segment, .. } => {
            let corner = corner | usize::from(region == EdgeRegion::HighEnd) << axis;
            (on_segment, local.past_corner(corner, on_segment))
        }
    };

    let mut ball_at = |s: f64| {
        let centre = cuboid.mat * (local.pos + local.half_axis * s) + cuboid.pos;
        ball_box(&centre, radius, cuboid, half, margin, out);
    };
    ball_at(first);
    if let Some(step) = second.filter(|step| step.is_finite()) {
        ball_at(first + step);
    }
}

impl Local<'_> {
    /// Which coordinates of the segment's direction are positive, one bit each.
    fn direction_bits(&self) -> usize {
        (0..3).map(|i| usize::from(self.half_axis[i] > 0.0) << i).sum()
    }

    /// The nearest feature among those closer than `farthest`, which is compared with squared distances.
    fn nearest_feature(&self, farthest: f64) -> Option<Nearest> {
        let mut best = farthest;
        let mut nearest = None;
        for end in [-1.0, 1.0] {
            let point = self.pos + self.half_axis * end;
            let Some((dist_sqr, axis)) = over_face(&point, self.half) else {
                continue;
            };
            if dist_sqr < best {
                best = dist_sqr;
                nearest = Some(Nearest::Face { end, axis });
            }
        }
        // the axis is a constant of each call, so that coordinates stay in registers
        self.scan_edges::<0>(&mut best, &mut nearest);
        self.scan_edges::<1>(&mut best, &mut nearest);
        self.scan_edges::<2>(&mut best, &mut nearest);
        nearest
    }

    /// Replaces `nearest` by an edge along `AXIS` that is closer, with squared distance `best`.
    #[inline]
    fn scan_edges<const AXIS: usize>(&self, best: &mut f64, nearest: &mut Option<Nearest>) {
        let Some(edges) = ParallelEdges::<AXIS>::new(self) else { return };
        for corner in [[0, 2, 4, 6], [0, 1, 4, 5], [0, 1, 2, 3]][AXIS] {
            let (dist_sqr, edge) = edges.nearest(self, corner);
            // a tie within rounding stays with the earlier feature
            if dist_sqr < *best - MINVAL {
                *best = dist_sqr;
                *nearest = Some(edge);
            }
        }
    }

    /// Step along the segment that crosses the whole box in direction `axis`.
    fn crossing(&self, axis: usize) -> f64 {
        2.0 * self.half[axis] / self.half_axis[axis].abs()
    }

    /// Second point when a corner is nearest: along the edge or over the face that the segment follows, if it
    /// follows any.
    fn past_corner(&self, corner: usize, on_segment: f64) -> Option<f64> {
        let differing = self.direction_bits() ^ corner;
        // towards or away from the corner there is nothing to follow
        let (single, forward) = match differing.count_ones() {
            1 => (differing, true),
            2 => (7 - differing, false),
            _ => return None,
        };
        let sign = if forward { 1.0 } else { -1.0 };
        let ahead = 1.0 - sign * on_segment;
        let behind = 1.0 + sign * on_segment;
        let axis = single.trailing_zeros() as usize;
        if self.axis[axis] * self.axis[axis] > 0.5 {
            Some(sign * smaller(ahead, self.crossing(axis)))
        } else {
            let step = smaller(behind, self.crossing((axis + 1) % 3));
            Some(-sign * smaller(step, self.crossing((axis + 2) % 3)))
        }
    }

    /// Second point when the inside of an edge is nearest: over the face to which the segment is more
    /// parallel.
    fn across_edge(&self, axis: usize, corner: usize, on_edge: f64, on_segment: f64) -> Option<f64> {
        let direction = self.direction_bits();
        let differing = (direction ^ corner) & !(1 << axis);
        // none or both: the segment stands across the edge like a T
        if differing.count_ones() != 1 {
            return None;
        }
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        let over = if self.axis[next].abs() > self.axis[last].abs() { next } else { last };
        let forward = differing & (1 << over) != 0;
        let sign = if forward { 1.0 } else { -1.0 };
        let mut step = smaller(1.0 - sign * on_segment, self.crossing(over));
        let along_edge =
            if (direction & (1 << axis) != 0) == forward { 1.0 - on_edge } else { 1.0 + on_edge };
        step = smaller(step, self.half[axis] * along_edge / self.half_axis[axis].abs());
        Some(sign * step)
    }

    /// Second point when an end lies over the face normal to `face`: towards the other end, as far as the
    /// face reaches.
    fn along_face(&self, end: f64, face: usize) -> f64 {
        let sign = -end;
        let point = self.pos + self.half_axis * end;
        let mut step = 2.0;
        for i in (0..3).filter(|&i| i != face) {
            for side in [self.half[i], -self.half[i]] {
                let reach = (side - point[i]) / self.half_axis[i] * sign;
                if reach > 0.0 && reach < step {
                    step = reach;
                }
            }
        }
        sign * step
    }
}

/// What the four edges of the box along `AXIS` have in common.
///
/// The nearest points minimise `|d + x₁·h·e − x₂·a|²` over the square `[−1, 1]²`, with `d` from the middle of
/// the segment to the middle of the edge; only the product of `a` and `d` differs between the edges.
struct ParallelEdges<const AXIS: usize> {
    ma: f64,
    mb: f64,
    mc: f64,
    u: f64,
    inverse_det: f64,
    inverse_ma: f64,
    inverse_mc: f64,
}

impl<const AXIS: usize> ParallelEdges<AXIS> {
    /// Prepares the edges; `None` when the segment is parallel to them.
    fn new(local: &Local<'_>) -> Option<Self> {
        let size = local.half[AXIS];
        let ma = size * size;
        let mb = -size * local.half_axis[AXIS];
        let mc = local.half_length * local.half_length;
        let det = ma * mc - mb * mb;
        (det.abs() >= MINVAL).then(|| Self {
            ma,
            mb,
            mc,
            u: size * local.pos[AXIS],
            inverse_det: 1.0 / det,
            inverse_ma: 1.0 / ma,
            inverse_mc: 1.0 / mc,
        })
    }

    /// Squared distance and region of the nearest points between the segment and the edge that starts at
    /// `corner`.
    #[inline]
    fn nearest(&self, local: &Local<'_>, corner: usize) -> (f64, Nearest) {
        let mut diff = corner_point(corner, local.half) - local.pos;
        diff[AXIS] = -local.pos[AXIS];
        let v = local.half_axis.dot(&diff);
        let mut x1 = (self.mc * self.u - self.mb * v) * self.inverse_det;
        let mut x2 = (self.ma * v - self.mb * self.u) * self.inverse_det;
        let mut region = EdgeRegion::Middle;
        if let Some((end, limit)) = EdgeRegion::beyond(x1) {
            (region, x1) = (end, limit);
            x2 = (v - limit * self.mb) * self.inverse_mc;
        }
        // an end of the edge chosen above keeps its name even if the point moves off it again
        if let Some((_, limit)) = EdgeRegion::beyond(x2) {
            x2 = limit;
            x1 = (self.u - limit * self.mb) * self.inverse_ma;
            if let Some((end, limit)) = EdgeRegion::beyond(x1) {
                (region, x1) = (end, limit);
            }
        }
        let mut separation = diff - local.half_axis * x2;
        separation[AXIS] += local.half[AXIS] * x1;
        (
            separation.dot(&separation),
            Nearest::Edge { axis: AXIS, corner, region, on_edge: x1, on_segment: x2 },
        )
    }
}

/// Squared distance of a point to the box and the axis along which it lies outside; `None` when it is outside
/// along several.
fn over_face(point: &Vec3, half: &Vec3) -> Option<(f64, Option<usize>)> {
    let mut outside = None;
    let mut dist = 0.0;
    for axis in 0..3 {
        let excess = if point[axis] < -half[axis] {
            -half[axis] - point[axis]
        } else if point[axis] > half[axis] {
            half[axis] - point[axis]
        } else {
            continue;
        };
        if outside.is_some() {
            return None;
        }
        outside = Some(axis);
        dist = excess * excess;
    }
    Some((dist, outside))
}

/// Corner of a box by its sign bits.
fn corner_point(bits: usize, half: &Vec3) -> Vec3 {
    Vec3::from_fn(|i, _| if bits & (1 << i) != 0 { half[i] } else { -half[i] })
}

/// The smaller of two steps; one that is not a number never wins over `step`.
fn smaller(step: f64, other: f64) -> f64 {
    if other < step { other } else { step }
}
