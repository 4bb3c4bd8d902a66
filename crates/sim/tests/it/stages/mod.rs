//! One module for each stage of the pipeline: what it computes is compared with a closed form, with finite
//! differences or with another stage that must say the same.

mod actuation;
mod broadphase;
mod dual;
mod dual_numbers;
mod energy;
mod flex;
mod flex_statics;
mod fluid;
mod history;
mod inverse;
mod islands;
mod motion;
mod noslip;
mod sensors;
mod sleep;
mod spring;
mod trajectories;
mod transition;
mod transition_actuators;
mod transition_contacts;
mod transition_implicit;
mod transition_products;
mod transition_sensors;
mod transition_tendons;
mod transmission;
mod wrapping;

use kinetree_model::{Data, Model};
use kinetree_sim::{mj_forward, mj_integrate_pos, mj_step};

/// A model from its text.
pub(crate) fn load(xml: &str) -> Model {
    kinetree_spec::load_model_str(xml).unwrap_or_else(|problem| panic!("{problem}"))
}

/// A model and a world after one evaluation.
pub(crate) fn start(xml: &str) -> (Model, Data) {
    let model = load(xml);
    let mut data = Data::new(&model);
    forward(&model, &mut data);
    (model, data)
}

pub(crate) fn forward(model: &Model, data: &mut Data) {
    mj_forward(model, data).unwrap();
}

pub(crate) fn steps(model: &Model, data: &mut Data, count: usize) {
    for _ in 0..count {
        mj_step(model, data).unwrap();
    }
}

/// Numbers in −1..1 that are the same in every run.
pub(crate) fn noise(n: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    (0..n).map(|_| next()).collect()
}

/// A state somewhere: the initial positions moved along random velocities, which it keeps.
pub(crate) fn shake(model: &Model, data: &mut Data, seed: u64) {
    let velocity = noise(model.nv, seed);
    let mut qpos = data.qpos.to_vec();
    mj_integrate_pos(model, &mut qpos, &velocity, 0.4);
    data.qpos.copy_from_slice(&qpos);
    data.qvel.copy_from_slice(&noise(model.nv, seed + 1000));
    forward(model, data);
}

/// Central differences of `f` along each degree of freedom: a row of `nv` numbers.
pub(crate) fn derivative(model: &Model, data: &Data, mut f: impl FnMut(&Data) -> f64) -> Vec<f64> {
    const STEP: f64 = 1e-6;
    let mut along = |dof: usize, h: f64| {
        let mut velocity = vec![0.0; model.nv];
        velocity[dof] = 1.0;
        let mut other = data.clone();
        let mut qpos = data.qpos.to_vec();
        mj_integrate_pos(model, &mut qpos, &velocity, h);
        other.qpos.copy_from_slice(&qpos);
        forward(model, &mut other);
        f(&other)
    };
    (0..model.nv).map(|dof| (along(dof, STEP) - along(dof, -STEP)) / (2.0 * STEP)).collect()
}

#[track_caller]
pub(crate) fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance * b.abs().max(1.0), "{a} is not {b}");
}

#[track_caller]
pub(crate) fn all_close(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    for (i, (x, y)) in a.iter().zip(b).enumerate() {
        assert!((x - y).abs() <= tolerance * y.abs().max(1.0), "element {i}: {x} is not {y}");
    }
}
