//! Signed distance between two geoms.

use super::shapes::{geom_pose, geom_shape};
use super::{NarrowScratch, ccd_settings};
use kinetree_collide::geom_distance;
use kinetree_model::{Data, Model};

/// Smallest signed distance between two geoms, no larger than `distmax`, and the segment from `geom1` to `geom2` that realizes it.
///
/// The segment is zero when the geoms are farther apart than `distmax` or cannot collide.
pub fn mj_geom_distance(
    model: &Model,
    data: &mut Data,
    geom1: usize,
    geom2: usize,
    distmax: f64,
) -> (f64, [f64; 6]) {
    let (Some(shape1), Some(shape2)) = (geom_shape(model, geom1), geom_shape(model, geom2)) else {
        return (distmax, [0.0; 6]);
    };
    let mut scratch = data.scratch.take::<NarrowScratch>();
    let NarrowScratch { ccd, points } = &mut *scratch;
    let (dist, from, to) = geom_distance(
        &shape1,
        &geom_pose(data, geom1),
        &shape2,
        &geom_pose(data, geom2),
        distmax,
        &ccd_settings(model),
        ccd,
        points,
    );
    data.scratch.give(scratch);
    (dist, [from.x, from.y, from.z, to.x, to.y, to.z])
}
