//! Contacts at the edge of the margin: does the reference's broad and middle phase let them through?
//!
//! Bounding volumes never lose a pair whose distance is within the margin, so any of them give the same
//! contacts, with two exceptions. The narrow phase of two boxes measures along the axis of least overlap,
//! which between two edges or corners is less than their distance: it finds contacts of boxes that are
//! farther apart than the margin. And where boxes touch exactly, rounding decides. In those cases, and only
//! then, the bounds are compared as the reference does it:
//!
//! 1. Bodies are swept along the first of three axes, the rows of the matrix of principal directions of the
//!    positions of all geoms that are not the world's. Ends are rounded to single precision and sorted
//!    stably, so that of equal ends that of the body with the lower id comes first. The other two axes are
//!    compared in double precision. The world's body, and fixed bodies with a plane, meet everything.
//! 2. Bodies with more than one geom are narrowed down by their trees, whose boxes lie in the bodies'
//!    inertial frames, and the boxes of the two geoms must overlap too. Boxes are compared along their six
//!    face normals, projected in world coordinates.

use super::bounds::{body_tree, half_margin, has_tree};
use super::params::{bodies_reach, geom_reach, geoms_reach};
use kinetree_collide::ContactPoint;
use kinetree_math::eig3::eig3;
use kinetree_math::{Mat3, Vec3};
use kinetree_model::enums::{DisableBit, GeomType};
use kinetree_model::{Data, Model};

/// Distances this close to a bound may be on either side of it, relative to the coordinates (single
/// precision).
const ROUNDING: f64 = 1e-6;
/// Half sizes from here on mean "unbounded".
const UNBOUNDED: f64 = 1e10;

/// Whether bounds may decide about the contacts of a geom pair.
pub(super) fn bounds_may_decide(
    model: &Model,
    geoms: [usize; 2],
    points: &[ContactPoint],
    margin: f64,
) -> bool {
    let boxes = geoms.iter().all(|&g| model.geom_type[g] == GeomType::Box);
    let bound = if boxes { margin.min(0.0) } else { margin };
    points.iter().all(|ContactPoint { dist, pos, .. }| {
        let largest = pos.x.abs().max(pos.y.abs()).max(pos.z.abs());
        *dist > bound - ROUNDING * (1.0 + largest)
    })
}

/// Working memory: the axes of the sweep, once they were needed in this step.
#[derive(Default)]
pub(super) struct ReferenceBounds {
    axes: Option<Mat3>,
    stack: Vec<(u32, u32)>,
    /// Nodes of the trees of two bodies that hold the wanted geoms.
    holders: [Vec<bool>; 2],
}

impl ReferenceBounds {
    /// Forgets what belongs to the last step.
    pub(super) fn clear(&mut self) {
        self.axes = None;
    }

    /// Whether the reference's bounds let a geom pair through that is not explicit.
    pub(super) fn admits(&mut self, model: &Model, data: &Data, geoms: [usize; 2]) -> bool {
        let [b1, b2] = geoms.map(|g| model.geom_bodyid[g] as usize);
        let ([low, high], [g1, g2]) =
            if b1 < b2 { ([b1, b2], geoms) } else { ([b2, b1], [geoms[1], geoms[0]]) };
        if !meets_everything(model, low) && !meets_everything(model, high) {
            let axes = *self.axes.get_or_insert_with(|| sweep_axes(model, data));
            if !sweep_keeps(&sides(model, data, low, &axes), &sides(model, data, high, &axes)) {
                return false;
            }
        }
        let single = model.body_geomnum[low] == 1 && model.body_geomnum[high] == 1;
        if single || model.disabled(DisableBit::Midphase) || !has_tree(model, low) || !has_tree(model, high) {
            return true;
        }
        let margin = geoms_reach(model, [g1, g2]);
        let frame = |g: usize| Frame { pos: &data.geom_xpos[g], mat: &data.geom_xmat[g] };
        boxes_meet(
            [&model.geom_aabb[g1], &model.geom_aabb[g2]],
            [frame(g1), frame(g2)],
            Projection::Centre,
            margin,
        ) && self.trees_reach(model, data, [low, high], [g1, g2])
    }

    /// Whether the walk through the trees of two bodies reaches the leaves of two geoms.
    fn trees_reach(&mut self, model: &Model, data: &Data, bodies: [usize; 2], geoms: [usize; 2]) -> bool {
        let margin = bodies_reach(model, bodies);
        let frames = bodies.map(|b| Frame { pos: &data.xipos[b], mat: &data.ximat[b] });
        let [tree1, tree2] = bodies.map(|b| body_tree(model, b));
        let [holds1, holds2] = &mut self.holders;
        mark_holders(tree1.child, tree1.nodeid, geoms[0], holds1);
        mark_holders(tree2.child, tree2.nodeid, geoms[1], holds2);
        self.stack.clear();
        self.stack.push((0, 0));
        while let Some((index1, index2)) = self.stack.pop() {
            let (node1, node2) = (index1 as usize, index2 as usize);
            let (child1, child2) = (tree1.child[node1], tree2.child[node2]);
            let (leaf1, leaf2) = (child1 == [-1, -1], child2 == [-1, -1]);
            if leaf1 && leaf2 {
                if [tree1.nodeid[node1], tree2.nodeid[node2]] == geoms.map(|g| g as i32) {
                    return true;
                }
                continue;
            }
            let (box1, box2) = (&tree1.aabb[node1], &tree2.aabb[node2]);
            if !boxes_meet([box1, box2], frames, Projection::Origin, margin) {
                continue;
            }
            if tree1.opens_before(node1, &tree2, node2) {
                let below = child1.iter().filter(|&&c| c > index1 as i32 && holds1[c as usize]);
                self.stack.extend(below.map(|&c| (c as u32, index2)));
            } else {
                let below = child2.iter().filter(|&&c| c > index2 as i32 && holds2[c as usize]);
                self.stack.extend(below.map(|&c| (index1, c as u32)));
            }
        }
        false
    }
}

/// Marks the leaf of a geom and all nodes above it; children come behind their parents.
fn mark_holders(child: &[[i32; 2]], nodeid: &[i32], geom: usize, marks: &mut Vec<bool>) {
    marks.clear();
    marks.resize(child.len(), false);
    for node in (0..child.len()).rev() {
        marks[node] = match child[node] {
            [-1, -1] => nodeid[node] == geom as i32,
            below => below.iter().any(|&c| c > node as i32 && marks[c as usize]),
        };
    }
}

/// Whether a body is compared with all others without a sweep.
pub(super) fn meets_everything(model: &Model, body: usize) -> bool {
    let first = model.body_geomadr[body].max(0) as usize;
    let geoms = first..first + model.body_geomnum[body] as usize;
    body == 0 || model.is_fixed(body) && model.geom_type[geoms].contains(&(GeomType::Plane as i32))
}

/// The axes of the sweep as the rows of a matrix.
pub(super) fn sweep_axes(model: &Model, data: &Data) -> Mat3 {
    let positions = || {
        let moving = |&(geom, _): &(usize, &[f64; 3])| model.geom_bodyid[geom] != 0;
        let geoms = data.geom_xpos.iter().enumerate().filter(moving).map(|(_, p)| Vec3::from(*p));
        let vertices = data.flexvert_xpos.iter().zip(&model.flex_vertbodyid);
        geoms.chain(vertices.filter(|(_, body)| **body != 0).map(|(p, _)| Vec3::from(*p)))
    };
    let count = positions().count().max(1) as f64;
    let centre = positions().fold(Vec3::zeros(), |sum, p| sum + p) * (1.0 / count);
    let spread = positions().fold(Mat3::zeros(), |sum, p| sum + (p - centre) * (p - centre).transpose());
    eig3(&(spread * (1.0 / count))).vectors
}

/// Least and greatest coordinates of the bounds of a body along the axes, margins included.
pub(super) fn sides(model: &Model, data: &Data, body: usize, axes: &Mat3) -> [[f64; 2]; 3] {
    let half_margin = half_margin(model);
    let first = model.body_geomadr[body] as usize;
    let mut all = [[f64::MAX, -f64::MAX]; 3];
    for geom in first..first + model.body_geomnum[body] as usize {
        let margin = if half_margin == 0.0 { model.geom_margin[geom] } else { half_margin };
        let margin = geom_reach(model, geom, margin);
        let (p, m, a) = (&data.geom_xpos[geom], &data.geom_xmat[geom], &model.geom_aabb[geom]);
        let radius = model.geom_rbound[geom];
        let centre = in_world(a, &Frame { pos: p, mat: m });
        for (k, side) in all.iter_mut().enumerate() {
            let axis = [axes[(k, 0)], axes[(k, 1)], axes[(k, 2)]];
            let (middle, origin) = (dot(&centre, &axis), dot(p, &axis));
            let half = (0..3).map(|l| (a[3 + l] * dot(&[m[l], m[3 + l], m[6 + l]], &axis)).abs());
            let half = half.fold(0.0, |sum, h| sum + h);
            side[0] = side[0].min((origin - radius).max(middle - half) - margin);
            side[1] = side[1].max((origin + radius).min(middle + half) + margin);
        }
    }
    all
}

/// Whether a sweep finds two bodies, the one with the lower id first.
pub(super) fn sweep_keeps(low: &[[f64; 2]; 3], high: &[[f64; 2]; 3]) -> bool {
    let single = |side: &[f64; 2]| side.map(|x| x as f32);
    let (a, b) = (single(&low[0]), single(&high[0]));
    // of equal ends the one of the first body comes first: it has left when the second body enters
    let passed = a[1] <= b[0] || b[1] < a[0];
    !passed && (1..3).all(|k| low[k][0] <= high[k][1] && high[k][0] <= low[k][1])
}

/// Position and orientation of a box's frame.
#[derive(Clone, Copy)]
pub(super) struct Frame<'a> {
    pub(super) pos: &'a [f64; 3],
    pub(super) mat: &'a [f64; 9],
}

impl Frame<'_> {
    fn axis(&self, k: usize) -> [f64; 3] {
        [self.mat[k], self.mat[3 + k], self.mat[6 + k]]
    }
}

/// How the centre of a box is projected; the two differ in rounding.
#[derive(Clone, Copy)]
pub(super) enum Projection {
    /// The centre in the world.
    Centre,
    /// The origin of the frame, and the centre's coordinates along its axes.
    Origin,
}

fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Centre of a box in the world.
fn in_world(aabb: &[f64; 6], frame: &Frame<'_>) -> [f64; 3] {
    let local = [aabb[0], aabb[1], aabb[2]];
    [0, 1, 2]
        .map(|k| dot(&[frame.mat[3 * k], frame.mat[3 * k + 1], frame.mat[3 * k + 2]], &local) + frame.pos[k])
}

/// Whether two boxes come within `margin` along each of their face normals.
pub(super) fn boxes_meet(
    boxes: [&[f64; 6]; 2],
    frames: [Frame<'_>; 2],
    projection: Projection,
    margin: f64,
) -> bool {
    let unbounded = boxes.map(|b| [3, 4, 5].map(|k| b[k] >= UNBOUNDED));
    if unbounded.contains(&[true; 3]) {
        return true;
    }
    let centres = [0, 1].map(|i| in_world(boxes[i], &frames[i]));
    for (face, frame) in frames.iter().enumerate() {
        if unbounded[1 - face].contains(&true) {
            continue;
        }
        for k in 0..3 {
            let normal = frame.axis(k);
            let [one, two] = [0, 1].map(|i| {
                let (b, along) = (boxes[i], [0, 1, 2].map(|l| dot(&frames[i].axis(l), &normal)));
                let center = match projection {
                    Projection::Centre => dot(&centres[i], &normal),
                    Projection::Origin => dot(&[b[0], b[1], b[2]], &along) + dot(frames[i].pos, &normal),
                };
                let reach = (b[3] * along[0]).abs() + (b[4] * along[1]).abs() + (b[5] * along[2]).abs();
                (center, reach)
            });
            if one.1 + two.1 + margin < (two.0 - one.0).abs() {
                return false;
            }
        }
    }
    true
}
