//! A plugin that fails in one world of a batch: that world ends with an error that names it, and the others
//! go on.

use kinetree_batch::BatchSim;
use kinetree_model::Model;
use kinetree_model::plugin::{Capabilities, Plugin, PluginConfig, PluginInstance, PluginResult, PluginWorld};
use kinetree_spec::Spec;
use std::sync::Arc;

/// A motor whose control says how it fails.
struct Moody;

impl Plugin for Moody {
    fn name(&self) -> &str {
        "test.moody"
    }
    fn capabilities(&self) -> Capabilities {
        Capabilities::ACTUATOR
    }
    fn instance(&self, _: &Model, _: usize, _: &PluginConfig) -> PluginResult<Box<dyn PluginInstance>> {
        Ok(Box::new(Self))
    }
}

impl PluginInstance for Moody {
    fn actuator_force(&mut self, world: PluginWorld<'_>, actuator: usize) -> PluginResult<f64> {
        match world.data.ctrl[actuator] {
            1.0 => panic!("enough"),
            2.0 => Ok(f64::NAN),
            3.0 => Err("not today".into()),
            // it has no state to write to
            4.0 => Ok(world.state[0]),
            _ => Ok(0.5),
        }
    }
}

fn model() -> Arc<Model> {
    let mut registry = kinetree_spec::plugins::registry();
    registry.register(Moody).unwrap();
    let xml = "<mujoco><extension><plugin plugin='test.moody'/></extension>
                 <worldbody><body><joint name='j'/><geom size='0.1'/></body></worldbody>
                 <actuator><plugin joint='j' plugin='test.moody'/></actuator></mujoco>";
    let mut spec: Spec = xml.parse().unwrap();
    spec.registry = Arc::new(registry);
    Arc::new(spec.compile().unwrap())
}

#[test]
fn other_worlds_go_on() {
    let model = model();
    let reasons = ["", "it panicked: enough", "not finite", "not today", "it panicked: index out of bounds"];
    for threads in [1, 2] {
        let mut batch = BatchSim::new(Arc::clone(&model), reasons.len());
        batch.set_threads(threads).unwrap();
        for (world, control) in batch.controls_mut().iter_mut().enumerate() {
            *control = world as f64;
        }
        for step in 1..=3 {
            let result = batch.step_all();
            for (world, reason) in reasons.iter().enumerate() {
                let failure = result.errors[world].as_ref().map(ToString::to_string);
                if reason.is_empty() {
                    assert_eq!(failure, None);
                    let time = batch.world(world).unwrap().time;
                    assert!((time - f64::from(step) * model.opt.timestep).abs() < 1e-12);
                } else {
                    let failure = failure.unwrap();
                    assert!(failure.contains("plugin 'test.moody'") && failure.contains(reason), "{failure}");
                }
            }
        }
        // a world whose cause is gone goes on as well
        batch.controls_mut().fill(0.0);
        assert!(batch.step_all().errors.iter().all(Option::is_none));
    }
}
