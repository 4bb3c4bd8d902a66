//! Entries of observations and metrics that several tasks have.

use kinetree_batch::Record;
use kinetree_model::{Data, Model};

/// Positions without the first ones, then velocities.
pub(super) fn put_state(data: &Data, skipped: usize, excluded: bool, observation: &mut Record<'_>) {
    observation.put("qpos", &data.qpos[if excluded { skipped } else { 0 }..]);
    observation.put("qvel", &data.qvel);
}

/// Position in the horizontal plane.
pub(super) fn put_position(data: &Data, metrics: &mut Record<'_>) {
    let (x, y) = (data.qpos[0], data.qpos[1]);
    metrics.number("x_position", x);
    metrics.number("y_position", y);
    metrics.number("distance_from_origin", libm::hypot(x, y));
}

/// Position in a vertical plane.
pub(super) fn put_height(model: &Model, data: &Data, metrics: &mut Record<'_>) {
    metrics.number("x_position", data.qpos[0]);
    metrics.number("z_distance_from_origin", data.qpos[1] - model.qpos0[1]);
}
