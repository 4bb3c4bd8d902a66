//! Plugins that misbehave: a clear error that names them, and other worlds go on.

use kinetree_math::Vec3;
use kinetree_math::field::SignedDistance;
use kinetree_model::plugin::{
    Attribute, AttributeKind, Capabilities, Field, Plugin, PluginConfig, PluginInstance, PluginRegistry,
    PluginResult, PluginWorld,
};
use kinetree_model::{Data, Model};
use kinetree_spec::Spec;
use std::sync::Arc;

/// What a plugin does when the control is positive.
static ATTRIBUTES: [Attribute; 1] = [Attribute::new("mode", AttributeKind::Text, "", "How it fails.")];

struct Hostile;

impl Plugin for Hostile {
    fn name(&self) -> &str {
        "test.hostile"
    }
    fn attributes(&self) -> &[Attribute] {
        &ATTRIBUTES
    }
    fn capabilities(&self) -> Capabilities {
        Capabilities { actuator: true, sensor: true, passive: true, sdf: true }
    }
    fn state_size(&self, config: &PluginConfig) -> PluginResult<usize> {
        match config.text("mode") {
            "huge" => Ok(usize::MAX),
            "panic early" => panic!("no size today"),
            _ => Ok(2),
        }
    }
    fn field(&self, config: &PluginConfig) -> PluginResult<Field> {
        Ok(Field {
            distance: Arc::new(Holey(config.text("mode") == "nan far away")),
            aabb: [0.0, 0.0, 0.0, 1.0, 1.0, 1.0],
        })
    }
    fn instance(&self, _: &Model, _: usize, config: &PluginConfig) -> PluginResult<Box<dyn PluginInstance>> {
        match config.text("mode") {
            "refuse" => Err("not with me".into()),
            mode => Ok(Box::new(Bad(mode.to_owned()))),
        }
    }
}

/// A ball with a field that is not a number in a shell around it.
struct Holey(bool);

impl SignedDistance for Holey {
    fn distance(&self, point: &Vec3) -> f64 {
        if self.0 && (0.86..0.95).contains(&point.norm()) { f64::NAN } else { point.norm() - 0.8 }
    }
}

struct Bad(String);

impl PluginInstance for Bad {
    fn reset(&mut self, _: &Model, state: &mut [f64]) {
        state[1] = 7.0;
    }
    fn actuator_force(&mut self, world: PluginWorld<'_>, actuator: usize) -> PluginResult<f64> {
        if world.data.ctrl[actuator] <= 0.0 {
            world.state[0] += 1.0;
            return Ok(0.5);
        }
        match self.0.as_str() {
            "panic" => panic!("all is lost"),
            "error" => Err("the motor is on fire".into()),
            "nan" => Ok(f64::NAN),
            "out of state" => {
                world.state[2] = 1.0;
                Ok(0.0)
            }
            "nan in state" => {
                world.state[0] = f64::INFINITY;
                Ok(0.0)
            }
            _ => Ok(0.0),
        }
    }
}

fn registry() -> Arc<PluginRegistry> {
    let mut registry = kinetree_plugins::registry();
    registry.register(Hostile).unwrap();
    Arc::new(registry)
}

fn load(xml: &str) -> Result<Model, String> {
    let mut spec = Spec::from_xml_string(xml, None).map_err(|error| error.to_string())?;
    spec.registry = registry();
    spec.compile().map_err(|error| error.to_string())
}

fn arm(mode: &str) -> String {
    format!(
        "<mujoco><extension><plugin plugin='test.hostile'/></extension>
           <worldbody><body><joint name='j'/><geom size='0.1'/></body></worldbody>
           <actuator><plugin joint='j' plugin='test.hostile'><config key='mode' value='{mode}'/></plugin></actuator></mujoco>"
    )
}

#[test]
fn failures_in_a_step_are_named_and_leave_other_worlds_alone() {
    for (mode, message) in [
        ("panic", "plugin 'test.hostile' (instance 0): it panicked: all is lost"),
        ("error", "plugin 'test.hostile' (instance 0): the motor is on fire"),
        ("nan", "plugin 'test.hostile' (instance 0): it returned a number that is not finite"),
        ("out of state", "plugin 'test.hostile' (instance 0): it panicked: index out of bounds"),
        ("nan in state", "plugin 'test.hostile' (instance 0): its state is not finite"),
    ] {
        let model = load(&arm(mode)).unwrap();
        let (mut failing, mut fine) = (Data::new(&model), Data::new(&model));
        failing.ctrl[0] = 1.0;
        for _ in 0..2 {
            let error = failing.step(&model).unwrap_err().to_string();
            assert!(error.starts_with(message), "{mode}: {error}");
        }
        assert_eq!((failing.time, &failing.plugin_state[..]), (0.0, &[0.0, 7.0][..]), "{mode}");
        fine.steps(&model, 3).unwrap();
        assert_eq!(&fine.plugin_state[..], [3.0, 7.0]);
        // the same world goes on when the cause is gone
        failing.ctrl[0] = 0.0;
        failing.step(&model).unwrap();
    }
}

#[test]
fn failures_while_loading_are_named() {
    for (mode, message) in [
        ("refuse", "plugin 'test.hostile': not with me"),
        ("huge", "plugin 'test.hostile': it asks for"),
        ("panic early", "plugin 'test.hostile': it panicked: no size today"),
    ] {
        let error = load(&arm(mode)).unwrap_err();
        assert!(error.contains(message), "{mode}: {error}");
    }
}

#[test]
fn mistakes_in_a_model_have_suggestions() {
    let message = |xml: &str| load(xml).unwrap_err();
    let error = message(&arm("x").replace("plugin='test.hostile'/></ext", "plugin='test.hostil'/></ext"));
    assert!(
        error.contains("plugin 'test.hostil' is not registered") && error.contains("'test.hostile'?"),
        "{error}"
    );
    let error = message(&arm("x").replace("key='mode'", "key='mod'"));
    assert!(
        error.contains("there is no attribute 'mod'") && error.contains("did you mean 'mode'?"),
        "{error}"
    );
    let error = message(&arm("x").replace("<extension><plugin plugin='test.hostile'/></extension>", ""));
    assert!(error.contains("is not declared"), "{error}");
    let error = message(
        &arm("x")
            .replace("plugin='test.hostile'>", "instance='nobody'>")
            .replace("<config key='mode' value='x'/>", ""),
    );
    assert!(error.contains("plugin instance 'nobody' not found"), "{error}");
    let pid = "<mujoco><extension><plugin plugin='mujoco.pid'/></extension><worldbody><body><joint name='j'/><geom size='0.1'/>
        <plugin plugin='mujoco.pid'/></body></worldbody></mujoco>";
    assert!(message(pid).contains("plugin 'mujoco.pid' does not support passive forces"));
    let pid = "<mujoco><extension><plugin plugin='mujoco.pid'/></extension><worldbody><body><joint name='j'/><geom size='0.1'/>
        </body></worldbody><actuator><plugin joint='j' plugin='mujoco.pid'><config key='ki' value='1'/></plugin></actuator></mujoco>";
    assert!(message(pid).contains("give it actdim=\"1\""), "{}", message(pid));
}

#[test]
fn a_field_that_is_no_number_somewhere_fails_where_it_is_used() {
    let text = |mode: &str, height: f64| {
        format!(
            "<mujoco><extension><plugin plugin='test.hostile'><instance name='f'><config key='mode' value='{mode}'/></instance></plugin></extension>
               <asset><mesh name='m' builtin='sphere' params='3'/></asset>
               <worldbody><geom type='sdf' mesh='m'><plugin instance='f'/></geom>
               <body pos='0 0 {height}'><freejoint/><geom size='0.1'/></body></worldbody></mujoco>"
        )
    };
    let model = load(&text("nan far away", 0.95)).unwrap();
    let error = Data::new(&model).forward(&model).unwrap_err().to_string();
    assert!(error.contains("plugin 'test.hostile' (instance 0): its distance is not a number"), "{error}");
    let model = load(&text("", 0.85)).unwrap();
    let mut data = Data::new(&model);
    data.forward(&model).unwrap();
    assert!(data.ncon > 0);
    // a surface cannot be made of it
    let mesh =
        text("nan far away", 2.0).replace("builtin='sphere' params='3'/>", "><plugin instance='f'/></mesh>");
    assert!(load(&mesh).unwrap_err().contains("its distance is not a number"));
}

#[test]
fn states_are_saved_copied_and_reset() {
    use kinetree_model::enums::StateBit;
    use kinetree_model::{mj_get_state, mj_set_state, mj_state_size};
    let model = load(&arm("")).unwrap();
    let mut data = Data::new(&model);
    assert_eq!(&data.plugin_state[..], [0.0, 7.0]);
    data.steps(&model, 5).unwrap();
    let bits = StateBit::Plugin as u32;
    let mut saved = vec![0.0; mj_state_size(&model, bits).unwrap()];
    mj_get_state(&model, &data, &mut saved, bits).unwrap();
    assert_eq!(saved, [5.0, 7.0]);
    let mut copy = data.clone();
    copy.step(&model).unwrap();
    assert_eq!((copy.plugin_state[0], data.plugin_state[0]), (6.0, 5.0));
    copy.reset(&model).unwrap();
    assert_eq!(&copy.plugin_state[..], [0.0, 7.0]);
    mj_set_state(&model, &mut copy, &saved, bits).unwrap();
    assert_eq!(&copy.plugin_state[..], [5.0, 7.0]);
    // a saved model finds its plugins by their slots
    let again = kinetree_spec::load_binary_with(&model.to_bytes(), &registry()).unwrap();
    let mut other = Data::new(&again);
    other.steps(&again, 2).unwrap();
    assert_eq!(other.plugin_state[0], 2.0);
    assert!(kinetree_spec::load_binary(&model.to_bytes()).is_err());
}
