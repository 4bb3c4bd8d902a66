//! Migration between reference levels: each rule, and the same motion at both levels.

use kinetree_model::{Data, Model, Reference};
use kinetree_spec::{Loader, MigrateError, Migration, NoteKind, Spec};

use crate::reference::assert_near;

fn described(level: Reference, xml: &str) -> Spec {
    Loader::default().reference(level).spec_from_string(xml).unwrap_or_else(|found| panic!("{found}"))
}

fn other(level: Reference) -> Reference {
    if level == Reference::V3_8 { Reference::V4_0 } else { Reference::V3_8 }
}

/// Positions and sensor values after each of 50 steps, with all controls 0.3.
fn trajectory(model: &Model) -> Vec<f64> {
    let mut data = Data::new(model);
    for (i, velocity) in data.qvel.iter_mut().enumerate() {
        *velocity = 0.2 - 0.05 * i as f64;
    }
    data.ctrl.fill(0.3);
    let mut values = Vec::new();
    for _ in 0..50 {
        data.step(model).unwrap();
        values.extend(data.qpos.iter().chain(&data.sensordata[..]));
    }
    values
}

#[track_caller]
fn assert_same_motion(old: &Model, new: &Model) {
    let (old, new) = (trajectory(old), trajectory(new));
    assert_eq!(old.len(), new.len());
    let far = old.iter().zip(&new).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(far <= 1e-6, "{far:e} apart");
}

/// Migrates from a level to the other one, as a description and by way of text, and compares the motion.
#[track_caller]
fn migrated(from: Reference, xml: &str) -> (Migration, Model) {
    let (spec, to) = (described(from, xml), other(from));
    let migration = spec.migrate(to).unwrap_or_else(|error| panic!("{error}"));
    let old = spec.compile().unwrap();
    let direct = migration.spec.compile().unwrap_or_else(|found| panic!("{found}"));
    let text = migration.spec.to_xml().unwrap();
    let written = described(to, &text).compile().unwrap_or_else(|found| panic!("{found}\n{text}"));
    for new in [&direct, &written] {
        assert_eq!(new.reference(), to);
        assert_same_motion(&old, new);
    }
    (migration, written)
}

/// Whether the motion differs when nothing but the level of the text changes.
fn differs_as_it_is(from: Reference, xml: &str) -> bool {
    let [old, new] = [from, other(from)].map(|level| described(level, xml).compile().unwrap());
    let (old, new) = (trajectory(&old), trajectory(&new));
    old.len() != new.len() || old.iter().zip(&new).any(|(a, b)| (a - b).abs() > 1e-6)
}

#[track_caller]
fn assert_note(migration: &Migration, kind: NoteKind, words: &str) {
    let found: Vec<String> = migration.of_kind(kind).map(ToString::to_string).collect();
    assert!(found.iter().any(|note| note.contains(words)), "'{words}' in {found:#?}");
}

/// What would differ; none of it may be lost.
#[track_caller]
fn differences(from: Reference, xml: &str) -> String {
    match described(from, xml).migrate(other(from)) {
        Err(MigrateError::Differs(found)) => {
            let text = MigrateError::Differs(found.clone()).to_string();
            assert!(found.of_kind(NoteKind::Difference).all(|note| text.contains(&note.to_string())));
            text
        }
        other => panic!("{other:?}"),
    }
}

const LEVELS: [Reference; 2] = Reference::ALL;

#[test]
fn the_level_itself_changes_nothing() {
    let spec = described(Reference::V3_8, "<mujoco/>");
    let migration = spec.migrate(Reference::V3_8).unwrap();
    assert!(migration.notes.is_empty());
    assert_eq!(migration.spec.reference(), Reference::V3_8);
}

#[test]
fn margins_lose_and_gain_their_gaps() {
    let xml =
        "<mujoco><default><geom margin='.1' gap='.02'/></default><worldbody><geom type='plane' size='1 1 1'/>
        <body pos='0 0 .27'><freejoint/><geom name='ball' size='.1'/></body>
        <body pos='1 0 .27'><freejoint/><geom name='other' size='.1' margin='0' gap='0'/></body>
        <body pos='2 0 .15'><freejoint/><geom name='third' size='.1'/></body></worldbody>
        <contact><pair geom1='ball' geom2='third' margin='3' gap='2'/></contact></mujoco>";
    for from in LEVELS {
        assert!(differs_as_it_is(from, xml));
        let (migration, model) = migrated(from, xml);
        let (geom, pair) = if from == Reference::V3_8 { (0.08, 1.0) } else { (0.12, 5.0) };
        assert_near(&model.geom_margin, &[geom, geom, 0.0, geom], 1e-15);
        assert_eq!((model.pair_margin[0], model.pair_gap[0]), (pair, 2.0));
        assert_note(&migration, NoteKind::Changed, &format!("geom 'ball': margin 0.1 is {geom} now"));
        assert_note(&migration, NoteKind::Changed, &format!("pair 0: margin 3 is {pair} now"));
        assert!(!migration.notes.iter().any(|note| note.element.contains("other")));
    }
}

#[test]
fn one_margin_for_all_cannot_have_gaps() {
    let xml = "<mujoco><option o_margin='.1'><flag override='enable'/></option><worldbody>
        <body><freejoint/><geom size='.1' gap='.01'/></body></worldbody></mujoco>";
    assert!(differences(Reference::V3_8, xml).contains("option: o_margin overrides"));
}

const ARM: &str = "<body><joint name='a' axis='0 1 0' range='-1 2'/><geom type='capsule' fromto='0 0 0 1 0 0' size='.05'/>
    <body pos='1 0 0'><joint name='b' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 1 0 0' size='.05'/></body></body>";

#[test]
fn damping_ratios_become_damping() {
    let xml = format!(
        "<mujoco><default><position dampratio='1'/></default><worldbody>{ARM}</worldbody><actuator>
        <position name='servo' joint='a' kp='100'/><position joint='b' kp='100' dampratio='0'/></actuator></mujoco>"
    );
    let (migration, model) = migrated(Reference::V3_8, &xml);
    assert!((model.actuator_biasprm[0][2] + 94.9637).abs() < 1e-4);
    assert_eq!(model.actuator_biasprm[1][2], 0.0);
    assert_note(
        &migration,
        NoteKind::Changed,
        "actuator 'servo': dampratio 1 is written out as the damping kv 94.96",
    );
    let (migration, model) = migrated(Reference::V4_0, &xml);
    assert!((model.actuator_biasprm[0][2] + 45.6593).abs() < 1e-4);
    assert_note(&migration, NoteKind::Changed, "dampratio 1 is written out as the damping kv 45.65");
}

#[test]
fn inherited_ranges_are_written_out() {
    let xml = format!(
        "<mujoco><default><general gainprm='7'/></default><worldbody>{ARM}</worldbody><actuator>
        <position joint='a' kp='50' inheritrange='.5'/><intvelocity joint='a' inheritrange='1'/></actuator></mujoco>"
    );
    let (migration, model) = migrated(Reference::V3_8, &xml);
    let half = 0.5 * 1.5f64.to_radians();
    let middle = 0.5f64.to_radians();
    assert!(
        (model.actuator_ctrlrange[0][0] - middle + half).abs() < 1e-12 && model.actuator_ctrllimited[0] == 1
    );
    assert_note(&migration, NoteKind::Changed, "actuator 0: inheritrange 0.5 is written out as ctrlrange");
    assert_note(&migration, NoteKind::Changed, "actuator 1: inheritrange 1 is written out as actrange");
}

#[test]
fn gains_that_shortcuts_inherit_are_written_out() {
    let xml = format!(
        "<mujoco><default><position kp='50' kv='3'/></default><worldbody>{ARM}</worldbody>
        <actuator><motor joint='a'/><velocity joint='b'/></actuator></mujoco>"
    );
    let (_, model) = migrated(Reference::V3_8, &xml);
    assert_eq!(model.actuator_biasprm[0][..3], [0.0, -50.0, -3.0]);
    assert_eq!(model.actuator_gainprm[1][0], 50.0);
}

#[test]
fn setpoints_of_rotations_stay_where_they_are() {
    let xml = "<mujoco><worldbody><body><joint name='j' type='ball'/><geom type='box' size='.1 .2 .3'/></body></worldbody>
        <actuator><position joint='j' gear='0 0 1' kp='10'/></actuator></mujoco>";
    let (migration, model) = migrated(Reference::V3_8, xml);
    let bias = model.actuator_biasprm[0][1];
    assert!(bias != -10.0 && (bias + 10.0).abs() < 1e-14);
    assert_note(&migration, NoteKind::Changed, "setpoints are not wrapped around the circle");
}

#[test]
fn defaults_that_changed_are_written_out() {
    for from in LEVELS {
        let (migration, model) =
            migrated(from, "<mujoco><worldbody><geom type='plane' size='0 0 1'/></worldbody></mujoco>");
        let old =
            described(from, "<mujoco><worldbody><geom type='plane' size='0 0 1'/></worldbody></mujoco>")
                .compile()
                .unwrap();
        assert_eq!(model.opt.sleep_tolerance, old.opt.sleep_tolerance);
        assert_eq!(model.vis.global.bvactive, old.vis.global.bvactive);
        assert_eq!(model.vis.headlight.active, 1);
        assert_eq!((model.stat.extent, model.stat.center), (old.stat.extent, old.stat.center));
        assert_note(&migration, NoteKind::Changed, "option: sleep_tolerance");
        assert_note(&migration, NoteKind::Changed, "visual global: bvactive is written out");
        assert_note(&migration, NoteKind::Changed, "statistic: extent");
    }
}

#[test]
fn forces_of_tendons_stay_limited_or_not() {
    let xml =
        "<mujoco><worldbody><body><joint name='j' type='slide'/><geom size='.1'/></body></worldbody><tendon>
        <fixed name='t' actuatorfrcrange='-1 1'><joint joint='j' coef='1'/></fixed>
        <fixed name='free'><joint joint='j' coef='1'/></fixed></tendon>
        <actuator><general tendon='t' gainprm='50'/></actuator></mujoco>";
    for from in LEVELS {
        assert!(differs_as_it_is(from, xml));
        let (migration, model) = migrated(from, xml);
        assert_eq!(model.tendon_actfrclimited[0], u8::from(from == Reference::V4_0));
        assert_note(&migration, NoteKind::Changed, "tendon 't': actuatorfrclimited");
        assert!(!migration.notes.iter().any(|note| note.element.contains("free")));
    }
}

#[test]
fn replicated_keyframes_are_those_of_the_whole_model() {
    let xml = "<mujoco><worldbody><replicate count='3' offset='1 0 0'><body><joint type='slide'/><geom size='.1'/></body>
        </replicate></worldbody><keyframe><key qpos='1'/></keyframe></mujoco>";
    let (_, model) = migrated(Reference::V3_8, xml);
    assert_eq!((model.nkey, &model.key_qpos[..3]), (4, &[1.0, 0.0, 0.0][..]));
}

const FUSED: &str = "<mujoco><compiler fusestatic='true'/><option density='1'/><worldbody>
    <body name='a'><freejoint align='true'/><geom type='box' size='.1 .2 .3'/>
      <body name='x' pos='.3 0 .1' euler='0 40 0' childclass='heavy'><geom type='box' size='.1 .1 .3' pos='0 .2 0' euler='30 20 0'/>
        <camera name='c' pos='0 0 1'/><site name='s' pos='0 0 .3'/><light pos='0 0 1'/>
        <body pos='0 .1 0' euler='10 0 0'><geom size='.1'/><frame pos='0 0 1'><geom name='last' size='.05'/></frame></body>
        <body name='arm' pos='0 0 .5'><joint axis='1 0 0'/><geom size='.1'/></body></body></body>
    <body name='kept' pos='2 0 0'><geom size='.1'/></body></worldbody>
    <sensor><framepos objtype='site' objname='s'/><framepos objtype='body' objname='kept'/></sensor></mujoco>";

#[test]
fn fused_bodies_become_frames() {
    let xml = FUSED.replace("childclass='heavy'", "");
    assert!(differs_as_it_is(Reference::V3_8, &xml));
    let (migration, model) = migrated(Reference::V3_8, &xml);
    assert_eq!((model.nbody, model.ngeom), (4, 6));
    assert_note(&migration, NoteKind::Changed, "body 'x': is a frame of the body 'a' now");
    assert_note(&migration, NoteKind::Changed, "body 'a': the inertial frame is written out");
    let old = described(Reference::V3_8, &xml).compile().unwrap();
    assert_eq!((&old.cam_pos[0], &old.light_pos[0]), (&model.cam_pos[0], &model.light_pos[0]));
    // what a medium acts on by itself is not fused at level 4.0, and stays a body
    let (_, model) = migrated(Reference::V4_0, &xml);
    assert_eq!(model.nbody, 6);
}

#[test]
fn classes_of_fused_bodies_stay() {
    let class = "<default><default class='heavy'><geom density='9000'/></default></default><option";
    let (_, model) = migrated(Reference::V3_8, &FUSED.replace("<option", class));
    let old = described(Reference::V3_8, &FUSED.replace("<option", class)).compile().unwrap();
    assert!((model.body_mass[1] - old.body_mass[1]).abs() < 1e-9 * old.body_mass[1]);
    assert_eq!(model.body_ipos[1], old.body_ipos[1]);
}

#[test]
fn urdf_inertias_keep_their_axes() {
    let xml = "<robot name='r'><link name='world'/><link name='a'><inertial><origin xyz='.1 0 0' rpy='.5 .2 .1'/><mass value='1'/>
        <inertia ixx='.1' iyy='.2' izz='.25' ixy='.01' ixz='0' iyz='0'/></inertial></link>
        <joint name='j' type='continuous'><parent link='world'/><child link='a'/><axis xyz='1 .3 0'/></joint></robot>";
    for from in LEVELS {
        assert!(differs_as_it_is(from, xml));
        let (migration, _) = migrated(from, xml);
        assert_note(&migration, NoteKind::Changed, "body 'a': the rotation of the inertia");
    }
}

#[test]
fn inertial_frames_that_converge_further_are_written_out() {
    let xml = "<mujoco><worldbody><body name='b'><joint axis='1 1 0'/>
        <inertial pos='0 0 .1' mass='1' fullinertia='3 2 1.5 .000001 .000001 .000001'/></body></worldbody></mujoco>";
    let (migration, model) = migrated(Reference::V3_8, xml);
    assert_eq!(model.body_iquat[0], [1.0, 0.0, 0.0, 0.0]);
    assert_note(&migration, NoteKind::Changed, "body 'b': the inertial frame is written out");
}

#[test]
fn geoms_that_decide_about_all_inertias_still_do() {
    let bodies = FUSED.replace("childclass='heavy'", "").replace(
        "<body name='kept' pos='2 0 0'>",
        "<body name='given' pos='3 0 0'><joint/><inertial pos='0 0 0' mass='77' diaginertia='1 1 1'/><geom size='.1'/></body>
         <body name='kept' pos='2 0 0'>",
    );
    let xml = bodies.replace(
        "<compiler",
        "<compiler inertiafromgeom='true' settotalmass='2' boundmass='3' boundinertia='.5'",
    );
    let (migration, model) = migrated(Reference::V3_8, &xml);
    assert!((model.body_subtreemass[0] - 2.0).abs() < 1e-9);
    assert_note(&migration, NoteKind::Changed, "compiler: inertiafromgeom");
    assert_note(&migration, NoteKind::Changed, "compiler: settotalmass");
}

#[test]
fn shapes_fitted_to_meshes_are_written_out() {
    let xml = "<mujoco><asset><mesh name='m' vertex='0 0 0  .01 .002 0  0 .02 .001  .001 0 .03'/></asset><worldbody>
        <body name='b'><freejoint/><geom name='g' type='box' mesh='m'/></body></worldbody></mujoco>";
    let old = described(Reference::V3_8, xml).compile().unwrap();
    let (migration, model) = migrated(Reference::V3_8, xml);
    assert_eq!(model.geom_size[0], old.geom_size[0]);
    assert_note(
        &migration,
        NoteKind::Changed,
        "geom 'g': the shape that was fitted to a mesh is written out",
    );
    assert_note(&migration, NoteKind::Changed, "body 'b': the inertial frame is written out");
}

#[test]
fn what_cannot_be_made_up_for_is_named() {
    let free = "<worldbody><body name='f'><freejoint/><geom name='g' type='box' size='.1 .2 .3'/><site name='s' euler='0 30 0'/></body></worldbody>";
    let at_3 = |middle: &str, after: &str| {
        differences(Reference::V3_8, &format!("<mujoco>{middle}{free}{after}</mujoco>"))
    };
    for (middle, after, words) in [
        ("<option integrator='RK4'/>", "", "option: the integrator RK4 with ball and free joints"),
        ("<option integrator='implicitfast'/>", "", "body 'f': free bodies under implicit integrators"),
        ("", "<actuator><general site='s' refsite='s' gear='0 0 0 1 0 0'/></actuator>", "actuator 0: `refsite`"),
        ("<asset><mesh name='m' maxhullvert='5' builtin='sphere' params='1'/></asset>", "", "mesh 'm': `maxhullvert`"),
        (
            "<worldbody><body mocap='true' name='hand'><geom size='.1'/><body name='finger'><joint/><geom size='.1'/></body></body></worldbody>",
            "",
            "body 'finger': mocap bodies: its contacts with 'hand'",
        ),
        (
            "<worldbody><composite type='cable' prefix='c' curve='s' count='5 1 1' size='1'><plugin plugin='mujoco.elasticity.cable'/>
             <geom type='capsule' size='.01'/></composite></worldbody><extension><plugin plugin='mujoco.elasticity.cable'/></extension>",
            "",
            "the plugin mujoco.elasticity.cable was removed",
        ),
        (
            "<worldbody><flexcomp name='x' type='grid' count='3 3 1' spacing='.1 .1 .1' dim='2' mass='1'/></worldbody>",
            "",
            "flex 'x': flexes",
        ),
        (
            "",
            "<tendon><fixed name='t'><joint joint='j' coef='1'/><joint joint='j' coef='2'/></fixed></tendon>
             <worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody>",
            "tendon 't': fixed tendons over ball, free or repeated joints",
        ),
    ] {
        let found = at_3(middle, after);
        assert!(found.contains(words), "'{words}' in {found}");
    }
}

#[test]
fn a_sphere_feels_no_gyroscopic_force() {
    let xml = |inside: &str| {
        format!(
            "<mujoco><option integrator='implicit'/><worldbody><body name='b'><freejoint/>{inside}</body></worldbody></mujoco>"
        )
    };
    let (migration, _) = migrated(Reference::V3_8, &xml("<geom size='.1'/>"));
    assert_note(&migration, NoteKind::Warning, "body 'b': free bodies under implicit integrators");
    let central = differences(Reference::V3_8, &xml("<geom size='.1' pos='.2 0 0'/>"));
    assert!(central.contains("body 'b': free bodies under implicit integrators"), "{central}");
    // bodies that are fixed to one another have no midpoint rule, and no exact derivatives without 'fast'
    let pair = xml("<geom type='box' size='.1 .2 .3'/><body pos='1 0 0'><geom size='.1'/></body>");
    migrated(Reference::V3_8, &pair);
    assert!(differences(Reference::V3_8, &pair.replace("implicit", "implicitfast")).contains("body 'b'"));
}

#[test]
fn differences_can_be_accepted() {
    let xml = "<mujoco><option integrator='RK4'/><worldbody><body><freejoint/><geom size='.1' gap='.1'/></body></worldbody></mujoco>";
    let error = described(Reference::V3_8, xml).migrate(Reference::V4_0).unwrap_err();
    let migration = error.accept().unwrap();
    assert_note(&migration, NoteKind::Changed, "margin 0 is -0.1 now");
    assert_eq!(migration.spec.compile().unwrap().geom_margin[0], -0.1);
    let broken = described(Reference::V3_8, "<mujoco><worldbody><body><joint/></body></worldbody></mujoco>");
    assert!(matches!(broken.migrate(Reference::V4_0), Err(MigrateError::Compile(_))));
}

#[test]
fn what_may_differ_is_a_warning() {
    let xml = "<mujoco><option solver='CG' noslip_iterations='3'><flag sleep='enable'/></option><worldbody>
        <body><freejoint/><geom name='g' type='box' size='.1 .1 .1'/><site name='s'/></body><body pos='3 0 0'><freejoint/>
        <geom type='box' size='.1 .1 .1'/></body><site name='w' pos='0 0 5'/><geom name='h' type='cylinder' pos='0 0 9' size='.1 .1'/></worldbody>
        <tendon><spatial name='t'><site site='s'/><geom geom='h' sidesite='w'/><site site='w'/></spatial></tendon>
        <sensor><accelerometer name='a' site='w'/><force name='f' site='s'/><distance geom1='g' geom2='h'/></sensor></mujoco>";
    let migration = described(Reference::V3_8, xml).migrate(Reference::V4_0).unwrap();
    for words in [
        "option: the solver CG",
        "option: noslip iterations",
        "option: the flag `sleep`",
        "contacts: a contact of two boxes",
        "contacts: a contact of convex shapes",
        "tendon 't': a `sidesite`",
        "sensor 'a': accelerometers on bodies that do not move",
        "sensor 'f': `force` and `torque`",
        "sensor 2: sensors of the distance of geoms",
        "model: does not load here: unsupported:",
    ] {
        assert_note(&migration, NoteKind::Warning, words);
    }
}

/// Models of the repository: those that load and step at both levels move as they did.
#[test]
fn models_move_as_they_did() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
    let (mut moved, mut refused) = (Vec::new(), Vec::new());
    for path in kinetree_spec::find_models(folder) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Ok(spec) = Spec::from_xml_file(&path) else { continue };
        let Ok(old) = spec.compile() else { continue };
        let Ok(migration) = spec.migrate(Reference::V4_0) else {
            refused.push(name);
            continue;
        };
        let Ok(new) = migration.spec.compile() else { continue };
        let steps = |model: &Model| {
            let mut data = Data::new(model);
            (0..50).try_for_each(|_| data.step(model)).map(|()| data.qpos.to_vec())
        };
        // a contact that is refused has no motion to compare
        let (Ok(old), Ok(new)) = (steps(&old), steps(&new)) else { continue };
        let far = old.iter().zip(&new).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(far <= 1e-6, "{name}: {far:e} apart; {:#?}", migration.notes);
        moved.push(name);
    }
    println!("{} models move as they did: {moved:?}; differ by their nature: {refused:?}", moved.len());
    assert!(moved.len() >= 10, "{moved:?}");
}
