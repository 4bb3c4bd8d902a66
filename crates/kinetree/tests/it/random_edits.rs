//! Random edits of a description while its model is being simulated: nothing panics, a state is carried over,
//! and each result equals a compile from its own written text.

use kinetree::model::enums::{GeomType, JointType, ObjType, SensorType, TrnType};
use kinetree::spec::spec::{
    Actuator, Body, BodyId, Frame, Geom, Joint, Part, Sensor, Site, Tendon, Wrap, WrapTarget,
};
use kinetree::spec::{Spec, StateLayout};
use kinetree::{Data, Model};
use proptest::prelude::*;

/// Largest difference of a float after writing and reading.
const TOLERANCE: f64 = 1e-12;

/// A robot that others are attached to.
const ROBOT: &str = r#"<mujoco>
  <compiler angle="degree"/>
  <default><default class="link"><geom size="0.03" density="500"/><joint damping="0.1" range="-90 90"/></default></default>
  <worldbody>
    <body name="base" pos="0 0 0.5" euler="0 0 30">
      <freejoint name="root"/>
      <geom name="trunk" type="box" size="0.1 0.05 0.03"/>
      <body name="leg" childclass="link" pos="0.1 0 0">
        <joint name="hip" axis="0 1 0"/>
        <geom name="shin" type="capsule" fromto="0 0 0 0 0 -0.2"/>
        <site name="foot" pos="0 0 -0.2"/>
      </body>
    </body>
  </worldbody>
  <actuator><position name="servo" joint="hip" kp="2" inheritrange="1"/></actuator>
  <sensor><framepos name="tip" objtype="site" objname="foot"/></sensor>
  <keyframe><key name="up" qpos="0 0 1 1 0 0 0 0.3" ctrl="0.1"/></keyframe>
</mujoco>"#;

/// One of the bodies, the world included.
fn some_body(spec: &Spec, pick: u32) -> BodyId {
    let bodies = spec.subtree(spec.world());
    bodies[pick as usize % bodies.len()]
}

/// A name that is free.
fn fresh(spec: &Spec, counter: u32) -> String {
    format!("n{counter}_{}", spec.bodies.slots() + spec.geoms.slots() + spec.sites.slots())
}

fn add_link(spec: &mut Spec, pick: u32, counter: u32) {
    let name = fresh(spec, counter);
    let parent = some_body(spec, pick);
    let pos = [0.1 + f64::from(pick % 7) / 30.0, f64::from(pick % 5) / 40.0, 0.2];
    let body = spec.add_body(parent, Body { name: name.clone(), pos, ..Body::default() });
    let kind = [JointType::Hinge, JointType::Slide, JointType::Ball][pick as usize % 3];
    spec.add_joint(
        body,
        Joint { name: format!("{name}j"), r#type: kind, axis: [0.0, 1.0, 0.3], ..Joint::default() },
    );
    let shape = [GeomType::Sphere, GeomType::Box, GeomType::Capsule][pick as usize / 3 % 3];
    spec.add_geom(
        body,
        Geom { name: format!("{name}g"), r#type: shape, size: [0.02, 0.03, 0.04], ..Geom::default() },
    );
}

fn add_relations(spec: &mut Spec, pick: u32, counter: u32) {
    let scalar = |joint: &&Joint| {
        matches!(joint.r#type, JointType::Hinge | JointType::Slide) && !joint.name.is_empty()
    };
    let joints: Vec<String> = spec.joints.values().filter(scalar).map(|joint| joint.name.clone()).collect();
    let Some(joint) = joints.get(pick as usize % joints.len().max(1)) else { return };
    let name = fresh(spec, counter);
    match pick % 3 {
        0 => {
            let mut motor =
                Actuator { name, trntype: TrnType::Joint, target: joint.clone(), ..Actuator::default() };
            motor.set_to_motor();
            spec.add_actuator(motor);
        }
        1 => {
            let kind = (SensorType::Jointpos, ObjType::Joint);
            spec.add_sensor(Sensor {
                name,
                r#type: kind.0,
                objtype: kind.1,
                objname: joint.clone(),
                ..Sensor::default()
            });
        }
        _ => {
            let target = WrapTarget::Joint { name: joint.clone(), coef: 0.5 };
            let path = vec![Wrap { target, pos: Default::default() }];
            spec.add_tendon(Tendon { name, path, ..Tendon::default() });
        }
    }
}

fn attach_robot(spec: &mut Spec, robot: &Spec, pick: u32, counter: u32) {
    let (prefix, body) = (format!("r{counter}-"), some_body(spec, 0));
    let frame = Frame { pos: [f64::from(counter), f64::from(pick % 4), 0.1], ..Frame::default() };
    let frame = spec.add_frame(body, frame);
    let part = match pick % 3 {
        0 => Part::Model,
        1 => Part::Body(robot.find_body("leg").expect("the robot has a leg")),
        _ => Part::Body(robot.find_body("base").expect("the robot has a base")),
    };
    // a free joint can only hang on the world, which is where the frame is
    spec.attach(frame, robot, part, &prefix, "").expect("nothing refers across the border");
}

/// One edit; what cannot be done is left out.
fn edit(spec: &mut Spec, robot: &Spec, op: u8, pick: u32, counter: u32) {
    match op % 10 {
        0 | 1 => add_link(spec, pick, counter),
        2 => add_relations(spec, pick, counter),
        3 => {
            let body = some_body(spec, pick);
            let _ = spec.delete_body_and_referrers(body);
        }
        4 | 5 => attach_robot(spec, robot, pick, counter),
        6 => {
            let name = fresh(spec, counter);
            let geoms = spec.geoms.ids();
            if let Some(geom) = geoms.get(pick as usize % geoms.len().max(1)) {
                spec.geoms[*geom].name = name;
            }
        }
        7 => {
            let body = some_body(spec, pick);
            spec.bodies[body].pos[2] += if body == spec.world() { 0.0 } else { 0.25 };
            spec.option.timestep = 0.001 + f64::from(pick % 3) / 1000.0;
        }
        8 => {
            let name = fresh(spec, counter);
            let body = some_body(spec, pick);
            let frame = spec.add_frame(
                body,
                Frame { pos: [0.0, 0.1, 0.0], quat: [0.9, 0.1, 0.0, 0.3], ..Frame::default() },
            );
            spec.add_site(body, Site { name, frame: Some(frame), ..Site::default() });
        }
        _ => {
            let body = some_body(spec, pick);
            if spec.bodies[body].joints.is_empty() {
                let _ = spec.body_to_frame(body);
            }
        }
    }
}

/// The model that the written text compiles to.
fn through_text(spec: &Spec) -> Model {
    let text = spec.to_xml().expect("everything can be written");
    let again = Spec::from_xml_string(&text, None)
        .unwrap_or_else(|e| panic!("what was written is refused: {e}\n{text}"));
    assert_eq!(again.to_xml().expect("written again"), text, "writing is a fixed point");
    again.compile().unwrap_or_else(|e| panic!("what was written does not compile: {e}\n{text}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn edits_keep_the_state_and_survive_writing(ops in proptest::collection::vec((any::<u8>(), any::<u32>()), 1..25)) {
        let robot = Spec::from_xml_string(ROBOT, None).expect("the robot is right");
        let mut spec = Spec::new();
        let mut model = spec.compile().expect("an empty model compiles");
        let mut data = Data::new(&model);
        let mut layout = StateLayout::of(&spec);
        for (counter, (op, pick)) in ops.into_iter().enumerate() {
            edit(&mut spec, &robot, op, pick, counter as u32);
            match spec.recompile(&layout, &model, &data, None) {
                Ok((new_model, new_data)) => {
                    prop_assert_eq!(new_data.time, data.time);
                    let difference = new_model.difference(&through_text(&spec), TOLERANCE);
                    prop_assert!(difference.is_none(), "{:?}", difference);
                    (model, data, layout) = (new_model, new_data, StateLayout::of(&spec));
                }
                // the old model and data are as they were
                Err(error) => prop_assert!(error.to_string().contains("error"), "{}", error),
            }
            for _ in 0..3 {
                data.step(&model).expect("a step of a good model");
            }
        }
    }
}

#[test]
fn recompiling_keeps_what_still_exists() {
    let mut spec = Spec::from_xml_string(ROBOT, None).unwrap();
    let model = spec.compile().unwrap();
    let mut data = Data::new(&model);
    data.ctrl[0] = 0.4;
    for _ in 0..100 {
        data.step(&model).unwrap();
    }
    let layout = StateLayout::of(&spec);
    // something before it in the order of numbers
    let first = spec.add_body(spec.world(), Body { name: "first".into(), ..Body::default() });
    spec.bodies[BodyId::new(0)].bodies.rotate_right(1);
    spec.add_joint(first, Joint { r#type: JointType::Ball, ..Joint::default() });
    spec.add_geom(first, Geom { size: [0.1; 3], ..Geom::default() });
    let (new_model, new_data) = spec.recompile(&layout, &model, &data, None).unwrap();
    assert_eq!(new_model.nq, model.nq + 4);
    assert_eq!(new_data.qpos[..4], [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(new_data.qpos[4..], data.qpos[..]);
    assert_eq!(new_data.qvel[3..], data.qvel[..]);
    assert_eq!((new_data.ctrl[0], new_data.time), (0.4, data.time));
    // an edit that does not compile changes nothing
    spec.add_geom(first, Geom { size: [-1.0; 3], ..Geom::default() });
    assert!(spec.recompile(&layout, &model, &data, None).is_err());
    // a model of another description is noticed
    let other = Spec::new().compile().unwrap();
    assert!(spec.recompile(&layout, &other, &Data::new(&other), None).is_err());
}

#[test]
fn attaching_across_the_border_is_an_error() {
    let text = ROBOT.replace("<sensor>", r#"<equality><weld body1="base" body2="leg"/></equality><sensor>"#);
    let robot = Spec::from_xml_string(&text, None).unwrap();
    let mut spec = Spec::new();
    let frame = spec.add_frame(spec.world(), Frame::default());
    let error =
        spec.attach(frame, &robot, Part::Body(robot.find_body("leg").unwrap()), "a-", "").unwrap_err();
    assert!(error.to_string().contains("'base'"), "{error}");
    assert_eq!(spec.bodies.len(), 1, "nothing was attached");
    spec.attach(frame, &robot, Part::Model, "a-", "").unwrap();
    let model = spec.compile().unwrap();
    assert_eq!((model.nbody, model.neq, model.nu, model.nsensor, model.nkey), (3, 1, 1, 1, 1));
    assert_eq!(kinetree::model::mj_name2id(&model, ObjType::Actuator, "a-servo"), Some(0));
}

#[test]
fn attaching_at_a_site_takes_its_pose() {
    let robot = Spec::from_xml_string(ROBOT, None).unwrap();
    let mut spec = Spec::new();
    let site = Site { pos: [1.0, 2.0, 3.0], quat: [0.0, 0.0, 0.0, 1.0], ..Site::default() };
    let site = spec.add_site(spec.world(), site);
    let part = Part::Body(robot.find_body("base").unwrap());
    spec.attach_to_site(site, &robot, part, "", "-1").unwrap();
    let model = spec.compile().unwrap();
    assert_eq!(model.body_pos[1], [1.0, 2.0, 3.5]);
    assert_eq!(kinetree::model::mj_name2id(&model, ObjType::Body, "base-1"), Some(1));
}
