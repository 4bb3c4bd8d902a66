//! Distance between geoms, and between objects of several geoms.
//!
//! The nearest of many geom pairs is found by branch and bound: the gap between bounding spheres is a lower
//! bound of a distance, and a pair is measured only if that is no larger than the least distance known so
//! far. The pair of the smallest bound is measured first, since it is likely the nearest or close to it.

use super::geom_shape::{ccd_settings, geom_pose, geom_shape};
use crate::on_demand::OnDemand;
use kinetree_collide::{
    CcdScratch, CcdSettings, ContactPoint, Kind, PoseView, geom_distance, simple_distance,
};
use kinetree_math::Vec3;
use kinetree_model::{Data, Model};
use std::ops::Range;

/// Working memory of distances.
#[derive(Default)]
pub(crate) struct DistanceScratch {
    ccd: OnDemand<CcdScratch>,
    contacts: Vec<ContactPoint>,
    /// Lower bounds of the distances of all geom pairs of two objects.
    bounds: Vec<f64>,
}

/// A distance, and the nearest points on the first and on the second geom.
type Segment = (f64, Vec3, Vec3);

/// Smallest signed distance between two geoms, no larger than `distmax`, and the nearest points on the first
/// and on the second. The points are zero when the geoms are farther apart or their distance is not defined.
pub(crate) fn mj_geom_distance(
    model: &Model,
    data: &Data,
    scratch: &mut DistanceScratch,
    geom1: usize,
    geom2: usize,
    distmax: f64,
) -> (f64, [f64; 3], [f64; 3]) {
    let (distance, from, to) =
        pair_distance(model, data, &ccd_settings(model), scratch, [geom1, geom2], distmax);
    (distance, from.into(), to.into())
}

/// [`mj_geom_distance`] of one pair: by formula from sizes and poses as they are, or by a search between
/// shapes.
#[inline]
fn pair_distance(
    model: &Model,
    data: &Data,
    settings: &CcdSettings,
    scratch: &mut DistanceScratch,
    [g1, g2]: [usize; 2],
    distmax: f64,
) -> Segment {
    let kind = |geom: usize| Kind::of_geom_type(model.geom_type[geom]);
    if let (Some(kind1), Some(kind2)) = (kind(g1), kind(g2)) {
        let view = |geom: usize| PoseView { pos: &data.geom_xpos[geom], mat: &data.geom_xmat[geom] };
        let sizes = [&model.geom_size[g1], &model.geom_size[g2]];
        let views = [&view(g1), &view(g2)];
        if let Some(found) = simple_distance([kind1, kind2], sizes, views, distmax, &mut scratch.contacts) {
            return found;
        }
    }
    searched_distance(model, data, settings, scratch, [g1, g2], distmax)
}

/// [`mj_geom_distance`] of one pair without a formula. Kept apart, since shapes are large.
#[inline(never)]
fn searched_distance(
    model: &Model,
    data: &Data,
    settings: &CcdSettings,
    scratch: &mut DistanceScratch,
    [g1, g2]: [usize; 2],
    distmax: f64,
) -> Segment {
    let shape1 = geom_shape(model, g1);
    let shape2 = geom_shape(model, g2);
    let (Some(shape1), Some(shape2)) = (&shape1, &shape2) else {
        return (distmax, Vec3::zeros(), Vec3::zeros());
    };
    let (pose1, pose2) = (geom_pose(data, g1), geom_pose(data, g2));
    let DistanceScratch { ccd, contacts, .. } = scratch;
    geom_distance(shape1, &pose1, shape2, &pose2, distmax, settings, ccd.get(), contacts)
}

/// Smallest signed distance between a geom of one object and a geom of another, if it is less than `cutoff`,
/// and the nearest points. Of several pairs at the same distance the first counts, in the order of the geoms.
pub(crate) fn nearest_geoms(
    model: &Model,
    data: &Data,
    scratch: &mut DistanceScratch,
    geoms1: Range<usize>,
    geoms2: Range<usize>,
    cutoff: f64,
) -> Segment {
    let settings = ccd_settings(model);
    let far = (cutoff, Vec3::zeros(), Vec3::zeros());
    if geoms1.len() == 1 && geoms2.len() == 1 {
        let pair = [geoms1.start, geoms2.start];
        if distance_bound(model, data, pair[0], pair[1]) > cutoff {
            return far;
        }
        let found = pair_distance(model, data, &settings, scratch, pair, cutoff);
        return if found.0 < cutoff { found } else { far };
    }
    let likely = lower_bounds(model, data, geoms1.clone(), geoms2.clone(), &mut scratch.bounds)
        .filter(|&(_, bound)| bound <= cutoff)
        .map(|(pair, _)| (pair, pair_distance(model, data, &settings, scratch, pair, cutoff)));
    // a pair at just this distance may come before the likely one, and then counts
    let known = likely.map_or(cutoff, |(_, found)| found.0.next_up());
    let mut nearest = far;
    let pairs = geoms1.flat_map(|geom1| geoms2.clone().map(move |geom2| [geom1, geom2]));
    for (n, pair) in pairs.enumerate() {
        // only what is nearer than the nearest so far matters, and a search within less ends sooner
        let limit = nearest.0.min(known);
        let found = match likely {
            Some((measured, found)) if measured == pair => found,
            _ if scratch.bounds[n] > limit => continue,
            _ => {
                let limit = if limit > 0.0 { limit } else { cutoff };
                pair_distance(model, data, &settings, scratch, pair, limit)
            }
        };
        if found.0 < nearest.0 {
            nearest = found;
        }
    }
    nearest
}

/// Lower bounds of the distances of all pairs, and the pair of the smallest bound, if any has one.
fn lower_bounds(
    model: &Model,
    data: &Data,
    geoms1: Range<usize>,
    geoms2: Range<usize>,
    bounds: &mut Vec<f64>,
) -> Option<([usize; 2], f64)> {
    bounds.clear();
    let mut least = ([0; 2], f64::INFINITY);
    for geom1 in geoms1 {
        for geom2 in geoms2.clone() {
            let bound = distance_bound(model, data, geom1, geom2);
            bounds.push(bound);
            if bound < least.1 && bound > f64::NEG_INFINITY {
                least = ([geom1, geom2], bound);
            }
        }
    }
    (least.1 < f64::INFINITY).then_some(least)
}

/// A lower bound of the distance between two geoms, from their bounding spheres. Planes have none.
#[inline]
fn distance_bound(model: &Model, data: &Data, geom1: usize, geom2: usize) -> f64 {
    let [radius1, radius2] = [model.geom_rbound[geom1], model.geom_rbound[geom2]];
    if radius1 == 0.0 || radius2 == 0.0 {
        return f64::NEG_INFINITY;
    }
    let between = (Vec3::from(data.geom_xpos[geom1]) - Vec3::from(data.geom_xpos[geom2])).norm();
    // less what rounding may add
    between * (1.0 - 1e-12) - radius1 - radius2
}
