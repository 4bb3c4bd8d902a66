//! Bounding volumes of geoms and bodies in the world: boxes, spheres and trees of boxes.

use super::params::geom_reach;
use kinetree_collide::broadphase::Aabb;
use kinetree_collide::bvh::BvhView;
use kinetree_model::enums::{EnableBit, GeomType};
use kinetree_model::{Data, Model};
use wide::{CmpGt, f64x4};

/// Boxes are tested with this much more than the margin, so that rounding loses nothing (m).
pub(super) const SLACK: f64 = 1e-9;
/// How far apart the corners of two boxes are, in margins, when they are still within the margin along all
/// axes: √3 and some more.
const CORNER_REACH: f64 = 2.0;

/// What each geom has of the margin that overrides all others, or zero.
pub(super) fn half_margin(model: &Model) -> f64 {
    if model.enabled(EnableBit::Override) { 0.5 * model.opt.o_margin } else { 0.0 }
}

/// Box of a geom in the world, its ends in the first three numbers of lanes (m).
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneBox {
    min: f64x4,
    max: f64x4,
}

impl LaneBox {
    /// A box of no size.
    pub(super) const EMPTY: Self = Self { min: f64x4::ZERO, max: f64x4::ZERO };

    /// Whether the boxes do not overlap.
    #[inline(always)]
    pub(super) fn is_separated(&self, other: &Self) -> bool {
        let separated = self.min.cmp_gt(other.max) | other.min.cmp_gt(self.max);
        separated.move_mask() & 0b111 != 0
    }
}

/// Box of a geom in the world, inflated by its margin: the tighter of its oriented box and its bounding
/// sphere.
#[inline]
pub(super) fn geom_box(model: &Model, data: &Data, geom: usize, override_margin: f64) -> Aabb {
    let [min, max] = {
        let LaneBox { min, max } = lane_box(model, data, geom, override_margin);
        [min, max].map(|lane| {
            let [x, y, z, _] = lane.to_array();
            [x, y, z]
        })
    };
    Aabb { min, max, fixed: false }
}

/// As [`geom_box`], in lanes.
#[inline(always)]
pub(super) fn lane_box(model: &Model, data: &Data, geom: usize, override_margin: f64) -> LaneBox {
    let margin = if override_margin == 0.0 { model.geom_margin[geom] } else { override_margin };
    let margin = geom_reach(model, geom, margin);
    // two boxes whose corners face each other touch, for the narrow phase, from beyond their margin
    let reach = if model.geom_type[geom] == GeomType::Box { CORNER_REACH } else { 1.0 };
    let margin = f64x4::splat(SLACK + margin * reach);
    let (p, m) = (&data.geom_xpos[geom], &data.geom_xmat[geom]);
    let a = model.geom_aabb[geom].map(f64x4::splat);
    let r = f64x4::splat(model.geom_rbound[geom]);
    let p = f64x4::new([p[0], p[1], p[2], 0.0]);
    let axis = |k: usize| f64x4::new([m[k], m[3 + k], m[6 + k], 0.0]);
    let (x, y, z) = (axis(0), axis(1), axis(2));
    let centre = x * a[0] + y * a[1] + z * a[2] + p;
    let half = (a[3] * x).abs() + (a[4] * y).abs() + (a[5] * z).abs();
    LaneBox { min: (centre - half).fast_max(p - r) - margin, max: (centre + half).fast_min(p + r) + margin }
}

/// Whether bounding spheres, or a plane and a bounding sphere, come within `margin`.
#[inline(always)]
pub(super) fn spheres_meet(model: &Model, data: &Data, g1: usize, g2: usize, margin: f64) -> bool {
    let (r1, r2) = (model.geom_rbound[g1], model.geom_rbound[g2]);
    if r1 > 0.0 && r2 > 0.0 {
        let (p1, p2) = (&data.geom_xpos[g1], &data.geom_xpos[g2]);
        let d = [p1[0] - p2[0], p1[1] - p2[1], p1[2] - p2[2]];
        let bound = r1 + r2 + margin;
        return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= bound * bound;
    }
    for (plane, other, r) in [(g1, g2, r2), (g2, g1, r1)] {
        if model.geom_type[plane] == GeomType::Plane && r > 0.0 {
            let (p, q, m) = (&data.geom_xpos[plane], &data.geom_xpos[other], &data.geom_xmat[plane]);
            let height = (q[0] - p[0]) * m[2] + (q[1] - p[1]) * m[5] + (q[2] - p[2]) * m[8];
            if height > margin + r {
                return false;
            }
        }
    }
    true
}

/// Whether there is a tree over the geoms of a body.
pub(super) fn has_tree(model: &Model, body: usize) -> bool {
    model.body_bvhadr[body] >= 0
}

/// The tree over the geoms of a body; empty when it has none.
pub(super) fn body_tree(model: &Model, body: usize) -> BvhView<'_> {
    let adr = model.body_bvhadr[body].max(0) as usize;
    let nodes = adr..adr + model.body_bvhnum[body].max(0) as usize;
    BvhView {
        aabb: &model.bvh_aabb[nodes.clone()],
        child: &model.bvh_child[nodes.clone()],
        nodeid: &model.bvh_nodeid[nodes],
    }
}
