//! Terms of rewards and observations that several tasks have.

use crate::tolerance::{Sigmoid, Tolerance};
use kinetree_batch::{Outcome, Record};
use kinetree_model::{Data, Model};

/// How much controls are worth that are near zero: one for none, zero for full ones.
pub(super) const SMALL_CONTROL: Tolerance = Tolerance::within(0.0, 0.0).falling(Sigmoid::Quadratic, 1.0, 0.0);

/// A factor from 0.8 to 1 for small controls.
pub(super) fn small_control(data: &Data) -> f64 {
    (4.0 + SMALL_CONTROL.mean(&data.ctrl)) / 5.0
}

/// How much a speed is worth that is less than wanted, falling by a straight line to `value` at `margin`.
pub(super) fn fast(speed: f64, wanted: f64, margin: f64, value: f64) -> f64 {
    Tolerance::within(wanted, f64::INFINITY).falling(Sigmoid::Linear, margin, value).of(speed)
}

/// Tasks of the suite end by time alone.
pub(super) fn rewarded(reward: f64) -> Outcome {
    Outcome { reward, terminated: false }
}

/// Positions without the first ones, then velocities.
pub(super) fn put_state(data: &Data, skipped: usize, observation: &mut Record<'_>) {
    observation.put("position", &data.qpos[skipped..]);
    observation.put("velocity", &data.qvel);
}

/// Cosine of the angle between the z-axis of a body and the vertical.
pub(super) fn uprightness(data: &Data, body: usize) -> f64 {
    data.xmat[body][8]
}

/// Size of a geom or site along its first axis.
pub(super) fn radius(sizes: &[[f64; 3]], id: usize) -> f64 {
    sizes[id][0]
}

/// Number of bodies after the first `skipped` ones, which are the world and what moves others.
pub(super) fn moving(model: &Model, skipped: usize) -> std::ops::Range<usize> {
    skipped.min(model.nbody)..model.nbody
}
