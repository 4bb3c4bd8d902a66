//! Things of a model by name, and common products of its arrays.

use crate::error::TaskError;
use kinetree_batch::Transition;
use kinetree_model::enums::ObjType;
use kinetree_model::{Model, mj_name2id};
use std::ops::Range;

fn find(model: &Model, kind: ObjType, what: &'static str, name: &'static str) -> Result<usize, TaskError> {
    mj_name2id(model, kind, name).ok_or(TaskError::Missing { kind: what, name })
}

/// Body of a name.
pub(crate) fn body(model: &Model, name: &'static str) -> Result<usize, TaskError> {
    find(model, ObjType::Body, "body", name)
}

/// Site of a name.
pub(crate) fn site(model: &Model, name: &'static str) -> Result<usize, TaskError> {
    find(model, ObjType::Site, "site", name)
}

/// Geom of a name.
pub(crate) fn geom(model: &Model, name: &'static str) -> Result<usize, TaskError> {
    find(model, ObjType::Geom, "geom", name)
}

/// Joint of a name.
pub(crate) fn joint(model: &Model, name: &'static str) -> Result<usize, TaskError> {
    find(model, ObjType::Joint, "joint", name)
}

/// Address of the first position of a joint.
pub(crate) fn position(model: &Model, name: &'static str) -> Result<usize, TaskError> {
    Ok(model.jnt_qposadr[joint(model, name)?] as usize)
}

/// Values of a sensor in `sensordata`.
pub(crate) fn sensor(model: &Model, name: &'static str) -> Result<Range<usize>, TaskError> {
    let id = find(model, ObjType::Sensor, "sensor", name)?;
    let first = model.sensor_adr[id] as usize;
    Ok(first..first + model.sensor_dim[id] as usize)
}

/// Difference of two points.
pub(crate) fn difference(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Length of a vector.
pub(crate) fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Sum of squares of the controls, in the precision that they were given in and in the order of NumPy's
/// pairwise summation: the originals compute it from the actions.
pub(crate) fn squared_controls(step: &Transition<'_>) -> f64 {
    if step.single_precision {
        f64::from(pairwise(&step.data.ctrl, |x| (x as f32) * (x as f32), |a, b| a + b))
    } else {
        pairwise(&step.data.ctrl, |x| x * x, |a, b| a + b)
    }
}

/// Weighted sum of squares of the controls, with the product in their precision, too.
pub(crate) fn control_cost(step: &Transition<'_>, weight: f64) -> f64 {
    let squares = squared_controls(step);
    if step.single_precision { f64::from(weight as f32 * squares as f32) } else { weight * squares }
}

/// Sum of up to 128 numbers: eight running sums when there are that many, which are added in pairs; the rest
/// one by one.
fn pairwise<T: Copy + Default>(values: &[f64], term: impl Fn(f64) -> T, add: impl Fn(T, T) -> T) -> T {
    let (mut total, mut rest) = (T::default(), values);
    if values.len() >= 8 {
        let mut sums = [T::default(); 8];
        let blocks = values.chunks_exact(8);
        rest = blocks.remainder();
        for (k, block) in blocks.enumerate() {
            for (sum, value) in sums.iter_mut().zip(block) {
                *sum = if k == 0 { term(*value) } else { add(*sum, term(*value)) };
            }
        }
        let [a, b, c, d, e, f, g, h] = sums;
        total = add(add(add(a, b), add(c, d)), add(add(e, f), add(g, h)));
    }
    rest.iter().fold(total, |total, value| add(total, term(*value)))
}

/// Whether a number is between the limits, which do not count.
pub(crate) fn within(value: f64, [low, high]: [f64; 2]) -> bool {
    low < value && value < high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_in_single_precision_have_the_order_of_numpy() {
        // np.square(np.arange(1, 12, dtype=np.float32) / 7).sum() and np.square(...)[:6].sum()
        let values: Vec<f64> = (1..12).map(|k| f64::from(k as f32 / 7.0)).collect();
        let sum = |values: &[f64]| pairwise(values, |x| (x as f32) * (x as f32), |a, b| a + b);
        assert!((f64::from(sum(&values)) - 506.0 / 49.0).abs() < 2e-6);
        assert!((f64::from(sum(&values[..6])) - 91.0 / 49.0).abs() < 5e-7);
    }
}
