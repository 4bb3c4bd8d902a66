//! Reference level 4.0: which words it knows, what it refuses, and what it computes otherwise. All numbers
//! are from MuJoCo 4.0.1.

use kinetree_model::{DIFFERENCES, Data, Model, Reference, ReferenceState, StepError, point};
use kinetree_spec::{Loader, Spec, load_binary};

fn at_4(xml: &str) -> Result<Model, String> {
    Loader::default().reference(Reference::V4_0).model_from_string(xml).map_err(|found| found.to_string())
}

#[track_caller]
pub(crate) fn load_4(xml: &str) -> Model {
    at_4(xml).unwrap_or_else(|found| panic!("{found}"))
}

#[track_caller]
pub(crate) fn refused_at_4(xml: &str, words: &[&str]) {
    let Err(message) = at_4(xml) else { panic!("accepted: {xml}") };
    words.iter().for_each(|word| assert!(message.contains(word), "'{word}' in: {message}"));
}

#[track_caller]
pub(crate) fn assert_near(found: &[f64], wanted: &[f64], tolerance: f64) {
    assert_eq!(found.len(), wanted.len());
    for (a, b) in found.iter().zip(wanted) {
        assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{found:?}, not {wanted:?}");
    }
}

/// A model at level 4.0 after steps from a velocity, with all controls one.
fn stepped(xml: &str, qvel: &[f64], steps: usize) -> Data {
    let model = load_4(xml);
    let mut data = Data::new(&model);
    data.qvel.copy_from_slice(qvel);
    data.ctrl.fill(1.0);
    data.steps(&model, steps).unwrap();
    data
}

#[test]
fn a_level_has_defaults_of_its_own() {
    let old: Spec = "<mujoco/>".parse().unwrap();
    assert_eq!((old.reference(), old.option.sleep_tolerance), (Reference::V3_8, 1e-4));
    assert_eq!((old.visual.global.bvactive, old.visual.headlight.active), (1, 1));
    let new = load_4("<mujoco/>");
    assert_eq!((new.reference(), new.opt.sleep_tolerance), (Reference::V4_0, 1e-3));
    assert_eq!((new.vis.global.bvactive, new.vis.headlight.active), (0, 2));
}

#[test]
fn a_written_description_has_the_same_meaning_at_its_level() {
    let xml = "<mujoco><option sleep_tolerance='1e-4'/><worldbody><body><joint name='j'/><geom size='.1'/></body>
        </worldbody><tendon><fixed actuatorfrcrange='-1 1'><joint joint='j' coef='1'/></fixed></tendon></mujoco>";
    let spec = Loader::default().reference(Reference::V4_0).spec_from_string(xml).unwrap();
    let model = load_4(&spec.to_xml().unwrap());
    assert_eq!((model.opt.sleep_tolerance, model.tendon_actfrclimited[0]), (1e-4, 1));
    assert_eq!(model.vis.headlight.active, 2);
}

#[test]
fn a_binary_model_carries_its_level() {
    let model = load_4(BOX);
    let bytes = model.to_bytes();
    let mut read = load_binary(&bytes).unwrap();
    assert_eq!(read.reference(), Reference::V4_0);
    let (mut a, mut b) = (Data::new(&model), Data::new(&read));
    a.qvel[4] = 2.0;
    b.qvel[4] = 2.0;
    a.step(&model).unwrap();
    b.step(&read).unwrap();
    assert_eq!(*a.qpos, *b.qpos);
    // the level is in the place of the version, and nothing else differs
    read.set_reference(Reference::V3_8);
    let old = read.to_bytes();
    let differing: Vec<usize> = (0..bytes.len()).filter(|&i| bytes[i] != old[i]).collect();
    assert!(differing.iter().all(|i| (12..16).contains(i)) && !differing.is_empty(), "{differing:?}");
}

const BOX: &str = "<mujoco><option gravity='0 0 0'/><worldbody><body><freejoint/>
    <geom type='box' size='.1 .2 .3'/></body></worldbody></mujoco>";

#[test]
fn new_words_are_refused_by_name_at_both_levels() {
    let body = |inside: &str| format!("<mujoco><worldbody><body>{inside}</body></worldbody></mujoco>");
    let sphere = "<geom size='.1'/>";
    for (xml, word) in [
        (body(&format!("<frame scale='2'>{sphere}</frame>")), "'scale'"),
        (body("<geom size='.1' surfacevel='1 0 0 0 0 0'/>"), "'surfacevel'"),
        ("<mujoco><actuator><pid joint='j'/></actuator></mujoco>".into(), "<pid>"),
        ("<mujoco><option integrator='discrete'/></mujoco>".into(), "'discrete'"),
        ("<mujoco><option><flag diagexact='enable'/></option></mujoco>".into(), "'diagexact'"),
        ("<mujoco><sensor><contact data='found linvel' geom1='g'/></sensor></mujoco>".into(), "'linvel'"),
    ] {
        refused_at_4(&xml, &["unsupported: ", word, "new in MuJoCo 3."]);
        let Err(old) = Spec::from_xml_string(&xml, None) else { panic!("accepted: {xml}") };
        let old = old.to_string();
        assert!(old.contains(word) && old.contains("load with reference 4.0"), "{old}");
    }
}

#[test]
fn removed_words_are_errors_at_level_4_alone() {
    let objects = "<mujoco><worldbody><camera name='c'/></worldbody>
        <sensor><framepos objtype='camera' objname='c' reftype='cam' refname='c'/></sensor></mujoco>";
    refused_at_4(objects, &["'cam' as reftype", "was removed in MuJoCo 3.12"]);
    let composite =
        "<mujoco><worldbody><body><composite type='cable' curve='s' count='4 1 1' size='1' initial='none'>
        <geom type='capsule' size='.01'/></composite></body></worldbody></mujoco>";
    assert!(Spec::from_xml_string(composite, None).is_ok());
    refused_at_4(composite, &["<composite>", "was removed in MuJoCo 4.0", "load with reference 3.8"]);
}

#[test]
fn keyframes_beside_replicas_are_those_of_the_whole_model() {
    let slider = "<joint type='slide' ref='.3'/>";
    let xml = |replica: &str, key: &str| {
        format!(
            "<mujoco><worldbody><replicate count='2' offset='1 0 0'>{replica}</replicate>
             <body><joint type='slide'/><geom size='.1'/></body></worldbody>
             <keyframe><key name='a' qpos='{key}'/></keyframe></mujoco>"
        )
    };
    let body = format!("<body>{slider}<geom size='.1'/></body>");
    for (key, qpos) in [("1", [1.0, 0.3, 0.0]), ("1 2", [1.0, 2.0, 0.0]), ("1 2 3", [1.0, 2.0, 3.0])] {
        let model = load_4(&xml(&body, key));
        assert_eq!((model.nkey, &model.key_qpos[..]), (1, &qpos[..]), "{key}");
    }
    for replica in [slider.to_owned(), format!("<frame>{slider}</frame>"), "<freejoint/>".to_owned()] {
        refused_at_4(&xml(&replica, "1"), &["cannot be a direct child of replicate"]);
    }
}

#[test]
fn what_has_another_meaning_is_refused_when_it_is_loaded() {
    let body = "<worldbody><body name='b'><joint name='j'/><geom size='.1'/></body></worldbody>";
    for (inside, difference) in [
        ("<option solver='PGS'/>", &point::pgs),
        ("<worldbody><body><joint/><joint/><geom size='.1'/></body></worldbody>", &point::pivots),
        ("<option noslip_iterations='2'/>", &point::noslip),
        ("<option><flag sleep='enable'/></option>", &point::sleep),
        (
            "<default><position kp='3'/></default><actuator><velocity joint='j'/></actuator>",
            &point::shortcut_defaults,
        ),
        (
            "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' maxhullvert='4'/></asset>",
            &point::mesh_hulls,
        ),
        (
            "<worldbody><body><joint name='k' type='ball'/><geom size='.1'/></body></worldbody>
             <actuator><position joint='k'/></actuator>",
            &point::circular_setpoints,
        ),
        (
            "<worldbody><geom name='g' size='.1'/></worldbody><sensor><distance geom1='g' body2='b' cutoff='1'/></sensor>",
            &point::geom_distance,
        ),
    ] {
        let xml = format!("<mujoco>{body}{inside}</mujoco>");
        assert_eq!(difference.state, ReferenceState::Refused, "{inside}");
        refused_at_4(&xml, &["unsupported: ", difference.subject]);
        assert!(Spec::from_xml_string(&xml, None).and_then(|spec| spec.compile()).is_ok(), "{inside}");
    }
}

#[test]
fn contacts_with_another_meaning_are_refused_when_they_come_about() {
    let pair = |first: &str, second: &str, height: f64| {
        format!(
            "<mujoco><worldbody><geom {first}/><body pos='0 0 {height}'><freejoint/><geom {second}/></body></worldbody></mujoco>"
        )
    };
    let small = "type='box' size='.1 .1 .1'";
    let xml = pair("type='cylinder' size='1 1'", small, 1.05);
    let refused = Err(StepError::Reference(&point::multicontact));
    let model = load_4(&xml);
    assert_eq!(Data::new(&model).forward(&model), refused);
    assert_eq!(Data::new(&model).inverse(&model), refused);
    let old = kinetree_spec::load_model_str(&xml).unwrap();
    assert_eq!(Data::new(&old).forward(&old), Ok(()));
    // apart, they do not matter, and other pairs have the same meaning
    for xml in [pair("type='box' size='1 1 1'", small, 2.0), pair("type='plane' size='1 1 1'", small, 0.05)] {
        let model = load_4(&xml);
        assert_eq!(Data::new(&model).forward(&model), Ok(()));
    }
}

#[test]
fn options_are_checked_again_when_they_are_changed() {
    let mut model = load_4(BOX);
    model.opt.solver = 0;
    let refused = Data::new(&model).step(&model).unwrap_err();
    assert_eq!(refused, StepError::Reference(&point::pgs));
    assert!(refused.to_string().starts_with("unsupported: the solver PGS at reference level 4.0"));
    let old = Model::clone(&model);
    model.set_reference(Reference::V3_8);
    assert_eq!(Data::new(&model).step(&model), Ok(()));
    assert_eq!(old.reference(), Reference::V4_0);
}

#[test]
fn rotations_converge_with_the_fourth_order() {
    let xml = BOX.replace("gravity='0 0 0'", "gravity='0 0 0' integrator='RK4' timestep='.02'");
    let data = stepped(&xml, &[0.0, 0.0, 0.0, 3.0, 5.0, 7.0], 1);
    let quat = [0.9958341882900263, 0.03133927553328372, 0.04820970315558949, 0.07076682671593529];
    assert_near(&data.qpos[3..], &quat, 1e-15);
    assert_near(&data.qvel[3..], &[3.263153392560823, 4.644545829459591, 7.181305390846537], 1e-15);
    let ball =
        "<mujoco><option integrator='RK4' timestep='.02'/><worldbody><body><joint type='ball' damping='.1'/>
        <geom type='box' size='.1 .2 .3' pos='.1 .2 .3'/></body></worldbody></mujoco>";
    let data = stepped(ball, &[3.0, 5.0, 7.0], 5);
    let quat = [0.8993743814059502, 0.1350462345724374, 0.24429798475743464, 0.33646207994650273];
    assert_near(&data.qpos, &quat, 1e-13);
    assert_near(&data.qvel, &[2.8068261592375165, 5.195303469993786, 6.703172588247345], 1e-13);
}

#[test]
fn implicit_integrators_take_the_gyroscopic_derivative_of_free_bodies() {
    for integrator in ["implicit", "implicitfast"] {
        let option = format!("gravity='0 0 0' integrator='{integrator}' timestep='.01'");
        let data = stepped(&BOX.replace("gravity='0 0 0'", &option), &[0.0, 0.0, 0.0, 3.0, 5.0, 7.0], 1);
        assert_near(&data.qvel[3..], &[3.1315805079342645, 4.822453453697971, 7.090751577404592], 1e-14);
        assert_near(&data.qacc[3..], &[13.461538461538462, -16.8, 9.0], 1e-14);
        let xml = format!(
            "<mujoco><option integrator='{integrator}' timestep='.01' density='2' viscosity='.1'/><worldbody>
             <body pos='0 0 1'><joint type='free' damping='.1'/>
             <geom type='box' size='.1 .2 .3' pos='.05 .02 .01'/></body></worldbody></mujoco>"
        );
        let data = stepped(&xml, &[0.1, 0.2, 0.3, 3.0, 5.0, 7.0], 3);
        let qvel = [0.19884128853535746, 0.206079577666003, -0.08005454155076136, 3.376387779705471];
        assert_near(&data.qvel[..4], &qvel, 1e-12);
        assert_near(&data.qvel[4..], &[4.429991684095896, 7.237857632509757], 1e-12);
    }
}

#[test]
fn forces_at_the_limit_of_their_target_have_no_derivative() {
    let arm = |integrator: &str, limited: [&str; 2], actuator: &str| {
        format!(
            "<mujoco><option timestep='.01' integrator='{integrator}'/><worldbody><body>
             <joint name='j' axis='0 1 0' {}/><geom size='.1' mass='1' pos='.5 0 0'/></body></worldbody>
             <tendon><fixed name='t' {}><joint joint='j' coef='1'/></fixed></tendon>
             <actuator><position {actuator} kp='100' kv='10'/></actuator></mujoco>",
            limited[0], limited[1]
        )
    };
    let limit = "actuatorfrcrange='-1 1'";
    for integrator in ["implicit", "implicitfast"] {
        let data = stepped(&arm(integrator, [limit, ""], "joint='j'"), &[0.1], 1);
        assert_near(&data.qvel, &[0.3324803149606299], 1e-14);
    }
    // the limit of the joint is not that of a tendon over it
    let data = stepped(&arm("implicitfast", [limit, ""], "tendon='t'"), &[0.1], 1);
    assert_near(&data.qvel, &[0.26680790960451983], 1e-14);
    // the range of a tendon limits it without a further word
    let data = stepped(&arm("implicitfast", ["", limit], "tendon='t'"), &[0.1], 1);
    assert_near(&data.qvel, &[0.3324803149606299], 1e-14);
    assert_near(&data.actuator_force, &[1.0], 1e-15);
}

#[test]
fn damping_ratios_take_the_whole_inertia() {
    let model = load_4(
        "<mujoco><worldbody><body><joint name='a' axis='0 1 0'/>
         <geom type='capsule' size='.05' fromto='0 0 0 1 0 0'/><body pos='1 0 0'><joint name='b' axis='0 1 0'/>
         <geom type='capsule' size='.05' fromto='0 0 0 1 0 0'/></body></body></worldbody>
         <tendon><fixed name='t'><joint joint='a' coef='1'/><joint joint='b' coef='.5'/></fixed></tendon>
         <actuator><position joint='a' kp='100' dampratio='1'/><position joint='b' kp='100' dampratio='1'/>
         <position tendon='t' kp='100' dampratio='1'/></actuator></mujoco>",
    );
    let damping: Vec<f64> = model.actuator_biasprm.iter().map(|bias| bias[2]).collect();
    assert_near(&damping, &[-45.65931166522404, -16.361735840632175, -64.5720178055799], 1e-13);
}

#[test]
fn inertial_frames_converge_to_the_last_digit() {
    let model = load_4(
        "<mujoco><worldbody><body><freejoint/><geom type='box' size='.1 .2 .3' pos='.1 .05 -.02' euler='10 20 30'/>
         <geom size='.1' pos='-.2 .3 .1'/></body></worldbody></mujoco>",
    );
    let quat = [0.890513249849884, 0.24725981106024103, 0.17616370656625513, 0.3388437488948142];
    assert_near(&model.body_iquat[1], &quat, 1e-13);
    let model = load_4(
        "<mujoco><worldbody><body><freejoint/><geom size='.1'/>
         <inertial pos='0 0 0' mass='1' fullinertia='3 2 1.5 1e-6 2e-6 1e-6'/></body></worldbody></mujoco>",
    );
    let quat = [9.999999999991527e-01, 9.999983333224868e-07, -6.666664999979537e-07, 5.000013333292842e-07];
    assert_near(&model.body_iquat[1], &quat, 1e-14);
}

#[test]
fn frames_of_meshes_do_not_depend_on_their_size() {
    let mesh = |unit: f64| {
        let [x, y, z] = [1.0, 2.0, 3.0].map(|length| length * unit);
        load_4(&format!(
            "<mujoco><asset><mesh name='m' vertex='0 0 0 {x} 0 0 0 {y} 0 0 0 {z}'/></asset><worldbody><body>
             <freejoint/><geom type='mesh' mesh='m' contype='0' conaffinity='0'/></body></worldbody></mujoco>"
        ))
    };
    let model = mesh(1.0);
    let quat = [0.9729070938124287, 0.15229176569916253, -0.0680120905280247, 0.16010421747003734];
    assert_near(&model.mesh_quat[0], &quat, 1e-14);
    assert_near(&model.geom_size[0], &[0.5161073440868248, 1.2306686031180936, 2.3047652887831687], 1e-14);
    let quat = [0.9729070916656154, 0.15229177691507637, -0.06801209262317272, 0.16010421895696256];
    assert_near(&mesh(0.001).mesh_quat[0], &quat, 1e-14);
}

#[test]
fn accelerometers_at_rest_feel_gravity() {
    let model = load_4(
        "<mujoco><worldbody><site name='w' euler='90 0 0'/><body name='s' pos='1 0 0'><geom size='.1'/>
         <site name='s'/></body></worldbody><sensor><accelerometer site='w'/><accelerometer site='s'/>
         <framelinacc objtype='body' objname='s'/><frameangacc objtype='site' objname='w'/></sensor></mujoco>",
    );
    let mut data = Data::new(&model);
    data.forward(&model).unwrap();
    let g = 9.81;
    assert_near(&data.sensordata, &[0.0, g, 0.0, 0.0, 0.0, g, 0.0, 0.0, g, 0.0, 0.0, 0.0], 1e-14);
}

#[test]
fn rotations_between_sites_take_body_and_site_in_the_right_order() {
    let model = load_4(
        "<mujoco><worldbody><site name='r' euler='90 0 0'/><body euler='0 0 40'><joint type='ball'/>
         <geom size='.1' pos='.1 0 0'/><site name='s' euler='0 60 0'/></body></worldbody>
         <actuator><general site='s' refsite='r' gear='0 0 0 .1 .2 1'/></actuator></mujoco>",
    );
    let mut data = Data::new(&model);
    data.forward(&model).unwrap();
    assert_near(&data.actuator_length, &[-0.20749329518147452], 1e-14);
}

#[test]
fn parts_of_another_level_are_not_attached() {
    let mut whole = Spec::at(Reference::V4_0);
    let part: Spec = "<mujoco/>".parse().unwrap();
    let frame = whole.add_frame(whole.world(), kinetree_spec::spec::Frame::default());
    let refused = whole.attach(frame, &part, kinetree_spec::spec::Part::Model, "a", "").unwrap_err();
    assert!(refused.to_string().contains("level 3.8 cannot be attached to a description of level 4.0"));
}

/// The table of the manual is that of the list.
#[test]
fn the_manual_lists_every_difference() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/coming-from-mujoco/mujoco-4.md");
    let page = std::fs::read_to_string(path).unwrap();
    let mut table = String::new();
    for difference in DIFFERENCES {
        let kinetree_model::Difference { since, state, subject, what, .. } = difference;
        table += &format!("| {since} | {subject} | {what} | {state} |\n");
    }
    assert!(page.contains(&table), "the table should be:\n{table}");
}
