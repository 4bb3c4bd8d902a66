//! Fields, gravity and time step that differ from world to world, and what follows from them.

use kinetree_batch::{BatchError, BatchSim};
use kinetree_model::{Data, Model};
use kinetree_sim::{mj_set_const, mj_step};
use std::sync::Arc;

const CART: &str = r#"<mujoco><worldbody><body name="cart"><joint type="slide" axis="1 0 0"/><geom type="box" size=".2 .1 .05" mass="1"/>
    <body name="pole"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 .6" size=".03" mass=".2"/></body></body></worldbody>
    <actuator><motor joint="swing"/></actuator></mujoco>"#;

fn cart() -> Arc<Model> {
    let text = CART.replace("<joint axis", "<joint name=\"swing\" axis");
    Arc::new(kinetree_spec::load_model_str(&text).unwrap())
}

/// The state of a world of this model after some steps.
fn alone(model: &Model) -> Vec<f64> {
    let mut data = Data::new(model);
    (data.qpos[1], data.ctrl[0]) = (0.3, 0.1);
    (0..20).for_each(|_| mj_step(model, &mut data).unwrap());
    [&data.qpos[..], &data.qvel[..]].concat()
}

/// The states of the worlds of a batch after as many.
fn together(batch: &mut BatchSim) -> Vec<Vec<f64>> {
    batch.reset_all();
    batch.states_mut().chunks_mut(4).for_each(|state| state[1] = 0.3);
    batch.controls_mut().fill(0.1);
    (0..20).for_each(|_| batch.advance());
    batch.states_mut().chunks(4).map(<[f64]>::to_vec).collect()
}

#[test]
fn worlds_have_fields_and_options_of_their_own() {
    let model = cart();
    let mut batch = BatchSim::new(Arc::clone(&model), 4);
    batch.vary_worlds("body_mass", &[0.0, 3.0, 0.1], &[1]).unwrap();
    batch.recompute_constants(&[1]).unwrap();
    batch.vary_worlds("gravity", &[0.0, 0.0, -3.0], &[2]).unwrap();
    batch.vary_worlds("opt.timestep", &[0.004], &[3]).unwrap();

    let mut heavy = Model::clone(&model);
    heavy.body_mass.copy_from_slice(&[0.0, 3.0, 0.1]);
    let mut data = Data::new(&heavy);
    mj_set_const(&mut heavy, &mut data).unwrap();
    let (mut light, mut slow) = (Model::clone(&model), Model::clone(&model));
    light.opt.gravity = [0.0, 0.0, -3.0];
    slow.opt.timestep = 0.004;
    let expected = [alone(&model), alone(&heavy), alone(&light), alone(&slow)];
    assert_eq!(together(&mut batch), expected);

    let of_world = batch.model_of(1).unwrap();
    assert_eq!(of_world.dof_invweight0[..], heavy.dof_invweight0[..]);
    assert_eq!(of_world.stat.meaninertia, heavy.stat.meaninertia);
    assert_ne!(of_world.dof_invweight0[..], model.dof_invweight0[..]);
    batch.end_variations().unwrap();
    assert_eq!(together(&mut batch), vec![alone(&model); 4]);
}

#[test]
fn what_no_world_can_have_is_refused() {
    let mut batch = BatchSim::new(cart(), 2);
    let error = batch.vary_worlds("body_mass", &[0.0, -1.0, 1.0], &[1]).unwrap_err();
    assert_eq!(error.to_string(), "body_mass of world 1 is -1 at index 1; it cannot be negative");
    let error = batch.vary("timestep", &[0.01, 0.0]).unwrap_err();
    assert_eq!(error.to_string(), "timestep of world 1 is 0 at index 0; it cannot be negative, nor zero");
    assert_eq!(batch.vary_worlds("gravity", &[0.0; 3], &[2]), Err(BatchError::World { index: 2, count: 2 }));
    assert!(matches!(batch.vary_worlds("gravity", &[0.0; 3], &[0, 1]), Err(BatchError::Length { .. })));
    let weights = batch.model_of(1).unwrap().body_mass.to_vec();
    assert_eq!(weights, cart().body_mass[..]);
}
